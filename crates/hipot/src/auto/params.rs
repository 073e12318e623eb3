//! The sizes of the first steps of `auto`.

use hipot_search::StateBudget;

/// The sizes of the first steps.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// The largest number of nonzeros of the first LP.
    pub first_nonzeros: u64,
    /// The number of states that the first search, and each one on a plateau, evaluates at
    /// most.
    pub first_evaluated: u64,
    /// The number of expanded states that another objective is about.
    pub samples: usize,
}

impl Default for Params {
    fn default() -> Self {
        Self { first_nonzeros: 100_000, first_evaluated: 500_000, samples: 1000 }
    }
}

impl Params {
    /// The budget of a short search.
    pub(super) fn budget(&self) -> StateBudget {
        StateBudget { evaluated: self.first_evaluated, ..StateBudget::default() }
    }
}
