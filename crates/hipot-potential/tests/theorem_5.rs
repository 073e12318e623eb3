//! Theorem 5 (`thm:tractable:general`): features of any size.
//!
//! In our own words: for any features and any elimination order for each
//! operator, weights make φ admissible and consistent if and only if there are
//! values for the Aux columns that satisfy, besides φ(s_⋆) ≤ 0 (Eq. 11), for
//! every operator the row Δ_o^ind + Aux_{Ψ_o} ≤ cost(o) (Eq. 12) and the
//! constraints P_LP(Ψ_o, σ_o) that bucket elimination writes down (Eq. 13).
//!
//! Where features have at most two facts this must be the LP of Theorem 1,
//! row for row; with three and four facts its optimum must be that of Eq. 2
//! written out over all syntactic transitions. The size of the LP is known
//! before it is built, exactly.

mod common;

use common::{
    MANY_VARIABLES, TINY, Tally, all_features, complete_features, explicit, model_optimum, optimum,
    random_normal, same, some_features, states,
};
use hipot_lp::{Bounds, Size};
use hipot_potential::contexts::Domains;
use hipot_potential::delta::Delta;
use hipot_potential::feature::Features;
use hipot_potential::model::Model;
use hipot_potential::textbook::{self, predict};
use hipot_potential::{NormalForm, binary, general};
use hipot_testing::Rng;

/// The LP with the rows of the general case for features of any size.
fn general_model(normal: &NormalForm, features: &Features) -> Model {
    let mut model = Model::new(features);
    let domains = Domains::all(features.facts());
    for operator in normal.operator_ids() {
        let delta = Delta::new(normal, features, operator);
        let cost = f64::from(normal.cost(operator));
        general::add_operator(&mut model, features, &domains, operator, cost, &delta).unwrap();
        model.end_operator();
    }
    model
}

fn size(model: &Model) -> Size {
    let problem = model.problem();
    Size {
        rows: problem.num_rows() as u64,
        columns: problem.num_columns() as u64,
        nonzeros: problem.num_nonzeros() as u64,
    }
}

#[test]
fn the_general_case_is_the_binary_one_in_dimension_2() {
    let mut tally = Tally::default();
    for seed in 0..200 {
        let normal = random_normal(TINY, seed);
        let mut rng = Rng::new(seed);
        let some = some_features(normal.task(), 2, 60, &mut rng);
        for features in [complete_features(&normal, 2), some] {
            let mut general = general_model(&normal, &features);
            let binary = textbook::model(&normal, &features).unwrap();
            assert_eq!(size(&general), size(&binary), "seed {seed}");
            assert_eq!(size(&general), predict(&normal, &features).unwrap(), "seed {seed}");
            textbook::maximize_in_state(&mut general, &normal, &features, normal.initial());
            let general = optimum(general.problem());
            let binary = model_optimum(&normal, &features, normal.initial());
            assert!(same(general, binary), "seed {seed}: {general:?} but {binary:?}");
            tally.add(general);
        }
    }
    tally.assert_varied();
}

/// Bounds and terms of a row, columns in order.
type SortedRow = (Bounds, Vec<(u32, i32)>);

/// The rows that one operator adds.
fn rows(model: &Model) -> Vec<SortedRow> {
    let row = |row| {
        let terms = model.problem().terms(row).map(|(column, value)| (column.0, value as i32));
        let mut terms: Vec<_> = terms.collect();
        terms.sort_unstable();
        (model.problem().row_bounds(row), terms)
    };
    model.problem().rows().map(row).collect()
}

/// Maxima may come in another order; where there is only one, both modules
/// write the same rows in the same order.
#[test]
fn both_write_the_same_rows_where_there_is_one_maximum() {
    let mut compared = 0;
    for seed in 0..200 {
        let normal = random_normal(TINY, seed);
        let features = complete_features(&normal, 2);
        let domains = Domains::all(features.facts());
        for operator in normal.operator_ids() {
            let delta = Delta::new(&normal, &features, operator);
            let [mut first, mut second] = [0; 2].map(|_| Model::new(&features));
            binary::add_operator(&mut first, &features, &domains, operator, 3.0, &delta);
            general::add_operator(&mut second, &features, &domains, operator, 3.0, &delta).unwrap();
            if size(&first).columns == features.len() as u64 + 1 {
                assert_eq!(rows(&first), rows(&second), "seed {seed}, operator {operator}");
                compared += 1;
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// Compares with the explicit LP in the initial state and another one.
fn compare(normal: &NormalForm, features: &Features, rng: &mut Rng, seed: u64) -> Option<f64> {
    let task = normal.task();
    let states = states(task);
    let other = &states[rng.below(states.len() as u32) as usize];
    let mut result = None;
    for state in [other, task.initial()] {
        let written_out = optimum(&explicit(task, features, state));
        result = model_optimum(normal, features, state);
        assert!(same(result, written_out), "seed {seed}: {result:?} but Eq. 2 {written_out:?}");
    }
    result
}

#[test]
fn dimension_3_has_the_optimum_of_the_explicit_lp() {
    let mut tally = Tally::default();
    for seed in 0..100 {
        let normal = random_normal(MANY_VARIABLES, seed);
        let mut rng = Rng::new(seed);
        let some = some_features(normal.task(), 3, 40, &mut rng);
        let first = compare(&normal, &complete_features(&normal, 3), &mut rng, seed);
        tally.add(first);
        tally.add(compare(&normal, &some, &mut rng, seed));
        if seed < 30 {
            let all = model_optimum(&normal, &all_features(normal.task(), 3), normal.initial());
            assert!(same(first, all), "seed {seed}: {first:?}, all features {all:?}");
        }
    }
    tally.assert_varied();
}

#[test]
fn dimension_4_has_the_optimum_of_the_explicit_lp() {
    let mut tally = Tally::default();
    for seed in 0..60 {
        let normal = random_normal(MANY_VARIABLES, seed);
        let mut rng = Rng::new(seed);
        let features = some_features(normal.task(), 4, 25, &mut rng);
        tally.add(compare(&normal, &features, &mut rng, seed));
    }
    assert!(tally.positive > 5 && tally.unbounded > 0, "{tally:?}");
}

#[test]
fn the_size_is_predicted_exactly() {
    let mut wide = 0;
    for seed in 0..200 {
        for (shape, dimension) in [(TINY, 1), (TINY, 2), (TINY, 3), (MANY_VARIABLES, 4)] {
            let normal = random_normal(shape, seed);
            let mut rng = Rng::new(seed);
            let some = some_features(normal.task(), dimension, 35, &mut rng);
            for features in [complete_features(&normal, dimension), some] {
                let size = size(&textbook::model(&normal, &features).unwrap());
                let predicted = predict(&normal, &features).unwrap();
                assert_eq!(predicted, size, "seed {seed}, dimension {dimension}");
                wide += usize::from(features.dimension() > 2 && size.nonzeros > 100);
            }
        }
    }
    assert!(wide > 100, "{wide}");
}
