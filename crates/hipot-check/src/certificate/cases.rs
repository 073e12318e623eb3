//! Operators by cases, as the verifier reads them.
//!
//! The *open* variables of an operator are those that it sets although neither its
//! preconditions nor mutexes determine their value before it. Combinations of their
//! values are built variable by variable, in order. Each combination so far is
//! extended by each remaining value of the next variable: each value that is neither
//! dead nor mutex with what the operator requires or with values chosen before. If
//! there are more combinations than a limit at any time, the operator is not split.
//! Otherwise there is a case for each combination, except for one that changes
//! nothing.
//!
//! The limit is [`MAX_COMBINATIONS`], or as much less as is needed to stay within
//! [`max_operators`], where operators that are not split count once and the others
//! once for each combination.

use hipot_task::{Fact, Task, Value, VariableId};

use super::change::Change;
use crate::mutexes::Proved;

/// The maximum number of combinations that an operator is split into.
pub(super) const MAX_COMBINATIONS: usize = 64;

/// The maximum number of operators after splitting, for a task with this many.
pub(super) fn max_operators(operators: usize) -> usize {
    4 * operators + 1000
}

/// The largest limit for which operators with these numbers of combinations stay within
/// [`max_operators`]; `None` stands for too many combinations.
pub(super) fn limit(counts: &[Option<usize>]) -> usize {
    let total = |limit: usize| -> usize {
        let cases = |count: &Option<usize>| count.filter(|&it| it <= limit).unwrap_or(1);
        counts.iter().map(cases).sum()
    };
    let fits = |limit: &usize| total(*limit) <= max_operators(counts.len());
    (1..=MAX_COMBINATIONS).rev().find(fits).expect("one case for each operator fits")
}

/// For each combination of values of the open variables, the changes with these
/// values before; `None` if there are more than `limit` at some time.
pub(super) fn combinations(
    task: &Task,
    mutexes: Option<&Proved<'_>>,
    changes: &[Change],
    limit: usize,
) -> Option<Vec<Vec<Change>>> {
    let mut found = vec![changes.to_vec()];
    for (position, change) in changes.iter().enumerate().filter(|(_, it)| it.is_open(task)) {
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
    let has_open = changes.iter().any(|change| change.is_open(task));
    let does_something =
        |changes: &Vec<Change>| changes.iter().any(|change| change.before != change.after);
    combinations.into_iter().filter(|it| !has_open || does_something(it)).collect()
}

/// The values of a variable that are possible with all values known before.
fn values_left(
    task: &Task,
    mutexes: Option<&Proved<'_>>,
    changes: &[Change],
    variable: usize,
) -> Vec<Value> {
    let Some(mutexes) = mutexes else {
        return (0..task.variables()[variable].domain_size()).collect();
    };
    let known = changes.iter().filter(|change| !change.is_open(task));
    let known = known.map(|change| Fact::new(VariableId::new(change.variable), change.before));
    mutexes.excluded_by(known).values_left(VariableId::new(variable)).collect()
}
