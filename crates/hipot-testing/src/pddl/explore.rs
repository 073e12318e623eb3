//! Optimal plans of tiny PDDL tasks by brute force.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use hipot_check::pddl::{GroundAction, Semantics, State};

use crate::too_large::TooLarge;

/// The result of an exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// The number of states reached before the search ended.
    pub states: usize,
    /// An optimal plan, if the task is solvable.
    pub plan: Option<OptimalPlan>,
}

/// An optimal plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptimalPlan {
    /// The sum of the costs of the steps.
    pub cost: u64,
    /// The steps as in plan files, without parentheses.
    pub steps: Vec<String>,
}

/// A state, and how it was reached.
struct Node {
    state: State,
    cost: u64,
    parent: Option<(usize, GroundAction)>,
    is_expanded: bool,
}

/// Explores the states in the order of their costs (Dijkstra's algorithm)
/// until a goal state is found; fails if there are more than `max_states`.
///
/// A step without a cost cannot be applied. Costs that do not fit into 64 bits count as
/// the largest value that does.
pub fn explore(semantics: &Semantics<'_>, max_states: usize) -> Result<Exploration, TooLarge> {
    let initial = semantics.initial_state();
    let mut index_of = HashMap::from([(initial.clone(), 0)]);
    let mut nodes = vec![Node { state: initial, cost: 0, parent: None, is_expanded: false }];
    let mut queue = BinaryHeap::from([Reverse((0, 0))]);
    while let Some(Reverse((cost, index))) = queue.pop() {
        if std::mem::replace(&mut nodes[index].is_expanded, true) {
            continue;
        }
        if semantics.is_goal(&nodes[index].state) {
            let plan = Some(OptimalPlan { cost, steps: steps_to(semantics, &nodes, index) });
            return Ok(Exploration { states: nodes.len(), plan });
        }
        for (step, step_cost, state) in successors(semantics, &nodes[index].state) {
            let cost = cost.saturating_add(step_cost);
            let known = nodes.len();
            let target = *index_of.entry(state.clone()).or_insert(known);
            let parent = Some((index, step));
            if target == known {
                nodes.push(Node { state, cost, parent, is_expanded: false });
            } else if cost < nodes[target].cost {
                (nodes[target].cost, nodes[target].parent) = (cost, parent);
            } else {
                continue;
            }
            queue.push(Reverse((cost, target)));
        }
        if nodes.len() > max_states {
            return Err(TooLarge(max_states));
        }
    }
    Ok(Exploration { states: nodes.len(), plan: None })
}

fn successors(semantics: &Semantics<'_>, state: &State) -> Vec<(GroundAction, u64, State)> {
    let mut successors = Vec::new();
    for step in semantics.applicable_steps(state) {
        if let Ok(cost) = semantics.cost(&step) {
            let mut successor = state.clone();
            semantics.apply(&step, &mut successor);
            successors.push((step, cost, successor));
        }
    }
    successors
}

fn steps_to(semantics: &Semantics<'_>, nodes: &[Node], mut index: usize) -> Vec<String> {
    let mut steps = Vec::new();
    while let Some((parent, step)) = &nodes[index].parent {
        steps.push(semantics.name(step));
        index = *parent;
    }
    steps.reverse();
    steps
}
