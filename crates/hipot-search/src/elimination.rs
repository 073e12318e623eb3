//! Plans without steps that they do not need.
//!
//! A step is left out, together with those that then are not applicable, if the rest is still a plan:
//! action elimination (Nakhost & Müller, ICAPS 2010). It takes time quadratic in the length, so the
//! later steps of very long plans are not tried: somebody waits for the plan.

use hipot_task::{Limits, OperatorId, Plan, StateView, Task};

use crate::rules::Rules;
use crate::word_tests::holds;

/// The most steps that are taken to try others.
const MOST_STEPS: usize = 1 << 23;

/// The plan, or a part of it that is a plan. At a limit, fewer steps are tried.
pub(crate) fn without_useless_steps(
    plan: &Plan,
    task: &Task,
    rules: &mut Rules,
    limits: &Limits,
) -> Plan {
    let mut operators = plan.operators.clone();
    let mut state = rules.initial.clone();
    let (mut at, mut steps) = (0, 0);
    while at < operators.len() && steps < MOST_STEPS && limits.check().is_ok() {
        steps += operators.len() - at;
        match rest_without(operators[at + 1..].iter().copied(), &state, task, rules) {
            Some(rest) => {
                operators.truncate(at);
                operators.extend(rest);
            }
            None => {
                let before = state.clone();
                rules.transitions.apply(operators[at], &before, &mut state);
                at += 1;
            }
        }
    }
    let cost = operators.iter().map(|id| u64::from(rules.costs[id.index()])).sum();
    Plan { operators, cost }
}

/// Those of some steps that are applicable one after the other, if they lead to the goal.
fn rest_without(
    steps: impl Iterator<Item = OperatorId>,
    state: &[u32],
    task: &Task,
    rules: &mut Rules,
) -> Option<Vec<OperatorId>> {
    let (mut before, mut after) = (state.to_vec(), state.to_vec());
    let mut kept = Vec::new();
    for operator in steps {
        let view = StateView::new(&rules.packing, &before);
        let mut preconditions = task.operator(operator).preconditions.iter();
        if preconditions.all(|fact| view.value(fact.variable) == fact.value) {
            rules.transitions.apply(operator, &before, &mut after);
            before.copy_from_slice(&after);
            kept.push(operator);
        }
    }
    holds(&rules.goal, &before).then_some(kept)
}
