//! Which thread owns a state, and how a state is named outside its thread.
//!
//! The table of a registry takes its index from the highest bits of a hash (10 to 31 of them) and
//! the tags of its slots from the lowest ones (22 to 1). The 11 bits between them are in neither,
//! so they choose the owner: otherwise all states of one thread would crowd a part of its table.

use crate::registry::StateId;

/// The bits of a hash that choose the owner: `OWNER_BITS` from `OWNER_SHIFT` on.
const OWNER_SHIFT: u32 = 22;
const OWNER_BITS: u32 = 11;

/// The bits of an id within a registry.
const MAX_ID_BITS: u32 = 31;

/// A state of any thread: the owner in the high bits, the id in the low ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address(pub(super) u32);

/// How states are distributed over threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distribution {
    threads: u64,
    id_bits: u32,
}

impl Distribution {
    pub(super) fn new(threads: usize) -> Self {
        let thread_bits = threads.next_power_of_two().ilog2();
        Self { threads: threads as u64, id_bits: MAX_ID_BITS.min(32 - thread_bits) }
    }

    /// The owner of the state with this hash.
    #[inline]
    pub(super) fn owner(self, hash: u64) -> usize {
        let bits = (hash >> OWNER_SHIFT) & ((1 << OWNER_BITS) - 1);
        ((bits * self.threads) >> OWNER_BITS) as usize
    }

    /// The number of states that a thread can have.
    pub(super) fn capacity(self) -> usize {
        1 << self.id_bits
    }

    #[inline]
    pub(super) fn address(self, thread: usize, state: StateId) -> Address {
        Address(((thread as u64) << self.id_bits) as u32 | state.number())
    }

    pub(super) fn locate(self, Address(word): Address) -> (usize, StateId) {
        let number = word & ((1 << self.id_bits) - 1);
        ((word >> self.id_bits) as usize, StateId::nth(number))
    }
}

#[cfg(test)]
mod tests {
    use hipot_task::Rng;

    use super::*;

    #[test]
    fn states_are_spread_evenly_and_addresses_lead_back() {
        for threads in [1, 2, 3, 7, 48, 64] {
            let distribution = Distribution::new(threads);
            let mut rng = Rng::new(threads as u64);
            let mut counts = vec![0; threads];
            for _ in 0..threads * 1000 {
                let thread = distribution.owner(rng.next_u64());
                counts[thread] += 1;
                let number = rng.below(distribution.capacity() as u32);
                let address = distribution.address(thread, StateId::nth(number));
                assert_eq!(distribution.locate(address), (thread, StateId::nth(number)));
            }
            assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        }
    }
}
