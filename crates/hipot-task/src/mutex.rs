//! Mutex groups: sets of facts of which no reachable state has two.

use crate::ids::Fact;

/// A set of facts that are pairwise mutex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutexGroup {
    /// The facts, in the order in which the source lists them.
    pub facts: Vec<Fact>,
}
