//! `hipot lab run`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hipot::Status;
use hipot_lab::{
    Configuration, EngineKind, Error, Experiment, Overview, Store, Task, human, run_local,
};

use super::failure::LabFailure;
use super::files::Files;
use super::follow::Follower;
use super::scratch::executor;
use super::slurm;
use super::state::StateReport;
use crate::commands::context::Context;
use crate::commands::examples::examples;
use crate::wording::counted;

/// Run everything in an experiment that is not done yet
///
/// Each run is a process of its own under the limits of its configuration. After an interrupt, the
/// same command continues. Several commands may work on one experiment at once.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot lab run experiment.toml --dry-run",
    "hipot lab run experiment.toml --cores 2",
]))]
pub(super) struct Arguments {
    #[command(flatten)]
    files: Files,

    /// The number of parallel runs on this machine [default: as the experiment says, or one per
    /// core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cores: Option<u32>,

    /// Where to run, whatever the experiment says
    #[arg(long, value_name = "ENGINE", value_parser = engine_parser())]
    engine: Option<EngineKind>,

    /// Delete the rows of a configuration first, and run it again; may be given several times
    #[arg(long, value_name = "CONFIGURATION")]
    redo: Vec<String>,

    /// Cancel the jobs that Slurm has been given, and run nothing; finished runs are kept
    #[arg(long, conflicts_with_all = ["cores", "engine", "redo"])]
    cancel: bool,

    /// Print the runs that are still to be made, and make none of them
    #[arg(long, conflicts_with_all = ["cores", "engine", "redo", "cancel"])]
    dry_run: bool,
}

fn engine_parser() -> impl TypedValueParser<Value = EngineKind> {
    PossibleValuesParser::new(["local", "slurm"]).map(|name| match &*name {
        "slurm" => EngineKind::Slurm,
        _ => EngineKind::Local,
    })
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, LabFailure> {
    let experiment = arguments.files.read(context)?;
    let tasks = experiment.tasks()?;
    let database = arguments.files.database(&experiment);
    if arguments.dry_run {
        return show_plan(&experiment, &tasks, &database, context);
    }
    let mut store = Store::open(&database)?;
    if arguments.cancel {
        slurm::cancel(&database)?;
    } else if !arguments.redo.is_empty() {
        slurm::forget(&database, &arguments.redo)?;
    }
    store.register_anew(&experiment, &tasks, &arguments.redo)?;
    log_begin(&experiment, &store.overview()?, tasks.len());
    match arguments.engine.unwrap_or(experiment.engine.kind) {
        _ if arguments.cancel => {}
        EngineKind::Local => {
            slurm::warn_of_jobs(&database);
            make_here(&mut store, cores(arguments, &experiment), context)?;
        }
        EngineKind::Slurm => {
            slurm::make_on_slurm(&mut store, &experiment, &database, context)?;
        }
    }
    let overview = store.overview()?;
    log_end(&store, &overview)?;
    context.limits.check()?;
    let report = StateReport::new(&overview, &database);
    context.reporter.write(&report, &overview.table())?;
    Ok(report.status)
}

/// Prints the runs that are still to be made.
fn show_plan(
    experiment: &Experiment,
    tasks: &[Task],
    database: &Path,
    context: &Context,
) -> Result<Status, LabFailure> {
    let records =
        if database.exists() { Store::open_existing(database)?.records()? } else { Vec::new() };
    let done: HashSet<[&str; 4]> = records
        .iter()
        .map(|it| [&*it.suite, &*it.domain, &*it.problem, &*it.configuration])
        .collect();
    let mut lines = String::new();
    let (mut count, mut most) = (0, Duration::ZERO);
    for task in tasks {
        for configuration in &experiment.configurations {
            let key = [&*task.suite, &*task.domain, &*task.problem, &*configuration.name];
            if !done.contains(&key) {
                let name = &configuration.name;
                // Memory can be written.
                let _ = writeln!(lines, "{}/{} {name}", task.domain, task.problem);
                count += 1;
                most = most.saturating_add(configuration.limits.time);
            }
        }
    }
    let runs = counted(count, "run");
    tracing::info!("{runs} to make, at most {} on one core", human(most.as_secs_f64()));
    let overview = Overview::planned(experiment, tasks.len());
    let overview = Overview { done: overview.runs - count, ..overview };
    let report = StateReport::new(&overview, database);
    context.reporter.write(&report, &lines)?;
    Ok(report.status)
}

fn cores(arguments: &Arguments, experiment: &Experiment) -> usize {
    let given = arguments.cores.or(experiment.engine.cores);
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    given.map_or_else(all, |cores| cores as usize)
}

/// Runs on this machine.
fn make_here(store: &mut Store, cores: usize, context: &Context) -> Result<(), LabFailure> {
    let (_scratch, executor) = executor(context)?;
    let execute = |task: &Task, configuration: &Configuration, stop: &AtomicBool| {
        Ok(executor.execute(task, configuration, stop)?)
    };
    let mut follower = Follower::new(&store.overview()?, &context.terminal);
    let should_stop = || context.limits.check().is_err();
    let made = run_local(store, cores, &execute, should_stop, |event| follower.see(&event));
    match made {
        // The limits know why.
        Err(Error::Interrupted) => Ok(()),
        other => Ok(other?),
    }
}

fn log_begin(experiment: &Experiment, overview: &Overview, tasks: usize) {
    let (name, configurations) = (&experiment.name, experiment.configurations.len());
    let (done, runs) = (overview.done, overview.runs);
    tracing::info!(
        "{name}: {} with {}, {done} of {runs} runs done",
        counted(tasks, "task"),
        counted(configurations, "configuration")
    );
    if overview.set_aside > 0 {
        let rows = counted(overview.set_aside, "row");
        tracing::debug!("{rows} of tasks or configurations that left the file: kept, not shown");
    }
}

fn log_end(store: &Store, overview: &Overview) -> Result<(), LabFailure> {
    let (name, done, runs) = (&overview.name, overview.done, overview.runs);
    tracing::info!("{name}: {done} of {runs} runs done");
    let others = store.claims_of_others()?;
    if others > 0 {
        let others = counted(others, "run");
        tracing::info!("{others} in progress elsewhere");
    }
    for hint in overview.hints() {
        tracing::warn!("{hint}");
    }
    Ok(())
}
