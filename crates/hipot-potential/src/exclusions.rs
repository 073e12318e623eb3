//! Which contexts an operator can have.
//!
//! Where no state that counts has two facts together (mutexes), constraints need not hold
//! in states that have them: an operator's context cannot have a fact that is mutex with
//! one that the operator requires, or with one that is true afterwards. So there are fewer
//! rows of Eq. 9; a variable with one value left is as good as required; an operator
//! without any context has no constraint; and pairs that are mutex need no weight.
//!
//! In transition normal form, a state on the way may have forgotten values. It agrees with
//! a state of the original task on all others, so its facts are not mutex either; the value
//! `unknown` is mutex with nothing.

use std::ops::Range;

use hipot_analysis::{FactSet, Mutexes};
use hipot_task::{FactId, OperatorId};

use crate::normal_form::NormalForm;

/// Whether two facts of different variables, or a fact given twice, are true in no state
/// that counts.
pub(crate) fn are_mutex(normal: &NormalForm, one: FactId, other: FactId) -> bool {
    normal.mutexes().is_some_and(|mutexes| mutexes.partners(one).contains(other))
}

/// The facts that the context of an operator cannot have; `None` where there are no mutexes.
pub(crate) struct Excluded(Option<FactSet>);

impl Excluded {
    /// What the context of `operator` cannot have; `None` if the operator is never applied,
    /// or leads nowhere.
    pub(crate) fn new(normal: &NormalForm, operator: OperatorId) -> Option<Self> {
        let Some(mutexes) = normal.mutexes() else { return Some(Self(None)) };
        let mentions = normal.mentions(operator).iter();
        let mut excluded = excluded_by(mutexes, mentions.clone().map(|it| it.before))?;
        excluded.union_with(&excluded_by(mutexes, mentions.map(|it| it.after))?);
        Some(Self(Some(excluded)))
    }

    /// Whether a fact is excluded.
    pub(crate) fn contains(&self, fact: FactId) -> bool {
        self.0.as_ref().is_some_and(|excluded| excluded.contains(fact))
    }

    /// Which facts of a range are excluded, as a row of bits; empty if none is.
    pub(crate) fn among(&self, facts: Range<u32>) -> Vec<u64> {
        let is_excluded = |fact: u32| self.contains(FactId::new(fact));
        if self.0.is_none() || !facts.clone().any(is_excluded) {
            return Vec::new();
        }
        let mut bits = vec![0; facts.len().div_ceil(64)];
        for (position, fact) in facts.enumerate() {
            bits[position / 64] |= u64::from(is_excluded(fact)) << (position % 64);
        }
        bits
    }
}

/// The facts that are mutex with one of `facts`; `None` if one of these is among them.
fn excluded_by(
    mutexes: &Mutexes,
    mut facts: impl Iterator<Item = FactId> + Clone,
) -> Option<FactSet> {
    let excluded = mutexes.excluded_by(facts.clone());
    facts.all(|fact| !excluded.contains(fact)).then_some(excluded)
}
