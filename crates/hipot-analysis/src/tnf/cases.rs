//! Operators by cases: one for each combination of values that the operator leaves open.
//!
//! An operator that sets V₁, …, Vₖ without preconditions on them becomes one
//! operator for each *combination* of their values, which requires it. Potentials
//! need the maximum over these unknown values. Cases take it by enumeration: one
//! constraint for each combination.
//!
//! - Combinations are built variable by variable. With mutexes, a value is skipped
//!   if it is dead, or mutex with a precondition or with a value chosen before: no
//!   state of a plan has the combination.
//! - A case that changes nothing is omitted. It is of no use in a plan, and its
//!   constraint is 0 ≤ cost.
//! - An operator with more than [`MAX_CASES`] combinations, of all its open
//!   variables or of the first few of them, is not split.
//! - The number of operators may grow to four times their number plus a thousand.
//!   To stay within this, operators with the most combinations are not split: the
//!   limit on combinations is as large as possible. All operators with equally many
//!   combinations are treated alike, so that symmetries of the task stay symmetries.
//!
//! All this depends only on the task and its mutexes, because a checker must arrive
//! at the same operators.

use std::collections::BTreeMap;

use crate::mutexes::Mutexes;
use hipot_task::{Fact, Operator, OperatorId, Task, VariableId};

/// The maximum number of combinations that an operator is split into.
const MAX_CASES: usize = 64;

/// There may be at most `MAX_GROWTH` · n + `ALLOWANCE` operators instead of n.
const MAX_GROWTH: usize = 4;
const ALLOWANCE: usize = 1000;

/// The operators by cases, as far as the limits allow, and the index of the operator that
/// each comes from. `operators` are those of `task`, with preconditions added.
pub(super) fn by_cases(
    task: &Task,
    operators: &[Operator],
    mutexes: Option<&Mutexes>,
) -> (Vec<Operator>, Vec<OperatorId>) {
    let limit = limit(task, operators, mutexes);
    let (mut split, mut origins) = (Vec::new(), Vec::new());
    for (id, operator) in task.operator_ids().zip(operators) {
        match combinations(task, operator, mutexes, limit) {
            Some(combinations) => {
                split.extend(combinations.into_iter().filter_map(|it| case(operator, it)));
            }
            None => split.push(operator.clone()),
        }
        origins.resize(split.len(), id);
    }
    (split, origins)
}

/// The maximum number of combinations with which an operator is split.
fn limit(task: &Task, operators: &[Operator], mutexes: Option<&Mutexes>) -> usize {
    let max_operators = MAX_GROWTH * operators.len() + ALLOWANCE;
    let mut with_count: BTreeMap<usize, usize> = BTreeMap::new();
    for operator in operators {
        if let Some(combinations) = combinations(task, operator, mutexes, MAX_CASES) {
            *with_count.entry(combinations.len()).or_default() += 1;
        }
    }
    let (mut limit, mut count) = (MAX_CASES, operators.len());
    for (cases, alike) in with_count {
        count = count - alike + cases * alike;
        if count > max_operators {
            limit = cases - 1;
            break;
        }
    }
    limit
}

/// The combinations of values of the operator's open variables, in order; `None` if
/// these variables, or the first few of them, have more than `limit`.
fn combinations(
    task: &Task,
    operator: &Operator,
    mutexes: Option<&Mutexes>,
    limit: usize,
) -> Option<Vec<Vec<Fact>>> {
    let mut combinations = vec![Vec::new()];
    for variable in open_variables(operator) {
        let mut longer = Vec::new();
        for chosen in &combinations {
            for value in 0..task.variable(variable).domain_size() {
                let fact = Fact::new(variable, value);
                let known = operator.preconditions.iter().chain(chosen);
                if mutexes.is_none_or(|mutexes| is_possible(mutexes, fact, known)) {
                    longer.push(chosen.iter().copied().chain([fact]).collect());
                }
            }
            if longer.len() > limit {
                return None;
            }
        }
        combinations = longer;
    }
    Some(combinations)
}

/// The open variables of an operator, in order: it sets them without a precondition on
/// them.
pub(super) fn open_variables(operator: &Operator) -> Vec<VariableId> {
    let set = operator.effects.iter().map(|effect| effect.fact.variable);
    let mut open: Vec<VariableId> =
        set.filter(|&variable| operator.precondition_on(variable).is_none()).collect();
    open.sort_unstable();
    open
}

