//! Parameters of a search.

use crate::progress::StateBudget;
use crate::ties::Ties;

/// Parameters of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchParams {
    /// How many states it may see.
    pub budget: StateBudget,
    /// The order among states with the least f.
    pub ties: Ties,
    /// How many threads it may use, if its heuristic allows several; 0 is one, too.
    pub threads: usize,
}
