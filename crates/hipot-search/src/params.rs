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
    /// Whether it uses symmetries, if it is given any.
    pub symmetries: UseOfSymmetries,
    /// How many threads it may use, if its heuristic allows several; 0 is one, too.
    pub threads: usize,
}

/// When a search uses symmetries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UseOfSymmetries {
    /// If a short search without them shows that they save states.
    #[default]
    IfTheyPay,
    /// From the beginning.
    Always,
    /// Never.
    Never,
}
