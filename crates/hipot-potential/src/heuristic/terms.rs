//! The terms of a potential function, translated to the facts of a search's states.
//!
//! A term is a feature with a weight other than 0. The states of a search are those of the
//! task itself or of a [`PrunedTask`], which has fewer facts with other numbers. For the
//! latter:
//!
//! - A conjunct that is true in all states is dropped.
//! - A feature with a conjunct that is true in no state is dropped.
//! - The other conjuncts are renumbered.
//!
//! A feature without remaining conjuncts is true in all states, so its weight belongs to the
//! constant. Several features may become the same; their weights add up. None of this changes
//! the value of φ in a state of the pruned task.

use std::collections::HashMap;

use hipot_analysis::{PrunedTask, Truth};
use hipot_task::{FactId, Facts, VariableId};

use crate::certify::Certified;

/// The terms of a potential function.
pub(super) struct Terms<'a> {
    function: &'a Certified,
    /// The facts of the states.
    facts: Facts,
    /// For each fact of the function, in which states it is true.
    truths: Vec<Truth>,
}

impl<'a> Terms<'a> {
    /// The terms for states of the task itself.
    pub(super) fn new(function: &'a Certified) -> Self {
        let facts = function.features().facts().clone();
        let truths = facts.ids().map(|id| Truth::Where(facts.fact(id))).collect();
        Self { function, facts, truths }
    }

    /// The terms for states of a pruned task.
    pub(super) fn pruned(function: &'a Certified, pruned: &PrunedTask) -> Self {
        let original = function.features().facts();
        let truths = original.ids().map(|id| pruned.truth(original.fact(id))).collect();
        Self { function, facts: Facts::new(pruned.task()), truths }
    }

    pub(super) fn function(&self) -> &Certified {
        self.function
    }

    /// The facts of the states.
    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Calls `visit` with the conjuncts, in order, and the weight of each term.
    pub(super) fn for_each(&self, mut visit: impl FnMut(&[FactId], i64)) {
        let features = self.function.features();
        let mut conjuncts = Vec::new();
        for feature in features.ids() {
            let weight = self.function.weights()[feature.index()];
            if weight != 0 && self.remaining(features.conjuncts(feature), &mut conjuncts) {
                visit(&conjuncts, weight);
            }
        }
    }

    /// Whether all `conjuncts` can be true. Puts those that are not true in all states, as
    /// facts of the states, into `remaining`.
    fn remaining(&self, conjuncts: &[FactId], remaining: &mut Vec<FactId>) -> bool {
        remaining.clear();
        for fact in conjuncts {
            match self.truths[fact.index()] {
                Truth::Never => return false,
                Truth::Always => {}
                Truth::Where(fact) => remaining.push(self.facts.id(fact)),
            }
        }
        true
    }
}

/// For pairs of variables, the number of terms of size 2.
pub(super) type PairCounts = HashMap<(VariableId, VariableId), usize>;

/// Counts the terms of size 2 of all functions.
pub(super) fn pair_counts(all: &[Terms<'_>]) -> PairCounts {
    let mut counts = PairCounts::new();
    for terms in all {
        terms.for_each(|conjuncts, _| {
            if let [a, b] = *conjuncts {
                let pair = (terms.facts.variable(a), terms.facts.variable(b));
                *counts.entry(pair).or_insert(0) += 1;
            }
        });
    }
    counts
}
