//! All reachable states of a small task, and their goal distances.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use hipot_check::{State, applicable, apply, initial_state, is_goal};
use hipot_task::{OperatorId, Task};

use crate::too_large::TooLarge;

/// The reachable part of a task's transition system.
#[derive(Clone, Debug)]
pub struct StateSpace {
    /// The reachable states; the initial state is the first.
    pub states: Vec<State>,
    /// Transitions ⟨source, operator, target⟩ between indices of `states`.
    pub transitions: Vec<(usize, OperatorId, usize)>,
    /// h*: the cost of reaching the goal; `None` for dead ends.
    pub goal_distances: Vec<Option<u64>>,
}

impl StateSpace {
    /// The state space of `task`, if it has at most `max_states` states.
    pub fn explore(task: &Task, max_states: usize) -> Result<Self, TooLarge> {
        let mut states = vec![initial_state(task)];
        let mut index_of = HashMap::from([(states[0].clone(), 0)]);
        let mut transitions = Vec::new();
        let mut source = 0;
        while source < states.len() {
            for id in task.operator_ids() {
                let operator = task.operator(id);
                if !applicable(operator, &states[source]) {
                    continue;
                }
                let successor = apply(task, operator, &states[source]);
                let target = *index_of.entry(successor.clone()).or_insert_with(|| {
                    states.push(successor);
                    states.len() - 1
                });
                if states.len() > max_states {
                    return Err(TooLarge(max_states));
                }
                transitions.push((source, id, target));
            }
            source += 1;
        }
        let goal_distances = goal_distances(task, &states, &transitions);
        Ok(Self { states, transitions, goal_distances })
    }

    /// h* of the initial state: the optimal plan cost.
    pub fn optimal_cost(&self) -> Option<u64> {
        self.goal_distances[0]
    }
}

/// Dijkstra's algorithm, backward from all goal states.
fn goal_distances(
    task: &Task,
    states: &[State],
    transitions: &[(usize, OperatorId, usize)],
) -> Vec<Option<u64>> {
    let mut incoming = vec![Vec::new(); states.len()];
    for &(source, operator, target) in transitions {
        incoming[target].push((source, u64::from(task.operator(operator).cost)));
    }
    let mut distances: Vec<Option<u64>> = vec![None; states.len()];
    let goals = (0..states.len()).filter(|&index| is_goal(task, &states[index]));
    let mut queue: BinaryHeap<(Reverse<u64>, usize)> =
        goals.map(|goal| (Reverse(0), goal)).collect();
    while let Some((Reverse(distance), state)) = queue.pop() {
        if distances[state].is_some() {
            continue;
        }
        distances[state] = Some(distance);
        for &(source, cost) in &incoming[state] {
            queue.push((Reverse(distance + cost), source));
        }
    }
    distances
}
