//! Features of three facts and more, chosen where they raise the bound.
//!
//! Whatever was chosen, the function is consistent and goal-aware, by
//! enumeration in integers. Its value lies between the optima over all features of
//! size 2 and over all features of the requested size, as the explicit LP computes
//! them; if all features fit, it is the latter. On tasks made of small puzzles that
//! need three facts at a time, the right triples are found among many. A limit may
//! end the choice at any time, and the best function so far is kept.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{
    MANY_VARIABLES, complete_features, explicit, goal_state, optimum, plain, random_task,
    transitions,
};
use hipot_analysis::OpenValues;
use hipot_analysis::h2::{self, h2};
use hipot_potential::textbook::predict;
use hipot_potential::{
    Certified, Error, Extent, FeatureSet, NormalForm, Optimum, Params, Report, optimize,
    predict_complete,
};
use hipot_task::{Effect, Fact, Limits, Operator, Stop, Task, TaskBuilder, Variable, VariableId};
use hipot_testing::{RandomTask, StateSpace};

const SHAPE: RandomTask = RandomTask { percent_free: 20, ..MANY_VARIABLES };

/// Eq. 1 and 2 by enumeration, in integers.
fn assert_exact(task: &Task, function: &Certified, what: &str) {
    assert!(function.numerator(&goal_state(task)) <= 0, "{what}: not goal-aware");
    for (before, operator, after) in transitions(task) {
        let decrease = function.numerator(&before) - function.numerator(&after);
        let cost = i128::from(task.operator(operator).cost);
        let room = cost * i128::from(function.denominator());
        assert!(decrease <= room, "{what}: operator {operator} in {before:?}");
    }
}

fn value(function: &Certified) -> f64 {
    common::value(function, function.normal_form().initial())
}

/// The best function of up to a dimension, within a budget of nonzeros.
fn try_run(
    normal: &Arc<NormalForm>,
    dimension: usize,
    budget: Option<u64>,
    limits: &Limits,
) -> Result<Optimum, Error> {
    let params = Params { budget, ..Params::default() };
    optimize(normal, FeatureSet::UpTo(dimension), normal.initial(), &params, limits)
}

fn run(normal: &Arc<NormalForm>, dimension: usize, budget: Option<u64>) -> Optimum {
    try_run(normal, dimension, budget, &Limits::none()).unwrap()
}

fn function_of(optimum: Optimum) -> (Certified, Report) {
    match optimum {
        Optimum::Function(function, report) => (function, report),
        Optimum::Unsolvable(..) => panic!("the task has a plan"),
    }
}

/// The optima over all features of size 2 and of a larger size; `None` for the
/// first means that there is no plan.
fn optima(normal: &NormalForm, dimension: usize) -> (Option<f64>, Option<f64>) {
    let of_dimension = |dimension| {
        let features = complete_features(normal, dimension);
        optimum(&explicit(normal.task(), &features, normal.initial()))
    };
    (of_dimension(2), of_dimension(dimension))
}

/// With any budget from that of dimension 2 on, the function is certified, and
/// its value lies between those of dimension 2 and of the larger one.
fn check_budgets(dimension: usize, seeds: u64) {
    let (mut above_2, mut below, mut chosen, mut proofs) = (0, 0, 0, 0);
    for seed in 0..seeds {
        let normal = plain(&random_task(SHAPE, seed));
        let initial = normal.initial();
        let (Some(low), high) = optima(&normal, dimension) else { continue };
        let pairs = predict_complete(&normal, 2, initial, u64::MAX, &Limits::none());
        let pairs = pairs.unwrap().unwrap().nonzeros;
        let all = predict(&normal, &complete_features(&normal, dimension)).unwrap().nonzeros;
        let budget = pairs.max(all * (seed % 9 + 1) / 10);
        let what = format!("seed {seed}, dimension {dimension}, {budget} nonzeros");
        let (function, report) = match run(&normal, dimension, Some(budget)) {
            Optimum::Function(function, report) => (function, report),
            Optimum::Unsolvable(function, _) => {
                assert!(high.is_none() && function.numerator(initial) > 0, "{what}");
                proofs += 1;
                continue;
            }
        };
        assert_exact(normal.task(), &function, &what);
        assert!(report.size.nonzeros <= budget, "{what}: {report:?}");
        let value = value(&function);
        assert!(low - 1e-3 <= value, "{what}: {low} {value}");
        assert!(high.is_none_or(|high| value <= high + 1e-6), "{what}: {value} {high:?}");
        chosen += usize::from(report.extent != Extent::Complete);
        above_2 += usize::from(value > low + 0.1);
        below += usize::from(high.is_some_and(|high| value < high - 0.1));
    }
    let seen = format!("{above_2} above 2, {below} below, {chosen} chosen, {proofs} proofs");
    assert!(above_2 > 10 && below > 0 && chosen > 100 && proofs > 0, "{seen}");
}

