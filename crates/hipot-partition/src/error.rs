//! Why there is no heuristic.

use hipot_task::{Stop, Unsupported};

/// Why there is no heuristic.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// A limit was reached, or the user interrupted.
    #[error("{0}")]
    Stopped(#[from] Stop),
    /// The task has axioms or conditional effects.
    #[error("{0}")]
    Unsupported(#[from] Unsupported),
    /// The LP would be too large.
    #[error("{predicted} {what}, more than {limit}")]
    TooLarge {
        /// What exceeds the limit.
        what: &'static str,
        /// The predicted number; the true number may be larger.
        predicted: u64,
        /// The limit.
        limit: u64,
    },
    /// The solver rejected the LP.
    #[error("the LP could not be set up: {0}")]
    Solver(#[from] hipot_lp::Error),
}
