//! A set of abstractions, and what they say together, whatever the costs.
//!
//! Some things do not depend on costs. An abstract state from which no path leads to an abstract
//! goal stands for states on no plan; we call it *dead*, as one that was left out. An operator
//! that has no transition between abstract states that are not dead, in any one abstraction, is
//! on no plan either: it is *impossible*. Without it, there may be more dead states elsewhere, so
//! both are computed to a fixpoint.
//!
//! All partitionings of a collection use this. With impossible operators unusable from the start,
//! a distance is infinite exactly in dead states, under all costs: no partitioning gives an
//! operator an infinite cost that another does not.

use hipot_task::{Limits, OperatorId, Value};

use crate::abstraction::Abstraction;
use crate::cost::{Costs, INFINITE};
use crate::error::Error;
use crate::frame::Frame;

/// Abstractions of one task.
#[derive(Clone, Debug)]
pub struct Collection {
    abstractions: Vec<Abstraction>,
    /// For each abstraction, whether each state is dead; empty if none is.
    dead: Vec<Vec<bool>>,
    /// For each operator, whether it is on no plan.
    is_impossible: Vec<bool>,
}

impl Collection {
    /// The collection of these abstractions of `frame`.
    pub fn new(
        frame: &Frame<'_>,
        abstractions: Vec<Abstraction>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let operators = frame.task().operator_ids();
        let mut is_impossible: Vec<bool> = operators.map(|id| frame.is_useless(id)).collect();
        for abstraction in &abstractions {
            abstraction.impossible().iter().for_each(|id| is_impossible[id.index()] = true);
        }
        let dead = vec![Vec::new(); abstractions.len()];
        let mut collection = Self { abstractions, dead, is_impossible };
        while collection.propagate(limits)? {}
        Ok(collection)
    }

    /// Looks for dead states and impossible operators once. Returns whether there are more of the
    /// latter.
    fn propagate(&mut self, limits: &Limits) -> Result<bool, Error> {
        let count = self.is_impossible.len();
        let mut costs = self.usable(&Costs::new(vec![0; count]));
        let mut has_changed = false;
        for (abstraction, dead) in self.abstractions.iter().zip(&mut self.dead) {
            let distances = abstraction.distances(&costs, limits)?;
            *dead = Vec::new();
            if distances.contains(&INFINITE) {
                *dead = distances.iter().map(|&distance| distance == INFINITE).collect();
            }
            for operator in abstraction.without_transitions(&distances, count) {
                if costs.is_usable(operator) {
                    costs.forbid(operator);
                    self.is_impossible[operator.index()] = true;
                    has_changed = true;
                }
            }
        }
        Ok(has_changed)
    }

    /// The abstractions.
    pub fn abstractions(&self) -> &[Abstraction] {
        &self.abstractions
    }

    /// The number of abstractions.
    pub fn len(&self) -> usize {
        self.abstractions.len()
    }

    /// Whether there are no abstractions.
    pub fn is_empty(&self) -> bool {
        self.abstractions.is_empty()
    }

    /// The number of operators of the task.
    pub fn operators(&self) -> usize {
        self.is_impossible.len()
    }

    /// Whether an operator is on no plan.
    pub fn is_impossible(&self, operator: OperatorId) -> bool {
        self.is_impossible[operator.index()]
    }

    /// Whether no state of a plan is in this state of an abstraction.
    pub fn is_dead(&self, abstraction: usize, state: u32) -> bool {
        self.dead[abstraction].get(state as usize).copied().unwrap_or(false)
    }

    /// Whether an abstraction has dead states.
    pub fn has_dead_states(&self, abstraction: usize) -> bool {
        !self.dead[abstraction].is_empty()
    }

    /// These costs, infinite for operators on no plan.
    pub fn usable(&self, costs: &Costs) -> Costs {
        let own = costs.as_slice().iter().zip(&self.is_impossible);
        let cost = |(&cost, &is_impossible)| if is_impossible { INFINITE } else { cost };
        Costs::new(own.map(cost).collect())
    }

    /// The abstract states of a state, one for each abstraction; `None` if one of them is dead,
    /// so that the state is on no plan.
    pub fn states(&self, state: &[Value]) -> Option<Vec<u32>> {
        let numbered = self.abstractions.iter().enumerate();
        let own = |(index, abstraction): (usize, &Abstraction)| {
            abstraction.state(state).filter(|&own| !self.is_dead(index, own))
        };
        numbered.map(own).collect()
    }
}
