//! How many groups of operators change a variable or a fact: what a feature adds to the LP.
//!
//! A variable that is paired with a changed one becomes the context of a maximum of Eq. 9 in each
//! group that changes the one but not the other. A row of Eq. 9 usually has three nonzeros.

use std::collections::HashMap;

use hipot_task::{FactId, Facts, VariableId};

use super::pair_set::{FactPair, VariablePair};
use super::reduction::Reduction;

const NONZEROS_PER_ROW: u64 = 3;

/// Numbers of groups that have constraints.
pub(super) struct Changes {
    facts: Facts,
    /// By the variable that they change.
    variables: Vec<u64>,
    /// By the fact that they make true or false.
    by_fact: Vec<u64>,
    /// By two variables that they change.
    both: HashMap<(VariableId, VariableId), u64>,
    /// By a fact that they make true or false and another variable that they change.
    with_variable: HashMap<(FactId, VariableId), u64>,
}

impl Changes {
    pub(super) fn new(reduction: &Reduction<'_>) -> Self {
        let facts = reduction.normal().facts();
        let mut changes = Self {
            facts: facts.clone(),
            variables: vec![0; facts.variable_count()],
            by_fact: vec![0; facts.len()],
            both: HashMap::new(),
            with_variable: HashMap::new(),
        };
        for group in reduction.groups().iter() {
            if !group.members.iter().any(|it| reduction.represents(it.operator)) {
                continue;
            }
            let changed = group.changed(facts);
            for (&(before, after), &own) in group.changes.iter().zip(&changed) {
                changes.variables[own.index()] += 1;
                changes.by_fact[before.index()] += 1;
                changes.by_fact[after.index()] += 1;
                for &other in changed.iter().filter(|&&other| other != own) {
                    *changes.both.entry((own, other)).or_default() += 1;
                    *changes.with_variable.entry((before, other)).or_default() += 1;
                    *changes.with_variable.entry((after, other)).or_default() += 1;
                }
            }
        }
        changes
    }

    /// About how many nonzeros all pairs of facts of two variables add to the LP.
    pub(super) fn nonzeros_of_variables(&self, (one, other): VariablePair) -> u64 {
        let rows = |changed: VariableId, context: VariableId| {
            self.changing(changed, context) * self.facts.domain_size(context) as u64
        };
        NONZEROS_PER_ROW * (rows(one, other) + rows(other, one))
    }

    /// The same for one pair of facts.
    pub(super) fn nonzeros_of_facts(&self, (a, b): FactPair) -> u64 {
        let rows = |fact, context| self.touching(fact, self.facts.variable(context));
        NONZEROS_PER_ROW * (rows(a, b) + rows(b, a))
    }

    /// The same for the pairs of a fact with all facts of a variable.
    pub(super) fn nonzeros_of_block(&self, (fact, variable): (FactId, VariableId)) -> u64 {
        let of_fact = self.touching(fact, variable) * self.facts.domain_size(variable) as u64;
        // A change of the variable touches two facts.
        let of_variable = 2 * self.changing(variable, self.facts.variable(fact));
        NONZEROS_PER_ROW * (of_fact + of_variable)
    }

    /// The number of groups that change `changed` but not `context`.
    fn changing(&self, changed: VariableId, context: VariableId) -> u64 {
        self.variables[changed.index()] - self.both.get(&(changed, context)).unwrap_or(&0)
    }

    /// The number of groups that make `fact` true or false but do not change `context`.
    fn touching(&self, fact: FactId, context: VariableId) -> u64 {
        self.by_fact[fact.index()] - self.with_variable.get(&(fact, context)).unwrap_or(&0)
    }
}
