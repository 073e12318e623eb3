//! Plans are executed before anyone sees them, by code that shares nothing with what found
//! them. A plan that fails is a defect in hipot, so the checks panic.

use hipot_check::{execute, pddl};
use hipot_task::{Plan, PlanStep, Task, read_plan, step_name};

/// Executes a plan in the task that was searched for it, and reads what will be written.
///
/// # Panics
/// If it is not a plan, its cost differs, or what will be written names other operators.
pub(crate) fn check(task: &Task, plan: &Plan) {
    // By number, not by name: operators may share names, and then names alone leave many
    // possibilities.
    match execute(task, plan.operators.iter().map(|&id| task.operator(id))) {
        Ok(cost) => assert_eq!(cost, plan.cost, "the plan's cost"),
        Err(invalid) => panic!("the search found a sequence that is not a plan: {invalid}"),
    }
    let names = plan.operators.iter().map(|&id| step_name(&task.operator(id).name));
    assert!(steps(task, plan).into_iter().map(|step| step.name).eq(names), "the plan as written");
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

/// The steps of a plan as they will be read from its file.
fn steps(task: &Task, plan: &Plan) -> Vec<PlanStep> {
    let text: String = plan.steps(task).map(|step| step + "\n").collect();
    read_plan(&text).unwrap_or_else(|error| panic!("the plan cannot be read again: {error}"))
}
