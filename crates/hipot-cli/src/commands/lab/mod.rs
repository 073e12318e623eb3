//! `hipot lab`.

mod failure;
mod files;
mod follow;
mod import;
mod report;
mod run;
mod scratch;
mod slurm;
mod state;
mod status;
mod supervise;
mod work;

use clap::{Args, Subcommand};
use hipot::{Failure, Status};

use super::context::Context;
use crate::commands::examples::examples;
use failure::LabFailure;
pub(super) use state::SCHEMA;

/// Run suites of tasks with configurations of planners, and report the results
///
/// An experiment is a TOML file; its results go into one SQLite file next to it.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot lab run experiment.toml",
    "hipot lab report experiment.toml",
]))]
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
    /// Run one planner on one task within limits: a job as JSON on standard input, the
    /// outcome as JSON on standard output
    #[command(hide = true)]
    Supervise,
    #[command(hide = true)]
    Work(work::Arguments),
}

impl Arguments {
    /// Runs the commands that are processes of the lab: before anything else is started in
    /// this process, and without its limits and signal handlers.
    pub(super) fn run_inner(&self) -> Option<u8> {
        match self.command {
            Command::Supervise => Some(supervise::run()),
            _ => None,
        }
    }
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let status = match &arguments.command {
        Command::Run(arguments) => run::run(arguments, context),
        Command::Status(arguments) => status::run(arguments, context),
        Command::Report(arguments) => report::run(arguments, context),
        Command::Import(arguments) => import::run(arguments, context),
        Command::Work(arguments) => work::run(arguments, context),
        Command::Supervise => unreachable!("an inner command"),
    };
    status.map_err(|LabFailure(failure)| failure)
}
