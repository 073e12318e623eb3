//! Projections to k variables, and their abstract transition systems.
//!
//! The projection of a task in TNF to a set P of variables has a state for each
//! assignment to P. An operator o leads from a to b if a has o's preconditions
//! on P, b has its effects, and both agree elsewhere on P.
//!
//! # Which transitions matter
//!
//! In TNF an operator asks for all variables that it sets. So in one projection
//! either all its transitions change the state, or all are loops. A loop wants
//! nothing of o's share but that it is not negative (or else distances are −∞),
//! and 0 is the least such share: an operator that only loops takes no part.
//!
//! Operators with the same preconditions and effects on P have the same
//! transitions, and whatever function h of abstract states is given, they need
//! the same share of their costs: the largest decrease of h along these
//! transitions. They have one [`Label`] between them. Labels are merged within
//! a projection only; between projections operators stay apart.
//!
//! # Which projections matter
//!
//! *At most k variables* is *exactly k*, or all where there are fewer. Let Q
//! be a subset of P. A function over Q is one over P, with the same decreases,
//! so functions and shares of Q can be added to those of P.
//!
//! # Which abstract states matter
//!
//! The value of a cost partitioning in s is the sum of the lengths of cheapest
//! paths from the abstractions of s to the abstract goals. With
//! [`Scope::All`] shares are such that no cycle is negative, wherever it lies:
//! the LP of Eq. 14–16, which is about all transitions, and the values that
//! potentials are compared with. With [`Scope::Reachable`] it need not be so
//! where no path from the initial state to a goal comes along:
//!
//! - If s can be reached from the initial state, so can its abstractions from
//!   the abstract initial states, and so can everything on paths from there.
//!   The lengths of these paths do not depend on the rest.
//! - Paths to the goal do not visit states from which there is none. If an
//!   abstraction of s is such a state, then s itself is a dead end.
//! - An operator without a transition between the states that are left in some
//!   projection is on no plan from any state that can be reached. It is
//!   removed from all projections (otherwise its share here could be −∞ and
//!   the others' +∞), which may cut off more states, so it is done again.
//!
//! Dropping constraints can only raise the optimum, and sometimes does.
//! Whether a state can be reached *from the current state* is never asked: the
//! LP stays the same for the whole search.

mod labels;
mod prune;

use hipot_task::{Fact, Limits, OperatorId, Task, Value, VariableId};

use crate::Error;

/// Which abstract states there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// All assignments: valid in every state, and what the paper compares.
    All,
    /// Those on a path from the abstract initial state to the abstract goal:
    /// valid in states that can be reached from the initial state.
    #[default]
    Reachable,
}

/// An abstract state; numbered through all projections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AbstractState(u32);

impl AbstractState {
    /// Its place in a vector with one entry an abstract state.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("sizes are limited"))
    }
}

/// What is known about an abstract state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It takes part.
    Kept,
    /// No path leads from the abstract initial state to it.
    Unreachable,
    /// No path leads from it to the abstract goal.
    DeadEnd,
}

/// A projection: its variables, and where its states begin.
#[derive(Clone, Debug)]
pub struct Projection {
    variables: Vec<VariableId>,
    /// How far apart the states are that differ by 1 in each variable.
    steps: Vec<usize>,
    begin: usize,
    size: usize,
    goal: AbstractState,
}

impl Projection {
    fn new(task: &Task, variables: Vec<VariableId>, begin: usize) -> Self {
        let mut size = 1;
        let mut steps = Vec::new();
        for &variable in &variables {
            steps.push(size);
            size *= task.variable(variable).domain_size() as usize;
        }
        let goal = AbstractState(0);
        let mut projection = Self { variables, steps, begin, size, goal };
        projection.goal = projection.state_by(|variable| task.goal()[variable.index()].value);
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
        self.state_by(|variable| state[variable.index()])
    }

    /// All abstract states.
    pub fn states(&self) -> impl Iterator<Item = AbstractState> + use<> {
        (self.begin..self.begin + self.size).map(AbstractState::new)
    }

    fn state_by(&self, value: impl Fn(VariableId) -> Value) -> AbstractState {
        let places = self.variables.iter().zip(&self.steps);
        let offset: usize = places.map(|(&variable, step)| value(variable) as usize * step).sum();
        AbstractState::new(self.begin + offset)
    }

    /// The facts that an abstract state is made of, by variable.
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

/// The number of a label, through all projections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(u32);

impl LabelId {
    /// Its place in the list of labels.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What operators with the same transitions in a projection have in common.
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

/// What to project to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) dimension: usize,
    pub(crate) scope: Scope,
    /// A limit on abstract states, and on three for each transition and two
    /// for each share: the nonzeros of the LP before it is reduced.
    pub(crate) most_nonzeros: u64,
}

impl Choice {
    /// Refuses what is larger than allowed.
    pub(crate) fn check(self, what: &'static str, predicted: u64) -> Result<(), Error> {
        let limit = self.most_nonzeros;
        if predicted > limit { Err(Error::TooLarge { what, predicted, limit }) } else { Ok(()) }
    }
}

/// All projections of a task in TNF to k variables.
#[derive(Clone, Debug)]
pub struct Projections {
    all: Vec<Projection>,
    /// Those of one projection after those of the other.
    labels: Vec<Label>,
    /// Where the labels of each projection begin, and where the last end.
    label_begins: Vec<usize>,
    /// The labels of each operator; `None` for one that is on no plan.
    of_operator: Vec<Option<Vec<LabelId>>>,
    standings: Vec<Standing>,
}

impl Projections {
    /// The projections of `task`, which is in TNF.
    pub(crate) fn new(task: &Task, choice: Choice, limits: &Limits) -> Result<Self, Error> {
        let mut all = Vec::new();
        let mut begin = 0;
        for variables in labels::patterns(task, choice)? {
            let projection = Projection::new(task, variables, begin);
            begin += projection.size;
            all.push(projection);
        }
        let (labels, label_begins) = labels::enumerate(task, &all, choice, limits)?;
        let standings = vec![Standing::Kept; begin];
        let of_operator = vec![Some(Vec::new()); task.operators().len()];
        let mut found = Self { all, labels, label_begins, of_operator, standings };
        if choice.scope == Scope::Reachable {
            found.prune(task, limits)?;
        }
        for (index, label) in found.labels.iter().enumerate() {
            for operator in &label.operators {
                if let Some(list) = &mut found.of_operator[operator.index()] {
                    list.push(LabelId(index as u32));
                }
            }
        }
        Ok(found)
    }

    /// The projections.
    pub fn iter(&self) -> impl Iterator<Item = &Projection> {
        self.all.iter()
    }

    /// The number of abstract states in all projections.
    pub fn state_count(&self) -> usize {
        self.standings.len()
    }

    /// What is known about a state.
    pub fn standing(&self, state: AbstractState) -> Standing {
        self.standings[state.index()]
    }

    /// The abstractions of a state, one a projection.
    pub fn states(&self, state: &[Value]) -> impl Iterator<Item = AbstractState> {
        self.all.iter().map(|projection| projection.state(state))
    }

    /// All labels, in order.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The labels of an operator, at most one a projection; `None` if it is on
    /// no plan from any state that can be reached.
    pub fn of_operator(&self, operator: OperatorId) -> Option<&[LabelId]> {
        self.of_operator[operator.index()].as_deref()
    }
}
