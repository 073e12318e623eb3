//! `hipot solve`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use hipot_potential::Extent;
use hipot_search::Outcome;
use hipot_task::Task;

use super::Context;
use super::options::{LpOptions, output_file};
use crate::auto::Automatic;
use crate::certificate::write_certificate;
use crate::failure::{Failure, Status};
use crate::heuristic::{Computed, Part, Partitioning, Potential, Spec};
use crate::input::{Input, pddl_files};
use crate::machine::peak_memory;
use crate::pipeline::{check_pddl, find_plan};
use crate::progress::Progress;
use crate::report::{SolveReport, TaskReport};

/// Find a cost-optimal plan
///
/// The plan goes to standard output and to the plan file. What is known when a limit is reached or
/// the search is interrupted, a lower bound on the cost of every plan, is printed too.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The task: a PDDL domain and problem, one PDDL problem with its domain beside it, or a .sas
    /// file (version 3; - for standard input)
    #[arg(required = true, num_args = 1..=2, value_name = "TASK")]
    task: Vec<PathBuf>,

    /// The heuristic: blind, pot(dim=K), pot(features=FILE), seq, ocp(dim=K), tcp(dim=K),
    /// max(A, B, …), auto
    #[arg(long, value_name = "SPEC", default_value = "auto")]
    heuristic: Spec,

    #[command(flatten)]
    lp: LpOptions,

    /// Where to write the plan; an old plan there is removed first
    #[arg(long, value_name = "FILE", default_value = "sas_plan", value_parser = output_file())]
    plan_file: PathBuf,

    /// Log to standard output as Fast Downward does, for Downward Lab; the plan goes to its file
    #[arg(long, conflicts_with = "json")]
    pub(super) downward_log: bool,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let Input { task, source } = context.read_task(&arguments.task)?;
    let read_time = context.reporter.elapsed();
    log_task(&task, read_time);
    let memory = peak_memory().map(|peak| format!("Translator peak memory: {} KB", peak >> 10));
    context.reporter.log(TaskReport::new(&task).lines().chain(memory));
    remove_old_plan(&arguments.plan_file, &arguments.task)?;

    let mut progress = Progress::new(&context.reporter, context.options.is_verbose());
    let Automatic { heuristic, solution, heuristic_time } =
        search(&task, arguments, context, &mut progress)?;
    drop(progress);
    if let (Some(source), Outcome::Solved(plan)) = (&source, &solution.result.outcome) {
        check_pddl(source, &task, plan);
    }

    let mut report = SolveReport::found(&task, &heuristic, &solution);
    report.seconds.heuristic = heuristic_time.as_secs_f64();
    report.seconds.translate = read_time.as_secs_f64();
    report.seconds.total = context.reporter.elapsed().as_secs_f64();
    let text = if arguments.downward_log { report.log() } else { report.text() };
    let plan = report.plan_text();
    let saved = plan.map_or(Ok(()), |plan| write_plan(&plan, &arguments.plan_file));
    // With a cost in the log, Downward Lab would take the task for solved.
    if saved.is_ok() || !arguments.downward_log {
        context.reporter.write(&report, &text)?;
    }
    saved.map(|()| report.status)
}

/// Computes the heuristic and searches.
fn search(
    task: &Task,
    arguments: &Arguments,
    context: &Context,
    progress: &mut Progress<'_>,
) -> Result<Automatic, Failure> {
    let found = |heuristic: &Computed| {
        log_heuristic(heuristic);
        if let Some(bound) = heuristic.best().and_then(Part::bound) {
            context.reporter.prove(bound);
        }
        match &arguments.lp.certificate {
            Some(file) => write_certificate(task, heuristic.best(), file),
            None => Ok(()),
        }
    };
    let settings = arguments.lp.settings(&context.options);
    find_plan(task, &arguments.heuristic, &context.limits, settings, progress, found)
}

pub(super) fn log_heuristic(heuristic: &Computed) {
    for part in heuristic.parts() {
        match part {
            Part::Potential(potential) => log_potential(potential),
            Part::Partition(partitioning) => log_partitioning(partitioning),
        }
    }
}

fn log_potential(potential: &Potential) {
    let report = &potential.report;
    tracing::info!(
        "{}: {} features{}, LP with {} rows, {} columns, {} nonzeros, {:.3}s; initial value {}",
        potential.spec,
        potential.function.features().len(),
        match report.extent {
            Extent::Complete => String::new(),
            chosen => format!(" on {chosen}"),
        },
        report.size.rows,
        report.size.columns,
        report.size.nonzeros,
        report.seconds,
        potential.exact().unwrap_or_else(|| "infinity".to_owned()),
    );
}

fn log_partitioning(partitioning: &Partitioning) {
    tracing::info!(
        "{}: LP with {} rows, {} columns, {} nonzeros, {:.3}s; initial value {}",
        partitioning.spec,
        partitioning.size.rows,
        partitioning.size.columns,
        partitioning.size.nonzeros,
        partitioning.seconds,
        partitioning.exact().unwrap_or_else(|| "infinity".to_owned()),
    );
}

pub(super) fn log_task(task: &Task, read_time: Duration) {
    tracing::info!(
        "task: {} variables, {} facts, {} operators, {} goals, read in {:.3}s",
        task.variables().len(),
        task.fact_count(),
        task.operators().len(),
        task.goal().len(),
        read_time.as_secs_f64(),
    );
}

/// Removes the plan of an earlier run, which must not be taken for this one's, but no
/// task.
fn remove_old_plan(file: &Path, task: &[PathBuf]) -> Result<(), Failure> {
    let pddl = pddl_files(task)?.map(|(domain, problem)| vec![domain, problem]);
    let task = pddl.as_deref().unwrap_or(task);
    let place = |file: &Path| file.canonicalize().ok();
    if place(file).is_some_and(|plan| task.iter().any(|one| place(one).as_ref() == Some(&plan))) {
        let message = format!("the plan cannot be written to '{}': it is the task", file.display());
        return Err(Failure::Usage(message));
    }
    if file.symlink_metadata().is_ok_and(|found| found.is_file()) {
        std::fs::remove_file(file)
            .map_err(|error| Failure::Unwritable { file: file.to_owned(), error })?;
    }
    Ok(())
}

fn write_plan(plan: &str, file: &Path) -> Result<(), Failure> {
    std::fs::write(file, plan).map_err(|error| Failure::Unwritable { file: file.to_owned(), error })
}
