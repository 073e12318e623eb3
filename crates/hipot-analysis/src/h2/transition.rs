//! Operators, with what the mutexes imply about the states before and after them.

use crate::mutexes::Mutexes;
use hipot_task::{Fact, FactId, Facts, Limits, OperatorId, Stop, Task};

use super::disambiguate::Disambiguator;
use super::pass::Rule;

/// An operator between two states that satisfy the mutexes. Facts are given
/// by their numbers, in order.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub(super) operator: OperatorId,
    /// What holds before: the precondition, and the implied values of variables
    /// that change.
    before: Vec<u32>,
    /// What holds after: the effects, and `before` on variables that do not change.
    after: Vec<u32>,
    /// The effects.
    new: Vec<u32>,
    /// The values that changing variables may have before.
    old: Vec<u32>,
    /// The values that they must have before: `old` within `before`.
    old_known: Vec<u32>,
}

impl Transition {
    /// The rule by which forward h² reaches pairs.
    pub(super) fn forward(&self) -> Rule<'_> {
        Rule { needs: &self.before, avoids: &self.new, gives: &self.new }
    }

    /// The rule by which backward h² reaches pairs.
    pub(super) fn backward(&self) -> Rule<'_> {
        Rule { needs: &self.after, avoids: &self.old_known, gives: &self.old }
    }
}

/// Makes transitions of operators, using mutexes.
pub(super) struct Enricher<'a> {
    task: &'a Task,
    numbering: &'a Facts,
    disambiguator: Disambiguator<'a>,
}

impl<'a> Enricher<'a> {
    pub(super) fn new(task: &'a Task, known: &'a Mutexes) -> Self {
        Self { task, numbering: known.facts(), disambiguator: Disambiguator::new(known) }
    }

    /// The transitions of those `operators` that have, given the mutexes, a possible
    /// state before and a possible state after.
    pub(super) fn transitions(
        &mut self,
        operators: impl Iterator<Item = OperatorId>,
        limits: &Limits,
    ) -> Result<Vec<Transition>, Stop> {
        let mut transitions = Vec::new();
        for (index, operator) in operators.enumerate() {
            if index % 64 == 0 {
                limits.check()?;
            }
            transitions.extend(self.transition(operator));
        }
        Ok(transitions)
    }

    /// Closes what holds before and after, each under what it implies, and
    /// carries over what is implied of variables that do not change.
    fn transition(&mut self, id: OperatorId) -> Option<Transition> {
        let operator = self.task.operator(id);
        let new = self.numbers(operator.effects.iter().map(|effect| effect.fact));
        let asked = self.numbers(operator.preconditions.iter().copied());
        let mut before = asked.clone();
        loop {
            if !self.disambiguator.close(&mut before) {
                return None;
            }
            let mut after = self.after(&before, &new);
            let known = after.len();
            if !self.disambiguator.close(&mut after) {
                return None;
            }
            if after.len() == known {
                break;
            }
            before.extend(after.into_iter().filter(|&fact| !self.changes(&new, fact)));
            before.sort_unstable();
            before.dedup();
        }
        before.retain(|fact| asked.binary_search(fact).is_ok() || self.changes(&new, *fact));
        let after = self.after(&before, &new);
        let old = self.old(&mut before, &new);
        let mut old_known = before.clone();
        old_known.retain(|&fact| self.changes(&new, fact));
        Some(Transition { operator: id, before, after, new, old, old_known })
    }

    fn numbers(&self, facts: impl Iterator<Item = Fact>) -> Vec<u32> {
        let mut numbers: Vec<u32> = facts.map(|fact| self.numbering.id(fact).number()).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Whether `new` sets the variable of `fact`.
    fn changes(&self, new: &[u32], fact: u32) -> bool {
        let facts = self.numbering.numbers(self.numbering.variable(FactId::new(fact)));
        new.get(new.partition_point(|&new| new < facts.start)).is_some_and(|&new| new < facts.end)
    }

    /// `new`, and `before` on variables that `new` does not change.
    fn after(&self, before: &[u32], new: &[u32]) -> Vec<u32> {
        let mut after = new.to_vec();
        after.extend(before.iter().filter(|&&fact| !self.changes(new, fact)));
        after.sort_unstable();
        after
    }

    /// The facts of the variables of `new` that are compatible with `before`. If a
    /// variable has only one, it joins `before`.
    fn old(&mut self, before: &mut Vec<u32>, new: &[u32]) -> Vec<u32> {
        let mut old = Vec::with_capacity(new.len());
        let mut implied = Vec::new();
        for &fact in new {
            let facts = self.numbering.numbers(self.numbering.variable(FactId::new(fact)));
            match before.get(before.partition_point(|&before| before < facts.start)) {
                Some(&known) if known < facts.end => old.push(known),
                _ => {
                    self.disambiguator.restrict(before);
                    let first = old.len();
                    old.extend(facts.filter(|&fact| self.disambiguator.is_compatible(fact)));
                    implied.extend((old.len() == first + 1).then(|| old[first]));
                }
            }
        }
        before.extend(implied);
        before.sort_unstable();
        old
    }
}
