//! Objectives other than the initial state's value.
//!
//! Averages are compared with explicit LPs that have a row for each transition,
//! functions for every state with the LP for that state, and all bounds with h*.

mod common;

use std::sync::Arc;

use common::{TINY, complete_features, explicit, optimum, plain, random_task, value};
use hipot_potential::feature::{FeatureId, Features};
use hipot_potential::{
    Average, Certified, EveryState, FeatureSet, Found, Marginals, NormalForm, Objective, Optimizer,
    Optimum, Params, Repeats, diverse, fact_ensemble, optimize, raise_average,
};
use hipot_task::{Limits, Value};
use hipot_testing::{RandomTask, StateSpace};

const MAX_STATES: usize = 2000;

/// The function that is best in the initial state, if there is a plan.
fn best_initially(normal: &Arc<NormalForm>, dimension: usize) -> Option<Certified> {
    let features = FeatureSet::UpTo(dimension);
    let (params, limits) = (Params::default(), Limits::none());
    match optimize(normal, features, normal.initial(), &params, &limits).unwrap() {
        Optimum::Function(function, _) => Some(function),
        Optimum::Unsolvable(..) => None,
    }
}

fn mean(function: &Certified, states: &[Vec<Value>]) -> f64 {
    states.iter().map(|state| value(function, state)).sum::<f64>() / states.len() as f64
}

