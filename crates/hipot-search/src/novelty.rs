//! What is new about a state, among the states of the same class.
//!
//! A state is new if it has a fact that no state of its class had, or else if a fact that has become
//! true goes with another one for the first time. (The width of Lipovetzky & Geffner, ECAI 2012, asks
//! for any new pair; pairs of facts that both held before are left out here, because there are so
//! many of them.) What was seen is noted in a set of bits, by hashes: what falls together counts as
//! seen. That changes the order of a search, and nothing else.

use hipot_task::{FactId, Limits};

use crate::memory::Words;

/// The bits of the set: 128 MiB, or a smaller part of little memory.
const BITS: u64 = 1 << 30;
const FEWEST_BITS: u64 = 1 << 20;

/// How new a state is; newer ones come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Newness {
    Fact,
    Pair,
    Nothing,
}

pub(crate) struct Novelty {
    seen: Words,
    /// Where rows may begin: a row has a bit for each fact.
    begins: u64,
}

impl Novelty {
    /// Nothing seen; `None` if there is not enough memory.
    pub(crate) fn new(facts: usize, limits: &Limits) -> Option<Self> {
        let mut bits = BITS;
        while limits.reserve(bits / 8).is_err() {
            bits /= 2;
            if bits < FEWEST_BITS {
                return None;
            }
        }
        let begins = bits.checked_sub(facts as u64)?;
        Some(Self { seen: Words::zeroed((bits / 32) as usize)?, begins })
    }

    /// How new a state with these facts is, some of which have just become true. They count as
    /// seen from now on.
    pub(crate) fn see(&mut self, class: (u32, u32), facts: &[FactId], new: &[FactId]) -> Newness {
        let class = u64::from(class.0) << 32 | u64::from(class.1);
        let has_new_fact = self.mark(mix(class), facts);
        let mut has_new_pair = false;
        for fact in new {
            has_new_pair |= self.mark(mix(mix(class) ^ u64::from(fact.number())), facts);
        }
        match (has_new_fact, has_new_pair) {
            (true, _) => Newness::Fact,
            (false, true) => Newness::Pair,
            (false, false) => Newness::Nothing,
        }
    }

    /// Marks facts in a row; whether one was not marked before.
    fn mark(&mut self, row: u64, facts: &[FactId]) -> bool {
        let begin = ((u128::from(row) * u128::from(self.begins)) >> 64) as usize;
        let mut unseen = 0;
        for fact in facts {
            let bit = begin + fact.index();
            let word = &mut self.seen[bit / 32];
            unseen |= !*word & 1 << (bit % 32);
            *word |= 1 << (bit % 32);
        }
        unseen != 0
    }
}

/// Spreads the bits of a number.
fn mix(number: u64) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let product = u128::from(number ^ 0x243f_6a88_85a3_08d3) * u128::from(FACTOR);
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_before_pairs_before_nothing() {
        let mut novelty = Novelty::new(100, &Limits::none()).unwrap();
        let facts = |numbers: &[u32]| -> Vec<FactId> {
            numbers.iter().map(|&number| FactId::new(number)).collect()
        };
        let mut see =
            |class, state: &[u32], new: &[u32]| novelty.see(class, &facts(state), &facts(new));
        assert_eq!(see((1, 0), &[1, 20, 99], &[1, 20, 99]), Newness::Fact);
        assert_eq!(see((1, 0), &[1, 20, 99], &[1, 20, 99]), Newness::Nothing);
        assert_eq!(see((1, 0), &[2, 20, 99], &[2]), Newness::Fact);
        assert_eq!(see((1, 0), &[2, 21, 99], &[21]), Newness::Fact);
        assert_eq!(see((1, 0), &[1, 21, 99], &[1]), Newness::Pair);
        assert_eq!(see((1, 0), &[1, 21, 99], &[1]), Newness::Nothing);
        assert_eq!(see((0, 1), &[1, 21, 99], &[1]), Newness::Fact);
    }
}
