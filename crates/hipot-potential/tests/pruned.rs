//! Potential functions in pruned tasks.
//!
//! In each state of a pruned task the heuristic has the value that the function has in
//! the corresponding state of the original task, both from scratch and from a parent.
//! The pruned task has all states of plans. Some functions rest on mutexes and some do
//! not: the latter have weights on facts that were removed.

mod common;

use std::sync::Arc;

use common::{MANY_VARIABLES, TINY, complete_features, plain, random_task};
use hipot_analysis::h2::{self, H2, h2};
use hipot_analysis::{OpenValues, PrunedTask, Truth, prune};
use hipot_potential::{
    Certified, FeatureSet, NormalForm, Optimum, Params, PotentialHeuristic, Validity, optimize,
};
use hipot_task::{Estimate, Fact, Heuristic, Limits, Packing, StateView, Task, Value};
use hipot_testing::{RandomTask, StateSpace};

/// How often each case occurred.
#[derive(Debug, Default)]
struct Seen {
    /// Tasks that have lost variables, and tasks that have lost values of others.
    variables: usize,
    values: usize,
    /// Weights of features with a fact that is never, or always, true.
    never: usize,
    always: usize,
    /// Transitions.
    successors: usize,
    /// Functions that may be inconsistent at dead ends, and others.
    functions: [usize; 2],
}

impl Seen {
    fn note_task(&mut self, task: &Task, pruned: &PrunedTask) {
        self.variables += usize::from(pruned.task().variables().len() < task.variables().len());
        let lost = |id| {
            let original = pruned.original_fact(Fact::new(id, 0)).variable;
            pruned.task().variable(id).domain_size() < task.variable(original).domain_size()
        };
        self.values += usize::from(pruned.task().variable_ids().any(lost));
    }

    fn note_function(&mut self, function: &Certified, pruned: &PrunedTask) {
        let features = function.features();
        for feature in features.ids().filter(|it| function.weights()[it.index()] != 0) {
            let facts = features.conjuncts(feature).iter().map(|&id| features.facts().fact(id));
            let truths: Vec<Truth> = facts.map(|fact| pruned.truth(fact)).collect();
            self.never += usize::from(truths.contains(&Truth::Never));
            self.always += usize::from(truths.contains(&Truth::Always));
        }
    }
}

/// The best function for the initial state, with the mutexes or without.
fn function(task: &Task, h2: Option<&H2>, dimension: usize) -> Certified {
    let (open, limits) = (OpenValues::Unknown, Limits::none());
    let normal = match h2 {
        None => plain(task),
        Some(found) => {
            let (mutexes, proof) = (found.mutexes(), found.layers().to_vec());
            Arc::new(NormalForm::with_mutexes(task, mutexes, proof, open, &limits).unwrap())
        }
    };
    let features = complete_features(&normal, dimension);
    let (features, initial) = (FeatureSet::Given(&features), normal.initial());
    match optimize(&normal, features, initial, &Params::default(), &limits).unwrap() {
        Optimum::Function(function, _) | Optimum::Unsolvable(function, _) => function,
    }
}

/// Compares estimates in all states of the pruned task.
fn compare(function: &Certified, pruned: &PrunedTask, seen: &mut Seen, what: &str) {
    let space = StateSpace::explore(pruned.task(), 2000).unwrap();
    let packing = Packing::new(pruned.task());
    let words: Vec<Vec<u32>> = space.states.iter().map(|state| packing.pack(state)).collect();
    let view = |index: usize| StateView::new(&packing, &words[index]);
    let expected = |index: usize| {
        let original: Vec<Value> = pruned.original_state(&space.states[index]);
        Estimate::at_least(function.bound(&original))
    };
    let mut heuristic = PotentialHeuristic::pruned(function, pruned);
    let is_consistent = function.validity() != Validity::StatesOfPlans;
    assert_eq!(heuristic.is_consistent(), is_consistent, "{what}");
    seen.functions[usize::from(is_consistent)] += 1;
    for index in 0..space.states.len() {
        assert_eq!(heuristic.estimate(view(index)), expected(index), "{what}");
    }
    for &(source, operator, target) in &space.transitions {
        heuristic.enter(view(source));
        let estimate = heuristic.estimate_successor(operator, view(target));
        assert_eq!(estimate, expected(target), "{what}: {operator}");
        seen.successors += 1;
    }
}

fn check(shape: RandomTask, seeds: u64) -> Seen {
    let mut seen = Seen::default();
    for seed in 0..seeds {
        let task = random_task(shape, seed);
        let found = h2(&task, &h2::Params::default(), &Limits::none()).unwrap();
        let Ok(pruned) = prune(&task, &found, &Limits::none()) else { continue };
        seen.note_task(&task, &pruned);
        let space = StateSpace::explore(&task, 2000).unwrap();
        let states = space.states.iter().zip(&space.goal_distances);
        let of_plans = states.filter(|(_, distance)| distance.is_some());
        assert!(of_plans.map(|(state, _)| pruned.state(state)).all(|it| it.is_some()));
        for dimension in 1..=3 {
            for mutexes in [None, Some(&found)] {
                let function = function(&task, mutexes, dimension);
                seen.note_function(&function, &pruned);
                let what = format!("seed {seed}, dimension {dimension}");
                compare(&function, &pruned, &mut seen, &what);
            }
        }
    }
    seen
}

#[test]
fn tiny_tasks() {
    let seen = check(RandomTask { operators: 8, ..TINY }, 300);
    let Seen { variables, values, never, always, successors, functions } = seen;
    assert!(functions.iter().all(|&count| count > 100), "{seen:?}");
    assert!(variables > 20 && values > 10, "{seen:?}");
    assert!(never > 100 && always > 50 && successors > 1000, "{seen:?}");
}

#[test]
fn tasks_with_many_variables() {
    let seen = check(RandomTask { operators: 6, ..MANY_VARIABLES }, 200);
    assert!(seen.variables > 20 && seen.never > 100 && seen.always > 50, "{seen:?}");
}
