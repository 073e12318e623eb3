//! The commands.

mod bound;
mod check;
mod explain;
mod generate;
mod lab;
mod options;
mod solve;
mod translate;
mod validate;
mod verify;

use std::ffi::OsString;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};
use hipot_task::Limits;

use crate::explain::Explanation;
use crate::failure::{Failure, Status};
use crate::input::{Input, read_task};
use crate::progress::Grounding;
use crate::report::{BoundReport, SolveReport};
use crate::reporter::{Form, Reporter, usage_error};
use crate::verdict::{ValidateReport, VerifyReport};
use crate::{VERSION, progress, watch};
use options::Options;

/// A cost-optimal classical planner.
#[derive(Debug, Parser)]
#[command(name = "hipot", version = VERSION, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 done, 1 invalid, 2 wrong command line, 11 no plan exists, \
                        22 out of memory, 23 out of time, 31 bad input, 32 defect in hipot, \
                        34 unsupported feature, 130 interrupted.")]
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
    Check(check::Arguments),
    Explain(explain::Arguments),
    Generate(generate::Arguments),
    Lab(lab::Arguments),
}

impl Command {
    fn schema(&self) -> &'static str {
        match self {
            Self::Solve(_) => SolveReport::SCHEMA,
            Self::Bound(_) => BoundReport::SCHEMA,
            Self::Verify(_) => VerifyReport::SCHEMA,
            Self::Validate(_) => ValidateReport::SCHEMA,
            Self::Translate(_) => translate::Report::SCHEMA,
            Self::Check(_) => check::Report::SCHEMA,
            Self::Explain(_) => Explanation::SCHEMA,
            Self::Generate(_) => generate::Report::SCHEMA,
            Self::Lab(_) => lab::SCHEMA,
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

    /// How long it may take to end after it was asked to.
    fn grace(&self) -> Duration {
        if matches!(self, Self::Lab(_)) { watch::LONG_GRACE } else { watch::GRACE }
    }
}

/// What every command is given.
struct Context {
    /// This program's file.
    program: PathBuf,
    options: Options,
    limits: Limits,
    reporter: Arc<Reporter>,
}

impl Context {
    /// Reads a task, and shows how far its grounding has come.
    fn read_task(&self, files: &[PathBuf]) -> Result<Input, Failure> {
        let input = read_task(files, &self.limits, &mut Grounding::new())?;
        self.limits.check()?;
        Ok(input)
    }
}

/// Runs the command line that this process was started with.
pub fn main() -> ExitCode {
    let program = std::env::current_exe().map(PathBuf::into_os_string);
    let program = program.unwrap_or_else(|_| "hipot".into());
    ExitCode::from(run_command(program, std::env::args_os().skip(1)))
}

/// Runs a command line and gives the exit code; `program` is the file with which the lab
/// can start this program again. It takes
/// over standard output and the signals; it ends the process itself where a limit
/// is not kept otherwise, and where there is nothing to run but help to print.
pub fn run_command(program: OsString, arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let begin = Instant::now();
    let words: Vec<OsString> = [OsString::from("hipot")].into_iter().chain(arguments).collect();
    let Cli { command, options } = Cli::try_parse_from(&words).unwrap_or_else(|error| {
        if error.use_stderr() && words.iter().any(|word| word == "--json") {
            let _ = io::stdout().write_all(usage_error(first_line(&error)).as_bytes());
        }
        error.exit()
    });
    if let Command::Lab(arguments) = &command
        && let Some(code) = arguments.run_inner()
    {
        return code;
    }
    let reporter = Reporter::new(command.schema(), command.form(&options), begin);
    let reporter = Arc::new(reporter);
    progress::init_logs(options.log_level(), begin, reporter.log_file());
    let limits = options.limits(begin);
    progress::tell_bounds_to(&reporter);
    reporter.log(options.limit_lines());
    watch::start(&limits, &reporter, command.grace());
    let program = PathBuf::from(program);
    let context = Context { program, options, limits, reporter: Arc::clone(&reporter) };
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
        Command::Check(arguments) => check::run(&arguments, context),
        Command::Explain(arguments) => explain::run(&arguments, context),
        Command::Generate(arguments) => generate::run(&arguments, context),
        Command::Lab(arguments) => lab::run(&arguments, context),
    }
}

/// Whether `hipot solve` would take these arguments, and if not, why.
fn check_command_line(arguments: impl IntoIterator<Item = String>) -> Result<(), String> {
    let words = ["hipot", "solve"].map(str::to_owned).into_iter().chain(arguments);
    Cli::try_parse_from(words).map(|_| ()).map_err(|error| first_line(&error))
}

/// What is wrong with a command line, in short.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    first.trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
