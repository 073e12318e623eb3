//! Cartesian abstractions (Seipp and Helmert, JAIR 2018).
//!
//! An abstract state is a set of values for each variable, and stands for their product. A
//! [split tree](SplitTree) maps states to abstract states. The abstraction begins with one state,
//! and is *refined* where its cheapest plan fails in the task (counterexample-guided abstraction
//! refinement).
//!
//! *Subtasks* ([`Subtask`]). One abstraction for the whole goal soon runs into many flaws. Several
//! abstractions of parts of the task add up: for each fact of the goal, and for each landmark ℓ.
//! A landmark need not be reached again. So in its abstraction, all states count as goals of
//! which it is not clear that ℓ is still ahead: those with a fact that the delete relaxation
//! does not reach without ℓ. Among them are all goal states.
//!
//! *Mutexes.* The values of an abstract state that are mutex with a fact that all its states share
//! are removed, until nothing changes. An abstract state without values is left out, and
//! transitions are left out where an operator's context excludes them (see
//! [`Frame`]).
//!
//! *Transitions* depend on all variables at once, so computing them would mean to compare pairs of
//! states. They are stored, but grouped: operators with transitions between the same two states
//! form a label, and equal labels are stored once.

mod closure;
mod flaw;
mod labels;
mod paths;
mod refine;
mod refined;
mod subtask;
mod tree;

use hipot_task::{Limits, OperatorId, Value};

pub use self::refine::Params;
use self::refine::refine;
pub use self::subtask::{Subtask, subtasks};
pub use self::tree::{SplitTree, TreeNode};

use self::labels::Labels;
use crate::cost::{Costs, INFINITE, NONE};
use crate::error::Error;
use crate::frame::Frame;
use crate::queue::Queue;

/// A Cartesian abstraction.
#[derive(Clone, Debug)]
pub struct Cartesian {
    tree: SplitTree,
    size: u32,
    goals: Vec<u32>,
    /// The abstract states without a state that mutexes allow, in order.
    left_out: Vec<u32>,
    labels: Labels,
    /// For each state, where its incoming transitions begin; then the end of the last.
    begins: Vec<u32>,
    /// Source and label.
    incoming: Vec<(u32, u32)>,
    /// The operators with transitions to other states, and those without any, in order.
    touched: Vec<OperatorId>,
    /// The operators that have transitions to other states, or none at all, and no loops.
    loopless: Vec<OperatorId>,
    /// The operators without any transition.
    impossible: Vec<OperatorId>,
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

/// The Cartesian abstractions of `subtasks`, which share the limits in `params`: each may use an
/// equal part of what those before leave. If `time` is up, there may be fewer.
pub fn abstractions(
    frame: &Frame<'_>,
    subtasks: &[Subtask],
    params: &Params,
    time: &Limits,
    limits: &Limits,
) -> Result<Vec<Cartesian>, Error> {
    let mut found: Vec<Cartesian> = Vec::new();
    let (mut transitions, mut states) = (params.max_transitions, params.max_states);
    for (index, subtask) in subtasks.iter().enumerate() {
        if time.check().is_err() {
            limits.check()?;
            break;
        }
        let left = subtasks.len() - index;
        let own = Params { max_transitions: transitions / left, max_states: states / left };
        let share = time.with_share(1.0 / left as f64);
        let cartesian = refine(frame, subtask, &own, &share, limits)?;
        transitions = transitions.saturating_sub(cartesian.transition_count());
        states = states.saturating_sub(cartesian.size());
        if cartesian.size() > 1 {
            found.push(cartesian);
        }
    }
    Ok(found)
}
