//! `hipot verify`.

use std::path::PathBuf;

use clap::Args;
use hipot_check::{Claim, Rejection, read_certificate, validate, verify};
use serde::Serialize;

use super::Context;
use super::validate::validate_pddl_steps;
use crate::failure::{Failure, Status};
use crate::input::{Input, display_name, read_bytes, read_plan_file, source_line};

/// Check a certificate, and a plan, in exact arithmetic
///
/// The check shares nothing with the computation but the task types. With a plan whose cost is the
/// bound, the plan is proved optimal.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The task (a .sas file, version 3), then the certificate
    #[arg(required = true, num_args = 2..=3, value_names = ["TASK", "CERTIFICATE"])]
    task_and_certificate: Vec<PathBuf>,

    /// A plan to be checked too
    #[arg(long, value_name = "PLAN")]
    plan: Option<PathBuf>,
}

/// The result of `hipot verify`, schema `hipot.verify/1`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schema: &'static str,
    status: Status,
    /// The bound that is proved; `None` with `unsolvable`.
    lower_bound: Option<u64>,
    /// Whether the certificate proves that there is no plan.
    unsolvable: bool,
    /// The value of the potential function in the initial state.
    initial_exact: Option<String>,
    /// The number of mutexes that the certificate rests on and proves.
    mutexes: Option<usize>,
    /// The plan's cost.
    cost: Option<u64>,
    /// Whether the plan is proved optimal.
    optimal: Option<bool>,
    /// Why the certificate or the plan does not hold.
    reason: Option<String>,
}

impl Report {
    pub(super) const SCHEMA: &'static str = "hipot.verify/1";

    fn new() -> Self {
        Self {
            schema: Self::SCHEMA,
            status: Status::Verified,
            lower_bound: None,
            unsolvable: false,
            initial_exact: None,
            mutexes: None,
            cost: None,
            optimal: None,
            reason: None,
        }
    }

    fn reject(&mut self, reason: String) {
        self.status = Status::Invalid;
        self.reason = Some(reason);
    }

    fn text(&self) -> String {
        let mut lines = Vec::new();
        if let Some(reason) = &self.reason {
            lines.push(format!("Not verified: {reason}"));
        } else if self.unsolvable {
            lines.push("Verified: there is no plan.".to_owned());
        } else if let Some(bound) = self.lower_bound {
            lines.push(format!("Verified: every plan costs at least {bound}."));
        }
        if let Some(mutexes @ 1..) = self.mutexes {
            lines.push(format!("The proof rests on {mutexes} mutex(es), which are proved too."));
        }
        if let Some(cost) = self.cost {
            lines.push(format!("The plan is valid and costs {cost}."));
        }
        match self.optimal {
            Some(true) => lines.push("The plan is proved optimal.".to_owned()),
            Some(false) => lines.push("The plan is not proved optimal.".to_owned()),
            None => {}
        }
        lines.join("\n") + "\n"
    }
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let files = &arguments.task_and_certificate;
    let (file, task) = files.split_last().expect("clap asks for two files");
    let Input { task, source } = context.read_task(task)?;
    let text = String::from_utf8_lossy(&read_bytes(file)?).into_owned();
    let certificate = read_certificate(&text).map_err(|error| Failure::Input {
        file: display_name(file),
        line: error.line,
        column: error.column,
        message: error.message,
        source_line: source_line(text.as_bytes(), error.line),
    })?;
    let mut report = Report::new();
    match verify(&task, &certificate) {
        Ok(verified) => {
            report.initial_exact = Some(verified.initial);
            report.mutexes = Some(verified.mutexes);
            match verified.claim {
                Claim::Bound(bound) => report.lower_bound = Some(bound),
                Claim::Unsolvable => report.unsolvable = true,
            }
        }
        Err(Rejection::Unsupported(unsupported)) => return Err(unsupported.into()),
        Err(rejection @ Rejection::TooLarge { .. }) => {
            return Err(Failure::Unsupported(rejection.to_string()));
        }
        Err(rejection) => report.reject(rejection.to_string()),
    }
    if let Some(plan) = &arguments.plan {
        let steps = read_plan_file(plan)?;
        let result = match &source {
            Some(source) => {
                validate_pddl_steps(source, &steps)?.map_err(|invalid| invalid.to_string())
            }
            None => validate(&task, &steps).map_err(|invalid| invalid.to_string()),
        };
        match result {
            Ok(cost) => {
                report.cost = Some(cost);
                report.optimal = report.lower_bound.map(|bound| bound == cost);
            }
            Err(invalid) => report.reject(format!("{}: {invalid}", plan.display())),
        }
    }
    context.reporter.write(&report, &report.text())?;
    Ok(report.status)
}
