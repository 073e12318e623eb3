//! The pairs of variables that have features of size 2.

use hipot_task::VariableId;

use crate::feature::Features;

/// A set of unordered pairs of variables, on which there are features of size 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PairSet {
    /// For each variable, those that it is paired with, in order.
    paired: Vec<Vec<VariableId>>,
}

impl PairSet {
    /// No pairs: only features of size 1.
    pub(crate) fn atoms(variables: usize) -> Self {
        Self { paired: vec![Vec::new(); variables] }
    }

    /// All pairs.
    pub(crate) fn all(variables: usize) -> Self {
        let others = |own: usize| {
            let all = (0..variables).filter(|&other| other != own);
            all.map(VariableId::new).collect()
        };
        Self { paired: (0..variables).map(others).collect() }
    }

    /// The pairs of variables that occur in the features of size 2.
    pub(crate) fn of(features: &Features) -> Self {
        let facts = features.facts();
        let mut pairs: Vec<(VariableId, VariableId)> = Vec::new();
        for feature in features.ids() {
            if let [a, b] = *features.conjuncts(feature) {
                let pair = (facts.variable(a), facts.variable(b));
                if pairs.last() != Some(&pair) {
                    pairs.push(pair);
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut set = Self::atoms(facts.variable_count());
        for (one, other) in pairs {
            set.insert(one, other);
        }
        set
    }

    /// Adds a pair of different variables.
    pub(crate) fn insert(&mut self, one: VariableId, other: VariableId) {
        debug_assert!(one != other, "a pair has two variables");
        for (own, new) in [(one, other), (other, one)] {
            let paired = &mut self.paired[own.index()];
            if let Err(position) = paired.binary_search(&new) {
                paired.insert(position, new);
            }
        }
    }

    /// Whether two variables are paired.
    pub(crate) fn contains(&self, one: VariableId, other: VariableId) -> bool {
        self.position(one, other).is_some()
    }

    /// The number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.paired.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// The variables that a variable is paired with, in order.
    pub(crate) fn paired_with(&self, variable: VariableId) -> &[VariableId] {
        &self.paired[variable.index()]
    }

    /// The position of `other` among the variables that `own` is paired with.
    pub(crate) fn position(&self, own: VariableId, other: VariableId) -> Option<usize> {
        let paired = self.paired_with(own);
        // This is the position if all variables are paired.
        let guess = other.index() - usize::from(other > own && other.index() > 0);
        if paired.get(guess) == Some(&other) {
            return Some(guess);
        }
        paired.binary_search(&other).ok()
    }

    /// The variables outside `changed` that are paired with one in it, in order:
    /// they are the context on which the decrease of φ depends.
    pub(crate) fn context(&self, changed: &[VariableId]) -> Vec<VariableId> {
        let mut context: Vec<VariableId> =
            changed.iter().flat_map(|&variable| self.paired_with(variable)).copied().collect();
        if changed.len() > 1 {
            context.sort_unstable();
            context.dedup();
            context.retain(|variable| !changed.contains(variable));
        }
        context
    }
}
