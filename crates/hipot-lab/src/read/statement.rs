//! What a planner's text says of its run, before anything is checked.

use crate::model::{Measures, Status};

/// The content of a planner's report or log. Whatever it does not say is `None`.
#[derive(Debug, Default)]
pub(super) struct Statement {
    /// The cost of its plan.
    pub(super) cost: Option<u64>,
    /// The numbers.
    pub(super) measures: Measures,
    /// A status in words, and the reason for it.
    pub(super) status: Option<(Status, Option<String>)>,
}
