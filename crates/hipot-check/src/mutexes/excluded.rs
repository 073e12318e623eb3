//! What known facts rule out.

use hipot_task::{Fact, Value, VariableId};

use super::pairs::{FactSet, Numbers, PairSet, has};

/// The facts that a state of a plan cannot have where it has some given ones:
/// those that are mutex with one of them, and dead facts. Among them are the
/// other values of their variables.
pub(crate) struct Excluded<'a> {
    numbers: &'a Numbers,
    facts: FactSet,
}

impl<'a> Excluded<'a> {
    pub(super) fn new(
        numbers: &'a Numbers,
        known: &PairSet,
        given: impl IntoIterator<Item = Fact>,
    ) -> Self {
        let mut facts: FactSet = known.alive().iter().map(|word| !word).collect();
        for fact in given {
            let row = known.row(numbers.of(fact));
            facts.iter_mut().zip(row).for_each(|(word, row)| *word |= row);
        }
        Self { numbers, facts }
    }

    /// Whether a fact is excluded.
    pub(crate) fn has(&self, fact: Fact) -> bool {
        has(&self.facts, self.numbers.of(fact))
    }

    /// The values of a variable that are left.
    pub(crate) fn values_left(&self, variable: VariableId) -> impl Iterator<Item = Value> {
        let facts = self.numbers.of_variable(variable);
        (0..).zip(facts).filter(|&(_, fact)| !has(&self.facts, fact)).map(|(value, _)| value)
    }

    /// The value of a variable, where just one is left.
    pub(crate) fn only_value(&self, variable: VariableId) -> Option<Value> {
        let mut left = self.values_left(variable);
        left.next().filter(|_| left.next().is_none())
    }
}
