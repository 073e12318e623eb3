//! Potentials of the normal form by cases.
//!
//! This form has fewer constraints than the one with the value `unknown`, in which
//! any value can be forgotten at any time. So the optimum of the explicit LP of
//! Eq. 1–2 never drops; it is the same in dimension 1 without mutexes, and rises in
//! some tasks. The LPs of all dimensions are compared with the explicit one, and
//! certified functions are checked in every state of the original task.

mod common;

use std::sync::Arc;

use common::{
    at_most, complete_features, explicit, model_optimum, optimum, plain, random_task, same, states,
    transitions,
};
use hipot_analysis::OpenValues;
use hipot_analysis::h2::{self, H2, h2};
use hipot_check::is_goal;
use hipot_potential::{
    Certified, FeatureSet, MutexChoice, NormalForm, Optimum, Params, PotentialHeuristic, Validity,
    optimize,
};
use hipot_search::{Outcome, SearchParams, astar};
use hipot_task::{
    Effect, Fact, Heuristic, Limits, Operator, Packing, Task, TaskBuilder, Variable, VariableId,
};
use hipot_testing::{Rng, StateSpace};

const MAX_STATES: usize = 2000;

fn by_cases(task: &Task) -> Arc<NormalForm> {
    let normal = NormalForm::new(task, MutexChoice::None, OpenValues::Cases, &Limits::none());
    Arc::new(normal.unwrap())
}

fn with_mutexes(task: &Task, found: &H2, open: OpenValues) -> Arc<NormalForm> {
    let (mutexes, proof) = (found.mutexes(), found.layers().to_vec());
    Arc::new(NormalForm::with_mutexes(task, mutexes, proof, open, &Limits::none()).unwrap())
}

/// A task in which each variable can be set once the next one is, and all can be
/// changed by other operators too; most do not ask for what they set. The goal
/// leaves some variables open.
fn loose_task(variables: usize, domain: u32, seed: u64) -> Task {
    let mut rng = Rng::new(seed);
    let mut builder = TaskBuilder::new(true);
    for number in 0..variables {
        let values = (0..domain).map(|value| format!("v{number}={value}"));
        builder.add_variable(Variable::new(format!("v{number}"), values)).unwrap();
    }
    let ids: Vec<VariableId> = (0..variables).map(VariableId::new).collect();
    builder.set_initial(vec![0; variables]).unwrap();
    let is_asked = |&&id: &&VariableId| id == ids[0] || rng.chance(25);
    let goal: Vec<VariableId> = ids.iter().filter(is_asked).copied().collect();
    builder.set_goal(goal.into_iter().map(|id| Fact::new(id, 1)).collect()).unwrap();
    for (number, &id) in ids.iter().enumerate() {
        let preconditions = ids[number + 1..].iter().take(1).map(|&id| Fact::new(id, 1)).collect();
        let (name, effects) = (format!("c{number}"), vec![Effect::new(Fact::new(id, 1))]);
        builder.add_operator(Operator { name, preconditions, effects, cost: 1 }).unwrap();
    }
    for number in 0..rng.below(1 + variables as u32) as usize {
        builder.add_operator(loose_operator(number, domain, &ids, &mut rng)).unwrap();
    }
    builder.build()
}

/// An operator that sets one variable and seldom others, and mostly asks for
/// what it does not set.
fn loose_operator(number: usize, domain: u32, ids: &[VariableId], rng: &mut Rng) -> Operator {
    let (mut preconditions, mut effects) = (Vec::new(), Vec::new());
    let changed = ids[rng.below(ids.len() as u32) as usize];
    for &id in ids {
        if id != changed && !rng.chance(35) {
            continue;
        }
        let old = rng.below(domain);
        let is_set = id == changed || rng.chance(20);
        if !is_set || rng.chance(30) {
            preconditions.push(Fact::new(id, old));
        }
        if is_set {
            effects.push(Effect::new(Fact::new(id, (old + 1 + rng.below(domain - 1)) % domain)));
        }
    }
    Operator { name: format!("o{number}"), preconditions, effects, cost: 1 }
}

#[derive(Debug, Default)]
struct Seen {
    bounds: usize,
    /// Higher with cases, without mutexes and with.
    higher: [usize; 2],
    proofs: usize,
}