/// Whether some but not all features on a set of three variables are there.
fn has_single_conjunctions(function: &Certified) -> bool {
    let (features, facts) = (function.features(), function.features().facts());
    let mut counts: BTreeMap<Vec<VariableId>, usize> = BTreeMap::new();
    for feature in features.ids().filter(|&it| features.conjuncts(it).len() == 3) {
        let conjuncts = features.conjuncts(feature).iter();
        *counts.entry(conjuncts.map(|&fact| facts.variable(fact)).collect()).or_default() += 1;
    }
    let all = |set: &[VariableId]| set.iter().map(|&it| facts.domain_size(it) - 1).product();
    counts.iter().any(|(set, &count)| count < all(set))
}

/// Where no set of three variables fits, some of its conjunctions may.
#[test]
fn single_conjunctions_of_large_sets() {
    let shape = RandomTask { variables: 4, domain: 4, operators: 30, ..SHAPE };
    let (mut single, mut above_2) = (0, 0);
    for seed in 0..200 {
        let normal = plain(&random_task(shape, seed));
        let initial = normal.initial();
        let Some(low) = optima(&normal, 2).0 else { continue };
        let pairs = predict_complete(&normal, 2, initial, u64::MAX, &Limits::none());
        let budget = pairs.unwrap().unwrap().nonzeros + 60 * (seed % 9);
        let Optimum::Function(function, report) = run(&normal, 3, Some(budget)) else { continue };
        assert_exact(normal.task(), &function, &format!("seed {seed}, {budget} nonzeros"));
        assert!(report.size.nonzeros <= budget, "seed {seed}, {budget} nonzeros: {report:?}");
        let value = value(&function);
        assert!(low - 1e-3 <= value, "seed {seed}: {low} {value}");
        if has_single_conjunctions(&function) {
            single += 1;
            above_2 += usize::from(value > low + 0.1);
        }
    }
    assert!(single > 5 && above_2 > 1, "{single} with single conjunctions, {above_2} above 2");
}

#[test]
fn with_a_budget_for_triples() {
    check_budgets(3, 400);
}

#[test]
fn with_a_budget_for_four_facts() {
    check_budgets(4, 400);
}

#[test]
fn all_features_where_they_fit() {
    let mut above_2 = 0;
    for seed in 0..300 {
        let task = random_task(SHAPE, seed);
        let normal = plain(&task);
        let (Some(low), Some(high)) = optima(&normal, 3) else { continue };
        let (function, report) = function_of(run(&normal, 3, None));
        assert_eq!(report.extent, Extent::Complete, "seed {seed}");
        assert_exact(normal.task(), &function, &format!("seed {seed}"));
        let (bound, rounded) = (function.bound(normal.initial()), (high - 1e-6).ceil().max(0.0));
        assert!((bound as f64 - rounded).abs() < 0.5, "seed {seed}: {bound}, optimum {high}");
        let h_star = StateSpace::explore(&task, 2000).unwrap().optimal_cost();
        assert!(h_star.is_none_or(|h_star| bound <= h_star), "seed {seed}: {bound} {h_star:?}");
        above_2 += usize::from(high > low + 0.1);
    }
    assert!(above_2 > 5, "{above_2}");
}

