//! A potential function's terms, as the states of a search read them.
//!
//! A term is a feature with a weight other than 0. In a [`PrunedTask`] facts are
//! fewer and have other numbers: a conjunct that is true in all states goes, a
//! feature with one that is true in none goes, and the other conjuncts are
//! renumbered. A feature of which no conjunct is left is true in all states, and its
//! weight belongs to the constant. Several features may become one; then their
//! weights add up.

use std::collections::HashMap;

use hipot_task::{PrunedTask, Truth, VariableId};

use super::PotentialFunction;
use crate::feature::{FactId, Facts};

/// The terms of a potential function.
pub(super) struct Terms<'a> {
    function: &'a PotentialFunction,
    /// The facts of the states.
    facts: Facts,
    /// Where each fact of the function is true.
    truths: Vec<Truth>,
}

impl<'a> Terms<'a> {
    /// The terms as they are.
    pub(super) fn new(function: &'a PotentialFunction) -> Self {
        let facts = function.features.facts().clone();
        let truths = facts.ids().map(|id| Truth::Where(facts.fact(id))).collect();
        Self { function, facts, truths }
    }

    /// The terms in states of a pruned task.
    pub(super) fn pruned(function: &'a PotentialFunction, pruned: &PrunedTask) -> Self {
        let original = function.features.facts();
        let truths = original.ids().map(|id| pruned.truth(original.fact(id))).collect();
        Self { function, facts: Facts::new(pruned.task()), truths }
    }

    pub(super) fn function(&self) -> &PotentialFunction {
        self.function
    }

    /// The facts of the states.
    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Shows each term: its conjuncts in order, and its weight.
    pub(super) fn for_each(&self, mut show: impl FnMut(&[FactId], i64)) {
        let features = &self.function.features;
        let mut left = Vec::new();
        for feature in features.ids() {
            let weight = self.function.weights[feature.index()];
            if weight != 0 && self.conjuncts_left(features.conjuncts(feature), &mut left) {
                show(&left, weight);
            }
        }
    }

    /// Whether any state has all `conjuncts`; those that not every state has.
    fn conjuncts_left(&self, conjuncts: &[FactId], left: &mut Vec<FactId>) -> bool {
        left.clear();
        for fact in conjuncts {
            match self.truths[fact.index()] {
                Truth::Never => return false,
                Truth::Always => {}
                Truth::Where(fact) => left.push(self.facts.id(fact)),
            }
        }
        true
    }

    /// How many terms of size 2 each pair of variables has.
    pub(super) fn pair_counts(&self) -> HashMap<(VariableId, VariableId), usize> {
        let mut counts = HashMap::new();
        self.for_each(|conjuncts, _| {
            if let [a, b] = *conjuncts {
                let pair = (self.facts.variable(a), self.facts.variable(b));
                *counts.entry(pair).or_insert(0) += 1;
            }
        });
        counts
    }
}
