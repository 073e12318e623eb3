//! Potentials in states without mutexes.
//!
//! With mutexes, Eq. 2 need not hold in contexts that no state of a plan has.
//! The LPs of all dimensions are compared with the explicit one that has a row
//! for each transition whose operator is possible together with each single
//! fact of its context. Their bounds are at most h* and never below those without
//! mutexes, and A* with them finds plans of cost h*.

mod common;

use std::sync::Arc;

use common::{
    MANY_VARIABLES, TINY, complete_features, explicit, explicit_where, optimum, plain, random_task,
    transitions,
};
use hipot_analysis::OpenValues;
use hipot_analysis::h2::{self, h2};
use hipot_potential::{
    Certified, FeatureSet, NormalForm, Optimum, Params, PotentialHeuristic, optimize,
};
use hipot_search::{Outcome, SearchParams, astar};
use hipot_task::{Fact, Limits, OperatorId, Packing, Task, Value};
use hipot_testing::{RandomTask, StateSpace};

const MAX_STATES: usize = 2000;

fn facts_of(task: &Task, state: &[Value]) -> Vec<Fact> {
    task.variable_ids().zip(state).map(|(variable, &value)| Fact::new(variable, value)).collect()
}

/// Whether each fact of `before` that the operator does not mention is possible
/// together with what it mentions, before and after.
fn is_possible(normal: &NormalForm, before: &[Value], operator: OperatorId) -> bool {
    let Some(mutexes) = normal.mutexes() else { return true };
    let task = normal.task();
    let operator = task.operator(operator);
    let after: Vec<Fact> = operator.effects.iter().map(|effect| effect.fact).collect();
    let sides = [&operator.preconditions, &after];
    let is_context = |fact: &Fact| operator.precondition_on(fact.variable).is_none();
    sides.iter().all(|side| !mutexes.exclude(side))
        && facts_of(task, before).into_iter().filter(is_context).all(|fact| {
            let goes_with = |&other: &Fact| !mutexes.are_mutex(fact, other);
            !mutexes.is_dead(fact) && sides.iter().all(|side| side.iter().all(goes_with))
        })
}

#[derive(Debug, Default)]
struct Seen {
    higher: usize,
    proofs: usize,
    bounds: usize,
}

struct Case<'a> {
    task: &'a Task,
    normal: &'a Arc<NormalForm>,
    what: String,
}

impl Case<'_> {
    fn check(&self, dimension: usize, seen: &mut Seen) {
        let (normal, initial) = (self.normal, self.normal.initial());
        let features = complete_features(normal, dimension);
        let counts = |before: &[Value], operator| is_possible(normal, before, operator);
        let best = optimum(&explicit_where(normal.task(), &features, initial, counts));
        let (params, limits) = (Params::default(), Limits::none());
        let found = |features| optimize(normal, features, initial, &params, &limits).unwrap();
        self.check_result(found(FeatureSet::Given(&features)), best, seen);
        if dimension <= 2 {
            self.check_result(found(FeatureSet::UpTo(dimension)), best, seen);
        }
        let without = plain(self.task);
        let features = complete_features(&without, dimension);
        let low = optimum(&explicit(without.task(), &features, without.initial()));
        match (low, best) {
            (Some(low), Some(best)) => {
                assert!(best >= low - 1e-6, "{}: {best} with mutexes, {low} without", self.what);
                seen.higher += usize::from(best > low + 1e-3);
            }
            (low, best) => assert!(best.is_none(), "{}: {low:?} {best:?}", self.what),
        }
    }

    fn check_result(&self, result: Optimum, best: Option<f64>, seen: &mut Seen) {
        let initial = self.normal.initial();
        let h_star = StateSpace::explore(self.task, MAX_STATES).unwrap().optimal_cost();
        match (result, best) {
            (Optimum::Function(function, _), Some(best)) => {
                self.assert_exact(&function);
                let bound = function.bound(initial);
                assert!(h_star.is_none_or(|it| bound <= it), "{}: {bound}", self.what);
                let rounded = (best - 1e-6).ceil().max(0.0);
                let what = format!("{}: bound {bound}, but the optimum is {best}", self.what);
                assert!((bound as f64 - rounded).abs() < 0.5, "{what}");
                self.search(&function, h_star);
                seen.bounds += usize::from(bound > 0);
            }
            (Optimum::Unsolvable(function, _), None) => {
                assert!(function.numerator(initial) > 0 && h_star.is_none(), "{}", self.what);
                seen.proofs += 1;
            }
            (result, best) => panic!("{}: {result:?}, but the optimum is {best:?}", self.what),
        }
    }

    /// Eq. 2 where it counts, in integers.
    fn assert_exact(&self, function: &Certified) {
        let task = self.normal.task();
        for (before, operator, after) in transitions(task) {
            if is_possible(self.normal, &before, operator) {
                let decrease = function.numerator(&before) - function.numerator(&after);
                let cost = i128::from(task.operator(operator).cost);
                let room = cost * i128::from(function.denominator());
                assert!(decrease <= room, "{}: {operator} in {before:?}", self.what);
            }
        }
    }

    fn search(&self, function: &Certified, h_star: Option<u64>) {
        let mut heuristic = PotentialHeuristic::new(function, self.task);
        let packing = Packing::new(self.task);
        let found = astar(
            self.task,
            &packing,
            &mut heuristic,
            SearchParams::default(),
            &Limits::none(),
            &mut |_| {},
        );
        let cost = match found.outcome {
            Outcome::Solved(plan) => Some(plan.cost),
            Outcome::Unsolvable => None,
            outcome => panic!("{}: {outcome:?}", self.what),
        };
        assert_eq!(cost, h_star, "{}", self.what);
    }
}

fn check(shape: RandomTask, seeds: u64) -> Seen {
    let mut seen = Seen::default();
    for seed in 0..seeds {
        let task = random_task(shape, seed);
        let found = h2(&task, &h2::Params::default(), &Limits::none()).unwrap();
        if found.is_unsolvable() {
            continue;
        }
        // Mutexes of reachable states, or of states on plans.
        let hold_everywhere = seed % 2 == 1;
        let (mutexes, proof) = if hold_everywhere {
            (found.forward(), &found.layers()[..1])
        } else {
            (found.mutexes(), found.layers())
        };
        let (proof, open) = (proof.to_vec(), OpenValues::Unknown);
        let normal = NormalForm::with_mutexes(&task, mutexes, proof, open, &Limits::none());
        let normal = Arc::new(normal.unwrap());
        for dimension in 1..=3 {
            let what = format!("seed {seed}, dimension {dimension}");
            Case { task: &task, normal: &normal, what }.check(dimension, &mut seen);
        }
    }
    seen
}

#[test]
fn tiny_tasks() {
    let seen = check(TINY, 400);
    assert!(seen.higher > 5 && seen.bounds > 100, "{seen:?}");
}

#[test]
fn tasks_with_many_variables() {
    let seen = check(MANY_VARIABLES, 150);
    assert!(seen.bounds > 100, "{seen:?}");
}

#[test]
fn tasks_with_free_operators() {
    let seen = check(RandomTask { percent_free: 50, ..TINY }, 200);
    assert!(seen.bounds > 20, "{seen:?}");
}
