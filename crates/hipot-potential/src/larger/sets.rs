//! The sets of variables that have features.
//!
//! The collection is closed under subsets: with a set, all of its subsets of two or more
//! variables are in it, and single variables always have features. Then the features on a set
//! that mention a reference value are linear combinations of features on its subsets and a
//! constant, so leaving them out changes nothing (see
//! [`Features::complete`](crate::feature::Features::complete)).

use std::collections::BTreeSet;

use hipot_task::{FactId, Facts, Value, VariableId};

use crate::feature::Features;

/// A set of variables, in order.
pub(super) type VariableSet = Vec<VariableId>;

/// Sets of two or more variables, closed under subsets of two or more.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets(BTreeSet<VariableSet>);

impl Sets {
    /// Whether a set is in the collection.
    pub(super) fn contains(&self, set: &[VariableId]) -> bool {
        self.0.contains(set)
    }

    /// The subsets of two or more variables of `set` that are not in the collection.
    pub(super) fn missing(&self, set: &[VariableId]) -> Vec<VariableSet> {
        let mut missing: Vec<VariableSet> = Vec::new();
        for chosen in 1..1_u32 << set.len() {
            let members = set.iter().enumerate().filter(|&(place, _)| chosen >> place & 1 == 1);
            let subset: VariableSet = members.map(|(_, &variable)| variable).collect();
            if subset.len() >= 2 && !self.0.contains(&subset) {
                missing.push(subset);
            }
        }
        missing
    }

    /// Adds sets.
    pub(super) fn extend(&mut self, sets: impl IntoIterator<Item = VariableSet>) {
        self.0.extend(sets);
    }

    /// Removes sets.
    pub(super) fn remove(&mut self, sets: Vec<VariableSet>) {
        for set in sets {
            self.0.remove(&set);
        }
    }

    /// The number of pairs of variables.
    pub(super) fn pairs(&self) -> usize {
        self.0.iter().filter(|set| set.len() == 2).count()
    }

    /// The sets of three or more variables.
    pub(super) fn larger(&self) -> impl Iterator<Item = &VariableSet> {
        self.0.iter().filter(|set| set.len() > 2)
    }

    /// All facts, and all conjunctions of facts on these sets, except for those with
    /// a reference value.
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
        for set in &self.0 {
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
        lists.sort_by_key(Vec::len);
        Features::new(facts.clone(), lists).expect("different facts of different variables")
    }
}
