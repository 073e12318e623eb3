//! Objectives other than the initial state's value.
//!
//! Averages are compared with explicit LPs that have a row for each transition,
//! functions for every state with the LP of that state, and everything with h*.

mod common;

use common::{TINY, complete_features, explicit, optimum, random_task};
use hipot_check::{RandomTask, StateSpace};
use hipot_potential::feature::{FeatureId, Features};
use hipot_potential::function::PotentialFunction;
use hipot_potential::{
    Average, Constraints, EveryState, KnownValues, Optimized, Over, Params, Raise, Reoptimized,
    Reoptimizer, diverse, optimize_complete,
};
use hipot_task::{Limits, TnfTask, Value};

const MOST_STATES: usize = 2000;

/// The function that is best in the initial state, if there is a plan.
fn best_initially(tnf: &TnfTask, dimension: usize) -> Option<PotentialFunction> {
    let initial = tnf.task().initial();
    let (params, limits) = (Params::default(), Limits::none());
    match optimize_complete(tnf, dimension, initial, None, &params, &limits).unwrap() {
        Optimized::Function(function, _) => Some(function),
        Optimized::Unsolvable(..) => None,
    }
}

fn value(function: &PotentialFunction, state: &[Value]) -> f64 {
    function.numerator(state) as f64 / function.denominator() as f64
}

fn mean(function: &PotentialFunction, states: &[Vec<Value>]) -> f64 {
    states.iter().map(|state| value(function, state)).sum::<f64>() / states.len() as f64
}

/// The bound is nowhere above h*.
fn assert_admissible(function: &PotentialFunction, space: &StateSpace, what: &str) {
    for (state, distance) in space.states.iter().zip(&space.goal_distances) {
        if let Some(distance) = distance {
            let bound = function.bound(state);
            assert!(bound <= *distance, "{what}: {bound} in {state:?}, h* = {distance}");
        }
    }
}

/// States from which there is a plan.
fn live_states(space: &StateSpace) -> Vec<Vec<Value>> {
    let states = space.states.iter().zip(&space.goal_distances);
    states.filter(|(_, distance)| distance.is_some()).map(|(state, _)| state.clone()).collect()
}

/// The highest average over `states` by the explicit LP.
fn explicit_mean(tnf: &TnfTask, features: &Features, states: &[Vec<Value>]) -> Option<f64> {
    let mut problem = explicit(tnf.task(), features, &states[0]);
    let goal: Vec<Value> = tnf.task().goal().iter().map(|fact| fact.value).collect();
    let columns: Vec<_> = problem.columns().take(features.len()).collect();
    for (column, feature) in columns.into_iter().zip(features.ids()) {
        let share = |feature: FeatureId| {
            let holding = states.iter().filter(|state| features.holds(feature, state)).count();
            let at_goal = f64::from(u8::from(features.holds(feature, &goal)));
            holding as f64 / states.len() as f64 - at_goal
        };
        problem.set_objective(column, share(feature));
    }
    optimum(&problem)
}

#[test]
fn averages_over_states_are_the_highest() {
    let mut higher = 0;
    for seed in 0..150 {
        let task = random_task(TINY, seed);
        let space = StateSpace::explore(&task, MOST_STATES).unwrap();
        let tnf = TnfTask::new(&task).unwrap();
        for dimension in 1..=2 {
            let Some(first) = best_initially(&tnf, dimension) else { continue };
            let states = live_states(&space);
            if states.is_empty() {
                continue;
            }
            let what = format!("seed {seed}, dimension {dimension}");
            let features = complete_features(tnf.task(), dimension);
            let Some(best) = explicit_mean(&tnf, &features, &states) else { continue };
            let constraints =
                Constraints::new(&tnf, Over::Dimension(dimension), None, &Limits::none()).unwrap();
            let (params, limits) = (Params::default(), Limits::none());
            let mut reoptimizer = Reoptimizer::new(&constraints, &params, &limits).unwrap();
            let average = Average::States(states.clone());
            let Reoptimized::Function(function, _) =
                reoptimizer.maximize(&[(&average, 1.0)]).unwrap()
            else {
                panic!("{what}: no function, but the optimum is {best}")
            };
            assert_admissible(&function, &space, &what);
            let found = mean(&function, &states);
            assert!((found - best).abs() < 1e-3 * (1.0 + best.abs()), "{what}: {found}, {best}");
            higher += usize::from(found > mean(&first, &states) + 1e-3);
        }
    }
    assert!(higher > 20, "{higher}");
}

