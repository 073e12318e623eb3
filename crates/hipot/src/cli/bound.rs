//! `hipot bound`.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use hipot_lp::write_lp;
use hipot_partition::projection::Scope;
use hipot_potential::feature::{Facts, Features, frequent_values};
use hipot_potential::model::Model;
use hipot_potential::objective::maximize_in_state;
use hipot_task::{Task, TnfTask, Value};

use super::Context;
use super::options::{LpOptions, output_file};
use super::solve::{log_heuristic, log_task};
use crate::certificate::write_certificate;
use crate::failure::{Failure, Status};
use crate::heuristic::{FeatureChoice, LpSettings, Spec, compute};
use crate::potential_file::read_features;
use crate::report::{BoundReport, SecondsReport};

/// Prove a lower bound on the cost of every plan, without search
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The task: a PDDL domain and problem, one PDDL problem with its domain beside it, or a .sas
    /// file (version 3; - for standard input)
    #[arg(required = true, num_args = 1..=2, value_name = "TASK")]
    task: Vec<PathBuf>,

    /// The heuristic: pot(dim=K), pot(features=FILE), seq, ocp(dim=K), tcp(dim=K), max(A, B, …),
    /// blind, auto
    #[arg(long, value_name = "SPEC", default_value = "pot(dim=2)")]
    heuristic: Spec,

    #[command(flatten)]
    lp: LpOptions,

    /// Write the LP to this file, with readable names, before it is solved
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    write_lp: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let task = context.read_task(&arguments.task)?.task;
    let read_time = context.reporter.elapsed();
    log_task(&task, read_time);
    if let Some(file) = &arguments.write_lp {
        write_model(&task, &arguments.heuristic, file)?;
    }
    let begin = Instant::now();
    // The bound is the same, whether a certificate is asked for or not.
    let settings = LpSettings { scope: Scope::All, ..arguments.lp.settings(&context.options) };
    let heuristic = compute(&task, &arguments.heuristic, &context.limits, settings)?;
    let heuristic_time = begin.elapsed();
    log_heuristic(&heuristic);
    let seconds = SecondsReport {
        translate: read_time.as_secs_f64(),
        heuristic: heuristic_time.as_secs_f64(),
        search: 0.0,
        total: context.reporter.elapsed().as_secs_f64(),
    };
    let report = BoundReport::new(&task, &heuristic, seconds);
    context.reporter.write(&report, &report.text())?;
    if let Some(file) = &arguments.lp.certificate {
        write_certificate(&task, heuristic.best(), file)?;
    }
    Ok(report.status)
}

fn write_model(task: &Task, spec: &Spec, file: &PathBuf) -> Result<(), Failure> {
    let Spec::Potential(spec) = spec else {
        return Err(Failure::Usage("--write-lp needs a heuristic pot(…)".to_owned()));
    };
    let tnf = TnfTask::new(task)?;
    let features = match &spec.features {
        FeatureChoice::File(file) => read_features(&tnf, file)?,
        FeatureChoice::Dimension(dimension) => {
            Features::complete(Facts::new(tnf.task()), *dimension, &frequent_values(tnf.task()))
        }
    };
    let model = Model::new(tnf.task(), &features);
    let mut model = model.map_err(|error| Failure::Unsupported(error.to_string()))?;
    let goal: Vec<Value> = tnf.task().goal().iter().map(|fact| fact.value).collect();
    maximize_in_state(&mut model, &features, tnf.task().initial(), &goal);
    let name = |column| model.column_name(column, tnf.task(), &features);
    let row_name = |row| model.row_name(row, tnf.task());
    let written = std::fs::File::create(file).and_then(|out| {
        let mut out = std::io::BufWriter::new(out);
        write_lp(model.problem(), &mut out, name, row_name)
    });
    written.map_err(|error| Failure::Unwritable { file: file.clone(), error })
}
