//! `hipot validate`.

use std::path::PathBuf;

use clap::Args;
use hipot::input::{pddl_files, read_pddl, read_plan_file};
use hipot::verdict::ValidateReport;
use hipot::{Failure, Status};

use super::context::Context;
use super::examples::examples;

/// Execute a plan and print its cost, or why it fails
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot validate domain.pddl problem.pddl sas_plan",
    "hipot validate task.sas - < sas_plan",
]))]
pub(super) struct Arguments {
    /// The task (a PDDL domain and problem, a PDDL problem with its domain next to it, or a .sas
    /// file, version 3), then the plan in IPC format; one of them may be - for standard input
    #[arg(required = true, num_args = 2..=3, value_names = ["TASK", "PLAN"])]
    task_and_plan: Vec<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let (plan, task) = arguments.task_and_plan.split_last().expect("clap asks for two files");
    let report = match pddl_files(task)? {
        Some((domain, problem)) => {
            let source = read_pddl(&domain, &problem)?;
            ValidateReport::of_pddl(&source, &read_plan_file(plan)?)?
        }
        None => {
            let task = context.read_task(task)?.task;
            ValidateReport::of_task(&task, &read_plan_file(plan)?)
        }
    };
    context.reporter.write(&report, &report.text(plan))?;
    Ok(report.status)
}
