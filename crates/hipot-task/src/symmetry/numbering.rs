//! Facts numbered through: variable 0 value 0, variable 0 value 1, …

use crate::ids::{Fact, Value, VariableId};
use crate::task::Task;

/// The numbers 0, 1, … of the facts of a task, variable by variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactNumbering {
    /// The number of each variable's first fact, and at the end that of all facts.
    first: Vec<u32>,
    /// The variable of each fact.
    variable: Vec<u32>,
}

impl FactNumbering {
    /// The numbering of the facts of `task`.
    pub fn new(task: &Task) -> Self {
        let (mut first, mut variable) = (vec![0], Vec::with_capacity(task.fact_count()));
        for (id, found) in (0..).zip(task.variables()) {
            variable.extend((0..found.domain_size()).map(|_| id));
            first.push(variable.len() as u32);
        }
        Self { first, variable }
    }

    /// How many facts there are.
    pub fn len(&self) -> usize {
        self.variable.len()
    }

    /// Whether there is no fact.
    pub fn is_empty(&self) -> bool {
        self.variable.is_empty()
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.first.len() - 1
    }

    /// The number of a fact.
    pub fn index(&self, fact: Fact) -> u32 {
        self.first[fact.variable.index()] + fact.value
    }

    /// The fact with this number.
    pub fn fact(&self, index: u32) -> Fact {
        let variable = self.variable(index);
        Fact::new(variable, index - self.first[variable.index()])
    }

    /// The variable of the fact with this number.
    pub fn variable(&self, index: u32) -> VariableId {
        VariableId::new(self.variable[index as usize] as usize)
    }

    /// The numbers of the facts of one variable.
    pub fn facts_of(&self, variable: VariableId) -> std::ops::Range<u32> {
        self.first[variable.index()]..self.first[variable.index() + 1]
    }

    /// The value that the fact with this number gives to its variable.
    pub fn value(&self, index: u32) -> Value {
        self.fact(index).value
    }
}
