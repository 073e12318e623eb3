//! Which contexts an operator can have.
//!
//! Where no state that matters has two facts together (mutexes), constraints
//! need not hold in states that have them: an operator's context cannot have
//! a fact that is mutex with one that it requires, or with one that is true
//! afterwards. So there are fewer rows of Eq. 9; a variable with one value left
//! is as good as required; an operator without any context has no constraint;
//! and pairs that are mutex need no weight.
//!
//! In transition normal form, a state on the way may have forgotten values. It
//! agrees with a state of the original task on all others, so its facts are not
//! mutex either; the value `unknown` is mutex with nothing.

use std::ops::Range;
use std::sync::Arc;

use hipot_task::Mutexes;

use super::parts::{Part, Requirement};

/// The mutexes of a TNF task, if they are used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusions {
    mutexes: Option<Arc<Mutexes>>,
}

/// Facts that are not true when some operator is applied or not afterwards: a
/// bit for each, or nothing where no fact is excluded.
pub(crate) struct Excluded(Vec<u64>);

impl Exclusions {
    pub(crate) fn new(mutexes: Option<Arc<Mutexes>>) -> Self {
        Self { mutexes }
    }

    /// The mutexes.
    pub(crate) fn mutexes(&self) -> Option<&Mutexes> {
        self.mutexes.as_deref()
    }

    /// Whether two facts of different variables, or a fact given twice, are
    /// true in no state.
    pub(crate) fn are_mutex(&self, one: u32, other: u32) -> bool {
        self.mutexes.as_ref().is_some_and(|mutexes| contains(mutexes.row(one), other))
    }

    /// What the context of an operator cannot have; `None` if the operator is
    /// never applied, or leads nowhere.
    pub(crate) fn of(&self, part: &Part, requirement: &Requirement) -> Option<Excluded> {
        if self.mutexes.is_none() {
            return Some(Excluded(Vec::new()));
        }
        let prevail = requirement.prevail.iter().copied();
        let before: Vec<u32> = part.changes.iter().map(|it| it.0).chain(prevail.clone()).collect();
        let after: Vec<u32> = part.changes.iter().map(|it| it.1).chain(prevail).collect();
        self.with(&before, &after)
    }

    /// The same for an operator with these facts before and after.
    pub(crate) fn with(&self, before: &[u32], after: &[u32]) -> Option<Excluded> {
        let Some(mutexes) = &self.mutexes else { return Some(Excluded(Vec::new())) };
        let mut excluded = vec![0; mutexes.row_words()];
        for side in [before, after] {
            let mut of_side = vec![0; mutexes.row_words()];
            for &fact in side {
                or(&mut of_side, mutexes.row(fact));
            }
            if side.iter().any(|&fact| contains(&of_side, fact)) {
                return None;
            }
            or(&mut excluded, &of_side);
        }
        Some(Excluded(excluded))
    }
}

impl Excluded {
    /// Whether a fact is excluded.
    pub(crate) fn contains(&self, fact: u32) -> bool {
        !self.0.is_empty() && contains(&self.0, fact)
    }

    /// Which of some facts are excluded, as a number of bits; empty if none is.
    pub(crate) fn among(&self, facts: Range<usize>) -> Vec<u64> {
        let is_excluded = |fact: &usize| self.contains(*fact as u32);
        if self.0.is_empty() || !facts.clone().any(|fact| is_excluded(&fact)) {
            return Vec::new();
        }
        let mut bits = vec![0; facts.len().div_ceil(64)];
        for (position, fact) in facts.enumerate() {
            bits[position / 64] |= u64::from(is_excluded(&fact)) << (position % 64);
        }
        bits
    }
}

fn contains(row: &[u64], fact: u32) -> bool {
    row[fact as usize / 64] >> (fact % 64) & 1 == 1
}

fn or(bits: &mut [u64], row: &[u64]) {
    for (word, other) in bits.iter_mut().zip(row) {
        *word |= other;
    }
}