/// max φ(s_I) over all features of a dimension, by the explicit LP.
fn explicit_optimum(normal: &NormalForm, dimension: usize) -> Option<f64> {
    let features = complete_features(normal, dimension);
    optimum(&explicit(normal.task(), &features, normal.initial()))
}

/// Both forms without mutexes, in one dimension.
fn check_without_mutexes(task: &Task, dimension: usize, seen: &mut Seen, what: &str) {
    let (unknown, cases) = (plain(task), by_cases(task));
    let [low, high] = [&unknown, &cases].map(|normal| explicit_optimum(normal, dimension));
    assert!(at_most(low, high), "{what}: {low:?} with unknown, {high:?} by cases");
    if dimension == 1 {
        assert!(same(low, high), "{what}: {low:?} with unknown, {high:?} by cases");
    }
    seen.higher[0] += usize::from(!same(low, high));
    check_certified(task, &cases, dimension, seen, what);
}

/// What is certified by cases, against h* and, if there are no mutexes, against the explicit
/// LP.
fn check_certified(
    task: &Task,
    normal: &Arc<NormalForm>,
    dimension: usize,
    seen: &mut Seen,
    what: &str,
) {
    let h_star = StateSpace::explore(task, MAX_STATES).unwrap().optimal_cost();
    for found in optimized(normal, dimension) {
        match found {
            Optimum::Function(function, _) => {
                let bound = function.bound(normal.initial());
                assert!(h_star.is_none_or(|cost| bound <= cost), "{what}: {bound}");
                if normal.validity() == Validity::Everywhere {
                    let best = explicit_optimum(normal, dimension).unwrap();
                    let rounded = (best - 1e-6).ceil().max(0.0);
                    assert!((bound as f64 - rounded).abs() < 0.5, "{what}: {bound} {best}");
                    assert_consistent(task, &function, what);
                }
                search(task, &function, h_star, what);
                seen.bounds += usize::from(bound > 0);
            }
            Optimum::Unsolvable(..) => {
                assert_eq!(h_star, None, "{what}");
                seen.proofs += 1;
            }
        }
    }
}

/// The function over all features of a dimension, by each LP that there is.
fn optimized(normal: &Arc<NormalForm>, dimension: usize) -> Vec<Optimum> {
    let (params, limits) = (Params::default(), Limits::none());
    let features = complete_features(normal, dimension);
    let best = |features| optimize(normal, features, normal.initial(), &params, &limits).unwrap();
    let mut found = vec![best(FeatureSet::Given(&features))];
    if dimension <= 2 {
        found.push(best(FeatureSet::UpTo(dimension)));
    }
    found
}

/// In every state of the original task, and in integers: no operator lets φ fall
/// by more than its cost, and where the goal holds it is not positive.
fn assert_consistent(task: &Task, function: &Certified, what: &str) {
    for (before, operator, after) in transitions(task) {
        let decrease = function.numerator(&before) - function.numerator(&after);
        let cost = i128::from(task.operator(operator).cost);
        assert!(decrease <= cost * i128::from(function.denominator()), "{what}: {before:?}");
    }
    for state in states(task).into_iter().filter(|state| is_goal(task, state)) {
        assert!(function.numerator(&state) <= 0, "{what}: {state:?}");
    }
}

fn search(task: &Task, function: &Certified, h_star: Option<u64>, what: &str) {
    let mut heuristic = PotentialHeuristic::new(function, task);
    let is_consistent = heuristic.is_consistent();
    let packing = Packing::new(task);
    let found = astar(
        task,
        &packing,
        &mut heuristic,
        SearchParams::default(),
        &Limits::none(),
        &mut |_| {},
    );
    let cost = match found.outcome {
        Outcome::Solved(plan) => Some(plan.cost),
        Outcome::Unsolvable => None,
        outcome => panic!("{what}: {outcome:?}"),
    };
    assert_eq!(cost, h_star, "{what}");
    assert!(!is_consistent || found.statistics.reopened == 0, "{what}");
}

