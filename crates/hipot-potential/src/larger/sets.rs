//! Which sets of variables have features.

use std::collections::BTreeSet;

use hipot_task::{Value, VariableId};

use crate::feature::{FactId, Facts, Features};

/// A set of variables, in order.
pub(super) type VariableSet = Vec<VariableId>;

/// Sets of two or more variables, with all of their subsets of two or more.
/// Single variables have features anyway.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets(BTreeSet<VariableSet>);

impl Sets {
    /// Whether a set is there.
    pub(super) fn contains(&self, set: &[VariableId]) -> bool {
        self.0.contains(set)
    }

    /// Which of a set's subsets of two or more variables are not there.
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

    /// Takes sets out again.
    pub(super) fn remove(&mut self, sets: Vec<VariableSet>) {
        for set in sets {
            self.0.remove(&set);
        }
    }

    /// How many pairs there are.
    pub(super) fn pairs(&self) -> usize {
        self.0.iter().filter(|set| set.len() == 2).count()
    }

    /// The sets of three or more.
    pub(super) fn larger(&self) -> impl Iterator<Item = &VariableSet> {
        self.0.iter().filter(|set| set.len() > 2)
    }

    /// All facts and the conjunctions of facts of these sets, but for those
    /// with a reference value.
    ///
    /// Conjunctions with two facts that are mutex stay: the LP leaves out single
    /// facts that an operator's context cannot have, but not two that it cannot
    /// have together, and there the weights of such conjunctions make room.
    /// Without them psr-small p02 has a bound of 8 instead of 10.
    pub(super) fn features(&self, facts: &Facts, references: &[Value]) -> Features {
        let useful = |variable: VariableId| {
            let of_variable = facts.of_variable(variable);
            of_variable.filter(move |&id| facts.fact(id).value != references[variable.index()])
        };
        let variables = (0..facts.variable_count()).map(VariableId::new);
        let mut lists: Vec<Vec<FactId>> =
            variables.flat_map(useful).map(|fact| vec![fact]).collect();
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
