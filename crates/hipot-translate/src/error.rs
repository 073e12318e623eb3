//! Why a translation fails.

use hipot_task::{Defect, Stop};

/// Why a PDDL task could not be translated.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A limit was reached, or the user interrupted.
    #[error("{0}")]
    Stopped(#[from] Stop),
    /// A derived atom depends on its own negation.
    #[error("the derived predicates are not stratified: {0} depends on its own negation")]
    NotStratified(String),
    /// The task contains something that the finite-domain format cannot
    /// express.
    #[error("{0}")]
    Defect(#[from] Defect),
}
