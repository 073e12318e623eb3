//! Theorem 7: in every state the optimal transition cost partitioning over
//! projections has the value of the best potential function over their abstract
//! states.

mod common;

use hipot_lp::{Params, Solver, Status};
use hipot_potential::feature::{Features, frequent_values};
use hipot_potential::model::Model;
use hipot_potential::{NormalForm, textbook};
use hipot_task::{Task, Value};

use common::{
    Tally, assert_certified, explore, in_normal_form, random_tnf, same, transition_costs, value,
};

const SEEDS: u64 = 60;

/// The potential functions of a task over all features of some size.
struct Potentials {
    normal: NormalForm,
    features: Features,
    model: Model,
}

impl Potentials {
    fn new(task: &Task, dimension: usize) -> Self {
        let normal = in_normal_form(task);
        let references = frequent_values(&normal);
        let features = Features::complete(normal.facts().clone(), dimension, &references);
        let model = textbook::model(&normal, &features).expect("a tiny task");
        Self { normal, features, model }
    }

    /// max φ(state) − φ(s_⋆); +∞ if it is unbounded.
    fn best(&mut self, state: &[Value]) -> f64 {
        textbook::maximize_in_state(&mut self.model, &self.normal, &self.features, state);
        let params = Params { known_feasible: true, ..Params::default() };
        let mut solver = Solver::new(self.model.problem()).expect("a valid problem");
        let solution = solver.solve(&params);
        match solution.status {
            Status::Optimal => solution.objective,
            Status::Unbounded => f64::INFINITY,
            status => panic!("a tiny LP ended {status:?}"),
        }
    }
}

/// Compares both in every reachable state.
fn compare(dimension: usize, seeds: u64) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..seeds {
        let task = random_tnf(seed);
        let mut heuristic = transition_costs(&task, dimension);
        let mut potentials = Potentials::new(&task, dimension);
        for state in explore(&task).states {
            let context = format!("seed {seed}, dimension {dimension}, {state:?}");
            let bound = heuristic.bound(&state);
            let best = potentials.best(&state);
            assert!(same(value(&bound), best), "{context}: {bound:?}, but potentials {best}");
            assert_certified(&bound, &context);
            tally.add(best);
        }
    }
    tally
}

#[test]
fn in_dimension_1() {
    compare(1, SEEDS).assert_varied();
}

#[test]
fn in_dimension_2() {
    compare(2, SEEDS).assert_varied();
}

#[test]
fn in_dimension_3() {
    // Nearly all variables at once: the values are distances, hence integers.
    compare(3, SEEDS / 3).assert_not_trivial();
}
