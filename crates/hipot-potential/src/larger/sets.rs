//! The sets of variables that have features, and single conjunctions of facts.
//!
//! The collection is closed under subsets: with a set, all of its subsets of two or more
//! variables are in it, and single variables always have features. Then the features on a set
//! that mention a reference value are linear combinations of features on its subsets and a
//! constant, so leaving them out changes nothing (see
//! [`Features::complete`](crate::feature::Features::complete)).
//!
//! Of a set with too many values, single conjunctions can be chosen. With one, all parts of two
//! or more of its facts are features too.

use std::collections::BTreeSet;

use hipot_task::{FactId, Facts, Value, VariableId};

use crate::feature::Features;

/// A set of variables, in order.
pub(super) type VariableSet = Vec<VariableId>;

/// Two or more facts, in order.
pub(super) type Conjunction = Vec<FactId>;

/// Sets of two or more variables, and conjunctions of two or more facts on other sets; both
/// closed under subsets of two or more.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    whole: BTreeSet<VariableSet>,
    single: BTreeSet<Conjunction>,
}

impl Sets {
    /// Whether a set is in the collection.
    pub(super) fn contains(&self, set: &[VariableId]) -> bool {
        self.whole.contains(set)
    }

    /// The subsets of two or more variables of `set` that are not in the collection.
    pub(super) fn missing(&self, set: &[VariableId]) -> Vec<VariableSet> {
        subsets(set).filter(|subset| !self.whole.contains(subset)).collect()
    }

    /// Whether a conjunction is a feature by itself.
    pub(super) fn has_conjunction(&self, conjunction: &Conjunction) -> bool {
        self.single.contains(conjunction)
    }

    /// Adds a conjunction and its parts.
    pub(super) fn insert(&mut self, conjunction: &[FactId]) {
        self.single.extend(subsets(conjunction));
    }

    /// Adds sets.
    pub(super) fn extend(&mut self, sets: impl IntoIterator<Item = VariableSet>) {
        self.whole.extend(sets);
    }

    /// Removes sets.
    pub(super) fn remove(&mut self, sets: Vec<VariableSet>) {
        for set in sets {
            self.whole.remove(&set);
        }
    }

    /// The numbers of pairs and of larger sets of variables that have features.
    pub(super) fn counts(&self, facts: &Facts) -> (usize, usize) {
        let variables = |it: &Conjunction| it.iter().map(|&fact| facts.variable(fact)).collect();
        let mut all: BTreeSet<VariableSet> = self.single.iter().map(variables).collect();
        all.extend(self.whole.iter().cloned());
        let pairs = all.iter().filter(|set| set.len() == 2).count();
        (pairs, all.len() - pairs)
    }

    /// The sets of three or more variables with all features.
    pub(super) fn larger(&self) -> impl Iterator<Item = &VariableSet> {
        self.whole.iter().filter(|set| set.len() > 2)
    }

    /// All facts, and all conjunctions of facts on these sets, except for those with
    /// a reference value; and the single conjunctions.
    ///
    /// Conjunctions with two mutex facts stay. The LP excludes single facts from an
    /// operator's context, but not pairs that cannot occur there together; in such
    /// contexts, the weights of these conjunctions help to satisfy the constraint.
    /// Without them psr-small p02 has a bound of 8 instead of 10.
    pub(super) fn features(&self, facts: &Facts, references: &[Value]) -> Features {
        let useful = |variable: VariableId| {
            let of_variable = facts.of_variable(variable);
            of_variable.filter(move |&id| facts.fact(id).value != references[variable.index()])
        };
        let mut lists: Vec<Vec<FactId>> =
            facts.variable_ids().flat_map(useful).map(|fact| vec![fact]).collect();
        for set in &self.whole {
            let mut of_set: Vec<Vec<FactId>> = vec![Vec::new()];
            for &variable in set {
                let extend = |list: &Vec<FactId>| {
                    let longer = |fact| list.iter().copied().chain([fact]).collect();
                    useful(variable).map(longer).collect::<Vec<Vec<FactId>>>()
                };
                of_set = of_set.iter().flat_map(extend).collect();
            }
            lists.extend(of_set);
        }
        let is_on_whole_set = |it: &&Conjunction| {
            let variables: VariableSet = it.iter().map(|&fact| facts.variable(fact)).collect();
            self.whole.contains(&variables)
        };
        lists.extend(self.single.iter().filter(|it| !is_on_whole_set(it)).cloned());
        lists.sort_by_key(Vec::len);
        Features::new(facts.clone(), lists).expect("different facts of different variables")
    }
}

/// The subsets of two or more.
fn subsets<T: Copy>(set: &[T]) -> impl Iterator<Item = Vec<T>> {
    (1..1_u32 << set.len()).filter(|chosen| chosen.count_ones() >= 2).map(|chosen| {
        let members = set.iter().enumerate().filter(|&(place, _)| chosen >> place & 1 == 1);
        members.map(|(_, &member)| member).collect()
    })
}
