//! The interface between families of constraints and the optimizer.
//!
//! A *family of constraints* is an LP whose solutions are the weights of consistent potential
//! functions over some features, together with the way back from numbers to an exact function.
//! The [`Optimizer`](crate::Optimizer) knows nothing but this trait, so a new family (other
//! features, another way to write the maxima, conditional effects) is a new implementation and
//! nothing else:
//!
//! | family | features | place |
//! |---|---|---|
//! | textbook: Theorem 1 or 5 as the paper writes them | any given ones | [`textbook`](crate::textbook) |
//! | reduced: Theorem 1 without redundancy | of size 1 and 2 | [`pairs`](crate::pairs) |

use std::ops::Range;

use hipot_lp::{Column, Problem, Row, Size};
use hipot_task::{FactId, Limits, OperatorId, VariableId};

use crate::certify::{Certified, Costs, Violation};
use crate::engine::Structure;
use crate::helpers::Helpers;
use crate::objective::Average;

/// The constraint of one operator.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    /// The operator of the normal form.
    pub(crate) operator: OperatorId,
    /// The row that bounds its decrease of φ by its cost: Eq. 8 or 12.
    pub(crate) cost_row: Row,
    /// The rows of its maxima: Eq. 9 or 13. Operators may share them.
    pub(crate) max_rows: Range<u32>,
}

impl Constraint {
    /// The rows of the maxima.
    pub(crate) fn max_rows(&self) -> impl Iterator<Item = Row> + use<> {
        self.max_rows.clone().map(Row)
    }
}

/// One alternative of a maximum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternative {
    /// The column of the maximum.
    pub(crate) maximum: Column,
    /// The variable whose values it ranges over.
    pub(crate) variable: VariableId,
    /// The fact of this alternative; none if no feature in its row has one.
    pub(crate) fact: Option<FactId>,
}

/// An LP whose solutions are the weights of consistent potential functions.
pub(crate) trait ConstraintFamily {
    /// The LP.
    fn problem(&self) -> &Problem;

    /// The LP, to set its objective.
    fn problem_mut(&mut self) -> &mut Problem;

    /// Frees the memory of the LP, if it can be written again.
    fn forget_problem(&mut self) {}

    /// Whether color refinement is likely to make the LP much smaller.
    fn is_coarse(&self) -> bool {
        false
    }

    /// The number of weights: the first columns.
    fn weights(&self) -> usize;

    /// The operators that have constraints. These imply the constraints of all
    /// others, in exact arithmetic too.
    fn constraints(&self) -> &[Constraint];

    /// Whether there are all features of size 1, except for at most one value per variable.
    fn has_atomic_features(&self) -> bool;

    /// For each weight, how many of its features are true, on average.
    fn shares(&self, average: &Average) -> Vec<f64>;

    /// The function with `numerators` / `denominator` as weights. Checks every
    /// operator of the task: see [`certify`](crate::certify).
    fn certify(
        &self,
        numerators: Vec<i64>,
        denominator: i64,
        costs: Costs,
        helpers: &Helpers,
    ) -> Result<Certified, Violation>;

    /// The alternative that a row of Eq. 9 or 13 stands for; `None` if the family does not
    /// know.
    fn alternative(&self, row: Row) -> Option<Alternative> {
        let _ = row;
        None
    }

    /// The family without the constraints of operators that cost something or are on no cycle
    /// of free operators, and the size of its LP; `None` if it is no smaller.
    fn on_free_cycles(&self) -> Option<(Box<dyn ConstraintFamily + '_>, Size)> {
        None
    }

    /// The constraints as the engine needs them; `None` if the engine cannot solve this LP, or if
    /// a limit is reached.
    fn structure(&self, limits: &Limits) -> Option<Structure> {
        let _ = limits;
        None
    }

    /// A name for each weight: its feature, or one feature of several that share it.
    fn weight_names(&self) -> Vec<String>;

    /// What the LP is and how it differs from the one that the paper writes, in sentences.
    fn description(&self) -> Vec<String>;

    /// Whether a column is a weight and not a maximum.
    fn is_weight(&self, column: Column) -> bool {
        column.index() < self.weights()
    }
}
