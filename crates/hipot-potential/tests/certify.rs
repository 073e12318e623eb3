//! Certified functions, from the LP to the search.
//!
//! Not a theorem of the paper but the promise of this crate: what `optimize`
//! returns is consistent and goal-aware *exactly*, its bound in the initial
//! state is the LP's optimum rounded up, and if it says that there is no
//! plan, there is none. Free operators are the hard part, because no scaling
//! repairs them; so the families here have many, up to all operators.
//!
//! Everything is checked against enumeration in integers: Eq. 2 on every
//! syntactic transition, the explicit LP for the optimum, Dijkstra's algorithm
//! for h*. A* with the incremental heuristic sees the same values as the
//! function itself, never reopens, and finds plans of cost h*.

mod common;

use std::sync::Arc;

use common::{
    MANY_VARIABLES, TINY, Tally, complete_features, explicit, goal_state, optimum, plain,
    random_task, some_features, transitions, value,
};
use hipot_lp::Method;
use hipot_potential::feature::Features;
use hipot_potential::{
    Certified, Extent, FeatureSet, NormalForm, Optimum, Params, PotentialHeuristic, Rung, optimize,
    predict_complete,
};
use hipot_search::{Outcome, SearchParams, astar};
use hipot_task::{Estimate, Heuristic, Limits, OperatorId, Packing, StateView, Task, Value};
use hipot_testing::{RandomTask, Rng, StateSpace};

const MAX_STATES: usize = 1000;

/// Whether costs count in Eq. 2, or an operator may not lower φ at all.
#[derive(Clone, Copy, PartialEq)]
enum Costs {
    Given,
    Zero,
}

/// Eq. 1 and 2 by enumeration, in integers.
fn assert_exact(task: &Task, function: &Certified, costs: Costs, what: &str) {
    assert!(function.denominator() > 0, "{what}");
    assert!(function.numerator(&goal_state(task)) <= 0, "{what}: not goal-aware");
    for (before, operator, after) in transitions(task) {
        let decrease = function.numerator(&before) - function.numerator(&after);
        let cost = if costs == Costs::Zero { 0 } else { task.operator(operator).cost };
        let room = i128::from(cost) * i128::from(function.denominator());
        assert!(decrease <= room, "{what}: operator {operator} in {before:?}");
    }
}

/// The potential heuristic, compared with its function in every state.
struct Compared<'a> {
    heuristic: PotentialHeuristic,
    function: &'a Certified,
    successors: usize,
    what: &'a str,
}

impl Compared<'_> {
    fn compare(&self, estimate: Estimate, state: StateView<'_>) -> Estimate {
        let state = state.unpack();
        let expected = self.function.bound(&state);
        assert_eq!(estimate.cost(), Some(expected), "{}: in {state:?}", self.what);
        estimate
    }
}

impl Heuristic for Compared<'_> {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        let estimate = self.heuristic.estimate(state);
        self.compare(estimate, state)
    }

    fn enter(&mut self, parent: StateView<'_>) {
        self.heuristic.enter(parent);
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        self.successors += 1;
        let estimate = self.heuristic.estimate_successor(operator, successor);
        self.compare(estimate, successor)
    }

    fn is_consistent(&self) -> bool {
        self.heuristic.is_consistent()
    }
}

/// A* with `function` finds h*; how many successors were evaluated.
fn search(task: &Task, function: &Certified, h_star: Option<u64>, what: &str) -> usize {
    let packing = Packing::new(task);
    let heuristic = PotentialHeuristic::new(function, task);
    let mut compared = Compared { heuristic, function, successors: 0, what };
    let result =
        astar(task, &packing, &mut compared, SearchParams::default(), &Limits::none(), &mut |_| {});
    let found = match result.outcome {
        Outcome::Solved(plan) => Some(plan.cost),
        Outcome::Unsolvable => None,
        outcome => panic!("{what}: {outcome:?}"),
    };
    assert_eq!(found, h_star, "{what}: the search's result");
    assert_eq!(result.statistics.reopened, 0, "{what}");
    compared.successors
}

/// What a family of tasks has shown.
#[derive(Debug, Default)]
struct Seen {
    optima: Tally,
    proofs: usize,
    substituted: usize,
    successors: usize,
}

struct Case<'a> {
    task: &'a Task,
    normal: &'a Arc<NormalForm>,
    features: &'a Features,
    /// All features of size up to this, if it is 1 or 2: the reduced LP must
    /// give the same.
    complete: Option<usize>,
    what: String,
}