/// The bound is nowhere above h*.
fn assert_admissible(function: &Certified, space: &StateSpace, what: &str) {
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
fn explicit_mean(normal: &NormalForm, features: &Features, states: &[Vec<Value>]) -> Option<f64> {
    let mut problem = explicit(normal.task(), features, &states[0]);
    let goal: Vec<Value> = normal.task().goal().iter().map(|fact| fact.value).collect();
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

/// The function whose average over `states` is the highest, by the optimizer.
fn highest_mean(
    normal: &Arc<NormalForm>,
    dimension: usize,
    repeats: Repeats,
    states: &[Vec<Value>],
) -> Option<Certified> {
    let (features, params, limits) =
        (FeatureSet::UpTo(dimension), Params::default(), Limits::none());
    let mut optimizer = Optimizer::new(normal, features, repeats, None, &params, &limits).unwrap();
    let objective = Objective::average(Average::States(states.to_vec()));
    match optimizer.maximize(&objective).unwrap() {
        Found::Function(function, _) => Some(*function),
        Found::Unbounded | Found::Nothing => None,
    }
}

#[test]
fn averages_over_states_are_the_highest() {
    let mut higher = [0; 2];
    for seed in 0..150 {
        let task = random_task(TINY, seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let normal = plain(&task);
        for dimension in 1..=2 {
            let Some(first) = best_initially(&normal, dimension) else { continue };
            let states = live_states(&space);
            if states.is_empty() {
                continue;
            }
            let what = format!("seed {seed}, dimension {dimension}");
            let features = complete_features(&normal, dimension);
            let Some(best) = explicit_mean(&normal, &features, &states) else { continue };
            for repeats in [Repeats::Few, Repeats::Many] {
                let function = highest_mean(&normal, dimension, repeats, &states);
                let Some(function) = function else {
                    panic!("{what}, {repeats:?}: no function, but the optimum is {best}")
                };
                assert_admissible(&function, &space, &what);
                let found = mean(&function, &states);
                let is_best = (found - best).abs() < 1e-3 * (1.0 + best.abs());
                assert!(is_best, "{what}, {repeats:?}: {found}, {best}");
                higher[repeats as usize] += usize::from(found > mean(&first, &states) + 1e-3);
            }
        }
    }
    assert!(higher.iter().all(|&count| count > 20), "{higher:?}");
}

#[test]
fn the_initial_bound_stays() {
    let (mut raised, mut functions) = (0, 0);
    for seed in 0..200 {
        let task = random_task(RandomTask { cost: 4, ..TINY }, seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let normal = plain(&task);
        let initial = normal.initial();
        let Some(first) = best_initially(&normal, 2) else { continue };
        let (params, limits) = (Params::default(), Limits::none());
        let states = live_states(&space);
        let all_states = Average::AllStates(Marginals::uniform(&normal));
        for average in [all_states, Average::States(states.clone())] {
            if matches!(&average, Average::States(states) if states.is_empty()) {
                continue;
            }
            let features = FeatureSet::PairsOf {
                features: first.features(),
                symmetric_about: Some(initial),
                extra_nonzeros: 0,
            };
            let found = raise_average(&first, features, average, Some(initial), &params, &limits);
            let Some((function, _)) = found.unwrap() else { continue };
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
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let normal = plain(&task);
        let ways = [1, 2].map(|it| [(it, Repeats::Few), (it, Repeats::Many)]).concat();
        for (dimension, repeats) in ways {
            let Some(first) = best_initially(&normal, dimension) else { continue };
            let (params, limits) = (Params::default(), Limits::none());
            let features = FeatureSet::UpTo(dimension);
            let optimizer =
                Optimizer::new(&normal, features, repeats, None, &params, &limits).unwrap();
            let mut heuristic = EveryState::new(optimizer, first);
            let features = complete_features(&normal, dimension);
            for (state, distance) in space.states.iter().zip(&space.goal_distances).take(40) {
                let what = format!("seed {seed}, dimension {dimension}, {repeats:?}, {state:?}");
                let best = optimum(&explicit(normal.task(), &features, state));
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
    assert!(bounds > 1000 && dead_ends > 40, "{bounds} {dead_ends}");
}

#[test]
fn a_diverse_set_covers_the_states() {
    check_diverse_sets(Repeats::Few);
    check_diverse_sets(Repeats::Many);
}

fn check_diverse_sets(repeats: Repeats) {
    let mut sets = 0;
    for seed in 0..120 {
        let task = random_task(TINY, seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let normal = plain(&task);
        let Some(first) = best_initially(&normal, 1) else { continue };
        let (params, limits) = (Params::default(), Limits::none());
        let features = FeatureSet::UpTo(1);
        let mut optimizer =
            Optimizer::new(&normal, features, repeats, None, &params, &limits).unwrap();
        let states = live_states(&space);
        let bound = first.bound(normal.initial());
        let functions =
            diverse(&mut optimizer, first, states.clone(), usize::MAX, &limits).unwrap();
        assert_eq!(functions[0].bound(normal.initial()), bound, "seed {seed}");
        let features = complete_features(&normal, 1);
        for state in &states {
            let Some(best) = optimum(&explicit(normal.task(), &features, state)) else { continue };
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
            let others: Vec<&Certified> = others.map(|(_, it)| it).collect();
            let wins = |state: &Vec<Value>| {
                others.iter().all(|other| other.bound(state) <= function.bound(state))
            };
            assert!(states.iter().any(wins), "seed {seed}: function {place} never wins");
        }
        sets += usize::from(functions.len() > 1);
    }
    assert!(sets > 10, "{repeats:?}: {sets}");
}

/// For each of the facts there is a function whose average over the states with this fact is the
/// highest.
#[test]
fn a_function_for_each_fact() {
    let (mut sets, mut compared) = (0, 0);
    for seed in 0..120 {
        let task = random_task(TINY, seed);
        let space = StateSpace::explore(&task, MAX_STATES).unwrap();
        let normal = plain(&task);
        let Some(first) = best_initially(&normal, 1) else { continue };
        let (params, limits) = (Params::default(), Limits::none());
        let states = live_states(&space);
        let features = FeatureSet::UpTo(1);
        let found = fact_ensemble(&first, features, &states, usize::MAX, &params, &limits);
        let functions = found.unwrap();
        for function in &functions {
            assert_admissible(function, &space, &format!("seed {seed}"));
        }
        sets += usize::from(functions.len() > 2);
        let features = complete_features(&normal, 1);
        for (variable, size) in task.variable_ids().map(|id| (id, task.variable(id).domain_size()))
        {
            for value in 0..size {
                let mut part = states.clone();
                part.retain(|state| state[variable.index()] == value);
                if part.is_empty() || part.len() == states.len() {
                    continue;
                }
                let Some(best) = explicit_mean(&normal, &features, &part) else { continue };
                let highest = |state: &Vec<Value>| {
                    functions.iter().map(|it| it.bound(state)).max().unwrap_or(0) as f64
                };
                let found = part.iter().map(highest).sum::<f64>() / part.len() as f64;
                assert!(found > best - 1e-3, "seed {seed}: {found}, {best}");
                compared += 1;
            }
        }
    }
    assert!(sets > 20 && compared > 200, "{sets} {compared}");
}
