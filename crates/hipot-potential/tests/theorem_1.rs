//! Theorem 1 (`thm:tractable:binary`): features of size at most 2.
//!
//! In our own words: for features of at most two facts, weights w make φ
//! consistent if and only if there are numbers z such that ⟨w, z⟩ satisfies
//! Eq. 8 and 9 of every operator, which are polynomially many constraints;
//! together with Eq. 1, φ(s_⋆) ≤ 0, these are all the weights of admissible
//! and consistent potential heuristics.
//!
//! The test compares with Eq. 2 written out: one row for each transition from
//! each syntactic state, reachable or not. Two LPs with the same solutions
//! have the same optimum whatever is maximized, so the objective varies; and
//! random weights, fixed in the LP, leave it feasible just if they satisfy
//! Eq. 2. Eq. 1 is there as the constant −φ(s_⋆), hence in the objective.
//!
//! The LP that `pot(dim=1)` and `pot(dim=2)` really solve has less than Eq. 8 and
//! 9; its optimum must be the same.

mod common;

use common::{
    TINY, Tally, all_features, complete_features, explicit, model_optimum, optimum, random_normal,
    same, some_features, states, transitions, value,
};
use hipot_lp::{Bounds, Params, Solver, Status};
use hipot_potential::feature::{FeatureId, Features};
use hipot_potential::{FeatureSet, NormalForm, Optimum, optimize, textbook};
use hipot_task::{Limits, Task};
use hipot_testing::Rng;

const SEEDS: u64 = 200;

/// Compares both LPs for the initial state and another one; the optimum in
/// the initial state.
fn compare(normal: &NormalForm, features: &Features, rng: &mut Rng, seed: u64) -> Option<f64> {
    let task = normal.task();
    let states = states(task);
    let other = &states[rng.below(states.len() as u32) as usize];
    let mut first = None;
    for state in [other, task.initial()] {
        let written_out = optimum(&explicit(task, features, state));
        first = model_optimum(normal, features, state);
        assert!(same(first, written_out), "seed {seed}: {first:?} but Eq. 2 {written_out:?}");
    }
    first
}

#[test]
fn complete_sets_have_the_optimum_of_the_explicit_lp_with_and_without_reference_values() {
    for dimension in [1, 2] {
        let mut tally = Tally::default();
        for seed in 0..SEEDS {
            let normal = random_normal(TINY, seed);
            let mut rng = Rng::new(seed);
            let all = all_features(normal.task(), dimension);
            let reduced = complete_features(&normal, dimension);
            let with_all = compare(&normal, &all, &mut rng, seed);
            let with_reduced = compare(&normal, &reduced, &mut rng, seed);
            assert!(
                same(with_all, with_reduced),
                "seed {seed}, dimension {dimension}: all features {with_all:?}, \
                 without reference values {with_reduced:?}"
            );
            assert!(reduced.len() < all.len(), "seed {seed}: nothing was dropped");
            tally.add(with_all);
        }
        tally.assert_varied();
    }
}

#[test]
fn the_reduced_lp_has_the_optimum_of_the_textbook() {
    for dimension in [1, 2] {
        let mut tally = Tally::default();
        for seed in 0..SEEDS {
            let normal = random_normal(TINY, seed);
            let (state, features) = (normal.initial(), FeatureSet::UpTo(dimension));
            let params = hipot_potential::Params::default();
            let textbook = model_optimum(&normal, &complete_features(&normal, dimension), state);
            let reduced = match optimize(&normal, features, state, &params, &Limits::none()) {
                Ok(Optimum::Function(function, _)) => Some(value(&function, state)),
                Ok(Optimum::Unsolvable(..)) => None,
                Err(error) => panic!("seed {seed}: {error}"),
            };
            let what = format!("seed {seed}, dimension {dimension}: {reduced:?} {textbook:?}");
            // Weights are rounded before they are certified.
            let is_near = |(a, b): (f64, f64)| (a - b).abs() <= 1e-3 * (1.0 + b);
            assert_eq!(reduced.is_none(), textbook.is_none(), "{what}");
            assert!(reduced.zip(textbook).is_none_or(is_near), "{what}");
            tally.add(textbook);
        }
        tally.assert_varied();
    }
}

#[test]
fn random_sets_have_the_optimum_of_the_explicit_lp() {
    let mut tally = Tally::default();
    for seed in 0..SEEDS {
        let normal = random_normal(TINY, seed);
        let mut rng = Rng::new(seed);
        let percent = 30 + rng.below(70);
        let features = some_features(normal.task(), 2, percent, &mut rng);
        tally.add(compare(&normal, &features, &mut rng, seed));
    }
    tally.assert_varied();
}

/// Sparse random weights, so that some are consistent.
fn random_weights(features: &Features, rng: &mut Rng) -> Vec<i32> {
    let percent = 1 + rng.below(8);
    let mut weight = |_| if rng.chance(percent) { rng.below(5).cast_signed() - 2 } else { 0 };
    features.ids().map(&mut weight).collect()
}

/// Eq. 2 by enumeration.
fn is_consistent(task: &Task, features: &Features, weights: &[i32]) -> bool {
    let potential = |state: &[u32]| -> i64 {
        let weight = |feature: FeatureId| weights[feature.index()];
        let held = features.ids().filter(|&feature| features.holds(feature, state));
        held.map(|feature| i64::from(weight(feature))).sum()
    };
    transitions(task).iter().all(|(before, operator, after)| {
        potential(before) - potential(after) <= i64::from(task.operator(*operator).cost)
    })
}

/// Whether some z goes with these weights.
fn is_feasible(normal: &NormalForm, features: &Features, weights: &[i32]) -> bool {
    let mut problem = textbook::model(normal, features).expect("dimension 2").problem().clone();
    for (column, &weight) in problem.columns().zip(weights) {
        problem.set_column_bounds(column, Bounds::equal(weight.into()));
    }
    match Solver::new(&problem).expect("a valid problem").solve(&Params::default()).status {
        Status::Optimal => true,
        Status::Infeasible => false,
        status => panic!("a tiny LP ended {status:?}"),
    }
}

#[test]
fn projected_to_w_the_solutions_are_the_consistent_weights() {
    let mut consistent = 0;
    let mut inconsistent = 0;
    for seed in 0..2 * SEEDS {
        let normal = random_normal(TINY, seed);
        let task = normal.task();
        let mut rng = Rng::new(seed);
        let features = all_features(task, 2);
        let weights = random_weights(&features, &mut rng);
        let expected = is_consistent(task, &features, &weights);
        assert_eq!(is_feasible(&normal, &features, &weights), expected, "seed {seed}");
        let is_zero = weights.iter().all(|&weight| weight == 0);
        consistent += usize::from(expected && !is_zero);
        inconsistent += usize::from(!expected);
    }
    assert!(consistent >= 20 && inconsistent >= 20, "{consistent}, {inconsistent}");
}

#[test]
fn the_number_of_rows_is_within_the_bound() {
    for seed in 0..SEEDS {
        let normal = random_normal(TINY, seed);
        let task = normal.task();
        let features = all_features(task, 2);
        let model = textbook::model(&normal, &features).expect("dimension 2");
        let domain = task.variables().iter().map(|variable| variable.values.len()).max();
        let most = task.operators().len() * (1 + task.variables().len() * domain.unwrap_or(0));
        let rows = model.problem().num_rows();
        assert!(rows <= most, "seed {seed}: {rows} rows, more than {most}");
    }
}
