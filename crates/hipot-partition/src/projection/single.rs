//! One projection: its states, and the labels of its transitions.
//!
//! Abstract states are numbered through all projections, so that a function of abstract
//! states is one vector. Within a projection, they are numbered like the digits of a number
//! in a mixed radix, with one digit per variable: an abstract state and its facts are
//! converted into each other by arithmetic, without a table.

use hipot_analysis::TnfTask;
use hipot_task::{Fact, OperatorId, Value, VariableId};

use crate::error::Error;

/// Which abstract states to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AbstractStates {
    /// All assignments: valid in every state; the paper compares these.
    All,
    /// Those on a path from the abstract initial state to the abstract goal:
    /// valid in states that are reachable from the initial state.
    #[default]
    Reachable,
}

/// An abstract state, numbered through all projections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AbstractState(u32);

impl AbstractState {
    /// Its position in a vector with one entry per abstract state.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("sizes are limited"))
    }
}

/// What is known about an abstract state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is on a path from the abstract initial state to the abstract goal, or all
    /// states are used.
    Kept,
    /// No path leads from the abstract initial state to it.
    Unreachable,
    /// No path leads from it to the abstract goal.
    DeadEnd,
}

/// A projection: its variables, and where its states begin.
#[derive(Clone, Debug)]
pub struct Projection {
    pub(super) variables: Vec<VariableId>,
    /// For each variable, the difference between the numbers of states that differ by 1
    /// in it.
    pub(super) steps: Vec<usize>,
    pub(super) begin: usize,
    pub(super) size: usize,
    goal: AbstractState,
}

impl Projection {
    pub(super) fn new(tnf: &TnfTask, variables: Vec<VariableId>, begin: usize) -> Self {
        let mut size = 1;
        let mut steps = Vec::new();
        for &variable in &variables {
            steps.push(size);
            size *= tnf.facts().domain_size(variable);
        }
        let goal = AbstractState(0);
        let mut projection = Self { variables, steps, begin, size, goal };
        projection.goal = projection.state(tnf.goal());
        projection
    }

    /// The variables, in order.
    pub fn variables(&self) -> &[VariableId] {
        &self.variables
    }

    /// α(s_⋆).
    pub fn goal(&self) -> AbstractState {
        self.goal
    }

    /// α(s).
    pub fn state(&self, state: &[Value]) -> AbstractState {
        let places = self.variables.iter().zip(&self.steps);
        let offset: usize = places.map(|(id, step)| state[id.index()] as usize * step).sum();
        AbstractState::new(self.begin + offset)
    }

    /// All abstract states.
    pub fn states(&self) -> impl Iterator<Item = AbstractState> + use<> {
        (self.begin..self.begin + self.size).map(AbstractState::new)
    }

    /// The facts of an abstract state, by variable.
    pub fn facts(&self, state: AbstractState) -> Vec<Fact> {
        let mut rest = state.index() - self.begin;
        let mut facts = Vec::with_capacity(self.steps.len());
        for (&variable, &step) in self.variables.iter().zip(&self.steps).rev() {
            facts.push(Fact::new(variable, (rest / step) as Value));
            rest %= step;
        }
        facts.reverse();
        facts
    }

    /// The variables in which a state differs from the abstract goal.
    pub(crate) fn off_goal(&self, state: AbstractState) -> Vec<VariableId> {
        let pairs = self.facts(state).into_iter().zip(self.facts(self.goal));
        pairs.filter(|(own, goal)| own != goal).map(|(own, _)| own.variable).collect()
    }
}

/// The index of a label, numbered through all projections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub(super) u32);

impl LabelId {
    /// Its position in the list of labels.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operators with the same transitions in a projection.
#[derive(Clone, Debug)]
pub struct Label {
    pub(crate) operators: Vec<OperatorId>,
    pub(crate) transitions: Vec<(AbstractState, AbstractState)>,
}

impl Label {
    /// The operators.
    pub fn operators(&self) -> &[OperatorId] {
        &self.operators
    }

    /// Their transitions a → b, a ≠ b.
    pub fn transitions(&self) -> &[(AbstractState, AbstractState)] {
        &self.transitions
    }
}

/// Which abstract states to use, and how many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) states: AbstractStates,
    /// A limit on the number of abstract states, and on the number of nonzeros of the LP
    /// before it is reduced: three for each transition and two for each share.
    pub(crate) max_nonzeros: u64,
}

impl Choice {
    /// An error if a predicted number exceeds the limit.
    pub(crate) fn check(self, what: &'static str, predicted: u64) -> Result<(), Error> {
        let limit = self.max_nonzeros;
        if predicted > limit { Err(Error::TooLarge { what, predicted, limit }) } else { Ok(()) }
    }
}
