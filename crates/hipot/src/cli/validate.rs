//! `hipot validate`.

use std::path::{Path, PathBuf};

use clap::Args;
use hipot_check::{Reason, pddl, validate};
use hipot_task::PlanStep;
use serde::Serialize;

use super::Context;
use crate::failure::{Failure, Status};
use crate::input::{pddl_files, read_pddl, read_plan_file};

/// Execute a plan and print its cost, or why it fails
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The task (a PDDL domain and problem, a PDDL problem with its domain beside it, or a .sas
    /// file, version 3), then the plan in IPC format; one of them may be - for standard input
    #[arg(required = true, num_args = 2..=3, value_names = ["TASK", "PLAN"])]
    task_and_plan: Vec<PathBuf>,
}

/// The result of `hipot validate`, schema `hipot.validate/1`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schema: &'static str,
    status: Status,
    cost: Option<u64>,
    length: usize,
    /// Why the plan is not valid.
    reason: Option<String>,
    /// The line of the step that fails.
    line: Option<usize>,
}

impl Report {
    pub(super) const SCHEMA: &'static str = "hipot.validate/1";
}

/// Why a plan is not valid, in the words of whoever found out.
struct Invalid {
    /// What VAL says in such a case.
    verdict: &'static str,
    /// The reason with its place.
    message: String,
    reason: String,
    line: Option<usize>,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let (plan, task) = arguments.task_and_plan.split_last().expect("clap asks for two files");
    let (length, result) = match pddl_files(task)? {
        Some((domain, problem)) => validate_pddl(&domain, &problem, plan)?,
        None => validate_sas(task, plan, context)?,
    };
    let (cost, invalid) = match result {
        Ok(cost) => (Some(cost), None),
        Err(invalid) => (None, Some(invalid)),
    };
    let text = match (&invalid, cost) {
        (None, cost) => format!("Plan valid\nFinal value: {}\n", cost.unwrap_or_default()),
        (Some(invalid), _) => {
            format!("{}\n{}: {}\n", invalid.verdict, plan.display(), invalid.message)
        }
    };
    let report = Report {
        schema: Report::SCHEMA,
        status: if cost.is_some() { Status::Valid } else { Status::Invalid },
        cost,
        length,
        line: invalid.as_ref().and_then(|invalid| invalid.line),
        reason: invalid.map(|invalid| invalid.reason),
    };
    context.reporter.write(&report, &text)?;
    Ok(report.status)
}

/// The plan's length, and its cost or what is wrong with it.
type Validated = (usize, Result<u64, Invalid>);

fn validate_pddl(domain: &Path, problem: &Path, plan: &Path) -> Result<Validated, Failure> {
    let task = read_pddl(domain, problem)?;
    let steps = read_plan_file(plan)?;
    let result = validate_pddl_steps(&task, &steps)?.map_err(|failure| Invalid {
        verdict: verdict(matches!(*failure.reason, pddl::Reason::GoalNotReached { .. })),
        message: failure.to_string(),
        reason: pddl::Failure { line: None, ..failure.clone() }.to_string(),
        line: failure.line,
    });
    Ok((steps.len(), result))
}

fn validate_sas(task: &[PathBuf], plan: &Path, context: &Context) -> Result<Validated, Failure> {
    let task = context.read_task(task)?.task;
    let steps = read_plan_file(plan)?;
    let result = validate(&task, &steps).map_err(|invalid| Invalid {
        verdict: verdict(matches!(invalid.reason, Reason::GoalNotReached { .. })),
        message: invalid.to_string(),
        reason: invalid.reason.to_string(),
        line: invalid.line,
    });
    Ok((steps.len(), result))
}

fn verdict(is_executable: bool) -> &'static str {
    if is_executable { "Goal not satisfied" } else { "Plan failed to execute" }
}

/// Executes a plan by the semantics of PDDL.
pub(super) fn validate_pddl_steps(
    task: &hipot_pddl::Task,
    steps: &[PlanStep],
) -> Result<Result<u64, pddl::Failure>, Failure> {
    let semantics = pddl::Semantics::new(task);
    let semantics = semantics.map_err(|error| Failure::Unsupported(error.to_string()))?;
    Ok(pddl::validate(&semantics, steps))
}
