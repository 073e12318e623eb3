//! Transition normal form, as the verifier reads it.
//!
//! Values are indices as in the task; `unknown`, where a variable has it, is
//! one more than the largest. The operators of Π' are the task's, then one
//! that forgets for each value of each variable that can be unknown. Each is
//! given as its [`Change`]s: for every variable that it mentions the value
//! before and after, equal for a condition that it does not touch.
//!
//! This is written apart from `hipot_task::TnfTask` on purpose, and the tests
//! compare the two.

use std::collections::BTreeMap;

use hipot_task::{Operator, Task, Value};

use super::FeatureFact;

/// What an operator does to one variable that it mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The variable's index.
    pub(super) variable: usize,
    /// The value that the operator requires.
    pub(super) before: Value,
    /// The value that the variable has afterwards.
    pub(super) after: Value,
}

/// An operator of the task in transition normal form.
#[derive(Clone, Debug)]
pub(super) struct NormalOperator {
    /// The name, as a person would say it.
    pub(super) name: String,
    /// The cost.
    pub(super) cost: u32,
    /// Its variables, in order.
    pub(super) changes: Vec<Change>,
}

/// A task in transition normal form.
#[derive(Debug)]
pub(super) struct NormalForm<'a> {
    pub(super) task: &'a Task,
    can_be_unknown: Vec<bool>,
}

impl<'a> NormalForm<'a> {
    /// The normal form of a task without axioms and conditional effects.
    pub(super) fn new(task: &'a Task) -> Self {
        let mut can_be_unknown = vec![true; task.variables().len()];
        for fact in task.goal() {
            can_be_unknown[fact.variable.index()] = false;
        }
        for operator in task.operators() {
            for effect in &operator.effects {
                let variable = effect.fact.variable;
                let asks = operator.preconditions.iter().any(|fact| fact.variable == variable);
                can_be_unknown[variable.index()] |= !asks;
            }
        }
        Self { task, can_be_unknown }
    }

    /// The number of a variable's values, `unknown` included.
    pub(super) fn domain_size(&self, variable: usize) -> u32 {
        self.unknown(variable) + u32::from(self.can_be_unknown[variable])
    }

    /// The value `unknown` of a variable that has it.
    fn unknown(&self, variable: usize) -> Value {
        self.task.variables()[variable].domain_size()
    }

    /// The value that a fact of a certificate means, if there is such a fact.
    pub(super) fn value(&self, fact: FeatureFact) -> Option<Value> {
        let variable = self.task.variables().get(fact.variable.index())?;
        match fact.value {
            None => {
                Some(variable.domain_size()).filter(|_| self.can_be_unknown[fact.variable.index()])
            }
            Some(value) => Some(value).filter(|&value| value < variable.domain_size()),
        }
    }

    /// What people call a fact.
    pub(super) fn fact_name(&self, variable: usize, value: Value) -> String {
        let variable = &self.task.variables()[variable];
        match variable.values.get(value as usize) {
            Some(value) => format!("{} = '{value}'", variable.name),
            None => format!("{} = unknown", variable.name),
        }
    }

    /// s⋆.
    pub(super) fn goal(&self) -> Vec<Value> {
        let mut goal: Vec<Value> =
            (0..self.can_be_unknown.len()).map(|v| self.unknown(v)).collect();
        for fact in self.task.goal() {
            goal[fact.variable.index()] = fact.value;
        }
        goal
    }

    /// The operators of the normal form.
    pub(super) fn operators(&self) -> impl Iterator<Item = NormalOperator> {
        let own = self.task.operators().iter().map(|operator| self.normalize(operator));
        let variables = 0..self.can_be_unknown.len();
        let forgetful = variables.filter(|&variable| self.can_be_unknown[variable]);
        own.chain(forgetful.flat_map(|variable| self.forget(variable)))
    }

    fn normalize(&self, operator: &Operator) -> NormalOperator {
        let mut changes: BTreeMap<usize, Change> = BTreeMap::new();
        for fact in &operator.preconditions {
            let variable = fact.variable.index();
            changes.insert(variable, Change { variable, before: fact.value, after: fact.value });
        }
        for effect in &operator.effects {
            let (variable, after) = (effect.fact.variable.index(), effect.fact.value);
            let unasked = Change { variable, before: self.unknown(variable), after };
            changes.entry(variable).or_insert(unasked).after = after;
        }
        let changes = changes.into_values().collect();
        NormalOperator { name: operator.name.clone(), cost: operator.cost, changes }
    }

    /// The operators that forget the value of a variable.
    fn forget(&self, variable: usize) -> impl Iterator<Item = NormalOperator> {
        let unknown = self.unknown(variable);
        (0..unknown).map(move |before| NormalOperator {
            name: format!("forget {}", self.fact_name(variable, before)),
            cost: 0,
            changes: vec![Change { variable, before, after: unknown }],
        })
    }
}
