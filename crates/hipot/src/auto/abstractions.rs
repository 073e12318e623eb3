//! Abstractions that share costs with the first function, as a candidate.
//!
//! They say more than a potential function where it takes more than two facts to see why a plan is
//! expensive, and an estimate takes several times as long. Whether that pays is predicted from the
//! states that the search has expanded.
//!
//! *Predicted effort.* Let the number of states that a search evaluates grow by the factor b for each
//! unit of f. A state whose estimate rises by d is expanded d units later, so it and its successors
//! are a b⁻ᵈ-th of what they were. The average of b⁻ᵈ over the sample, times the factor by which an
//! estimate takes longer, is the effort of the search with abstractions relative to that without.
//! b is such that the states evaluated so far are those of a tree that has grown from the first
//! estimate of the initial state to the layer reached. In a search that has not left its first
//! layer, each state that rises is saved.
//!
//! *No clock*: how much longer an estimate takes is computed from the number of tables and splits that
//! it reads, for the successors of a state and for the state itself, which is read as a whole when it is
//! expanded. Where states have few successors, the latter is most of it. (Ricochet-robots p03: without
//! it, five abstractions with ten tables seemed to cost next to nothing, and took two thirds of the
//! time.) So the same task and seed give the same decisions.

use hipot_task::{Operator, Task, Value};

use crate::spec::{Objective, PotentialSpec, SaturatedComponent, SaturatedSpec};
use crate::sum_heuristic::{Lookups, SumHeuristic};
use crate::sums::Saturated;

/// The number of tables or splits that take as long to read as all else that a search does for a state.
const READS_PER_STATE: f64 = 200.0;

/// The number of variables whose values are unpacked in the time that it takes to read a table.
const VARIABLES_PER_READ: usize = 4;

/// The number of states that all projections, and all Cartesian abstractions, may have.
const MAX_STATES: u64 = 2_000_000;

/// How a search goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The logarithm of the factor by which the number of states evaluated has grown for each unit of
    /// f, since the first estimate of the initial state; infinite if the search has not left that
    /// layer.
    pub(super) growth: f64,
    /// The number of states that are evaluated for each one that is expanded.
    pub(super) evaluated_per_expanded: f64,
}

/// Abstractions, ready to be used.
pub(super) struct Abstractions {
    pub(super) saturated: Saturated,
    pub(super) lookups: Lookups,
}

impl Abstractions {
    pub(super) fn new(saturated: Saturated) -> Self {
        let lookups = SumHeuristic::lookups(&saturated);
        Self { saturated, lookups }
    }

    /// The value of a state; `None` if it is on no plan.
    pub(super) fn value(&self, state: &[Value]) -> Option<u64> {
        self.saturated.value(state)
    }

    /// How many times as long the search takes for a state that it evaluates with abstractions, if
    /// it expands a state for so many that it evaluates.
    fn slowdown(&self, task: &Task, evaluated_per_expanded: f64) -> f64 {
        let reads = |operator: &Operator| -> usize {
            let changed = || operator.effects.iter().map(|effect| effect.fact.variable);
            self.lookups.iter().map(|lookup| lookup.reads(changed())).sum()
        };
        let all: usize = task.operators().iter().map(reads).sum();
        let of_successor = all as f64 / task.operators().len().max(1) as f64;
        let tables: usize = self.lookups.iter().map(|lookup| lookup.reads_of_state()).sum();
        let of_expanded = tables + task.variables().len() / VARIABLES_PER_READ;
        let reads = of_successor + of_expanded as f64 / evaluated_per_expanded;
        1.0 + reads / READS_PER_STATE
    }

    /// The predicted effort of a search with these abstractions, relative to one without, in which
    /// some states were expanded with these estimates.
    pub(super) fn effort<'a>(
        &self,
        task: &Task,
        expanded: impl ExactSizeIterator<Item = (&'a Vec<Value>, u64)>,
        pace: Pace,
    ) -> f64 {
        let count = expanded.len().max(1) as f64;
        let share = |(state, known): (&Vec<Value>, u64)| match self.value(state) {
            None => 0.0,
            Some(value) if value <= known => 1.0,
            Some(value) => (-pace.growth * (value - known) as f64).exp(),
        };
        let shares: f64 = expanded.map(share).sum();
        self.slowdown(task, pace.evaluated_per_expanded) * shares / count
    }
}

/// What is built: abstractions that share costs with a function over the features of `known`.
pub(super) fn spec(known: &PotentialSpec) -> SaturatedSpec {
    let known = PotentialSpec { objective: Objective::Initial, ..known.clone() };
    let projections = hipot_abstraction::systematic::Params {
        max_total_states: MAX_STATES,
        ..Default::default()
    };
    let components = vec![
        SaturatedComponent::Potential(known),
        SaturatedComponent::Projections(projections),
        SaturatedComponent::Cartesian(hipot_abstraction::cartesian::Params::default()),
    ];
    SaturatedSpec { components, ..SaturatedSpec::default() }
}
