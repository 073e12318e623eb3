//! `hipot validate`.

use std::path::PathBuf;

use clap::Args;
use hipot_check::{Reason, validate};
use serde::Serialize;

use super::Context;
use crate::failure::{Failure, Status};
use crate::input::{read_plan_file, read_task};

/// Execute a plan and print its cost, or why it fails
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The task (a .sas file, version 3), then the plan in IPC format; one of them may be - for
    /// standard input
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

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let (plan, task) = arguments.task_and_plan.split_last().expect("clap asks for two files");
    let task = read_task(task)?;
    let steps = read_plan_file(plan)?;
    let (cost, invalid) = match validate(&task, &steps) {
        Ok(cost) => (Some(cost), None),
        Err(invalid) => (None, Some(invalid)),
    };
    let report = Report {
        schema: Report::SCHEMA,
        status: if cost.is_some() { Status::Valid } else { Status::Invalid },
        cost,
        length: steps.len(),
        reason: invalid.as_ref().map(|invalid| invalid.reason.to_string()),
        line: invalid.as_ref().and_then(|invalid| invalid.line),
    };
    let text = match (&invalid, cost) {
        (None, cost) => format!("Plan valid\nFinal value: {}\n", cost.unwrap_or_default()),
        (Some(invalid), _) => {
            format!("{}\n{}: {invalid}\n", verdict(&invalid.reason), plan.display())
        }
    };
    context.reporter.write(&report, &text)?;
    Ok(report.status)
}

/// What VAL says in such a case.
fn verdict(reason: &Reason) -> &'static str {
    match reason {
        Reason::GoalNotReached { .. } => "Goal not satisfied",
        Reason::UnknownAction { .. } | Reason::NotApplicable { .. } => "Plan failed to execute",
    }
}
