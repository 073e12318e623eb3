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
        collection.propagate(limits)?;
        Ok(collection)
    }

    /// Finds dead states and impossible operators, to a fixpoint. An abstraction is looked at again
    /// once operators that it uses have turned out to be impossible elsewhere.
    fn propagate(&mut self, limits: &Limits) -> Result<(), Error> {
        let count = self.is_impossible.len();
        let mut costs = self.usable(&Costs::new(vec![0; count]));
        // For each operator and each abstraction, when it was found out or looked at.
        let (mut found_at, mut seen_at) = (vec![0; count], vec![0; self.abstractions.len()]);
        let (mut time, mut last) = (0_u64, 0);
        loop {
            for (index, abstraction) in self.abstractions.iter().enumerate() {
                let has_news = |id: &OperatorId| found_at[id.index()] > seen_at[index];
                if seen_at[index] > 0 && !abstraction.touched().iter().any(has_news) {
                    continue;
                }
                time += 1;
                let distances = abstraction.distances(&costs, limits)?;
                self.dead[index] = Vec::new();
                if distances.contains(&INFINITE) {
                    let is_dead = distances.iter().map(|&distance| distance == INFINITE);
                    self.dead[index] = is_dead.collect();
                }
                for operator in abstraction.without_transitions(&distances, count) {
                    if costs.is_usable(operator) {
                        costs.forbid(operator);
                        self.is_impossible[operator.index()] = true;
                        time += 1;
                        found_at[operator.index()] = time;
                    }
                }
                seen_at[index] = time;
            }
            if time == last {
                return Ok(());
            }
            last = time;
        }
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
