//! One numbering of a task's facts: variable 0 value 0, variable 0 value 1, …
//!
//! A table over facts is then a vector, a set of facts a row of bits, and the facts of a
//! variable are neighbors. Mutexes, symmetries, features and LP columns all use this
//! numbering. (`hipot-check` has its own, because it shares no code with what it checks.)

use std::ops::Range;

use crate::ids::{Fact, Value, VariableId};
use crate::task::Task;

/// The number of a fact, from 0, in the order of variables and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(u32);

impl FactId {
    /// The fact with this number.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number as an index into a table over facts.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number as such, for tables that store it.
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// The facts of a task, numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The number of each variable's first fact, and at the end the number of facts.
    begins: Vec<u32>,
    /// The variable of each fact.
    variables: Vec<VariableId>,
}

impl Facts {
    /// Numbers the facts of `task`.
    pub fn new(task: &Task) -> Self {
        let (mut begins, mut variables) = (vec![0], Vec::with_capacity(task.fact_count()));
        for id in task.variable_ids() {
            variables.resize(variables.len() + task.variable(id).values.len(), id);
            begins.push(variables.len() as u32);
        }
        Self { begins, variables }
    }

    /// The number of facts.
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// Whether the task has no facts.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// The number of variables.
    pub fn variable_count(&self) -> usize {
        self.begins.len() - 1
    }

    /// The variables, in order.
    pub fn variable_ids(&self) -> impl ExactSizeIterator<Item = VariableId> + Clone + use<> {
        (0..self.variable_count()).map(VariableId::new)
    }

    /// |dom(V)|.
    pub fn domain_size(&self, variable: VariableId) -> usize {
        self.range(variable).len()
    }

    /// The number of `fact`.
    pub fn id(&self, fact: Fact) -> FactId {
        FactId(self.begins[fact.variable.index()] + fact.value)
    }

    /// The fact with this number.
    pub fn fact(&self, id: FactId) -> Fact {
        let variable = self.variable(id);
        Fact::new(variable, id.0 - self.begins[variable.index()])
    }

    /// The variable of a fact.
    pub fn variable(&self, id: FactId) -> VariableId {
        self.variables[id.index()]
    }

    /// All facts, in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = FactId> + Clone + use<> {
        (0..self.len() as u32).map(FactId)
    }

    /// The facts of one variable, in order.
    pub fn of_variable(
        &self,
        variable: VariableId,
    ) -> impl DoubleEndedIterator<Item = FactId> + ExactSizeIterator + Clone + use<> {
        self.numbers(variable).map(FactId)
    }

    /// The indices of a variable's facts in a table over facts.
    pub fn range(&self, variable: VariableId) -> Range<usize> {
        let numbers = self.numbers(variable);
        numbers.start as usize..numbers.end as usize
    }

    /// The numbers of a variable's facts.
    pub fn numbers(&self, variable: VariableId) -> Range<u32> {
        self.begins[variable.index()]..self.begins[variable.index() + 1]
    }

    /// The facts of a state, in the order of variables.
    pub fn of_state(&self, state: &[Value]) -> impl Iterator<Item = FactId> {
        self.begins.iter().zip(state).map(|(begin, value)| FactId(begin + value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TaskBuilder, Variable};

    #[test]
    fn numbers_and_facts_belong_together() {
        let mut builder = TaskBuilder::new(false);
        builder.add_variable(Variable::new("lamp", ["off", "on"])).unwrap();
        builder.add_variable(Variable::new("cat", ["asleep", "hungry", "gone"])).unwrap();
        builder.set_initial(vec![0, 2]).unwrap();
        let task = builder.build();
        let facts = Facts::new(&task);
        assert_eq!((facts.len(), facts.variable_count()), (5, 2));
        for (number, id) in facts.ids().enumerate() {
            assert_eq!((id.index(), facts.id(facts.fact(id))), (number, id));
        }
        let cat = VariableId::new(1);
        assert_eq!((facts.range(cat), facts.domain_size(cat)), (2..5, 3));
        assert!(facts.of_variable(cat).all(|id| facts.variable(id) == cat));
        let state: Vec<usize> = facts.of_state(task.initial()).map(FactId::index).collect();
        assert_eq!(state, [0, 4]);
    }
}
