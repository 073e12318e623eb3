//! A Cartesian abstraction after refinement: its split tree and its transitions.

use hipot_task::{Limits, OperatorId, Value};

use super::labels::{self, Labels};
use super::tree::SplitTree;
use crate::cost::{Costs, INFINITE, NONE};
use crate::error::Error;
use crate::queue::Queue;

/// A Cartesian abstraction.
#[derive(Clone, Debug)]
pub struct Cartesian {
    pub(super) tree: SplitTree,
    pub(super) size: u32,
    pub(super) goals: Vec<u32>,
    /// The abstract states without a state that mutexes allow, in order.
    pub(super) left_out: Vec<u32>,
    pub(super) labels: Labels,
    /// For each state, where its incoming transitions begin; then the end of the last.
    pub(super) begins: Vec<u32>,
    /// Source and label.
    pub(super) incoming: Vec<(u32, u32)>,
    /// The operators with transitions to other states, and those without any, in order.
    pub(super) touched: Vec<OperatorId>,
    /// The operators that have transitions to other states, or none at all, and no loops.
    pub(super) loopless: Vec<OperatorId>,
    /// The operators without any transition.
    pub(super) impossible: Vec<OperatorId>,
}

impl Cartesian {
    /// The tree that maps states to abstract states.
    pub fn tree(&self) -> &SplitTree {
        &self.tree
    }

    /// The number of states.
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// The number of transitions between different states, by label.
    pub fn transition_count(&self) -> usize {
        self.incoming.len()
    }

    /// The abstraction without transitions: only states can be asked for.
    pub(crate) fn only_states(&self) -> Self {
        let (labels, begins, incoming) = labels::group(Vec::new(), 0);
        let (goals, left_out) = (Vec::new(), Vec::new());
        let (touched, loopless, impossible) = (Vec::new(), Vec::new(), Vec::new());
        let (tree, size) = (self.tree.clone(), self.size);
        Self {
            tree,
            size,
            goals,
            left_out,
            labels,
            begins,
            incoming,
            touched,
            loopless,
            impossible,
        }
    }

    /// α(s).
    pub fn state(&self, state: &[Value]) -> u32 {
        self.tree.state(state)
    }

    /// The operators with transitions to other states, and those without any.
    pub(crate) fn touched(&self) -> &[OperatorId] {
        &self.touched
    }

    pub(crate) fn impossible(&self) -> &[OperatorId] {
        &self.impossible
    }

    fn incoming(&self, target: u32) -> &[(u32, u32)] {
        let target = target as usize;
        &self.incoming[self.begins[target] as usize..self.begins[target + 1] as usize]
    }

    /// The distance of each state to the goal, by Dijkstra's algorithm.
    pub(crate) fn distances(&self, costs: &Costs, limits: &Limits) -> Result<Vec<i64>, Error> {
        let label_costs = self.labels.costs(costs);
        let mut distances = vec![INFINITE; self.size()];
        let mut queue = Queue::new();
        for &goal in &self.goals {
            distances[goal as usize] = 0;
            queue.push(0, goal);
        }
        let mut settled = 0_usize;
        while let Some((distance, target)) = queue.pop() {
            if distances[target as usize] != distance {
                continue;
            }
            settled += 1;
            if settled.is_multiple_of(1024) {
                limits.check()?;
            }
            for &(source, label) in self.incoming(target) {
                let cost = label_costs[label as usize];
                if cost != INFINITE && distance + cost < distances[source as usize] {
                    distances[source as usize] = distance + cost;
                    queue.push(distance + cost, source);
                }
            }
        }
        Ok(distances)
    }

    /// Sets the saturated costs of the operators that are touched.
    pub(crate) fn saturate(&self, values: &[i64], saturated: &mut [i64]) {
        let mut largest = vec![NONE; self.labels.len()];
        for target in 0..self.size {
            let after = values[target as usize];
            if after == INFINITE {
                continue;
            }
            for &(source, label) in self.incoming(target) {
                let before = values[source as usize];
                if before != INFINITE {
                    let own = &mut largest[label as usize];
                    *own = (before - after).max(*own);
                }
            }
        }
        self.touched.iter().for_each(|operator| saturated[operator.index()] = 0);
        self.loopless.iter().for_each(|operator| saturated[operator.index()] = NONE);
        for (label, &largest) in largest.iter().enumerate() {
            for operator in self.labels.operators(label) {
                let own = &mut saturated[operator.index()];
                *own = largest.max(*own);
            }
        }
    }

    /// The states without any state that mutexes allow.
    pub fn left_out(&self) -> &[u32] {
        &self.left_out
    }
}
