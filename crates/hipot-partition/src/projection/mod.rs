//! Projections to sets of variables, and their abstract transition systems.
//!
//! The projection of a task in TNF to a set P of variables has a state for each
//! assignment to P. An operator o leads from a to b if a satisfies o's
//! preconditions on P, b satisfies its effects, and both agree elsewhere on P.
//!
//! # Which transitions matter
//!
//! In TNF an operator has a precondition on every variable that it sets. So in one
//! projection either all its transitions change the state, or all are loops. A
//! loop requires only that o's share is not negative (otherwise distances are −∞),
//! and 0 is the smallest such share: an operator that only loops is ignored.
//!
//! Operators with the same preconditions and effects on P have the same
//! transitions. Whatever function h of abstract states is given, they need the
//! same share of their costs: the largest decrease of h along these transitions.
//! So they share one [`Label`]. Labels are merged within a projection only; across
//! projections operators stay distinct.
//!
//! Which sets of variables are projected to is chosen in [`patterns`](Patterns).
//!
//! # Which abstract states matter
//!
//! The value of a cost partitioning in s is the sum of the lengths of cheapest
//! paths from the abstractions of s to the abstract goals. With
//! [`AbstractStates::All`], no cycle may be negative, wherever it is. That is the LP
//! of Eq. 14–16, which has all transitions, and gives the values that potentials
//! are compared with. With [`AbstractStates::Reachable`], only abstract states on
//! paths from the initial state to a goal have constraints:
//!
//! - If s is reachable from the initial state, then its abstractions are reachable
//!   from the abstract initial states, and so is everything on paths from there.
//!   The lengths of these paths do not depend on the other states.
//! - Paths to the goal do not visit abstract dead ends. If an abstraction of s is
//!   one, then s itself is a dead end.
//! - If an operator has no transition between the remaining states of some
//!   projection that it changes, it is on no plan from any reachable state. It is
//!   removed from all projections (otherwise its share here could be −∞ and the
//!   others' +∞). That may cut off more states, so the steps are repeated.
//!
//! Dropping constraints can only raise the optimum, and sometimes does.
//! Reachability *from the current state* is not used: the LP stays the same for
//! the whole search.

mod labels;
mod patterns;
mod prune;
mod single;

use hipot_analysis::TnfTask;
use hipot_task::{Limits, OperatorId, Value, VariableId};

pub use self::patterns::{Pattern, Patterns};
pub(crate) use self::single::Choice;
pub use self::single::{AbstractState, AbstractStates, Label, LabelId, Projection, Standing};

use crate::error::Error;

/// Projections of a task in TNF.
#[derive(Clone, Debug)]
pub struct Projections {
    all: Vec<Projection>,
    /// The labels of all projections, one projection after the other.
    labels: Vec<Label>,
    /// Where the labels of each projection begin, then the end of the last.
    label_begins: Vec<usize>,
    /// The labels of each operator; `None` if it is on no plan.
    of_operator: Vec<Option<Vec<LabelId>>>,
    /// The standing of each abstract state.
    standings: Vec<Standing>,
    /// The value `unknown` of each variable, if it has one.
    unknown: Vec<Option<Value>>,
}

impl Projections {
    /// The projections of a task in TNF to these patterns.
    pub(crate) fn new(
        tnf: &TnfTask,
        patterns: Vec<Pattern>,
        choice: Choice,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let mut all = Vec::new();
        let mut begin = 0;
        for variables in patterns {
            let projection = Projection::new(tnf, variables, begin);
            begin += projection.size;
            all.push(projection);
        }
        let (labels, label_begins) = labels::enumerate(tnf, &all, choice, limits)?;
        let standings = vec![Standing::Kept; begin];
        let of_operator = vec![Some(Vec::new()); tnf.task().operators().len()];
        let unknown = tnf.task().variable_ids().map(|variable| tnf.unknown(variable)).collect();
        let mut found = Self { all, labels, label_begins, of_operator, standings, unknown };
        if choice.states == AbstractStates::Reachable {
            found.prune(tnf.task(), limits)?;
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

    /// What is known about an abstract state.
    pub fn standing(&self, state: AbstractState) -> Standing {
        self.standings[state.index()]
    }

    /// The abstractions of a state, one per projection.
    pub fn states(&self, state: &[Value]) -> impl Iterator<Item = AbstractState> {
        self.all.iter().map(|projection| projection.state(state))
    }

    /// A function of `variable` that is 1 higher for `unknown` than for its other values, and 0 in
    /// the goal: the abstract states of one projection where it is not 0, and its value there.
    pub(crate) fn against_unknown(
        &self,
        variable: VariableId,
    ) -> impl Iterator<Item = (AbstractState, i64)> {
        let home = self.all.iter().find(|projection| projection.variables().contains(&variable));
        let unknown = self.unknown[variable.index()];
        home.into_iter().flat_map(move |projection| {
            let is_unknown = move |state| {
                let facts = projection.facts(state);
                facts.iter().any(|fact| fact.variable == variable && Some(fact.value) == unknown)
            };
            let at_goal = is_unknown(projection.goal());
            let sign = if at_goal { -1 } else { 1 };
            let states = projection.states().filter(move |&state| is_unknown(state) != at_goal);
            states.map(move |state| (state, sign))
        })
    }

    /// All labels, in order.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The labels of an operator, at most one per projection; `None` if it is on
    /// no plan from any reachable state.
    pub fn of_operator(&self, operator: OperatorId) -> Option<&[LabelId]> {
        self.of_operator[operator.index()].as_deref()
    }
}
