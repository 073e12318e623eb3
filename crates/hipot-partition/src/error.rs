//! Why there is no heuristic.

use hipot_task::{Stop, Unsupported};

/// Why there is no heuristic.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// A limit, or an interrupt.
    #[error("{0}")]
    Stopped(#[from] Stop),
    /// The task has axioms or conditional effects.
    #[error("{0}")]
    Unsupported(#[from] Unsupported),
    /// The LP would be too large.
    #[error("{predicted} {what}, more than {limit}")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much of it, at least.
        predicted: u64,
        /// The limit that was given.
        limit: u64,
    },
    /// The solver refused the LP.
    #[error("the LP could not be set up: {0}")]
    Solver(#[from] hipot_lp::Error),
}
