//! Parameters of a parallel search.

use crate::params::SearchParams;

/// The maximum number of threads.
pub const MAX_THREADS: usize = 64;

/// Parameters of a parallel search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParallelParams {
    /// What it has in common with other searches.
    pub search: SearchParams,
    /// The number of estimates for which one thread searches alone, where others may join it; a
    /// third of it if they are cheap.
    pub alone: u64,
    /// The number of messages that are sent together.
    pub messages: usize,
    /// The number of states that a thread expands before it closes a round.
    pub round: u64,
    /// The number of successors and messages between two looks of a thread at the limits and at
    /// the budget.
    pub clock: u64,
}

impl From<SearchParams> for ParallelParams {
    fn from(search: SearchParams) -> Self {
        Self { search, alone: 1 << 20, messages: 256, round: 256, clock: 1 << 11 }
    }
}
