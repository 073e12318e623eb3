//! `hipot lab`: experiments over suites of tasks.

mod supervise;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Run planners on suites of tasks
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run one planner on one task inside limits: a job as JSON on standard input, the
    /// outcome as JSON on standard output
    #[command(hide = true)]
    Supervise,
}

impl Arguments {
    /// Runs those commands that are processes of the lab: before anything else is
    /// started in this one, and without its limits and signal handlers.
    pub(super) fn run_inner(&self) -> Option<ExitCode> {
        match self.command {
            Command::Supervise => Some(supervise::run()),
        }
    }
}
