//! Cost partitionings: which projection gets which share of which cost.
//!
//! The bound of a cost partitioning is the sum of the projections' distances to the goal, and
//! each distance is measured with the share of the costs that the projection gets. So a
//! [`Partition`] shows both: what each projection contributes to the initial state's value, and
//! how the cost of each operator is divided.
//!
//! - In an *operator* cost partitioning (`ocp`, `seq`), the share c_α(o) is the largest decrease
//!   of h_α along o's transitions: what α needs at least. The shares of an operator add up to at
//!   most its cost.
//! - In a *transition* cost partitioning (`tcp`, and each potential function by Theorem 7), the
//!   share depends on the transition: c^α(s → s′) = h(α(s)) − h(α(s′)). An operator has a range of
//!   shares, and the shares of each transition add up to at most its cost. Of small tasks, the
//!   transitions are listed.
//!
//! The LP's own shares are not used: they are floating-point numbers, and the certified distances
//! say what is needed. That the sums are not above the costs is checked here once more.
//!
//! | module | what |
//! |---|---|
//! | `collect` | from a function to its partition |
//! | `reachable` | the transitions of small tasks |
//! | `saturated` | saturated cost partitionings |

mod collect;
mod reachable;
mod saturated;

use serde::Serialize;

pub(super) use collect::{of_partitioning, of_potential};
pub(super) use saturated::of_saturated;

use super::{Cost, Ratio};

/// A cost partitioning of the initial state.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Partition {
    /// The heuristic's spec.
    pub(crate) spec: String,
    /// Whose costs are divided.
    pub(crate) costs_of: CostsOf,
    /// The initial state's value, rounded up; `None` if it proves that there is no plan, because
    /// no operator lowers the sum of the distances.
    pub(crate) initial: Option<Cost>,
    /// The sum of the distances in the initial state.
    pub(crate) initial_exact: Ratio,
    /// The projections.
    pub(crate) projections: Projections,
    /// The operators of the task in TNF.
    pub(crate) operators: Rows,
    /// The transitions between reachable states, if the task is small and the shares depend on
    /// them.
    pub(crate) transitions: Option<Rows>,
    /// The LP that the function comes from; `None` if there is none.
    pub(crate) lp: Option<Lp>,
}

/// What a share may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CostsOf {
    /// Only on the operator of the task in TNF.
    Operators,
    /// Only on the operator of the task as it is given.
    GivenOperators,
    /// On the transition.
    Transitions,
}

/// The projections of a partition.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Projections {
    /// The number of projections.
    pub(crate) count: usize,
    /// The number of projections that get a share of some cost, or have a distance other than 0
    /// in the initial state.
    pub(crate) used: usize,
    /// The most important ones: those with the largest distances in the initial state, then
    /// those with the largest shares.
    pub(crate) shown: Vec<Projection>,
    /// The number of used projections that are not shown.
    pub(crate) rest_count: usize,
    /// The sum of their distances in the initial state.
    pub(crate) rest: Ratio,
}

/// A projection.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Projection {
    /// The names of its variables.
    pub(crate) variables: Vec<String>,
    /// What its variables are about.
    pub(crate) title: String,
    /// h(α(s_I)): the distance to the goal in the initial state, which can be negative.
    pub(crate) initial: Ratio,
    /// The number of operators of whose cost it gets a share.
    pub(crate) operators: usize,
}

/// Operators or transitions, and how their costs are divided.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Rows {
    /// Their number.
    pub(crate) count: usize,
    /// The number of those of whose cost some projection gets a share.
    pub(crate) shared: usize,
    /// The number of those that cost something and have nothing left.
    pub(crate) used_up: usize,
    /// Operators: those of whose cost most is used. Transitions: the first ones.
    pub(crate) shown: Vec<Row>,
}

/// An operator or a transition, and how its cost is divided.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    /// The operator's name.
    pub(crate) operator: String,
    /// The facts of the state before; `None` for an operator.
    pub(crate) state: Option<Vec<String>>,
    /// The cost; 0 in a proof that there is no plan.
    pub(crate) cost: Cost,
    /// The shares of projections that are shown, other than 0.
    pub(crate) shares: Vec<Share>,
    /// The number of shares of projections that are not shown.
    pub(crate) rest_count: usize,
    /// The sum of these shares; `None` if it depends on the transition.
    pub(crate) rest: Option<Ratio>,
    /// The sum of all shares, and for an operator whose shares depend on the transition, the
    /// largest such sum. `None` if the operator is never applied, or has too many contexts.
    pub(crate) sum: Option<Ratio>,
    /// The cost minus this sum.
    pub(crate) left: Option<Ratio>,
}

/// What a projection gets, from the smallest share in any context to the largest.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Share {
    /// The projection's index among those shown.
    pub(crate) projection: usize,
    /// The smallest share.
    pub(crate) smallest: Ratio,
    /// The largest share.
    pub(crate) largest: Ratio,
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.smallest == self.largest {
            self.largest.fmt(f)
        } else {
            f.pad(&format!("{}…{}", self.smallest, self.largest))
        }
    }
}

impl Row {
    /// The share of a projection that is shown; `None` if it is 0.
    pub(super) fn share(&self, projection: usize) -> Option<&Share> {
        self.shares.iter().find(|share| share.projection == projection)
    }

    /// The operator, and for a transition the state in which it is applied.
    pub(super) fn title(&self) -> String {
        match &self.state {
            None => self.operator.clone(),
            Some(facts) => format!("{}, from {}", self.operator, facts.join(", ")),
        }
    }
}

/// The LP of a partition.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Lp {
    /// Rows.
    pub(crate) rows: u64,
    /// Columns.
    pub(crate) columns: u64,
    /// Nonzeros.
    pub(crate) nonzeros: u64,
    /// The time for building, solving and certifying.
    pub(crate) seconds: f64,
}
