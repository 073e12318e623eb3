//! Dimension two with less: the LP of Theorem 1, reduced without loss.
//!
//! Over all features of size at most 2, Eq. 8 and 9 say more than they need
//! to. What is left out here, and why nothing is lost:
//!
//! - **Reference values** ([`reduction`]). Features that mention one chosen value
//!   of each variable are sums of others and a constant (see
//!   [`Features::complete`]), and the rows of Eq. 9 for such a value become
//!   z ≥ 0.
//! - **Symmetries** ([`reduction`]). A permutation σ of the facts that maps
//!   variables to variables, operators to operators of the same cost, and both
//!   the initial and the goal state to themselves, maps solutions of the LP to
//!   solutions of the same value. The average of a solution over the group of
//!   all such σ is a solution too, of the same value, and gives all features of
//!   one orbit the same weight. So one column for each orbit of features
//!   suffices, and then the constraints of an operator and of its image are the
//!   same: one operator for each orbit of operators suffices.
//! - **One maximum for each changed part** ([`parts`]). z_V^o depends on what o
//!   changes, not on what else it requires: operators with the same changes
//!   share it. An operator that requires V = v has the sum for v in place of z.
//! - **Dominated operators** ([`parts`]). Of two operators with the same
//!   changes, one that requires more and costs no less has the weaker
//!   constraint: its contexts are among the other's.
//! - **Equal maxima** ([`formulate`]). With shared columns, the rows of Eq. 9 for
//!   different variables may be the same; one z with a factor stands for all of
//!   them. With few values left, a task with hundreds of interchangeable objects
//!   has a small LP.
//! - **Mutexes** ([`exclusions`]), if they are given: contexts that no state has
//!   need no rows, and pairs that no state has no columns.
//!
//! The LP never has more than one column for each pair of facts, in a table
//! that tells the column of each pair at once ([`classes`]). The same table
//! makes the exact check ([`exact`]) fast: what an operator's changes take from φ
//! for each fact of the context is a sum of rows of the table.
//!
//! Where even this is too much, the features are about some pairs of variables
//! only ([`scope`]); [`price`] tells which ones can raise the bound, and
//! [`choose`] takes them.

mod choose;
mod classes;
mod exact;
mod exclusions;
mod formulate;
mod parts;
mod price;
mod reduction;
mod scope;

use hipot_lp::Problem;
use hipot_task::{Task, Value};

pub(crate) use self::choose::Chooser;
pub(crate) use self::classes::Classes;
pub(crate) use self::exclusions::{Excluded, Exclusions};
use self::formulate::PairModel;
pub(crate) use self::price::{Mention, mentions};
pub(crate) use self::reduction::Reduction;
pub(crate) use self::scope::Scope;

use crate::certify::{Costs, Violation};
use crate::formulation::{Constraint, Formulation};
use crate::function::PotentialFunction;
use crate::model::Size;
use crate::objective::Average;

/// The reduced LP for a task.
pub(crate) struct OverPairs<'a> {
    task: &'a Task,
    model: PairModel,
}

impl<'a> OverPairs<'a> {
    /// The LP over `classes` of `reduction` that maximizes φ(`state`) − φ(s_⋆),
    /// of the [size](Reduction::size) that is known.
    pub(crate) fn new(
        task: &'a Task,
        reduction: &Reduction,
        classes: Classes,
        size: Size,
        state: &[Value],
    ) -> Self {
        let is_representative = |operator| reduction.represents(operator);
        Self { task, model: PairModel::new(task, classes, size, state, is_representative) }
    }
}

impl Formulation for OverPairs<'_> {
    fn problem(&self) -> &Problem {
        &self.model.problem
    }

    fn weights(&self) -> usize {
        self.model.classes.len()
    }

    fn constraints(&self) -> &[Constraint] {
        &self.model.constraints
    }

    fn has_atomic_features(&self) -> bool {
        true
    }

    fn shares(&self, average: &Average) -> Vec<f64> {
        self.model.classes.shares(average)
    }

    fn certify(
        &self,
        numerators: Vec<i64>,
        denominator: i64,
        costs: Costs,
    ) -> Result<PotentialFunction, Violation> {
        self.model.certify_for(self.task, numerators, denominator, costs)
    }
}