/// Both forms with the mutexes of h².
fn check_with_mutexes(task: &Task, dimension: usize, seen: &mut Seen, what: &str) {
    let found = h2(task, &h2::Params::default(), &Limits::none()).unwrap();
    if found.is_unsolvable() {
        return;
    }
    let unknown = with_mutexes(task, &found, OpenValues::Unknown);
    let cases = with_mutexes(task, &found, OpenValues::Cases);
    let bound = |normal: &Arc<NormalForm>| {
        optimized(normal, dimension)
            .into_iter()
            .map(|found| match found {
                Optimum::Function(function, _) => function.bound(normal.initial()),
                Optimum::Unsolvable(..) => u64::MAX,
            })
            .collect::<Vec<u64>>()
    };
    for (low, high) in bound(&unknown).into_iter().zip(bound(&cases)) {
        assert!(low <= high, "{what}: {low} with unknown, {high} by cases");
        seen.higher[1] += usize::from(low < high);
    }
    check_certified(task, &cases, dimension, seen, what);
}

fn check(tasks: impl Iterator<Item = Task>) -> Seen {
    let mut seen = Seen::default();
    for (number, task) in tasks.enumerate() {
        for dimension in 1..=3 {
            let what = format!("task {number}, dimension {dimension}");
            check_without_mutexes(&task, dimension, &mut seen, &what);
            check_with_mutexes(&task, dimension, &mut seen, &what);
        }
    }
    seen
}

#[test]
fn tasks_with_small_variables() {
    let seen = check((0..150).map(|seed| loose_task(4, 2, seed)));
    assert!(seen.bounds > 500 && seen.higher[0] > 50 && seen.higher[1] > 3, "{seen:?}");
}

#[test]
fn tasks_with_larger_variables() {
    let seen = check((0..80).map(|seed| loose_task(3, 3, seed)));
    assert!(seen.bounds > 500 && seen.higher.iter().all(|&it| it > 10), "{seen:?}");
}

#[test]
fn tiny_tasks() {
    let seen = check((0..100).map(|seed| random_task(common::TINY, seed)));
    assert!(seen.bounds > 200 && seen.higher[1] > 2 && seen.proofs > 50, "{seen:?}");
}

/// Tea takes hot water, which takes a full kettle, and nothing asks for what it
/// changes.
fn tea() -> Task {
    let mut builder = TaskBuilder::new(true);
    let kettle = builder.add_variable(Variable::new("kettle", ["empty", "full"])).unwrap();
    let water = builder.add_variable(Variable::new("water", ["cold", "hot"])).unwrap();
    let tea = builder.add_variable(Variable::new("tea", ["missing", "ready"])).unwrap();
    builder.set_initial(vec![0; 3]).unwrap();
    builder.set_goal(vec![Fact::new(tea, 1)]).unwrap();
    let mut add = |name: &str, asks: &[VariableId], sets: VariableId| {
        let preconditions = asks.iter().map(|&id| Fact::new(id, 1)).collect();
        let effects = vec![Effect::new(Fact::new(sets, 1))];
        let operator = Operator { name: name.to_owned(), preconditions, effects, cost: 1 };
        builder.add_operator(operator).unwrap();
    };
    add("fill", &[], kettle);
    add("boil", &[kettle], water);
    add("brew", &[water], tea);
    builder.build()
}

#[test]
fn forgetting_costs_a_step_of_making_tea() {
    let task = tea();
    let value = |normal: &NormalForm, dimension| {
        let features = complete_features(normal, dimension);
        model_optimum(normal, &features, normal.initial())
    };
    let (unknown, cases) = (plain(&task), by_cases(&task));
    assert!(same(value(&unknown, 1), value(&cases, 1)));
    assert!(same(value(&unknown, 2), Some(2.0)));
    assert!(same(value(&cases, 2), Some(3.0)));
    assert!(same(value(&unknown, 3), Some(3.0)));
    let [kettle, water, tea] = [0, 1, 2].map(VariableId::new);
    let unknown_values = [kettle, water, tea].map(|id| cases.unknown(id));
    assert_eq!(unknown_values, [Some(2), Some(2), None], "the goal leaves two open");
    // Each sets one variable from one other value; four operators forget.
    assert_eq!(cases.task().operators().len(), 3 + 4);
}
