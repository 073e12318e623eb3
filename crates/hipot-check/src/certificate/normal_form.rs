//! Transition normal form, as the verifier reads it.
//!
//! Values are indices as in the task; `unknown`, where a variable has it, is
//! one more than the largest. The operators of Π' are the task's, then one
//! that forgets for each value of each variable that can be unknown. Each is
//! given as its [`Change`]s: for every variable that it mentions, the value
//! before and the value after, which are equal if it does not change the variable.
//!
//! Mutexes can determine the value of a variable that an operator sets without a
//! precondition on it: if only one value is neither dead nor mutex with one of the
//! operator's preconditions, every state of a plan in which the operator is applied
//! has it, and it counts as a precondition. The same holds for the goal. Values
//! found this way are not used to find others.
//!
//! By cases ([`OpenValues::Cases`]), there is an operator for each combination of the
//! values that it leaves open, unless these are too many (module [`cases`]), and a
//! variable that can be unknown only because of the goal is forgotten only where all
//! known values of the goal state hold.
//!
//! This is deliberately independent of `hipot_analysis::TnfTask`; tests compare the
//! two.

use std::collections::BTreeMap;

use hipot_task::{Operator, Task, Value};

use super::cases::{self, MAX_COMBINATIONS};
use super::change::Change;
use super::{FeatureFact, OpenValues};
use crate::mutexes::Proved;

/// An operator of the task in transition normal form.
#[derive(Clone, Debug)]
pub(super) struct NormalOperator {
    /// The name, for messages.
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
    /// For each variable, whether some operator requires it to be unknown.
    required_unknown: Vec<bool>,
    open: OpenValues,
    /// The maximum number of combinations with which an operator is split.
    limit: usize,
}

impl<'a> NormalForm<'a> {
    /// The normal form of a task without axioms and conditional effects, using
    /// mutexes if there are any.
    pub(super) fn new(task: &'a Task, open: OpenValues, mutexes: Option<&'a Proved<'a>>) -> Self {
        let nowhere = vec![false; task.variables().len()];
        let (can_be_unknown, required_unknown) = (nowhere.clone(), nowhere);
        let (goal, limit) = (Vec::new(), MAX_COMBINATIONS);
        let mut normal =
            Self { task, mutexes, goal, can_be_unknown, required_unknown, open, limit };
        normal.goal = normal.find_goal();
        if open == OpenValues::Cases {
            normal.limit = normal.find_limit();
        }
        for operator in task.operators() {
            for change in normal.cases(operator).iter().flatten() {
                normal.required_unknown[change.variable] |= change.is_open(task);
            }
        }
        for (variable, &value) in normal.goal.iter().enumerate() {
            let needed = value == normal.unknown(variable);
            normal.can_be_unknown[variable] = needed || normal.required_unknown[variable];
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

    /// Further reasons why a variable is never unknown, in words.
    pub(super) fn other_reasons(&self) -> String {
        let by_cases = match self.open {
            OpenValues::Unknown => "",
            OpenValues::Cases => ", case by case",
        };
        let implied = self.mutexes.map_or("", |_| ", or mutexes imply its value");
        format!("{by_cases}{implied}")
    }

    /// The value of a fact of a certificate, if the normal form has this fact.
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

    /// The values that other variables must have when a variable is forgotten.
    fn conditions_to_forget(&self, variable: usize) -> Vec<Change> {
        if self.open == OpenValues::Unknown || self.required_unknown[variable] {
            return Vec::new();
        }
        let kept = |(variable, &value)| Change { variable, before: value, after: value };
        let goal = self.goal.iter().enumerate().map(kept);
        goal.filter(|change| !change.is_open(self.task)).collect()
    }
}

/// The name of a fact, for messages; a value that the task does not have is `unknown`.
pub(super) fn fact_name(task: &Task, variable: usize, value: Value) -> String {
    let variable = &task.variables()[variable];
    match variable.values.get(value as usize) {
        Some(value) => format!("{} = '{value}'", variable.name),
        None => format!("{} = unknown", variable.name),
    }
}
