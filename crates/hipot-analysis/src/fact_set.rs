//! Sets of facts, a bit each.
//!
//! A [`FactSet`] owns its bits, a [`FactRow`] is a row of a matrix such as
//! [`Mutexes`](crate::Mutexes). They are kept in the same 64-bit words as the
//! matrix, so that sets and rows combine word by word.

use std::ops::Range;

use hipot_task::{FactId, Facts};

use crate::bit_matrix::{ones, set, test};

/// A set of facts.
///
/// ```
/// use hipot_analysis::{FactSet, Mutexes};
/// use hipot_task::{Fact, Limits, TaskBuilder, Variable};
///
/// let mut builder = TaskBuilder::new(false);
/// let key = builder.add_variable(Variable::new("key", ["on the hook", "in the lock"]))?;
/// builder.set_initial(vec![0])?;
/// let mutexes = Mutexes::new(&builder.build(), &Limits::none())?;
/// let [hung, locked] = [0, 1].map(|value| mutexes.facts().id(Fact::new(key, value)));
///
/// let mut excluded = FactSet::new(mutexes.facts());
/// excluded.union_with(mutexes.partners(hung));
/// assert!(excluded.contains(locked) && !excluded.contains(hung));
/// assert_eq!(excluded, mutexes.excluded_by([hung]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactSet {
    words: Vec<u64>,
}

impl FactSet {
    /// The empty set of facts of a task.
    pub fn new(facts: &Facts) -> Self {
        Self { words: vec![0; facts.len().div_ceil(64)] }
    }

    /// Adds a fact.
    pub fn insert(&mut self, fact: FactId) {
        set(&mut self.words, fact.number());
    }

    /// Whether the fact is in the set.
    pub fn contains(&self, fact: FactId) -> bool {
        test(&self.words, fact.number())
    }

    /// The words: bit i of word w stands for fact 64 w + i.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Adds all facts of a row or of another set of the same task.
    pub fn union_with<'a>(&mut self, other: impl Into<FactRow<'a>>) {
        let FactRow(other) = other.into();
        debug_assert_eq!(self.words.len(), other.len(), "both are of one task");
        self.words.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
    }
}

/// A borrowed set of facts: a row of a matrix of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactRow<'a>(&'a [u64]);

impl<'a> FactRow<'a> {
    /// The row with these words; bit i of word w stands for fact 64 w + i.
    pub(crate) fn new(words: &'a [u64]) -> Self {
        Self(words)
    }

    /// Whether the fact is in the set.
    pub fn contains(self, fact: FactId) -> bool {
        test(self.0, fact.number())
    }

    /// The words: bit i of word w stands for fact 64 w + i.
    pub fn words(self) -> &'a [u64] {
        self.0
    }

    /// The number of facts in the set.
    pub fn count(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The number of facts in the set with numbers in `range`.
    pub fn count_within(self, range: Range<usize>) -> usize {
        let words = range.start / 64..range.end.div_ceil(64);
        let count = |word: usize| {
            let (begin, end) = (range.start.max(64 * word), range.end.min(64 * (word + 1)));
            let bits = self.0[word] >> (begin % 64) << (64 - (end - begin));
            bits.count_ones() as usize
        };
        if range.is_empty() { 0 } else { words.map(count).sum() }
    }

    /// The facts in the set, in order.
    pub fn iter(self) -> impl Iterator<Item = FactId> + 'a {
        ones(self.0).map(FactId::new)
    }
}

impl<'a> From<&'a FactSet> for FactRow<'a> {
    fn from(set: &'a FactSet) -> Self {
        FactRow(&set.words)
    }
}
