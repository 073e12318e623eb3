//! The facts that known facts rule out.

use hipot_task::{Fact, Value, VariableId};

use super::pairs::{FactSet, Numbers, PairSet};

/// The facts that a state of a plan cannot have if it has some given facts: those that
/// are mutex with one of them, and dead facts. This includes the other values of their
/// variables.
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
        let mut facts = known.alive().clone();
        facts.toggle_range(..);
        for fact in given {
            facts.union_with(known.row(numbers.of(fact)));
        }
        Self { numbers, facts }
    }

    /// Whether a fact is excluded.
    pub(crate) fn has(&self, fact: Fact) -> bool {
        self.facts.contains(self.numbers.of(fact))
    }

    /// The values of a variable that are not excluded.
    pub(crate) fn values_left(&self, variable: VariableId) -> impl Iterator<Item = Value> {
        let facts = self.numbers.of_variable(variable);
        (0..).zip(facts).filter(|&(_, fact)| !self.facts.contains(fact)).map(|(value, _)| value)
    }

    /// The value of a variable, if only one is not excluded.
    pub(crate) fn only_value(&self, variable: VariableId) -> Option<Value> {
        let mut left = self.values_left(variable);
        left.next().filter(|_| left.next().is_none())
    }
}
