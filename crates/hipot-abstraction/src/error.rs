//! Why there are no abstractions, or no costs for them.

use hipot_task::{Stop, Unsupported};

/// Why there are no abstractions, or no costs for them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A limit was reached, or the user interrupted.
    #[error("{0}")]
    Stopped(#[from] Stop),
    /// The task has axioms or conditional effects.
    #[error("{0}")]
    Unsupported(#[from] Unsupported),
    /// The costs of a path could exceed 62 bits.
    #[error("costs of up to {cost} units are too large for an abstraction of {states} states")]
    TooLarge {
        /// The largest cost.
        cost: i64,
        /// The number of abstract states.
        states: usize,
    },
}
