//! `hipot bound`.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use hipot::certificate::write_certificate;
use hipot::compute::compute;
use hipot::events::Event;
use hipot::report::{BoundReport, SecondsReport};
use hipot::settings::Settings;
use hipot::spec::Spec;
use hipot::{Failure, Status};
use hipot_partition::projection::AbstractStates;
use hipot_task::Stop;

use super::context::Context;
use super::examples::examples;
use super::log::log_task;
use super::lp_files::{write_plain_lp, write_solved_lp};
use super::options::{FunctionOptions, LpOptions, output_file};

/// Prove a lower bound on the cost of every plan, without search
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot bound domain.pddl problem.pddl",
    "hipot bound task.sas --heuristic 'pot(dim=3, mutexes=h2)' --certificate bound.cert",
    "hipot bound task.sas --heuristic 'scp(pot(dim=2), projections, cartesian)'",
    "hipot bound task.sas --heuristic 'pot(dim=2, mutexes=none)' --potential potential.json",
]))]
pub(super) struct Arguments {
    /// The task: a PDDL domain and problem, a PDDL problem with its domain next to it, or a .sas
    /// file (version 3; - for standard input)
    #[arg(required = true, num_args = 1..=2, value_name = "TASK")]
    task: Vec<PathBuf>,

    /// The heuristic: pot(dim=K), pot(features=FILE), seq, ocp(dim=K), tcp(dim=K), scp(A, B, …),
    /// max(A, B, …), blind, auto (see 'hipot help heuristics')
    #[arg(long, value_name = "SPEC", default_value = "pot(dim=2)")]
    heuristic: Spec,

    #[command(flatten)]
    lp: LpOptions,

    /// Write the LP that is solved to this file, with readable names; if there are several, the one
    /// that gives the bound
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    write_lp: Option<PathBuf>,

    /// Write the LP of the paper (Eq. 8–9 or 12–13) to this file, not reduced and without mutexes,
    /// with readable names
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    write_lp_plain: Option<PathBuf>,

    #[command(flatten)]
    function: FunctionOptions,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    arguments.function.check(&arguments.heuristic)?;
    if arguments.write_lp.is_some() && !arguments.heuristic.has_potentials() {
        return Err(Failure::Usage("--write-lp needs a heuristic pot(…)".to_owned()));
    }
    let task = context.read_task(&arguments.task)?.task;
    let read_time = context.reporter.elapsed();
    log_task(&task, read_time);
    if let Some(file) = &arguments.write_lp_plain {
        write_plain_lp(&task, &arguments.heuristic, file, &context.limits)?;
    }
    let begin = Instant::now();
    // The bound must not depend on whether a certificate is asked for.
    let settings = arguments.lp.settings(&context.options, context.events.clone());
    let (abstract_states, keeps_lps) = (AbstractStates::All, arguments.write_lp.is_some());
    let settings = Settings { abstract_states, keeps_lps, ..settings };
    let heuristic = compute(&task, &arguments.heuristic, &settings, &context.limits)?;
    let heuristic_time = begin.elapsed();
    context.events.tell(Event::Heuristic(&heuristic));
    let seconds = SecondsReport {
        translate: read_time.as_secs_f64(),
        heuristic: heuristic_time.as_secs_f64(),
        search: 0.0,
        total: context.reporter.elapsed().as_secs_f64(),
    };
    let mut report = BoundReport::new(&task, &heuristic, seconds);
    if context.limits.check() == Err(Stop::Interrupted) {
        context.reporter.tell_stop(Stop::Interrupted);
        report = report.interrupted();
    }
    context.reporter.write(&report, &report.text())?;
    if let Some(file) = &arguments.lp.certificate {
        write_certificate(&task, &heuristic, file)?;
    }
    if let Some(file) = &arguments.write_lp {
        write_solved_lp(&heuristic, file, &context.limits)?;
    }
    arguments.function.write(&task, &heuristic)?;
    Ok(report.status)
}
