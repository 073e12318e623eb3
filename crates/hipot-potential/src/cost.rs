//! The memory and time that an LP takes, estimated from its size before it is written.
//!
//! *Memory* is estimated in bytes per nonzero, for our copy, the solver's copy, presolve, and
//! the method's own data (150 to 200 were measured).
//!
//! *Time* is estimated in nonzeros per second. It varies by a factor of a hundred between
//! domains, so there is no single number. Different decisions use different speeds:
//!
//! | speed | nonzeros per second | for |
//! |---|---|---|
//! | [`Speed::RELIABLE`] | 30,000 | planning with an LP over pairs: many of 400,000 nonzeros are solved in 15 seconds |
//! | [`Speed::CAREFUL`] | 15,000 | LPs over larger features, or with averages as objectives, which take longer |

use std::time::Duration;

use hipot_task::{Limits, resident_bytes};

use crate::params::Params;
use crate::report::Shortfall;

/// How fast LPs are assumed to be solved, for some kind of decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed {
    nonzeros_per_second: u64,
}

impl Speed {
    /// Most LPs over pairs are solved at least this fast.
    pub const RELIABLE: Self = Self { nonzeros_per_second: 30_000 };
    /// Most LPs over larger features, or with averages as objectives, are solved at least
    /// this fast.
    pub const CAREFUL: Self = Self { nonzeros_per_second: 15_000 };

    /// The number of nonzeros of the largest LP for this time.
    pub fn nonzeros_in(self, time: Duration) -> u64 {
        (time.as_millis() as u64).saturating_mul(self.nonzeros_per_second) / 1000
    }

    /// The number of nonzeros of the largest LP for the remaining time.
    pub fn nonzeros_within(self, limits: &Limits) -> u64 {
        limits.time_left().map_or(u64::MAX, |time| self.nonzeros_in(time))
    }
}

/// A rough bound on the memory that an LP takes per nonzero: for HiGHS, and for the engine.
const BYTES_PER_NONZERO: u64 = 220;
const ENGINE_BYTES_PER_NONZERO: u64 = 16;

/// Memory that is kept free for everything else.
const RESERVED_BYTES: u64 = 16 << 20;

/// The maximum number of nonzeros that HiGHS can index.
const MAX_NONZEROS: u64 = i32::MAX as u64;

/// A bound on the bytes that an LP takes.
pub(crate) fn bytes_for(nonzeros: u64) -> u64 {
    nonzeros.saturating_mul(BYTES_PER_NONZERO)
}

/// The maximum number of nonzeros of an LP that fits into the remaining memory.
pub(crate) fn nonzeros_in_memory(limits: &Limits) -> u64 {
    in_memory(limits, BYTES_PER_NONZERO)
}

/// The maximum number of nonzeros of an LP over pairs that fits into the remaining memory.
pub(crate) fn nonzeros_over_pairs(params: &Params, limits: &Limits) -> u64 {
    let is_for_engine = params.method.is_open();
    in_memory(limits, if is_for_engine { ENGINE_BYTES_PER_NONZERO } else { BYTES_PER_NONZERO })
}

fn in_memory(limits: &Limits, bytes_per_nonzero: u64) -> u64 {
    let left = limits.memory().zip(resident_bytes());
    let left = left.map(|(limit, used)| limit.saturating_sub(used + RESERVED_BYTES));
    let nonzeros = left.map(|bytes| bytes / bytes_per_nonzero);
    nonzeros.unwrap_or(MAX_NONZEROS).min(MAX_NONZEROS)
}

/// The maximum number of nonzeros of an LP over all features, given those for the remaining
/// memory and time, and what is wrong with an LP that has more.
pub(crate) fn allowance(params: &Params, in_memory: u64, in_time: u64) -> (u64, Shortfall) {
    let bounds = [
        (params.budget.unwrap_or(u64::MAX), Shortfall::Budget),
        (in_memory, Shortfall::Memory),
        (in_time, Shortfall::PredictedTime),
    ];
    bounds.into_iter().min_by_key(|&(nonzeros, _)| nonzeros).expect("there are three")
}
