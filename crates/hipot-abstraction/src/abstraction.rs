//! Abstractions of either kind.

use hipot_task::{Limits, OperatorId, Value, VariableId};

use crate::cartesian::Cartesian;
use crate::cost::{Costs, INFINITE, LARGEST, NONE};
use crate::error::Error;
use crate::projection::Projection;

/// An abstraction of a task.
#[derive(Clone, Debug)]
pub enum Abstraction {
    /// A projection.
    Projection(Box<Projection>),
    /// A Cartesian abstraction.
    Cartesian(Box<Cartesian>),
}

impl From<Projection> for Abstraction {
    fn from(projection: Projection) -> Self {
        Self::Projection(Box::new(projection))
    }
}

impl From<Cartesian> for Abstraction {
    fn from(cartesian: Cartesian) -> Self {
        Self::Cartesian(Box::new(cartesian))
    }
}

impl Abstraction {
    /// The name of the kind, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Projection(_) => "projection",
            Self::Cartesian(_) => "Cartesian",
        }
    }

    /// The number of states.
    pub fn size(&self) -> usize {
        match self {
            Self::Projection(projection) => projection.size(),
            Self::Cartesian(cartesian) => cartesian.size(),
        }
    }

    /// α(s); `None` if s is on no plan.
    pub fn state(&self, state: &[Value]) -> Option<u32> {
        match self {
            Self::Projection(projection) => projection.state(state),
            Self::Cartesian(cartesian) => Some(cartesian.state(state)),
        }
    }

    /// The number of variables or splits that [`state`](Self::state) looks at, on average.
    pub(crate) fn mean_depth(&self) -> usize {
        match self {
            Self::Projection(projection) => projection.pattern().len(),
            Self::Cartesian(cartesian) => cartesian.tree().mean_depth(),
        }
    }

    /// The variables that decide about the abstract state of a state, in order.
    pub(crate) fn variables(&self) -> Vec<VariableId> {
        match self {
            Self::Projection(projection) => projection.pattern(),
            Self::Cartesian(cartesian) => cartesian.tree().variables(),
        }
    }

    /// How much there is to look at for one partitioning: states and transitions.
    pub(crate) fn work(&self) -> u64 {
        match self {
            Self::Projection(projection) => projection.work(),
            Self::Cartesian(cartesian) => (cartesian.size() + cartesian.transition_count()) as u64,
        }
    }

    /// What [`state`](Self::state) needs of it.
    pub(crate) fn without_transitions_stored(&self) -> Self {
        match self {
            Self::Projection(projection) => Self::Projection(Box::new(projection.only_states())),
            Self::Cartesian(cartesian) => Self::Cartesian(Box::new(cartesian.only_states())),
        }
    }

    /// The operators that have no transition, whatever the costs.
    pub(crate) fn impossible(&self) -> &[OperatorId] {
        match self {
            Self::Projection(projection) => projection.impossible(),
            Self::Cartesian(cartesian) => cartesian.impossible(),
        }
    }

    /// The distance of each state to the goal; [`INFINITE`] where no path leads there, and for
    /// states that were left out.
    pub fn distances(&self, costs: &Costs, limits: &Limits) -> Result<Vec<i64>, Error> {
        let (cost, states) = (costs.largest(), self.size());
        if cost.checked_mul(i64::from(states as u32)).is_none_or(|sum| sum > LARGEST) {
            return Err(Error::TooLarge { cost, states });
        }
        match self {
            Self::Projection(projection) => projection.distances(costs, limits),
            Self::Cartesian(cartesian) => cartesian.distances(costs, limits),
        }
    }

    /// The operators that may have a saturated cost other than 0, in order.
    pub fn touched(&self) -> &[OperatorId] {
        match self {
            Self::Projection(projection) => projection.touched(),
            Self::Cartesian(cartesian) => cartesian.touched(),
        }
    }

    /// Sets the saturated cost for `values` of each operator that is [touched](Self::touched): the
    /// most by which it decreases the value along any transition between states whose value is
    /// not infinite. That is the least cost for which the values are consistent. It is [`NONE`] if
    /// there is no such transition. The others only loop: they need 0.
    pub fn saturate(&self, values: &[i64], saturated: &mut [i64]) {
        match self {
            Self::Projection(projection) => projection.saturate(values, saturated),
            Self::Cartesian(cartesian) => cartesian.saturate(values, saturated),
        }
    }

    /// The operators without a transition between states whose value is not infinite.
    pub(crate) fn without_transitions(&self, values: &[i64], operators: usize) -> Vec<OperatorId> {
        let zeros: Vec<i64> =
            values.iter().map(|&value| if value == INFINITE { INFINITE } else { 0 }).collect();
        let mut saturated = vec![0; operators];
        self.saturate(&zeros, &mut saturated);
        let touched = self.touched().iter().copied();
        touched.filter(|operator| saturated[operator.index()] == NONE).collect()
    }
}
