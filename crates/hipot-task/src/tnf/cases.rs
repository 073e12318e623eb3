//! Operators by cases: a value for each variable that is set unasked.
//!
//! An operator that sets V₁, …, Vₖ without asking for their values becomes one
//! operator for each *combination* of their values, which asks for it. The
//! maximum over the unknown values that potentials need is so taken by
//! enumeration: one constraint for each of them.
//!
//! - Combinations are built variable after variable. Where there are mutexes, a
//!   value that is dead, or mutex with a precondition or with a value chosen
//!   before, is not taken: no state that counts has the combination.
//! - A case in which nothing changes is left out. It is of no use to a plan, and
//!   its constraint is 0 ≤ cost.
//! - An operator with more than [`MOST_CASES`] combinations, of all of its open
//!   variables or of the first few of them, is left as it is.
//! - If the operators became more than four times as many, and a thousand, then
//!   those with the most combinations are left as they are: the limit on
//!   combinations is the largest that keeps to this. All operators with as many
//!   combinations fare alike, so that symmetries of the task stay symmetries.
//!
//! All this is decided by the task and its mutexes alone, because a checker must
//! come to the same operators.

use std::collections::BTreeMap;

use crate::ids::{Fact, OperatorId, VariableId};
use crate::mutex::Mutexes;
use crate::task::{Operator, Task};

/// The most combinations of values that an operator is split into.
const MOST_CASES: usize = 64;

/// How many operators there may be afterwards: so many for each, and more.
const GROWTH: usize = 4;
const FEW: usize = 1000;

/// The task with its operators by cases, as far as the limits allow, and the
/// operator that each comes from.
pub(super) fn by_cases(task: &Task, mutexes: Option<&Mutexes>) -> (Task, Vec<OperatorId>) {
    let limit = limit(task, mutexes);
    let (mut operators, mut origins) = (Vec::new(), Vec::new());
    for id in task.operator_ids() {
        let operator = task.operator(id);
        match combinations(task, operator, mutexes, limit) {
            Some(combinations) => {
                operators.extend(combinations.into_iter().filter_map(|it| case(operator, it)));
            }
            None => operators.push(operator.clone()),
        }
        origins.resize(operators.len(), id);
    }
    (Task { operators, ..task.clone() }, origins)
}

/// The most combinations with which an operator is split.
fn limit(task: &Task, mutexes: Option<&Mutexes>) -> usize {
    let most = GROWTH * task.operators().len() + FEW;
    let mut with_count: BTreeMap<usize, usize> = BTreeMap::new();
    for operator in task.operators() {
        if let Some(combinations) = combinations(task, operator, mutexes, MOST_CASES) {
            *with_count.entry(combinations.len()).or_default() += 1;
        }
    }
    let (mut limit, mut operators) = (MOST_CASES, task.operators().len());
    for (count, alike) in with_count {
        operators = operators - alike + count * alike;
        if operators > most {
            limit = count - 1;
            break;
        }
    }
    limit
}

/// The values that the variables which the operator sets unasked can have, in
/// order; `None` where they, or the first few of them, have more than `limit`.
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

/// The variables that the operator sets without asking for their values, in
/// order.
pub(super) fn open_variables(operator: &Operator) -> Vec<VariableId> {
    let set = operator.effects.iter().map(|effect| effect.fact.variable);
    let mut open: Vec<VariableId> =
        set.filter(|&variable| operator.precondition_on(variable).is_none()).collect();
    open.sort_unstable();
    open
}

/// Whether a state can have the fact together with what is known.
pub(super) fn is_possible<'a>(
    mutexes: &Mutexes,
    fact: Fact,
    known: impl IntoIterator<Item = &'a Fact>,
) -> bool {
    !mutexes.is_dead(fact) && !known.into_iter().any(|&other| mutexes.are_mutex(fact, other))
}

/// The operator where it also asks for `chosen`, unless it then changes nothing.
/// An operator without open variables stays, whatever it does.
fn case(operator: &Operator, chosen: Vec<Fact>) -> Option<Operator> {
    let mut case = operator.clone();
    let is_open = !chosen.is_empty();
    case.preconditions.extend(chosen);
    case.preconditions.sort_unstable();
    let changes = |effect: &crate::task::Effect| !case.preconditions.contains(&effect.fact);
    (!is_open || operator.effects.iter().any(changes)).then_some(case)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::{Effect, TaskBuilder, Variable};

    /// Operators that set so many variables of three values, and ask for none.
    fn setters(open: &[usize]) -> Task {
        let mut builder = TaskBuilder::new(true);
        let most = open.iter().copied().max().unwrap_or(0).max(1);
        for number in 0..most {
            builder.add_variable(Variable::new(number.to_string(), ["a", "b", "c"])).unwrap();
        }
        builder.set_initial(vec![0; most]).unwrap();
        for &count in open {
            let fact = |index| Effect::new(Fact::new(VariableId::new(index), 2));
            let effects = (0..count).map(fact).collect();
            let (name, preconditions) = (format!("set {count}"), Vec::new());
            builder.add_operator(Operator { name, preconditions, effects, cost: 1 }).unwrap();
        }
        builder.build()
    }

    fn counts(task: &Task, mutexes: Option<&Mutexes>) -> Vec<usize> {
        let (_, origins) = by_cases(task, mutexes);
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
        let (split, origins) = by_cases(&task, None);
        assert_eq!(&split.operators()[0], task.operator(OperatorId::new(0)));
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
        assert_eq!(limit(&setters(&open), None), MOST_CASES, "600 + 1800");
        open[..200].fill(2);
        assert_eq!(limit(&setters(&open), None), 8, "3600");
        assert_eq!(counts(&setters(&open), None), [1; 400]);
        open[..390].fill(1);
        assert_eq!(limit(&setters(&open), None), MOST_CASES, "1170 + 90");
        open[..70].fill(3);
        open[70..80].fill(4);
        assert_eq!(limit(&setters(&open), None), 26, "70 · 27 + 10 + 310 · 3 + 90");
    }
}