impl Case<'_> {
    fn initial(&self) -> &[Value] {
        self.normal.initial()
    }

    fn run(&self, params: &Params) -> Optimum {
        let features = FeatureSet::Given(self.features);
        optimize(self.normal, features, self.initial(), params, &Limits::none())
            .unwrap_or_else(|error| panic!("{}: {error}", self.what))
    }

    /// The reduced LP over all features of size up to 1 or 2.
    fn run_reduced(&self, dimension: usize, params: &Params) -> Optimum {
        let features = FeatureSet::UpTo(dimension);
        optimize(self.normal, features, self.initial(), params, &Limits::none())
            .unwrap_or_else(|error| panic!("{}, reduced: {error}", self.what))
    }

    fn check(&self, seen: &mut Seen) {
        let best = optimum(&explicit(self.normal.task(), self.features, self.initial()));
        seen.optima.add(best);
        let params = Params::default();
        self.check_result(self.run(&params), best, &self.what, seen);
        if let Some(dimension) = self.complete {
            let what = format!("{}, reduced", self.what);
            self.check_result(self.run_reduced(dimension, &params), best, &what, seen);
        }
    }

    fn check_result(&self, result: Optimum, best: Option<f64>, what: &str, seen: &mut Seen) {
        let h_star = StateSpace::explore(self.task, MAX_STATES).unwrap().optimal_cost();
        match (result, best) {
            (Optimum::Function(function, report), Some(best)) => {
                assert_exact(self.normal.task(), &function, Costs::Given, what);
                let bound = function.bound(self.initial());
                assert!(h_star.is_none_or(|h_star| bound <= h_star), "{what}: {bound} {h_star:?}");
                let rounded = (best - 1e-6).ceil().max(0.0);
                let is_rounded = (bound as f64 - rounded).abs() < 0.5;
                assert!(is_rounded, "{what}: bound {bound}, but the LP's optimum is {best}");
                assert!(best < 1e-6 || report.rung != Rung::Zero, "{what}");
                seen.substituted += usize::from(report.substituted > 0 && best > 1e-6);
                seen.successors += search(self.task, &function, h_star, what);
            }
            (Optimum::Unsolvable(function, _), None) => {
                assert_exact(self.normal.task(), &function, Costs::Zero, what);
                assert!(function.numerator(self.initial()) > 0, "{what}");
                assert_eq!(h_star, None, "{what}");
                seen.proofs += 1;
            }
            (result, best) => panic!("{what}: {result:?}, but the LP's optimum is {best:?}"),
        }
    }
}

/// Checks complete features of `dimension` on random tasks.
fn check(shape: RandomTask, dimension: usize, seeds: u64) -> Seen {
    let mut seen = Seen::default();
    for seed in 0..seeds {
        let task = random_task(shape, seed);
        let normal = plain(&task);
        let features = complete_features(&normal, dimension);
        let free = shape.percent_free;
        let what = format!("seed {seed}, dimension {dimension}, {free}% free");
        let complete = (dimension <= 2).then_some(dimension);
        Case { task: &task, normal: &normal, features: &features, complete, what }.check(&mut seen);
    }
    seen
}

fn free(percent_free: u32, shape: RandomTask) -> RandomTask {
    RandomTask { percent_free, ..shape }
}

#[test]
fn dimension_1() {
    check(TINY, 1, 300).optima.assert_varied();
}

#[test]
fn dimension_2() {
    let seen = check(TINY, 2, 300);
    seen.optima.assert_varied();
    assert!(seen.successors > 1000, "{seen:?}");
}

#[test]
fn dimension_3() {
    let seen = check(MANY_VARIABLES, 3, 200);
    seen.optima.assert_varied();
    assert!(seen.successors > 1000, "{seen:?}");
}

#[test]
fn with_many_free_operators() {
    for dimension in 1..=3 {
        let seen = check(free(60, TINY), dimension, 150);
        assert!(seen.optima.positive > 5 && seen.proofs > 5, "{dimension}: {seen:?}");
        assert!(seen.substituted > 5, "no cycle of free operators: {dimension}: {seen:?}");
    }
}

#[test]
fn with_free_operators_only() {
    for dimension in 1..=3 {
        let seen = check(free(100, TINY), dimension, 150);
        // Some random tasks do not use costs; there every operator costs 1.
        assert!(seen.optima.zero > 10 * seen.optima.positive, "{dimension}: {seen:?}");
        assert!(seen.proofs > 5, "{dimension}: {seen:?}");
    }
}