/// Whether the fact is possible together with the known facts.
pub(super) fn is_possible<'a>(
    mutexes: &Mutexes,
    fact: Fact,
    known: impl IntoIterator<Item = &'a Fact>,
) -> bool {
    !mutexes.is_dead(fact) && !known.into_iter().any(|&other| mutexes.are_mutex(fact, other))
}

/// The operator with `chosen` as further preconditions, unless it then changes nothing.
/// An operator without open variables is always kept.
fn case(operator: &Operator, chosen: Vec<Fact>) -> Option<Operator> {
    let mut case = operator.clone();
    let is_open = !chosen.is_empty();
    case.preconditions.extend(chosen);
    case.preconditions.sort_unstable();
    let changes = |effect: &hipot_task::Effect| !case.preconditions.contains(&effect.fact);
    (!is_open || operator.effects.iter().any(changes)).then_some(case)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hipot_task::{Effect, Limits, TaskBuilder, Variable};

    /// For each number in `open`, an operator without preconditions that sets so many
    /// variables of three values.
    fn setters(open: &[usize]) -> Task {
        let mut builder = TaskBuilder::new(true);
        let variables = open.iter().copied().max().unwrap_or(0).max(1);
        for number in 0..variables {
            builder.add_variable(Variable::new(number.to_string(), ["a", "b", "c"])).unwrap();
        }
        builder.set_initial(vec![0; variables]).unwrap();
        for &count in open {
            let fact = |index| Effect::new(Fact::new(VariableId::new(index), 2));
            let effects = (0..count).map(fact).collect();
            let (name, preconditions) = (format!("set {count}"), Vec::new());
            builder.add_operator(Operator { name, preconditions, effects, cost: 1 }).unwrap();
        }
        builder.build()
    }

    fn limit_of(open: &[usize]) -> usize {
        let task = setters(open);
        limit(&task, task.operators(), None)
    }

    fn counts(task: &Task, mutexes: Option<&Mutexes>) -> Vec<usize> {
        let (_, origins) = by_cases(task, task.operators(), mutexes);
        let of = |id: OperatorId| origins.iter().filter(|&&origin| origin == id).count();
        task.operator_ids().map(of).collect()
    }

    #[test]
    fn each_combination_that_changes_something_is_a_case() {
        assert_eq!(counts(&setters(&[0, 1, 2, 3]), None), [1, 2, 8, 26]);
    }

    #[test]
    fn an_operator_with_too_many_combinations_is_left_as_it_is() {
        let task = setters(&[4, 2]);
        let (split, origins) = by_cases(&task, task.operators(), None);
        assert_eq!(&split[0], task.operator(OperatorId::new(0)));
        assert_eq!(origins.len(), 1 + 8);
    }

    #[test]
    fn mutexes_leave_combinations_out() {
        let task = setters(&[4]);
        let mut mutexes = Mutexes::new(&task, &Limits::none()).unwrap();
        let fact = |variable, value| Fact::new(VariableId::new(variable), value);
        mutexes.insert(fact(3, 1), fact(3, 1));
        assert_eq!(counts(&task, Some(&mutexes)), [53], "a dead fact: 2 · 27 − 1");
        mutexes.insert(fact(0, 0), fact(1, 0));
        assert_eq!(counts(&task, Some(&mutexes)), [47], "and a pair: 2 · 3 · 8 − 1");
        (0..3).for_each(|value| mutexes.insert(fact(2, value), fact(2, value)));
        assert_eq!(counts(&task, Some(&mutexes)), [0], "and a variable without values");
    }

    #[test]
    fn operators_with_the_most_combinations_give_way_together() {
        // 4 · 400 + 1000 = 2600 operators are allowed.
        let mut open = vec![1; 200];
        open.extend([2; 200]);
        assert_eq!(limit_of(&open), MAX_CASES, "600 + 1800");
        open[..200].fill(2);
        assert_eq!(limit_of(&open), 8, "3600");
        assert_eq!(counts(&setters(&open), None), [1; 400]);
        open[..390].fill(1);
        assert_eq!(limit_of(&open), MAX_CASES, "1170 + 90");
        open[..70].fill(3);
        open[70..80].fill(4);
        assert_eq!(limit_of(&open), 26, "70 · 27 + 10 + 310 · 3 + 90");
    }
}
