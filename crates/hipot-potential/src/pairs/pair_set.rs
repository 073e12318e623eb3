//! The pairs of variables, and of facts, that have features of size 2.
//!
//! Two variables are *paired* if there are features on them. A pair of variables with few values
//! is chosen as a whole; of one with many values (a hundred each are ten thousand pairs of facts)
//! a part can be chosen: some pairs of facts.

use std::collections::{BTreeMap, BTreeSet};

use hipot_task::{FactId, Facts, VariableId};

use crate::feature::Features;

/// A pair of variables, the smaller first.
pub(crate) type VariablePair = (VariableId, VariableId);

/// A pair of facts of different variables, the smaller first.
pub(crate) type FactPair = (FactId, FactId);

/// If less than one in so many pairs of facts of two variables is given, the others do not belong
/// to the set. Of a whole pair, all are given but reference values and mutexes.
const SPARSE: usize = 10;

/// A set of features of size 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PairSet {
    /// For each variable, those that it is paired with, in order.
    paired: Vec<Vec<VariableId>>,
    /// The chosen pairs of facts, for pairs of variables that are not chosen as a whole.
    parts: BTreeMap<VariablePair, BTreeSet<FactPair>>,
}

impl PairSet {
    /// No pairs: only features of size 1.
    pub(crate) fn atoms(variables: usize) -> Self {
        Self { paired: vec![Vec::new(); variables], parts: BTreeMap::new() }
    }

    /// All pairs.
    pub(crate) fn all(variables: usize) -> Self {
        let others = |own: usize| {
            let all = (0..variables).filter(|&other| other != own);
            all.map(VariableId::new).collect()
        };
        Self { paired: (0..variables).map(others).collect(), parts: BTreeMap::new() }
    }

    /// The pairs of variables that occur in the features of size 2; only some pairs of facts if
    /// there are few of many.
    pub(crate) fn of(features: &Features) -> Self {
        let facts = features.facts();
        let mut of_pair: BTreeMap<VariablePair, Vec<FactPair>> = BTreeMap::new();
        for feature in features.ids() {
            if let [a, b] = *features.conjuncts(feature) {
                let pair = (facts.variable(a), facts.variable(b));
                of_pair.entry(pair).or_default().push((a, b));
            }
        }
        let mut set = Self::atoms(facts.variable_count());
        for ((one, other), given) in of_pair {
            let all = facts.domain_size(one) * facts.domain_size(other);
            if given.len() * SPARSE < all {
                for pair in given {
                    set.insert_facts(facts, pair);
                }
            } else {
                set.insert(one, other);
            }
        }
        set
    }

    /// Adds a pair of different variables, with all pairs of their facts.
    pub(crate) fn insert(&mut self, one: VariableId, other: VariableId) {
        self.pair(one, other);
        self.parts.remove(&(one.min(other), one.max(other)));
    }

    /// Adds a pair of facts.
    pub(crate) fn insert_facts(&mut self, facts: &Facts, pair: FactPair) {
        let (one, other) = (facts.variable(pair.0), facts.variable(pair.1));
        if !self.has_all(one, other) {
            self.pair(one, other);
            self.parts.entry((one, other)).or_default().insert(pair);
        }
    }

    fn pair(&mut self, one: VariableId, other: VariableId) {
        debug_assert!(one != other, "a pair has two variables");
        for (own, new) in [(one, other), (other, one)] {
            let paired = &mut self.paired[own.index()];
            if let Err(position) = paired.binary_search(&new) {
                paired.insert(position, new);
            }
        }
    }

    /// Whether all pairs of facts of two variables are chosen, the smaller variable first.
    pub(crate) fn has_all(&self, one: VariableId, other: VariableId) -> bool {
        self.position(one, other).is_some() && !self.parts.contains_key(&(one, other))
    }

    /// The chosen pairs of facts of two variables, the smaller first, if not all are.
    pub(crate) fn part(&self, one: VariableId, other: VariableId) -> Option<&BTreeSet<FactPair>> {
        self.parts.get(&(one, other))
    }

    /// Whether some pairs of variables are chosen in part.
    pub(crate) fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }

    /// The number of pairs of variables.
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
        if let [variable] = changed {
            return self.paired_with(*variable).to_vec();
        }
        let mut is_in = vec![false; self.paired.len()];
        for variable in changed.iter().flat_map(|&variable| self.paired_with(variable)) {
            is_in[variable.index()] = true;
        }
        for variable in changed {
            is_in[variable.index()] = false;
        }
        (0..is_in.len()).filter(|&it| is_in[it]).map(VariableId::new).collect()
    }
}
