//! `hipot lab`.

mod import;
mod report;
mod run;
mod slurm;
mod status;
mod supervise;
mod work;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use hipot_lab::{Experiment, Overview};
use serde::Serialize;

use super::Context;
use crate::failure::{Failure, Status};

/// What `lab run` and `lab status` print.
pub(super) const SCHEMA: &str = "hipot.lab/1";

/// Run suites of tasks with configurations of planners, and report what came out
///
/// An experiment is a TOML file; its results go into one SQLite file beside it.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Arguments),
    Status(status::Arguments),
    Report(report::Arguments),
    Import(import::Arguments),
    /// Run one planner on one task inside limits: a job as JSON on standard input, the
    /// outcome as JSON on standard output
    #[command(hide = true)]
    Supervise,
    #[command(hide = true)]
    Work(work::Arguments),
}

impl Arguments {
    /// Runs those commands that are processes of the lab: before anything else is
    /// started in this one, and without its limits and signal handlers.
    pub(super) fn run_inner(&self) -> Option<u8> {
        match self.command {
            Command::Supervise => Some(supervise::run()),
            _ => None,
        }
    }
}

/// The files of an experiment.
#[derive(Debug, Args)]
struct Files {
    /// The experiment (TOML)
    experiment: PathBuf,

    /// Its results [default: EXPERIMENT.sqlite beside it]
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
}

impl Files {
    /// Reads the experiment file, and checks what only this program can: what `hipot solve`
    /// would say to the configurations that are run with it.
    fn read(&self) -> Result<Experiment, Failure> {
        let experiment = Experiment::read(&self.experiment)?;
        experiment.check_heuristics(|heuristic, options| {
            // What every run adds: options that say it again are refused here.
            let own = [
                "--json",
                "--strict",
                "--time-limit",
                "1",
                "--memory-limit",
                "1G",
                "--plan-file",
                "plan",
            ];
            let words = own.into_iter().chain(["--heuristic", heuristic]).map(str::to_owned);
            super::check_command_line(words.chain(options.iter().cloned()).chain(["-".to_owned()]))
        })?;
        Ok(experiment)
    }

    fn database(&self, experiment: &Experiment) -> PathBuf {
        self.database.clone().unwrap_or_else(|| experiment.database())
    }
}

/// How far an experiment is, schema `hipot.lab/1`.
#[derive(Debug, Serialize)]
struct Report<'a> {
    schema: &'static str,
    status: Status,
    database: &'a Path,
    #[serde(flatten)]
    overview: &'a Overview,
}

impl<'a> Report<'a> {
    fn new(overview: &'a Overview, database: &'a Path) -> Self {
        let is_complete = overview.done == overview.runs;
        let status = if is_complete { Status::Complete } else { Status::Incomplete };
        Self { schema: SCHEMA, status, database, overview }
    }
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    match &arguments.command {
        Command::Run(arguments) => run::run(arguments, context),
        Command::Status(arguments) => status::run(arguments, context),
        Command::Report(arguments) => report::run(arguments, context),
        Command::Import(arguments) => import::run(arguments, context),
        Command::Work(arguments) => work::run(arguments, context),
        Command::Supervise => unreachable!("an inner command"),
    }
}
