//! Plans are executed before anyone sees them, by code that shares nothing with what found
//! them. A plan that fails is a defect in hipot, so the checks panic.

use hipot_check::{pddl, validate};
use hipot_task::{Plan, PlanStep, Task};

/// Executes a plan in the task that was searched for it.
///
/// # Panics
/// If it is not a plan, or costs more than it claims.
pub(crate) fn check(task: &Task, plan: &Plan) {
    match validate(task, &steps(task, plan)) {
        // Operators of the same name may differ in cost: the check takes the cheapest.
        Ok(cost) => assert!(cost <= plan.cost, "the plan costs {cost}, not {}", plan.cost),
        Err(invalid) => panic!("the search found a sequence that is not a plan: {invalid}"),
    }
}

/// Executes a plan for `task`, the translation of `source`, by the semantics of PDDL.
///
/// # Panics
/// If it is not a plan for `source`, or its cost differs.
pub fn check_pddl(source: &hipot_pddl::Task, task: &Task, plan: &Plan) {
    let Ok(semantics) = pddl::Semantics::new(source) else {
        tracing::warn!("the plan is not checked against PDDL: derived predicates too involved");
        return;
    };
    match pddl::validate(&semantics, &steps(task, plan)) {
        Ok(cost) => assert_eq!(cost, plan.cost, "the plan's cost in PDDL and in the translation"),
        Err(invalid) => panic!("the plan is not a plan for the PDDL task: {invalid}"),
    }
}

fn steps(task: &Task, plan: &Plan) -> Vec<PlanStep> {
    let step = |id: &_| PlanStep { line: 0, name: task.operator(*id).name.clone() };
    plan.operators.iter().map(step).collect()
}
