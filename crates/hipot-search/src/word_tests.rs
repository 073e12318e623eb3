//! Facts as tests and patches of packed words.
//!
//! Facts whose variables share a word are tested, or made true, together.

use hipot_task::{Fact, Packing};

/// `words[word] & mask == value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    word: u32,
    mask: u32,
    value: u32,
}

/// `words[word] = words[word] & keep | set`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patch {
    word: u32,
    keep: u32,
    set: u32,
}

/// The tests for all facts, one per word.
pub(crate) fn conjunction(facts: &[Fact], packing: &Packing) -> Vec<Test> {
    let mut tests: Vec<Test> = facts.iter().map(|&fact| test(fact, packing)).collect();
    tests.retain(|test| test.mask != 0);
    tests.sort_unstable_by_key(|test| test.word);
    tests.dedup_by(|next, test| {
        let same = next.word == test.word;
        if same {
            test.mask |= next.mask;
            test.value |= next.value;
        }
        same
    });
    tests
}

/// The test for one fact.
pub(crate) fn test(fact: Fact, packing: &Packing) -> Test {
    let slot = packing.slot(fact.variable);
    Test { word: slot.word, mask: slot.mask << slot.shift, value: fact.value << slot.shift }
}

/// Whether all tests hold.
#[inline]
pub(crate) fn holds(tests: &[Test], words: &[u32]) -> bool {
    tests.iter().all(|test| words[test.word as usize] & test.mask == test.value)
}

/// The patch that makes a fact true.
pub(crate) fn patch(fact: Fact, packing: &Packing) -> Patch {
    test(fact, packing).into()
}

/// The patch that makes a test hold.
impl From<Test> for Patch {
    fn from(Test { word, mask, value }: Test) -> Self {
        Self { word, keep: !mask, set: value }
    }
}

impl Patch {
    #[inline]
    pub(crate) fn apply(self, words: &mut [u32]) {
        let word = &mut words[self.word as usize];
        *word = *word & self.keep | self.set;
    }
}