fn check_random_features(seed: u64, found: &mut Seen) {
    let task = random_task(free(40, MANY_VARIABLES), seed);
    let normal = plain(&task);
    let mut rng = Rng::new(seed);
    let dimension = 2 + rng.below(2) as usize;
    let percent = 20 + rng.below(60);
    let features = some_features(normal.task(), dimension, percent, &mut rng);
    let what = format!("seed {seed}, {percent}% of dimension {dimension}");
    Case { task: &task, normal: &normal, features: &features, complete: None, what }.check(found);
}

#[test]
fn with_random_features() {
    let mut seen = Seen::default();
    for seed in 0..300 {
        check_random_features(seed, &mut seen);
    }
    assert!(seen.optima.positive > 20 && seen.proofs > 20, "{seen:?}");
}

/// An operator on a cycle of free operators has no room, but some of its
/// contexts have: they need a margin of their own, or nothing is certified.
#[test]
fn tight_operators_with_room_in_their_contexts() {
    let mut seen = Seen::default();
    for seed in [988, 2553, 4454, 4697, 5866] {
        check_random_features(seed, &mut seen);
    }
    assert_eq!(seen.optima.positive, 5, "{seen:?}");
}

/// Features on demand: after any number of rounds the function is certified, and
/// its bound lies between those of dimension 1 and 2.
#[test]
fn features_on_demand() {
    let (mut above_1, mut below_2, mut chosen) = (0, 0, 0);
    for seed in 0..400 {
        let task = random_task(free(20, MANY_VARIABLES), seed);
        let normal = plain(&task);
        let initial = normal.initial();
        let [low, high] = [1, 2].map(|dimension| {
            let features = complete_features(&normal, dimension);
            optimum(&explicit(normal.task(), &features, initial))
        });
        let (Some(low), Some(high)) = (low, high) else { continue };
        let complete = predict_complete(&normal, 2, initial, u64::MAX, &Limits::none());
        let budget = complete.unwrap().unwrap().nonzeros * (seed % 10) / 10;
        let what = format!("seed {seed}, {budget} nonzeros");
        let params = Params { budget: Some(budget), ..Params::default() };
        let result = optimize(&normal, FeatureSet::UpTo(2), initial, &params, &Limits::none());
        let Ok(Optimum::Function(function, report)) = result else {
            assert!(matches!(result, Err(hipot_potential::Error::Stopped(_))), "{what}");
            continue;
        };
        assert_exact(normal.task(), &function, Costs::Given, &what);
        assert!(report.size.nonzeros <= budget, "{what}: {report:?}");
        let value = value(&function, initial);
        assert!(low - 1e-3 <= value && value <= high + 1e-6, "{what}: {low} {value} {high}");
        chosen += usize::from(report.extent != Extent::Complete);
        above_1 += usize::from(value > low + 0.1);
        below_2 += usize::from(value < high - 0.1);
    }
    assert!(above_1 > 20 && below_2 > 20 && chosen > 200, "{above_1} {below_2} {chosen}");
}

/// With large costs weights are large too, and a first-order method's error.
#[test]
fn with_large_costs() {
    let shape = RandomTask { cost: 100_000, ..TINY };
    for dimension in [1, 2] {
        let seen = check(shape, dimension, 100);
        assert!(seen.optima.positive > 20, "{seen:?}");
    }
}

/// Whatever method gave the weights, they are certified; the bound may be
/// lower with an imprecise one, but not higher than h*.
#[test]
fn with_every_method() {
    let mut positive = 0;
    for seed in 0..60 {
        let task = random_task(free(30, TINY), seed);
        let normal = plain(&task);
        let features = complete_features(&normal, 2);
        let h_star = StateSpace::explore(&task, MAX_STATES).unwrap().optimal_cost();
        if optimum(&explicit(normal.task(), &features, normal.initial())).is_none() {
            continue;
        }
        for method in [Method::PrimalSimplex, Method::DualSimplex, Method::Ipm, Method::Pdlp] {
            let what = format!("seed {seed}, {method:?}");
            let case =
                Case { task: &task, normal: &normal, features: &features, complete: None, what };
            let result = case.run(&Params { method, ..Params::default() });
            let Optimum::Function(function, _) = result else {
                panic!("{}: {result:?}", case.what);
            };
            assert_exact(normal.task(), &function, Costs::Given, &case.what);
            let bound = function.bound(case.initial());
            assert!(h_star.is_none_or(|h_star| bound <= h_star), "{}: {bound}", case.what);
            positive += usize::from(bound > 0);
        }
    }
    assert!(positive > 20, "{positive}");
}
