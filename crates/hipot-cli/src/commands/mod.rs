//! The commands.
//!
//! Each command is a module with its `Arguments` and a function `run`. All of them get a
//! `Context`: limits, where the result goes, and who is told what happens.

mod bound;
mod check_potential;
mod completions;
mod context;
mod examples;
mod explain;
mod export;
mod generate;
mod heuristics;
#[cfg_attr(not(feature = "lab"), path = "without_lab.rs")]
mod lab;
mod lint;
mod log;
mod lp_files;
mod lsp;
mod manual;
mod options;
mod plan_file;
mod serve;
mod solve;
mod translate;
mod validate;
mod verify;
mod wrong_words;

use std::ffi::OsString;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{CommandFactory, Parser, Subcommand};
use hipot::report::{BoundReport, SolveReport};
use hipot::verdict::{ValidateReport, VerifyReport};
use hipot::{Failure, Status};

use crate::explain::Explanation;
use crate::progress::Terminal;
use crate::reporter::{Form, Reporter, usage_error};
use crate::version::VERSION;
use crate::{logs, watch};
use context::Context;
use options::Options;
use wrong_words::{in_one_line, with_tip};

/// A cost-optimal classical planner.
#[derive(Debug, Parser)]
#[command(name = "hipot", version = VERSION, max_term_width = 100, arg_required_else_help = true)]
#[command(
    after_help = "'hipot help COMMAND' explains a command, with examples; 'hipot help heuristics' lists \
                        all heuristics.\n\nExit codes: 0 done, 1 invalid, 2 wrong command line, 11 no plan exists, \
                        22 out of memory, 23 out of time, 31 bad input, 32 defect in hipot, \
                        34 unsupported feature, 130 interrupted."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::Arguments),
    Bound(bound::Arguments),
    Verify(verify::Arguments),
    Validate(validate::Arguments),
    Translate(translate::Arguments),
    Check(check_potential::Arguments),
    Explain(explain::Arguments),
    Export(export::Arguments),
    Generate(generate::Arguments),
    Heuristics(heuristics::Arguments),
    Lint(lint::Arguments),
    Lsp(lsp::Arguments),
    Serve(serve::Arguments),
    Lab(lab::Arguments),
    Completions(completions::Arguments),
    Manual(manual::Arguments),
}

impl Command {
    fn schema(&self) -> &'static str {
        match self {
            Self::Solve(_) => SolveReport::SCHEMA,
            Self::Bound(_) => BoundReport::SCHEMA,
            Self::Verify(_) => VerifyReport::SCHEMA,
            Self::Validate(_) => ValidateReport::SCHEMA,
            Self::Translate(_) => translate::Report::SCHEMA,
            Self::Check(_) => check_potential::Report::SCHEMA,
            Self::Explain(_) => Explanation::SCHEMA,
            Self::Export(_) => export::Report::SCHEMA,
            Self::Generate(_) => generate::Report::SCHEMA,
            Self::Heuristics(_) => heuristics::Report::SCHEMA,
            Self::Lint(_) => lint::Report::SCHEMA,
            // It prints nothing of its own.
            Self::Lsp(_) => "hipot.lsp/1",
            Self::Serve(_) => serve::Report::SCHEMA,
            Self::Lab(_) => lab::SCHEMA,
            Self::Completions(_) => completions::Report::SCHEMA,
            Self::Manual(_) => manual::Report::SCHEMA,
        }
    }

    /// How its results are written.
    fn form(&self, options: &Options) -> Form {
        match self {
            Self::Solve(arguments) if arguments.downward_log => Form::Log,
            _ if options.json => Form::Json,
            _ => Form::Text,
        }
    }

    /// How long it may take to end after it was asked to stop.
    fn grace(&self) -> Duration {
        if matches!(self, Self::Lab(_) | Self::Serve(_)) { watch::LONG_GRACE } else { watch::GRACE }
    }
}

/// Runs the command line that this process was started with.
pub fn main() -> ExitCode {
    let program = std::env::current_exe().map(PathBuf::into_os_string);
    let program = program.unwrap_or_else(|_| "hipot".into());
    ExitCode::from(run_command(program, std::env::args_os().skip(1)))
}

/// Runs a command line and returns the exit code. `program` is the file that starts this
/// program, for the lab. Takes over standard output and signals. Ends the process itself if
/// a limit is reached and the command does not end in time, and if there is only help to
/// print.
pub fn run_command(program: OsString, arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let begin = Instant::now();
    let words: Vec<OsString> = [OsString::from("hipot")].into_iter().chain(arguments).collect();
    let Cli { command, options } = Cli::try_parse_from(&words).unwrap_or_else(|error| {
        if error.use_stderr() && words.iter().any(|word| word == "--json") {
            let _ = io::stdout().write_all(usage_error(in_one_line(&error)).as_bytes());
        }
        with_tip(error).exit()
    });
    if let Command::Lab(arguments) = &command
        && let Some(code) = arguments.run_inner()
    {
        return code;
    }
    let limits = options.limits(begin);
    let terminal =
        Arc::new(Terminal::new(options.progress, options.is_verbose(), begin, limits.clone()));
    let (schema, form) = (command.schema(), command.form(&options));
    let reporter = Arc::new(Reporter::new(schema, form, begin, Arc::clone(&terminal)));
    logs::init(options.log_level(), begin, reporter.log_file());
    reporter.log(options.limit_lines());
    watch::start(&limits, &reporter, command.grace());
    let context = Context {
        program: PathBuf::from(program),
        options,
        limits,
        events: context::events(&terminal, &reporter),
        reporter: Arc::clone(&reporter),
        terminal,
        check_solve_arguments,
    };
    let ended = catch_unwind(AssertUnwindSafe(|| run(command, &context)));
    let status = match ended {
        Ok(Ok(status)) => status,
        Ok(Err(failure)) => {
            reporter.write_failure(&failure);
            failure.status()
        }
        Err(_) => {
            reporter.write_defect();
            Status::InternalError
        }
    };
    reporter.log_exit_code(status);
    status.exit_code()
}

fn run(command: Command, context: &Context) -> Result<Status, Failure> {
    match command {
        Command::Solve(arguments) => solve::run(&arguments, context),
        Command::Bound(arguments) => bound::run(&arguments, context),
        Command::Verify(arguments) => verify::run(&arguments, context),
        Command::Validate(arguments) => validate::run(&arguments, context),
        Command::Translate(arguments) => translate::run(&arguments, context),
        Command::Check(arguments) => check_potential::run(&arguments, context),
        Command::Explain(arguments) => explain::run(&arguments, context),
        Command::Export(arguments) => export::run(&arguments, context),
        Command::Generate(arguments) => generate::run(&arguments, context),
        Command::Heuristics(arguments) => heuristics::run(&arguments, context),
        Command::Lint(arguments) => lint::run(&arguments, context),
        Command::Lsp(arguments) => lsp::run(&arguments, context),
        Command::Serve(arguments) => serve::run(&arguments, context),
        Command::Lab(arguments) => lab::run(&arguments, context),
        Command::Completions(arguments) => completions::run(&arguments, Cli::command(), context),
        Command::Manual(arguments) => manual::run(&arguments, Cli::command(), context),
    }
}

/// Checks whether `hipot solve` would accept these arguments, and says why not.
fn check_solve_arguments(arguments: Vec<String>) -> Result<(), String> {
    let words = ["hipot", "solve"].map(str::to_owned).into_iter().chain(arguments);
    Cli::try_parse_from(words).map(|_| ()).map_err(|error| in_one_line(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
