//! Transition normal form, as the verifier reads it.
//!
//! Values are indices as in the task; `unknown`, where a variable has it, is
//! one more than the largest. The operators of Π' are the task's, then one
//! that forgets for each value of each variable that can be unknown. Each is
//! given as its [`Change`]s: for every variable that it mentions the value
//! before and after, equal for a condition that it does not touch.
//!
//! Where there are mutexes, they can tell the value of a variable that an
//! operator sets without asking for it: if just one value is neither dead nor
//! mutex with one of the operator's preconditions, every state of a plan in
//! which the operator is applied has it, and it counts as a precondition. The
//! same goes for the goal. What counts so is not used in turn.
//!
//! This is written apart from `hipot_task::TnfTask` on purpose, and the tests
//! compare the two.

use std::collections::BTreeMap;

use hipot_task::{Operator, Task, Value};

use super::FeatureFact;
use crate::mutexes::Proved;

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
    pub(super) mutexes: Option<&'a Proved<'a>>,
    /// s⋆.
    pub(super) goal: Vec<Value>,
    can_be_unknown: Vec<bool>,
}

impl<'a> NormalForm<'a> {
    /// The normal form of a task without axioms and conditional effects, with
    /// the help of mutexes or without.
    pub(super) fn new(task: &'a Task, mutexes: Option<&'a Proved<'a>>) -> Self {
        let can_be_unknown = vec![false; task.variables().len()];
        let mut normal = Self { task, mutexes, goal: Vec::new(), can_be_unknown };
        normal.goal = normal.find_goal();
        for (variable, &value) in normal.goal.iter().enumerate() {
            normal.can_be_unknown[variable] = value == normal.unknown(variable);
        }
        for operator in task.operators() {
            for change in normal.changes(operator) {
                let needed = change.before == normal.unknown(change.variable);
                normal.can_be_unknown[change.variable] |= needed;
            }
        }
        normal
    }

    fn find_goal(&self) -> Vec<Value> {
        let ids = self.task.variable_ids();
        let mut goal: Vec<Value> = match self.mutexes {
            None => ids.map(|id| self.unknown(id.index())).collect(),
            Some(mutexes) => {
                let excluded = mutexes.excluded_by(self.task.goal().iter().copied());
                let implied = |id| excluded.only_value(id).unwrap_or(self.unknown(id.index()));
                ids.map(implied).collect()
            }
        };
        for fact in self.task.goal() {
            goal[fact.variable.index()] = fact.value;
        }
        goal
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

    /// The operators of the normal form.
    pub(super) fn operators(&self) -> impl Iterator<Item = NormalOperator> {
        let own = self.task.operators().iter().map(|operator| self.normalize(operator));
        let variables = 0..self.can_be_unknown.len();
        let forgetful = variables.filter(|&variable| self.can_be_unknown[variable]);
        own.chain(forgetful.flat_map(|variable| self.forget(variable)))
    }

    fn normalize(&self, operator: &Operator) -> NormalOperator {
        let (name, changes) = (operator.name.clone(), self.changes(operator));
        NormalOperator { name, cost: operator.cost, changes }
    }

    fn changes(&self, operator: &Operator) -> Vec<Change> {
        let mut changes: BTreeMap<usize, Change> = BTreeMap::new();
        for fact in &operator.preconditions {
            let variable = fact.variable.index();
            changes.insert(variable, Change { variable, before: fact.value, after: fact.value });
        }
        let excluded =
            self.mutexes.map(|it| it.excluded_by(operator.preconditions.iter().copied()));
        for effect in &operator.effects {
            let (variable, after) = (effect.fact.variable.index(), effect.fact.value);
            let unasked = || {
                let implied = excluded.as_ref().and_then(|it| it.only_value(effect.fact.variable));
                Change { variable, before: implied.unwrap_or(self.unknown(variable)), after }
            };
            changes.entry(variable).or_insert_with(unasked).after = after;
        }
        changes.into_values().collect()
    }

    /// The operators that forget the value of a variable.
    fn forget(&self, variable: usize) -> impl Iterator<Item = NormalOperator> {
        let unknown = self.unknown(variable);
        (0..unknown).map(move |before| NormalOperator {
            name: format!("forget {}", fact_name(self.task, variable, before)),
            cost: 0,
            changes: vec![Change { variable, before, after: unknown }],
        })
    }
}

/// What people call a fact; a value that the task does not have is `unknown`.
pub(super) fn fact_name(task: &Task, variable: usize, value: Value) -> String {
    let variable = &task.variables()[variable];
    match variable.values.get(value as usize) {
        Some(value) => format!("{} = '{value}'", variable.name),
        None => format!("{} = unknown", variable.name),
    }
}
