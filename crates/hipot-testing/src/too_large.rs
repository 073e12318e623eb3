//! The error for tasks with too many states.

/// The state space has more states than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the task has more than {0} reachable states")]
pub struct TooLarge(pub usize);
