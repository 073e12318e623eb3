//! Numbered facts, and sets of facts and of pairs of facts.

use fixedbitset::FixedBitSet;
use hipot_task::{Fact, Task, VariableId};

/// A set of facts, by number.
pub(super) type FactSet = FixedBitSet;

/// Numbers for the facts of a task, variable by variable.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// The number of each variable's first fact, and at the end the number of facts.
    first: Vec<usize>,
}

impl Numbers {
    pub(super) fn new(task: &Task) -> Self {
        let mut first = vec![0];
        for variable in task.variables() {
            first.push(first[first.len() - 1] + variable.values.len());
        }
        Self { first }
    }

    pub(super) fn count(&self) -> usize {
        self.first[self.first.len() - 1]
    }

    /// The number of a fact, if the task has it.
    pub(super) fn get(&self, fact: Fact) -> Option<usize> {
        let variable = fact.variable.index();
        let number = self.first.get(variable)? + fact.value as usize;
        (number < *self.first.get(variable + 1)?).then_some(number)
    }

    /// The number of a fact of the task.
    pub(super) fn of(&self, fact: Fact) -> usize {
        self.first[fact.variable.index()] + fact.value as usize
    }

    /// The fact with a number.
    pub(super) fn fact(&self, number: usize) -> Fact {
        let variable = self.first.partition_point(|&first| first <= number) - 1;
        Fact::new(VariableId::new(variable), (number - self.first[variable]) as u32)
    }

    /// The numbers of a variable's facts.
    pub(super) fn of_variable(&self, variable: VariableId) -> std::ops::Range<usize> {
        self.first[variable.index()]..self.first[variable.index() + 1]
    }

    pub(super) fn empty_set(&self) -> FactSet {
        FactSet::with_capacity(self.count())
    }

    /// The set of all facts.
    fn full_set(&self) -> FactSet {
        let mut set = self.empty_set();
        set.insert_range(..);
        set
    }
}

/// A symmetric set of pairs: for each fact, the facts that it is paired with.
#[derive(Clone, Debug)]
pub(super) struct PairSet {
    rows: Vec<FactSet>,
    /// The facts that are not paired with themselves.
    alive: FactSet,
}

impl PairSet {
    pub(super) fn new(numbers: &Numbers) -> Self {
        Self { rows: vec![numbers.empty_set(); numbers.count()], alive: numbers.full_set() }
    }

    pub(super) fn add(&mut self, first: usize, second: usize) {
        self.rows[first].insert(second);
        self.rows[second].insert(first);
        if first == second {
            self.alive.remove(first);
        }
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            row.union_with(other);
        }
        self.alive.intersect_with(&other.alive);
    }

    /// The facts that a state without these pairs may have.
    pub(super) fn alive(&self) -> &FactSet {
        &self.alive
    }

    /// The facts that a fact is paired with.
    pub(super) fn row(&self, fact: usize) -> &FactSet {
        &self.rows[fact]
    }

    /// A pair with one fact of `first` and one of `second` that is in this set
    /// and not in `known`.
    pub(super) fn find(
        &self,
        known: &Self,
        first: impl Iterator<Item = usize>,
        second: &FactSet,
    ) -> Option<(usize, usize)> {
        for fact in first {
            let mut new = self.row(fact).difference(known.row(fact));
            if let Some(other) = new.find(|&other| second.contains(other)) {
                return Some((fact, other));
            }
        }
        None
    }
}