/// With mutexes the function is below h* and not below that of dimension 2.
#[test]
fn with_mutexes() {
    let (mut above_2, mut chosen) = (0, 0);
    for seed in 0..150 {
        let task = random_task(SHAPE, seed);
        let found = h2(&task, &h2::Params::default(), &Limits::none()).unwrap();
        let Some(h_star) = StateSpace::explore(&task, 2000).unwrap().optimal_cost() else {
            continue;
        };
        let (mutexes, proof) = (found.mutexes(), found.layers().to_vec());
        let (open, limits) = (OpenValues::Unknown, Limits::none());
        let normal = NormalForm::with_mutexes(&task, mutexes, proof, open, &limits).unwrap();
        let normal = Arc::new(normal);
        let initial = normal.initial();
        let (low, of_pairs) = function_of(run(&normal, 2, None));
        for budget in [None, Some(of_pairs.size.nonzeros + 4 * seed)] {
            let (function, report) = function_of(run(&normal, 3, budget));
            assert!(!low.is_higher(&function, initial), "seed {seed}, {budget:?}");
            assert!(function.bound(initial) <= h_star, "seed {seed}, {budget:?}");
            above_2 += usize::from(function.bound(initial) > low.bound(initial));
            chosen += usize::from(report.extent != Extent::Complete);
        }
    }
    assert!(above_2 > 5 && chosen > 20, "{above_2} {chosen}");
}

/// Several puzzles of three rings each. A ring can be moved if the one before it
/// is on and those before that are off; at first the last ring of each puzzle is
/// on, at last none. A puzzle takes seven moves, in one order only.
fn rings(puzzles: usize) -> Task {
    let mut builder = TaskBuilder::new(false);
    let mut rings = Vec::new();
    for number in 0..3 * puzzles {
        let values = ["off", "on"].map(|value| format!("ring{number} {value}"));
        rings.push(builder.add_variable(Variable::new(format!("ring{number}"), values)).unwrap());
    }
    builder
        .set_initial((0..rings.len()).map(|number| u32::from(number % 3 == 2)).collect())
        .unwrap();
    builder.set_goal(rings.iter().map(|&ring| Fact::new(ring, 0)).collect()).unwrap();
    for puzzle in rings.chunks(3) {
        for (place, from) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
            builder.add_operator(ring_move(puzzle, place, from)).unwrap();
        }
    }
    builder.build()
}

fn ring_move(puzzle: &[VariableId], place: usize, from: u32) -> Operator {
    let before = |other: usize| Fact::new(puzzle[other], u32::from(other + 1 == place));
    let own = Fact::new(puzzle[place], from);
    let effects = vec![Effect::new(Fact::new(puzzle[place], 1 - from))];
    let preconditions = (0..place).map(before).chain([own]).collect();
    Operator { name: format!("move {} {from}", puzzle[place]), preconditions, effects, cost: 1 }
}

fn of_dimension_2(normal: &Arc<NormalForm>) -> Certified {
    function_of(run(normal, 2, None)).0
}

#[test]
fn the_triples_that_matter_are_found() {
    let normal = plain(&rings(4));
    let initial = normal.initial();
    assert!(of_dimension_2(&normal).bound(initial) < 28);
    let all = complete_features(&normal, 3);
    let (function, report) = function_of(run(&normal, 3, Some(20_000)));
    assert_eq!(function.bound(initial), 28, "{report:?}");
    assert!(function.features().len() < all.len(), "{} features", function.features().len());
    assert!(report.size.nonzeros <= 20_000, "{report:?}");
}

/// Over all triples of 36 variables an operator's table has 2³³ entries. Some of
/// them fit, and no more are tried.
#[test]
fn contexts_that_are_too_wide() {
    let normal = plain(&rings(12));
    let initial = normal.initial();
    assert!(predict(&normal, &complete_features(&normal, 3)).is_err());
    let (function, report) = function_of(run(&normal, 3, Some(60_000)));
    assert!(matches!(report.extent, Extent::Larger { sets: 12.., .. }), "{report:?}");
    assert_eq!(function.bound(initial), 84, "{report:?}");
}

#[test]
fn a_time_limit_leaves_the_best_so_far() {
    let normal = plain(&rings(30));
    let low = of_dimension_2(&normal);
    let begin = Instant::now();
    let limits = Limits::new(Some(begin + Duration::from_secs(1)), None);
    let result = try_run(&normal, 3, None, &limits);
    // On a busy machine a second may not do for dimension 2.
    let is_stopped = matches!(result, Err(Error::Stopped(Stop::TimeLimit)));
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    if !is_stopped {
        let (function, _) = function_of(result.unwrap());
        let tolerance = 1e-3 * value(&low);
        assert!(value(&function) >= value(&low) - tolerance);
    }
}

#[test]
fn an_interrupt_ends_it() {
    let normal = plain(&rings(4));
    let limits = Limits::none();
    limits.request(Stop::Interrupted);
    let result = try_run(&normal, 3, None, &limits);
    assert!(matches!(result, Err(Error::Stopped(Stop::Interrupted))));
}
