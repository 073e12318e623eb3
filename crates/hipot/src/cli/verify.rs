//! `hipot verify`.

use std::path::PathBuf;

use clap::Args;

use super::Context;
use crate::failure::{Failure, Status};
use crate::input::{read_certificate_file, read_plan_file};
use crate::verdict::{ValidateReport, VerifyReport};

/// Check a certificate, and a plan, in exact arithmetic
///
/// The check shares nothing with the computation but the task types. With a plan whose cost is the
/// bound, the plan is proved optimal.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The task (a PDDL domain and problem, a PDDL problem with its domain beside it, or a .sas
    /// file, version 3), then the certificate
    #[arg(required = true, num_args = 2..=3, value_names = ["TASK", "CERTIFICATE"])]
    task_and_certificate: Vec<PathBuf>,

    /// A plan to be checked too
    #[arg(long, value_name = "PLAN")]
    plan: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let files = &arguments.task_and_certificate;
    let (file, task) = files.split_last().expect("clap asks for two files");
    let input = context.read_task(task)?;
    let mut report = VerifyReport::new(&input.task, &read_certificate_file(file)?)?;
    if let Some(plan) = &arguments.plan {
        let validated = ValidateReport::of_input(&input, &read_plan_file(plan)?)?;
        report.add_plan(&validated, plan);
    }
    context.reporter.write(&report, &report.text())?;
    Ok(report.status)
}
