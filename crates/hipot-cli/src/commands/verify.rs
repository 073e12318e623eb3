//! `hipot verify`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hipot::input::{open_proof, read_plan_file};
use hipot::verdict::{ValidateReport, VerifyReport};
use hipot::{Failure, Status};

use super::context::Context;
use super::examples::examples;

/// Check a certificate, and a plan, in exact arithmetic
///
/// One line says what is proved. The check shares nothing with the computation but the task types
/// and the readers of files. A plan whose cost equals the bound is proved optimal.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot verify task.sas bound.cert",
    "hipot verify task.sas proof.cert --plan sas_plan --require optimal",
]))]
pub(super) struct Arguments {
    /// The task (a PDDL domain and problem, a PDDL problem with its domain next to it, or a .sas
    /// file, version 3), then the certificate
    #[arg(required = true, num_args = 2..=3, value_names = ["TASK", "CERTIFICATE"])]
    task_and_certificate: Vec<PathBuf>,

    /// A plan to check as well
    #[arg(long, value_name = "PLAN")]
    plan: Option<PathBuf>,

    /// Exit with 1 unless this is proved
    #[arg(long, value_name = "CLAIM")]
    require: Option<Requirement>,
}

/// What has to be proved.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Requirement {
    /// The plan is optimal, or there is no plan
    Optimal,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let files = &arguments.task_and_certificate;
    let (file, task) = files.split_last().expect("clap asks for two files");
    let input = context.read_task(task)?;
    let mut report = VerifyReport::new(&input, open_proof(file)?)?;
    if let Some(plan) = &arguments.plan {
        let validated = ValidateReport::of_input(&input, &read_plan_file(plan)?)?;
        report.add_plan(&validated, plan);
    }
    context.reporter.write(&report, &report.text())?;
    let is_missing = arguments.require.is_some() && !report.is_settled();
    Ok(if is_missing { Status::Invalid } else { report.status })
}
