//! What is new about a state, among the states of the same class.
//!
//! A state is new if it has a fact that no state of its class had, or else if a fact that has become
//! true goes with another one for the first time. (The width of Lipovetzky & Geffner, ECAI 2012, asks
//! for any new pair; pairs of facts that both held before are left out here, because there are so
//! many of them.) What was seen is noted in a set of bits, by hashes: what falls together counts as
//! seen. That changes the order of a search, and nothing else. The facts of a state are marked many at
//! once, by [`Mask`]s.

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

/// Some facts whose numbers are close to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mask {
    word: u32,
    bits: u32,
}

impl Mask {
    /// Puts the masks of facts, in order, into `masks`.
    pub(crate) fn list(facts: &[FactId], masks: &mut Vec<Self>) {
        masks.clear();
        for mask in facts.iter().copied().map(Self::of) {
            match masks.last_mut() {
                Some(last) if last.word == mask.word => last.bits |= mask.bits,
                _ => masks.push(mask),
            }
        }
    }

    /// Changes the masks of a state in which `old` held so that `new` holds instead.
    pub(crate) fn replace(old: FactId, new: FactId, masks: &mut Vec<Self>) {
        let (old, new) = (Self::of(old), Self::of(new));
        let at = |mask: Self, masks: &[Self]| masks.binary_search_by_key(&mask.word, |it| it.word);
        if let Ok(index) = at(old, masks) {
            masks[index].bits &= !old.bits;
        }
        match at(new, masks) {
            Ok(index) => masks[index].bits |= new.bits,
            Err(index) => masks.insert(index, new),
        }
    }

    fn of(fact: FactId) -> Self {
        Self { word: fact.number() / u32::BITS, bits: 1 << (fact.number() % u32::BITS) }
    }
}

pub(crate) struct Novelty {
    seen: Words,
    /// The words where a row may begin: a row has a bit for each fact.
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
        let words = bits / u64::from(u32::BITS);
        let begins = words.checked_sub(facts.div_ceil(u32::BITS as usize) as u64)?;
        Some(Self { seen: Words::zeroed(words as usize)?, begins })
    }

    /// How new a state with these facts is, some of which have just become true. They count as
    /// seen from now on.
    pub(crate) fn see(&mut self, class: (u32, u32), facts: &[Mask], new: &[FactId]) -> Newness {
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
    fn mark(&mut self, row: u64, facts: &[Mask]) -> bool {
        let begin = ((u128::from(row) * u128::from(self.begins)) >> 64) as usize;
        let mut unseen = 0;
        for mask in facts {
            let seen = &mut self.seen[begin + mask.word as usize];
            unseen |= !*seen & mask.bits;
            *seen |= mask.bits;
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
        let mut see = |class, state: &[u32], new: &[u32]| {
            let mut masks = Vec::new();
            Mask::list(&facts(state), &mut masks);
            novelty.see(class, &masks, &facts(new))
        };
        assert_eq!(see((1, 0), &[1, 20, 99], &[1, 20, 99]), Newness::Fact);
        assert_eq!(see((1, 0), &[1, 20, 99], &[1, 20, 99]), Newness::Nothing);
        assert_eq!(see((1, 0), &[2, 20, 99], &[2]), Newness::Fact);
        assert_eq!(see((1, 0), &[2, 21, 99], &[21]), Newness::Fact);
        assert_eq!(see((1, 0), &[1, 21, 99], &[1]), Newness::Pair);
        assert_eq!(see((1, 0), &[1, 21, 99], &[1]), Newness::Nothing);
        assert_eq!(see((0, 1), &[1, 21, 99], &[1]), Newness::Fact);
    }

    #[test]
    fn masks_follow_the_facts() {
        let facts = |numbers: &[u32]| -> Vec<FactId> {
            numbers.iter().map(|&number| FactId::new(number)).collect()
        };
        let (mut masks, mut expected) = (Vec::new(), Vec::new());
        Mask::list(&facts(&[3, 40, 70]), &mut masks);
        for (old, new, all) in [(40, 41, [3, 41, 70]), (3, 35, [35, 41, 70]), (70, 5, [5, 35, 41])]
        {
            Mask::replace(FactId::new(old), FactId::new(new), &mut masks);
            Mask::list(&facts(&all), &mut expected);
            let left: Vec<Mask> = masks.iter().copied().filter(|mask| mask.bits != 0).collect();
            assert_eq!(left, expected);
        }
    }
}