#[test]
fn the_initial_bound_stays() {
    let (mut raised, mut functions) = (0, 0);
    for seed in 0..200 {
        let task = random_task(RandomTask { cost: 4, ..TINY }, seed);
        let space = StateSpace::explore(&task, MOST_STATES).unwrap();
        let tnf = TnfTask::new(&task).unwrap();
        let initial = tnf.task().initial();
        let Some(first) = best_initially(&tnf, 2) else { continue };
        let raise = Raise { tnf: &tnf, from: &first, state: initial, keeps_bound: true };
        let (params, limits) = (Params::default(), Limits::none());
        let states = live_states(&space);
        for average in [Average::AllStates(KnownValues::new(&tnf)), Average::States(states.clone())]
        {
            if matches!(&average, Average::States(states) if states.is_empty()) {
                continue;
            }
            let over = Over::Pairs(first.features(), Some(initial));
            let constraints = Constraints::new(&tnf, over, None, &limits).unwrap();
            let constraints = constraints.with_largest_weight(raise.largest_weight(), &params);
            let found = raise.maximize(&constraints, average, &params, &limits).unwrap();
            let Some((function, _)) = found else { continue };
            let what = format!("seed {seed}");
            assert_admissible(&function, &space, &what);
            assert!(function.bound(initial) >= first.bound(initial), "{what}");
            functions += 1;
            raised += usize::from(mean(&function, &states) > mean(&first, &states) + 1e-3);
        }
    }
    assert!(functions > 200 && raised > 40, "{functions} {raised}");
}

#[test]
fn every_state_has_its_best_function() {
    let (mut bounds, mut dead_ends) = (0, 0);
    for seed in 0..120 {
        let task = random_task(TINY, seed);
        let space = StateSpace::explore(&task, MOST_STATES).unwrap();
        let tnf = TnfTask::new(&task).unwrap();
        for dimension in 1..=2 {
            let Some(first) = best_initially(&tnf, dimension) else { continue };
            let (params, limits) = (Params::default(), Limits::none());
            let constraints =
                Constraints::new(&tnf, Over::Dimension(dimension), None, &limits).unwrap();
            let reoptimizer = Reoptimizer::new(&constraints, &params, &limits).unwrap();
            let mut heuristic = EveryState::new(reoptimizer, first);
            let features = complete_features(tnf.task(), dimension);
            for (state, distance) in space.states.iter().zip(&space.goal_distances).take(40) {
                let what = format!("seed {seed}, dimension {dimension}, {state:?}");
                let best = optimum(&explicit(tnf.task(), &features, state));
                match (heuristic.bound(state), best) {
                    (Some(bound), Some(best)) => {
                        assert!(distance.is_none_or(|it| bound <= it), "{what}: {bound}");
                        let rounded = (best - 1e-6).ceil().max(0.0);
                        assert!((bound as f64 - rounded).abs() < 0.5, "{what}: {bound}, {best}");
                        bounds += 1;
                    }
                    (None, None) => {
                        assert!(distance.is_none(), "{what}");
                        dead_ends += 1;
                    }
                    (bound, best) => panic!("{what}: {bound:?}, {best:?}"),
                }
            }
        }
    }
    assert!(bounds > 500 && dead_ends > 20, "{bounds} {dead_ends}");
}

#[test]
fn a_diverse_set_covers_the_states() {
    let mut sets = 0;
    for seed in 0..120 {
        let task = random_task(TINY, seed);
        let space = StateSpace::explore(&task, MOST_STATES).unwrap();
        let tnf = TnfTask::new(&task).unwrap();
        let Some(first) = best_initially(&tnf, 1) else { continue };
        let (params, limits) = (Params::default(), Limits::none());
        let constraints = Constraints::new(&tnf, Over::Dimension(1), None, &limits).unwrap();
        let mut reoptimizer = Reoptimizer::new(&constraints, &params, &limits).unwrap();
        let states = live_states(&space);
        let bound = first.bound(tnf.task().initial());
        let functions =
            diverse(&mut reoptimizer, first, states.clone(), usize::MAX, &limits).unwrap();
        assert_eq!(functions[0].bound(tnf.task().initial()), bound, "seed {seed}");
        let features = complete_features(tnf.task(), 1);
        for state in &states {
            let Some(best) = optimum(&explicit(tnf.task(), &features, state)) else { continue };
            let highest = functions.iter().map(|it| it.bound(state)).max().unwrap_or(0);
            let rounded = (best - 1e-6).ceil().max(0.0);
            let what = format!("seed {seed}, {state:?}: {highest}, {best}");
            assert!((highest as f64 - rounded).abs() < 0.5, "{what}");
        }
        for function in &functions {
            assert_admissible(function, &space, &format!("seed {seed}"));
        }
        for (place, function) in functions.iter().enumerate().skip(1) {
            let others = functions.iter().enumerate().filter(|&(other, _)| other != place);
            let others: Vec<&PotentialFunction> = others.map(|(_, it)| it).collect();
            let wins = |state: &Vec<Value>| {
                others.iter().all(|other| other.bound(state) <= function.bound(state))
            };
            assert!(states.iter().any(wins), "seed {seed}: function {place} never wins");
        }
        sets += usize::from(functions.len() > 1);
    }
    assert!(sets > 10, "{sets}");
}
