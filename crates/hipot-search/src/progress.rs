//! Progress of a search, and a limit on the number of its states.

use crate::statistics::Statistics;

/// The progress of a search, reported at the start of each f layer and every few
/// milliseconds in between.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The f layer being searched: every plan costs at least this much.
    pub f: u64,
    /// Whether the layer has just started.
    pub is_new_layer: bool,
    /// The counters so far.
    pub statistics: &'a Statistics,
}

/// The number of states after which a search ends with
/// [`Outcome::BudgetSpent`](crate::Outcome::BudgetSpent). States are
/// expanded in batches, so the search may exceed it slightly. The default is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateBudget {
    /// The maximum number of evaluated states.
    pub evaluated: u64,
    /// The maximum number of expanded states.
    pub expanded: u64,
}

impl Default for StateBudget {
    fn default() -> Self {
        Self { evaluated: u64::MAX, expanded: u64::MAX }
    }
}

impl StateBudget {
    /// What is left of it after a search.
    pub(crate) fn less(self, seen: &Statistics) -> Self {
        Self {
            evaluated: self.evaluated.saturating_sub(seen.evaluated),
            expanded: self.expanded.saturating_sub(seen.expanded),
        }
    }

    pub(crate) fn is_spent(self, statistics: &Statistics) -> bool {
        statistics.evaluated >= self.evaluated || statistics.expanded >= self.expanded
    }
}
