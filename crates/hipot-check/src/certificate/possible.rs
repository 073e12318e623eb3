//! The values that the other variables can have where an operator is applied.
//!
//! Without mutexes, these are all values. A variable that the operator does not
//! mention has the same value before and after it. So with mutexes, values that are
//! mutex with a fact before or after the operator need not be checked. `unknown` is
//! mutex with nothing.

use hipot_task::{Fact, Value, VariableId};

use super::change::Change;
use super::normal_form::NormalForm;
use super::potential::IndexedFact;
use crate::mutexes::Excluded;

/// The values of the variables that an operator does not mention.
pub(super) struct Possible<'a> {
    normal: &'a NormalForm<'a>,
    /// The facts that mutexes rule out.
    excluded: Option<Excluded<'a>>,
}

impl<'a> Possible<'a> {
    /// The possible values for an operator with these changes; `None` if the mutexes
    /// show that it is in no plan.
    pub(super) fn around(normal: &'a NormalForm<'a>, changes: &[Change]) -> Option<Self> {
        let Some(mutexes) = normal.mutexes else {
            return Some(Self { normal, excluded: None });
        };
        let before: Vec<Fact> =
            changes.iter().filter_map(|it| known(normal, (it.variable, it.before))).collect();
        let after: Vec<Fact> =
            changes.iter().filter_map(|it| known(normal, (it.variable, it.after))).collect();
        for facts in [&before, &after] {
            let excluded = mutexes.excluded_by(facts.iter().copied());
            if facts.iter().any(|&fact| excluded.has(fact)) {
                return None;
            }
        }
        let excluded = mutexes.excluded_by(before.into_iter().chain(after));
        Some(Self { normal, excluded: Some(excluded) })
    }

    /// The variables that are not mentioned in `changes` and have, because of mutexes,
    /// only one possible value; `None` if some variable has none.
    pub(super) fn find_fixed(&self, changes: &[Change]) -> Option<Vec<Change>> {
        let mut fixed = Vec::new();
        if self.excluded.is_none() {
            return Some(fixed);
        }
        for variable in 0..self.normal.task.variables().len() {
            if changes.binary_search_by_key(&variable, |change| change.variable).is_ok() {
                continue;
            }
            let mut values = self.values(variable);
            let value = values.next()?;
            if values.next().is_none() {
                fixed.push(Change { variable, before: value, after: value });
            }
        }
        Some(fixed)
    }

    /// Whether the fact, of a variable that the operator does not mention, is
    /// possible.
    pub(super) fn has(&self, fact: IndexedFact) -> bool {
        match &self.excluded {
            None => true,
            Some(excluded) => known(self.normal, fact).is_none_or(|fact| !excluded.has(fact)),
        }
    }

    /// The possible values of a variable that the operator does not mention, in order.
    pub(super) fn values(&self, variable: usize) -> impl Iterator<Item = Value> {
        let domain = 0..self.normal.domain_size(variable);
        domain.filter(move |&value| self.has((variable, value)))
    }
}

/// The fact of the task, unless the value is `unknown`.
fn known(normal: &NormalForm<'_>, (variable, value): IndexedFact) -> Option<Fact> {
    let size = normal.task.variables()[variable].domain_size();
    (value < size).then(|| Fact::new(VariableId::new(variable), value))
}
