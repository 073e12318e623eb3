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
//! By cases ([`OpenValues::Cases`]), an operator comes once for each combination
//! of the values that it leaves open, unless these are too many (module
//! [`cases`]), and a variable that can be unknown for the goal's sake alone is
//! forgotten only where all values hold that the goal state knows.
//!
//! This is written apart from `hipot_task::TnfTask` on purpose, and the tests
//! compare the two.

use std::collections::BTreeMap;

use hipot_task::{Operator, Task, Value};

use super::cases::{self, MOST_COMBINATIONS, is_open};
use super::{FeatureFact, OpenValues};
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
    /// Which variables some operator needs unknown.
    set_unasked: Vec<bool>,
    open: OpenValues,
    /// The most combinations with which an operator is split.
    limit: usize,
}

impl<'a> NormalForm<'a> {
    /// The normal form of a task without axioms and conditional effects, with
    /// the help of mutexes or without.
    pub(super) fn new(task: &'a Task, open: OpenValues, mutexes: Option<&'a Proved<'a>>) -> Self {
        let nowhere = vec![false; task.variables().len()];
        let (can_be_unknown, set_unasked) = (nowhere.clone(), nowhere);
        let (goal, limit) = (Vec::new(), MOST_COMBINATIONS);
        let mut normal = Self { task, mutexes, goal, can_be_unknown, set_unasked, open, limit };
        normal.goal = normal.find_goal();
        if open == OpenValues::Cases {
            normal.limit = normal.find_limit();
        }
        for operator in task.operators() {
            for change in normal.cases(operator).iter().flatten() {
                normal.set_unasked[change.variable] |= is_open(task, change);
            }
        }
        for (variable, &value) in normal.goal.iter().enumerate() {
            let needed = value == normal.unknown(variable);
            normal.can_be_unknown[variable] = needed || normal.set_unasked[variable];
        }
        normal
    }

    fn find_limit(&self) -> usize {
        let count = |operator| {
            let changes = self.changes(operator);
            cases::combinations(self.task, self.mutexes, &changes, self.limit).map(|it| it.len())
        };
        let counts: Vec<Option<usize>> = self.task.operators().iter().map(count).collect();
        cases::limit(&counts)
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

    /// What else makes variables never unknown, in words.
    pub(super) fn other_reasons(&self) -> String {
        let by_cases = match self.open {
            OpenValues::Unknown => "",
            OpenValues::Cases => ", case by case",
        };
        let implied = self.mutexes.map_or("", |_| ", or mutexes imply its value");
        format!("{by_cases}{implied}")
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
        let own = self.task.operators().iter().flat_map(|operator| self.normalize(operator));
        let variables = 0..self.can_be_unknown.len();
        let forgetful = variables.filter(|&variable| self.can_be_unknown[variable]);
        own.chain(forgetful.flat_map(|variable| self.forget(variable)))
    }

    fn normalize(&self, operator: &Operator) -> impl Iterator<Item = NormalOperator> {
        let (name, cost) = (operator.name.clone(), operator.cost);
        let cases = self.cases(operator).into_iter();
        cases.map(move |changes| NormalOperator { name: name.clone(), cost, changes })
    }

    /// What the operator does, for each of its cases.
    fn cases(&self, operator: &Operator) -> Vec<Vec<Change>> {
        let changes = self.changes(operator);
        let combinations = match self.open {
            OpenValues::Unknown => None,
            OpenValues::Cases => cases::combinations(self.task, self.mutexes, &changes, self.limit),
        };
        match combinations {
            Some(combinations) => cases::cases(self.task, &changes, combinations),
            None => vec![changes],
        }
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
        let conditions = self.conditions_to_forget(variable);
        (0..unknown).map(move |before| {
            let mut changes = conditions.clone();
            let position = changes.partition_point(|change| change.variable < variable);
            changes.insert(position, Change { variable, before, after: unknown });
            let name = format!("forget {}", fact_name(self.task, variable, before));
            NormalOperator { name, cost: 0, changes }
        })
    }

    /// The values that others must have when a variable is forgotten.
    fn conditions_to_forget(&self, variable: usize) -> Vec<Change> {
        if self.open == OpenValues::Unknown || self.set_unasked[variable] {
            return Vec::new();
        }
        let kept = |(variable, &value)| Change { variable, before: value, after: value };
        let goal = self.goal.iter().enumerate().map(kept);
        goal.filter(|change| !is_open(self.task, change)).collect()
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
