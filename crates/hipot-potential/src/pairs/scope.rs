//! Which pairs of variables have features.

use hipot_task::VariableId;

use crate::feature::Features;

/// A set of unordered pairs of variables. Features of size 2 are about these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    /// For each variable those that it is paired with, in order.
    paired: Vec<Vec<VariableId>>,
}

impl Scope {
    /// No pairs: features of size 1.
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

    /// The pairs that features of size 2 are about.
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
        let mut scope = Self::atoms(facts.variable_count());
        for (one, other) in pairs {
            scope.insert(one, other);
        }
        scope
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

    /// How many pairs there are.
    pub(crate) fn len(&self) -> usize {
        self.paired.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// The variables that a variable is paired with, in order.
    pub(crate) fn paired_with(&self, variable: VariableId) -> &[VariableId] {
        &self.paired[variable.index()]
    }

    /// Where a variable stands among those that another is paired with.
    pub(crate) fn position(&self, own: VariableId, other: VariableId) -> Option<usize> {
        let paired = self.paired_with(own);
        // Where all are paired, it is known.
        let guess = other.index() - usize::from(other > own && other.index() > 0);
        if paired.get(guess) == Some(&other) {
            return Some(guess);
        }
        paired.binary_search(&other).ok()
    }

    /// The variables outside `changed` that are paired with one in it, in
    /// order: what is taken from φ by changing the latter depends on them.
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
