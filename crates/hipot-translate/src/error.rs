//! Why a translation fails.

use hipot_task::{Defect, Stop};

/// Why a PDDL task has no finite-domain counterpart.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A limit, or an interrupt.
    #[error("{0}")]
    Stopped(#[from] Stop),
    /// A derived atom depends on its own negation.
    #[error("the derived predicates have no meaning: {0} depends on its own negation")]
    NotStratified(String),
    /// The task has a part that the finite-domain format does not allow.
    #[error("{0}")]
    Defect(#[from] Defect),
}
