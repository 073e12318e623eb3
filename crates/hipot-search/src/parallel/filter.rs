//! States that were sent lately, so that they need not be sent again.
//!
//! Operators commute, so a state is often reached by several of a thread's states soon after one
//! another. The filter is a table with one place for each of the low bits of a hash, where the
//! last state that was sent stands with its cost. A state that stands there at no higher cost is
//! known to its owner, or will be. Whole states are compared: hashes could be equal by chance.

use crate::memory::prefetch;
use crate::registry::Layout;

/// log₂ of the number of places.
const BITS: u32 = 14;

pub(super) struct Filter<L> {
    layout: L,
    /// Words of a place: a state, and its cost plus one; 0 if the place is empty.
    stride: usize,
    places: Vec<u32>,
}

impl<L: Layout> Filter<L> {
    pub(super) fn new(layout: L) -> Self {
        let stride = layout.width() + L::COST_WORDS;
        Self { layout, stride, places: vec![0; stride << BITS] }
    }

    #[inline]
    fn begin(&self, hash: u64) -> usize {
        (hash & ((1 << BITS) - 1)) as usize * self.stride
    }

    /// Prefetches the place of `hash`.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        prefetch(&self.places[self.begin(hash)]);
    }

    /// Whether the state with these words was sent at no higher cost; if not, it is now.
    #[inline]
    pub(super) fn was_sent(&mut self, words: &[u32], hash: u64, cost: u64) -> bool {
        let begin = self.begin(hash);
        let place = &mut self.places[begin..begin + self.stride];
        let (known, code) = place.split_at_mut(self.layout.width());
        let mut sent = u64::from(code[0]);
        if L::COST_WORDS == 2 {
            sent |= u64::from(code[1]) << 32;
        }
        if sent != 0 && sent <= cost + 1 && *known == *words {
            return true;
        }
        known.copy_from_slice(words);
        code[0] = (cost + 1) as u32;
        if L::COST_WORDS == 2 {
            code[1] = ((cost + 1) >> 32) as u32;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{AnyWidth, Fixed};

    fn check<L: Layout>(layout: L, cost: u64) {
        let mut filter = Filter::new(layout);
        let (zero, one) = ([0, 0], [0, 1]);
        // Nothing was sent yet, not even the state of zeros.
        assert!(!filter.was_sent(&zero, 0, cost));
        assert!(filter.was_sent(&zero, 0, cost));
        assert!(filter.was_sent(&zero, 0, cost + 1));
        assert!(!filter.was_sent(&zero, 0, cost - 1));
        // Another state with the same hash.
        assert!(!filter.was_sent(&one, 0, cost));
        assert!(!filter.was_sent(&zero, 0, cost));
        assert!(!filter.was_sent(&one, 1, cost));
        assert!(filter.was_sent(&zero, 0, cost));
    }

    #[test]
    fn only_what_was_sent_is_held_back() {
        check(Fixed::<2>, 1);
        check(Fixed::<2>, (1 << 31) - 2);
        check(AnyWidth::<2>(2), 1 << 40);
    }
}
