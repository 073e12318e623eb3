//! The transitions of small tasks.

use std::collections::HashSet;

use hipot_check::{State, applicable, apply};
use hipot_potential::NormalForm;
use hipot_task::{Fact, Limits, OperatorId, Stop, VariableId};

/// The number of states of the largest task whose transitions are listed.
const MAX_STATES: usize = 200;

/// A transition of the task in TNF.
pub(super) struct Transition {
    pub(super) before: State,
    pub(super) operator: OperatorId,
    pub(super) after: State,
}

/// The transitions from states that are reachable from the initial state, breadth first; `None`
/// if there are too many states. Loops are left out, and so are states with mutexes: a function
/// that relies on these says nothing there.
pub(super) fn transitions(
    normal: &NormalForm,
    limits: &Limits,
) -> Result<Option<Vec<Transition>>, Stop> {
    let task = normal.task();
    let mut states = vec![normal.initial().to_vec()];
    let mut seen = HashSet::from([states[0].clone()]);
    let mut transitions = Vec::new();
    let mut next = 0;
    while let Some(before) = states.get(next).cloned() {
        next += 1;
        limits.check()?;
        for operator in task.operator_ids() {
            if !applicable(task.operator(operator), &before) {
                continue;
            }
            let after = apply(task, task.operator(operator), &before);
            if after == before || is_excluded(normal, &after) {
                continue;
            }
            if seen.insert(after.clone()) {
                states.push(after.clone());
            }
            if states.len() > MAX_STATES {
                return Ok(None);
            }
            transitions.push(Transition { before: before.clone(), operator, after });
        }
    }
    Ok(Some(transitions))
}

fn is_excluded(normal: &NormalForm, state: &State) -> bool {
    let facts: Vec<Fact> = facts(state).collect();
    normal.mutexes().is_some_and(|mutexes| mutexes.exclude(&facts))
}

/// The facts of a state.
pub(super) fn facts(state: &State) -> impl Iterator<Item = Fact> + '_ {
    state.iter().enumerate().map(|(index, &value)| Fact::new(VariableId::new(index), value))
}
