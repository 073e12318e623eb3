//! Sets of facts and of pairs of facts.

use hipot_task::{Fact, Task, VariableId};

/// A set of facts, one bit each.
pub(super) type FactSet = Vec<u64>;

/// The members of a set of facts, by number.
pub(super) fn members(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(index, &word)| {
        (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * index + bit)
    })
}

/// Adds a fact to a set.
pub(super) fn add(set: &mut [u64], fact: usize) {
    set[fact / 64] |= 1 << (fact % 64);
}

/// Removes a fact from a set.
pub(super) fn remove(set: &mut [u64], fact: usize) {
    set[fact / 64] &= !(1 << (fact % 64));
}

/// Whether a set has a fact.
pub(super) fn has(set: &[u64], fact: usize) -> bool {
    set[fact / 64] >> (fact % 64) & 1 == 1
}

/// Whether two sets have a fact in common.
pub(super) fn meets(first: &[u64], second: &[u64]) -> bool {
    first.iter().zip(second).any(|(first, second)| first & second != 0)
}

/// Numbers for the facts of a task, variable by variable.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// The first number of each variable, and at the end that of all facts.
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
        vec![0; self.count().div_ceil(64)]
    }

    /// The set of all facts.
    fn full_set(&self) -> FactSet {
        let mut set = self.empty_set();
        (0..self.count()).for_each(|fact| add(&mut set, fact));
        set
    }
}

/// A symmetric set of pairs: for each fact those that it is paired with.
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
        add(&mut self.rows[first], second);
        add(&mut self.rows[second], first);
        if first == second {
            remove(&mut self.alive, first);
        }
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            row.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
        }
        self.alive.iter_mut().zip(&other.alive).for_each(|(word, other)| *word &= other);
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
            let (row, known) = (self.row(fact), known.row(fact));
            for (index, word) in row.iter().enumerate() {
                let found = word & !known[index] & second[index];
                if found != 0 {
                    return Some((fact, 64 * index + found.trailing_zeros() as usize));
                }
            }
        }
        None
    }
}
