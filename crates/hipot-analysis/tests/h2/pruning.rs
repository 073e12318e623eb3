//! Pruning keeps h* and the plans.

use hipot_analysis::{PruneError, PrunedTask, Truth, prune};
use hipot_check::{applicable, apply, initial_state, is_goal};
use hipot_task::{Fact, Limits, OperatorId, Stop, Task};
use hipot_testing::StateSpace;

use crate::{examples, found, random_tasks, states_of_plans};

/// The least number of steps of a cheapest plan from each state.
fn least_steps(task: &Task, space: &StateSpace) -> Vec<Option<usize>> {
    let goals = space.states.iter().map(|state| is_goal(task, state).then_some(0));
    let mut steps: Vec<Option<usize>> = goals.collect();
    loop {
        let before = steps.clone();
        for &(source, operator, target) in &space.transitions {
            let left = space.goal_distances[target];
            let cost = left.map(|left| left + u64::from(task.operator(operator).cost));
            if let (true, Some(after)) = (cost == space.goal_distances[source], steps[target]) {
                steps[source] = Some(steps[source].map_or(after + 1, |own| own.min(after + 1)));
            }
        }
        if steps == before {
            return steps;
        }
    }
}

/// A cheapest plan, and of these a shortest one.
fn cheapest_plan(task: &Task, space: &StateSpace) -> Vec<OperatorId> {
    let steps = least_steps(task, space);
    let (mut state, mut plan) = (0, Vec::new());
    while let Some(left @ 1..) = steps[state] {
        let step = |&&(source, operator, target): &&(usize, OperatorId, usize)| {
            let cost = u64::from(task.operator(operator).cost);
            let distance = space.goal_distances[target].map(|distance| distance + cost);
            let tight = distance == space.goal_distances[source];
            source == state && tight && steps[target] == Some(left - 1)
        };
        let &(_, operator, target) = space.transitions.iter().find(step).unwrap();
        plan.push(operator);
        state = target;
    }
    plan
}

/// Applies the plan's originals in the original task; the cost.
fn cost_in_original(task: &Task, pruned: &PrunedTask, plan: &[OperatorId]) -> u64 {
    let (mut state, mut cost) = (initial_state(task), 0);
    for &operator in plan {
        let original = task.operator(pruned.original_operator(operator));
        assert_eq!(original.name, pruned.task().operator(operator).name);
        assert!(applicable(original, &state));
        state = apply(task, original, &state);
        cost += u64::from(original.cost);
    }
    assert!(is_goal(task, &state));
    cost
}

/// Compares h* of all states of plans.
fn assert_kept(name: &str, task: &Task, space: &StateSpace, pruned: &PrunedTask) {
    assert_eq!(pruned.task().uses_costs(), task.uses_costs());
    let new_space = StateSpace::explore(pruned.task(), 100_000).unwrap();
    assert_eq!(new_space.optimal_cost(), space.optimal_cost(), "{name}");
    let index_of: std::collections::BTreeMap<_, _> =
        new_space.states.iter().zip(&new_space.goal_distances).collect();
    for state in states_of_plans(space) {
        let new = pruned.state(state).unwrap();
        assert_eq!(&pruned.original_state(&new), state, "{name}");
        let old = space.states.iter().position(|other| other == state).unwrap();
        assert_eq!(index_of[&new], &space.goal_distances[old], "{name}, state {state:?}");
    }
    if let Some(cost) = new_space.optimal_cost() {
        let plan = cheapest_plan(pruned.task(), &new_space);
        assert_eq!(cost_in_original(task, pruned, &plan), cost, "{name}");
    }
}

#[test]
fn random_tasks_keep_their_plans() {
    let (mut smaller, mut narrower, mut filled) = (0, 0, 0);
    for (seed, task, space) in random_tasks(3000) {
        match prune(&task, &found(&task), &Limits::none()) {
            Err(error) => {
                assert_eq!(error, PruneError::Unsolvable);
                assert_eq!(space.optimal_cost(), None, "seed {seed}");
            }
            Ok(pruned) => {
                assert_kept(&format!("seed {seed}"), &task, &space, &pruned);
                smaller += usize::from(pruned.task().operators().len() < task.operators().len());
                narrower += usize::from(pruned.task().fact_count() < task.fact_count());
                filled += usize::from(pruned.task().goal().len() > task.goal().len());
            }
        }
    }
    assert!(smaller > 100 && narrower > 100 && filled > 10, "{smaller} {narrower} {filled}");
}

#[test]
fn examples_keep_their_plans() {
    for (name, task) in examples() {
        let (Ok(space), h2) = (StateSpace::explore(&task, 20_000), found(&task)) else { continue };
        match prune(&task, &h2, &Limits::none()) {
            Err(error) => {
                assert_eq!(error, PruneError::Unsolvable);
                assert_eq!(space.optimal_cost(), None, "{name}");
            }
            Ok(pruned) => assert_kept(&name, &task, &space, &pruned),
        }
    }
}

#[test]
fn facts_map_there_and_back() {
    for (_, task, _) in random_tasks(300) {
        let h2 = found(&task);
        let Ok(pruned) = prune(&task, &h2, &Limits::none()) else { continue };
        for id in pruned.task().variable_ids() {
            for value in 0..pruned.task().variable(id).domain_size() {
                let fact = Fact::new(id, value);
                let original = pruned.original_fact(fact);
                assert_eq!(pruned.truth(original), Truth::Where(fact));
                assert_eq!(pruned.task().fact_name(fact), task.fact_name(original));
            }
        }
        assert!(h2.mutexes().dead().all(|fact| pruned.truth(fact) == Truth::Never));
    }
}

/// A fact is true in a state where the pruned task says so.
#[test]
fn facts_are_true_where_they_are_said_to_be() {
    let mut always = 0;
    for (seed, task, space) in random_tasks(300) {
        let Ok(pruned) = prune(&task, &found(&task), &Limits::none()) else { continue };
        for state in states_of_plans(&space) {
            let new = pruned.state(state).unwrap();
            for id in task.variable_ids() {
                // One value more: a normal form may have it.
                for value in 0..=task.variable(id).domain_size() {
                    let is_true = match pruned.truth(Fact::new(id, value)) {
                        Truth::Never => false,
                        Truth::Always => true,
                        Truth::Where(fact) => new[fact.variable.index()] == fact.value,
                    };
                    assert_eq!(is_true, state[id.index()] == value, "seed {seed}, {state:?}");
                    always += usize::from(pruned.truth(Fact::new(id, value)) == Truth::Always);
                }
            }
        }
    }
    assert!(always > 100, "{always}");
}

#[test]
fn a_request_to_stop_is_heard() {
    let (_, task) = examples().into_iter().find(|(name, _)| name.contains("blocks")).unwrap();
    let (h2, limits) = (found(&task), Limits::none());
    limits.request(Stop::Interrupted);
    assert_eq!(prune(&task, &h2, &limits).err(), Some(PruneError::Stop(Stop::Interrupted)));
}
