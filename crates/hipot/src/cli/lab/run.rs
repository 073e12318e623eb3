//! `hipot lab run`.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hipot_lab::{
    Configuration, EngineKind, Error, Event, Executor, Experiment, Overview, Record, Scratch,
    Status as RunStatus, Store, Task, human, machine, plain, run_local,
};

use super::{Context, Files, Report};
use crate::VERSION;
use crate::failure::{Failure, Status};
use crate::progress::Runs;

/// Make all runs of an experiment that are not done yet
///
/// Each run is a process of its own under the limits of its configuration. Killed or interrupted,
/// the same command goes on where it was; several may work on one experiment at once.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    files: Files,

    /// How many runs to make at once on this machine [default: as the experiment says, or one a
    /// core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cores: Option<u32>,

    /// Where to make them, whatever the experiment says
    #[arg(long, value_name = "ENGINE", value_parser = engine_parser())]
    engine: Option<EngineKind>,

    /// Delete the rows of a configuration first, and make them again; can be given several times
    #[arg(long, value_name = "CONFIGURATION")]
    redo: Vec<String>,
}

fn engine_parser() -> impl TypedValueParser<Value = EngineKind> {
    PossibleValuesParser::new(["local", "slurm"]).map(|name| match &*name {
        "slurm" => EngineKind::Slurm,
        _ => EngineKind::Local,
    })
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let experiment = arguments.files.read()?;
    let tasks = experiment.tasks()?;
    let database = arguments.files.database(&experiment);
    let mut store = Store::open(&database)?;
    store.register_anew(&experiment, &tasks, &arguments.redo)?;
    log_begin(&experiment, &store.overview()?, tasks.len());
    match arguments.engine.unwrap_or(experiment.engine.kind) {
        EngineKind::Local => make_here(&mut store, cores(arguments, &experiment), context)?,
        EngineKind::Slurm => {
            let message = "this build of hipot makes runs on this machine only: --engine local";
            return Err(Failure::Unsupported(message.to_owned()));
        }
    }
    let overview = store.overview()?;
    log_end(&store, &overview)?;
    context.limits.check()?;
    let report = Report::new(&overview, &database);
    context.reporter.write(&report, &overview.table())?;
    Ok(report.status)
}

fn cores(arguments: &Arguments, experiment: &Experiment) -> usize {
    let given = arguments.cores.or(experiment.engine.cores);
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    given.map_or_else(all, |cores| cores as usize)
}

/// Makes the runs on this machine.
fn make_here(store: &mut Store, cores: usize, context: &Context) -> Result<(), Failure> {
    let scratch = Scratch::new()?;
    let hipot = std::env::current_exe()
        .map_err(|error| Failure::Unreadable { file: PathBuf::from("/proc/self/exe"), error })?;
    let (machine, revision) = (machine(), format!("hipot {VERSION}"));
    let scratch_folder = scratch.path().to_owned();
    let executor = Executor { hipot, revision, machine, scratch: scratch_folder };
    let execute = |task: &Task, configuration: &Configuration, stop: &AtomicBool| {
        Ok(executor.execute(task, configuration, stop)?)
    };
    let mut follower = Follower::new(&store.overview()?, context.options.is_verbose());
    let should_stop = || context.limits.check().is_err();
    let made = run_local(store, cores, &execute, should_stop, |event| follower.see(&event));
    match made {
        // The limits tell why.
        Err(Error::Interrupted) => Ok(()),
        other => Ok(other?),
    }
}

/// Shows what happens.
struct Follower {
    line: Runs,
    begin: Instant,
    runs: u64,
    done: u64,
    solved: u64,
    /// Runs made since the beginning.
    made: u64,
}

impl Follower {
    fn new(overview: &Overview, verbose: bool) -> Self {
        let solved = overview.configurations.iter().map(|line| line.count(RunStatus::Solved));
        Self {
            line: Runs::new(verbose),
            begin: Instant::now(),
            runs: overview.runs,
            done: overview.done,
            solved: solved.sum(),
            made: 0,
        }
    }

    fn see(&mut self, event: &Event<'_>) {
        match event {
            Event::Began(claim) => {
                let (task, name) = (&claim.task, &claim.configuration.name);
                tracing::trace!("{}/{} {name} begins", task.domain, task.problem);
            }
            Event::Ended(record) => {
                self.done += 1;
                self.made += 1;
                self.solved += u64::from(record.status == RunStatus::Solved);
                self.log(record);
            }
            Event::Tick => {}
        }
        let (done, runs, solved) = (self.done, self.runs, self.solved);
        let left = self.seconds_left();
        self.line.show(|| {
            let left = left.map_or(String::new(), |left| format!(", about {} left", human(left)));
            format!("{done} of {runs} runs, {solved} solved{left}")
        });
    }

    /// If the rest goes as fast as what was made so far.
    fn seconds_left(&self) -> Option<f64> {
        let left = self.runs.saturating_sub(self.done);
        (self.made > 0).then(|| self.begin.elapsed().as_secs_f64() * left as f64 / self.made as f64)
    }

    fn log(&self, record: &Record) {
        let Record { domain, problem, configuration, status, reason, measures, .. } = record;
        let cost = measures.cost.map_or(String::new(), |cost| format!(", cost {cost}"));
        let reason = reason.as_ref().map_or(String::new(), |r| format!(" ({})", plain(r)));
        let (done, runs, seconds) = (self.done, self.runs, measures.wall_seconds);
        tracing::debug!(
            "{done}/{runs} {domain}/{problem} {configuration}: {status}{reason}{cost}, \
             {seconds:.2} s"
        );
    }
}

fn log_begin(experiment: &Experiment, overview: &Overview, tasks: usize) {
    let (name, configurations) = (&experiment.name, experiment.configurations.len());
    let (done, runs) = (overview.done, overview.runs);
    tracing::info!(
        "{name}: {tasks} tasks with {configurations} configurations, {done} of {runs} runs done"
    );
    if overview.set_aside > 0 {
        let rows = overview.set_aside;
        tracing::debug!(
            "{rows} rows of tasks or configurations that left the file are kept, and not shown"
        );
    }
}

fn log_end(store: &Store, overview: &Overview) -> Result<(), Failure> {
    let (name, done, runs) = (&overview.name, overview.done, overview.runs);
    tracing::info!("{name}: {done} of {runs} runs done");
    let others = store.claims_of_others()?;
    if others > 0 {
        tracing::info!("{others} runs are being made by others");
    }
    for hint in overview.hints() {
        tracing::warn!("{hint}");
    }
    Ok(())
}
