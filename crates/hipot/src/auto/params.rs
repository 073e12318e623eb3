//! The sizes of the steps of `auto`.

/// The sizes of the steps.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// The largest number of nonzeros of the first LP.
    pub first_nonzeros: u64,
    /// The number of states that the search evaluates with the first function, and with each
    /// function for a plateau, before the next candidate.
    pub first_evaluated: u64,
    /// The number of states that one thread evaluates before others join it.
    pub alone_evaluated: u64,
    /// The number of states after which a function that says little is found out.
    pub probe_evaluated: u64,
    /// The number of expanded states that another objective is about.
    pub samples: usize,
    /// Tasks with more operators are large: a blind search comes first,
    pub large_operators: usize,
    /// and evaluates at most so many states.
    pub opening_evaluated: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            first_nonzeros: 100_000,
            first_evaluated: 500_000,
            probe_evaluated: 50_000,
            alone_evaluated: 1 << 20,
            samples: 1000,
            large_operators: 50_000,
            opening_evaluated: 200_000,
        }
    }
}
