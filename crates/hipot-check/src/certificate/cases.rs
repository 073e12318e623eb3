//! Operators by cases, as the verifier reads it.
//!
//! The *open* variables of an operator are those that it sets although neither
//! its preconditions nor the values that mutexes imply tell their value. They
//! are taken in order, and get in each combination each of the values that are
//! left: those that are neither dead nor mutex with what the operator asks for
//! or with the values of open variables before. If the combinations become more
//! than a limit at any time, the operator is not split. Otherwise there is a case
//! for each of them, but for one that changes nothing.
//!
//! The limit is [`MOST_COMBINATIONS`], or so much less that the operators stay
//! within [`most_operators`], those that are not split counted once and the
//! others once for each combination.

use hipot_task::{Fact, Task, Value, VariableId};

use super::normal_form::Change;
use crate::mutexes::Proved;

/// The most combinations of values that an operator is split into.
pub(super) const MOST_COMBINATIONS: usize = 64;

/// How many operators a task with so many may get.
pub(super) fn most_operators(operators: usize) -> usize {
    4 * operators + 1000
}

/// The largest limit for which operators with so many combinations stay within
/// [`most_operators`]; `None` stands for too many combinations.
pub(super) fn limit(counts: &[Option<usize>]) -> usize {
    let total = |limit: usize| -> usize {
        let cases = |count: &Option<usize>| count.filter(|&it| it <= limit).unwrap_or(1);
        counts.iter().map(cases).sum()
    };
    let fits = |limit: &usize| total(*limit) <= most_operators(counts.len());
    (1..=MOST_COMBINATIONS).rev().find(fits).expect("one case for each operator fits")
}

/// For each combination of values of the open variables the changes with these
/// values before; `None` where there are more than `limit` at some time.
pub(super) fn combinations(
    task: &Task,
    mutexes: Option<&Proved<'_>>,
    changes: &[Change],
    limit: usize,
) -> Option<Vec<Vec<Change>>> {
    let mut found = vec![changes.to_vec()];
    for (position, change) in changes.iter().enumerate().filter(|(_, it)| is_open(task, it)) {
        let mut longer = Vec::new();
        for changes in found {
            for value in values_left(task, mutexes, &changes, change.variable) {
                let mut changes = changes.clone();
                changes[position].before = value;
                longer.push(changes);
            }
            if longer.len() > limit {
                return None;
            }
        }
        found = longer;
    }
    Some(found)
}

/// The cases among the combinations for an operator with these changes.
pub(super) fn cases(
    task: &Task,
    changes: &[Change],
    combinations: Vec<Vec<Change>>,
) -> Vec<Vec<Change>> {
    let has_open = changes.iter().any(|change| is_open(task, change));
    let does_something =
        |changes: &Vec<Change>| changes.iter().any(|change| change.before != change.after);
    combinations.into_iter().filter(|it| !has_open || does_something(it)).collect()
}

/// Whether the variable is unknown before.
pub(super) fn is_open(task: &Task, change: &Change) -> bool {
    change.before == task.variables()[change.variable].domain_size()
}

/// The values of a variable that go with all values known before.
fn values_left(
    task: &Task,
    mutexes: Option<&Proved<'_>>,
    changes: &[Change],
    variable: usize,
) -> Vec<Value> {
    let Some(mutexes) = mutexes else {
        return (0..task.variables()[variable].domain_size()).collect();
    };
    let known = changes.iter().filter(|change| !is_open(task, change));
    let known = known.map(|change| Fact::new(VariableId::new(change.variable), change.before));
    mutexes.excluded_by(known).values_left(VariableId::new(variable)).collect()
}
