//! `hipot completions`.

use clap::{Args, Command};
use clap_complete::Shell;
use hipot::{Failure, Status};
use serde::Serialize;

use super::context::Context;
use super::examples::examples;

/// Print what a shell needs to complete commands and options
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot completions bash > hipot.bash      # then: source hipot.bash",
    "hipot completions zsh > _hipot           # into a folder of $fpath",
    "hipot completions fish > hipot.fish      # into ~/.config/fish/completions",
]))]
pub(super) struct Arguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// The result of `hipot completions`, schema `hipot.completions/1`.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    schema: &'static str,
    shell: String,
    /// What the shell has to read.
    script: &'a str,
}

impl Report<'_> {
    pub(super) const SCHEMA: &'static str = "hipot.completions/1";
}

/// Prints the completions of `command`, which is the whole command line.
pub(super) fn run(
    arguments: &Arguments,
    mut command: Command,
    context: &Context,
) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "hipot", &mut script);
    let script = String::from_utf8_lossy(&script);
    let report =
        Report { schema: Report::SCHEMA, shell: arguments.shell.to_string(), script: &script };
    context.reporter.write(&report, &script)?;
    Ok(Status::Complete)
}
