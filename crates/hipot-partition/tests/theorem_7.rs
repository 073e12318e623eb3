//! Theorem 7: in every state the optimal transition cost partitioning over
//! projections has the value of the best potential function over their abstract
//! states.

mod common;

use std::collections::BTreeSet;

use hipot_lp::{Params, Solver, Status};
use hipot_partition::projection::{Pattern, Patterns};
use hipot_partition::{tcp, transition_cost};
use hipot_potential::feature::{Features, frequent_values};
use hipot_potential::model::Model;
use hipot_potential::{NormalForm, textbook};
use hipot_task::{FactId, Facts, Limits, Task, Value};
use hipot_testing::Rng;

use common::{
    Tally, assert_certified, explore, in_normal_form, random_tnf, same, transition_costs, value,
};

const SEEDS: u64 = 60;

/// The potential functions of a task over some features.
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
        Self::over(normal, features)
    }

    /// The potential functions over the abstract states of given projections.
    fn of_patterns(task: &Task, patterns: &[Pattern]) -> Self {
        let normal = in_normal_form(task);
        let lists: Vec<Vec<FactId>> =
            patterns.iter().flat_map(|pattern| conjunctions(normal.facts(), pattern)).collect();
        let features = Features::new(normal.facts().clone(), lists).expect("distinct patterns");
        Self::over(normal, features)
    }

    fn over(normal: NormalForm, features: Features) -> Self {
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

/// All conjunctions of one fact of each variable.
fn conjunctions(facts: &Facts, pattern: &Pattern) -> Vec<Vec<FactId>> {
    let mut found: Vec<Vec<FactId>> = vec![Vec::new()];
    for &variable in pattern {
        let longer = |list: Vec<FactId>| {
            facts.of_variable(variable).map(move |fact| [&list[..], &[fact]].concat())
        };
        found = found.into_iter().flat_map(longer).collect();
    }
    found
}

/// Some sets of variables, of one to three, each once.
fn random_patterns(task: &Task, rng: &mut Rng) -> Vec<Pattern> {
    let mut patterns = BTreeSet::new();
    for _ in 0..=rng.below(4) {
        let mut pattern: Pattern = task.variable_ids().filter(|_| rng.chance(50)).collect();
        pattern.truncate(3);
        if !pattern.is_empty() {
            patterns.insert(pattern);
        }
    }
    patterns.into_iter().collect()
}

/// Also for projections that are given one by one: of different sizes, some inside others,
/// and not all of any size.
#[test]
fn over_given_patterns() {
    let (mut tally, mut below_all) = (Tally::default(), 0);
    for seed in 0..SEEDS {
        let task = random_tnf(seed);
        let patterns = random_patterns(&task, &mut Rng::new(seed));
        if patterns.is_empty() {
            continue;
        }
        let given = Patterns::Given(patterns.clone());
        let params = transition_cost::Params { patterns: given, ..Default::default() };
        let mut heuristic = tcp(&task, &params, &Limits::none()).expect("a tiny task");
        let mut all = transition_costs(&task, 2);
        let mut potentials = Potentials::of_patterns(&task, &patterns);
        for state in explore(&task).states {
            let context = format!("seed {seed}, {patterns:?}, {state:?}");
            let bound = heuristic.bound(&state);
            let best = potentials.best(&state);
            assert!(same(value(&bound), best), "{context}: {bound:?}, but potentials {best}");
            assert_certified(&bound, &context);
            tally.add(best);
            below_all += usize::from(best + 0.1 < value(&all.bound(&state)));
        }
    }
    println!("{tally:?}, {below_all} below all patterns of size 2");
    tally.assert_varied();
    assert!(below_all >= 20, "{below_all}");
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
