//! Potential functions in pruned tasks.
//!
//! In each state of a pruned task the heuristic says what the function says in the
//! state of the original task, from scratch and from a parent. All states of plans
//! are among these. The functions rest on mutexes or not: those that do not have
//! weights on facts that were removed.

mod common;

use std::sync::Arc;

use common::{MANY_VARIABLES, TINY, complete_features, random_task};
use hipot_check::{RandomTask, StateSpace};
use hipot_potential::function::{PotentialFunction, PotentialHeuristic};
use hipot_potential::{Optimized, Params, optimize};
use hipot_task::h2::{self, H2, h2};
use hipot_task::{
    Estimate, Fact, Heuristic, Limits, Packing, PrunedTask, StateView, Task, TnfTask, Truth, Value,
    prune,
};

/// How often there was something to see.
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

    fn note_function(&mut self, function: &PotentialFunction, pruned: &PrunedTask) {
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
fn function(task: &Task, h2: Option<&H2>, dimension: usize) -> PotentialFunction {
    let limits = Limits::none();
    let mutexes = h2.map(H2::mutexes);
    let tnf = mutexes.map_or_else(|| TnfTask::new(task), |it| TnfTask::with_mutexes(task, it));
    let tnf = tnf.unwrap();
    let mutexes = mutexes.map(|it| Arc::new(tnf.mutexes(it, &limits).unwrap()));
    let features = complete_features(tnf.task(), dimension);
    let initial = tnf.task().initial();
    match optimize(&tnf, &features, initial, mutexes, &Params::default(), &limits).unwrap() {
        Optimized::Function(function, _) | Optimized::Unsolvable(function, _) => function,
    }
}

/// Compares estimates in all states of the pruned task.
fn compare(function: &PotentialFunction, pruned: &PrunedTask, seen: &mut Seen, what: &str) {
    let space = StateSpace::explore(pruned.task(), 2000).unwrap();
    let packing = Packing::new(pruned.task());
    let words: Vec<Vec<u32>> = space.states.iter().map(|state| packing.pack(state)).collect();
    let view = |index: usize| StateView::new(&packing, &words[index]);
    let expected = |index: usize| {
        let original: Vec<Value> = pruned.original_state(&space.states[index]);
        Estimate::at_least(function.bound(&original))
    };
    let mut heuristic = PotentialHeuristic::pruned(function, pruned);
    assert!(
        heuristic.is_consistent() && !heuristic.clone().among_states_of_plans().is_consistent()
    );
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
    let Seen { variables, values, never, always, successors } = seen;
    assert!(variables > 20 && values > 10, "{seen:?}");
    assert!(never > 100 && always > 50 && successors > 1000, "{seen:?}");
}

#[test]
fn tasks_with_many_variables() {
    let seen = check(RandomTask { operators: 6, ..MANY_VARIABLES }, 200);
    assert!(seen.variables > 20 && seen.never > 100 && seen.always > 50, "{seen:?}");
}
