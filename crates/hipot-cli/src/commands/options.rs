//! Options that several commands share.

use std::fmt::Display;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{ArgAction, Args};
use hipot::correspondence::best_function;
use hipot::events::Events;
use hipot::heuristic::Computed;
use hipot::potential_file::write_potential;
use hipot::settings::{Completeness, Settings};
use hipot::spec::Spec;
use hipot::{Failure, available_memory};
use hipot_lp::Library;
use hipot_partition::projection::AbstractStates;
use hipot_task::{Limits, Task, parse_memory, parse_time};
use tracing::Level;

use crate::progress::ProgressForm;

#[derive(Clone, Debug, Args)]
pub(super) struct Options {
    /// End after this time with exit code 23: 30m, 1h 30m, 90s, or a number of seconds
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_time, help_heading = GLOBAL)]
    time_limit: Option<Duration>,

    /// End after this processor time of all threads together, with exit code 23; on a busy machine
    /// it is fairer than elapsed time
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_time, help_heading = GLOBAL)]
    cpu_limit: Option<Duration>,

    /// End before more memory is resident, with exit code 22: 4G, 512M (K, M, G, T are powers of
    /// 1024) [default: what the machine has free]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_memory, help_heading = GLOBAL)]
    memory_limit: Option<u64>,

    /// Use at most N threads, for searches and for LPs over pairs; with several threads, the
    /// cost of a plan is the same, but the plan may be another one [default: 1]
    #[arg(long, global = true, value_name = "N", help_heading = GLOBAL, hide_default_value = true,
          default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) threads: u32,

    /// Seed of all random choices [default: 0]
    #[arg(long, global = true, value_name = "N", help_heading = GLOBAL, hide_default_value = true,
          default_value_t = 0)]
    pub(super) seed: u64,

    /// Print one JSON object on standard output and nothing else there
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(super) json: bool,

    /// The form of the progress on standard error
    #[arg(long, global = true, value_name = "FORM", help_heading = GLOBAL, value_enum,
          default_value_t = ProgressForm::Text)]
    pub(super) progress: ProgressForm,

    /// Log errors only
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = GLOBAL)]
    quiet: bool,

    /// Log more; twice for everything
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = GLOBAL)]
    verbose: u8,
}

/// Options of commands that compute a heuristic.
#[derive(Clone, Debug, Args)]
pub(super) struct LpOptions {
    /// Give the LP at most this time; then a lower dimension replaces it
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    lp_time_limit: Option<Duration>,

    /// If the LP cannot be solved within the limits, end with the limit's exit code, instead of
    /// using fewer features or a lower dimension
    #[arg(long)]
    strict: bool,

    /// Solve LPs with this shared library of HiGHS where that pays; for example, with a CUDA build
    /// (docs/gpu.md), large LPs and those with lp=pdlp on the GPU
    #[arg(long, value_name = "PATH", value_parser = library_parser())]
    highs_library: Option<Library>,

    /// Write a certificate of the bound that the heuristic proves, for hipot verify
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    pub(super) certificate: Option<PathBuf>,
}

impl LpOptions {
    pub(super) fn settings(&self, options: &Options, events: Events) -> Settings {
        let is_certified = self.certificate.is_some();
        Settings {
            lp_time_limit: self.lp_time_limit,
            library: self.highs_library.unwrap_or_default(),
            completeness: if self.strict { Completeness::Required } else { Completeness::Optional },
            seed: options.seed,
            threads: options.threads as usize,
            abstract_states: if is_certified {
                AbstractStates::All
            } else {
                AbstractStates::default()
            },
            events,
            ..Settings::default()
        }
    }
}

/// Options of commands about potential functions and cost partitionings.
#[derive(Clone, Debug, Args)]
pub(super) struct FunctionOptions {
    /// Write the potential function with the best bound, with all of its features, to this file
    /// (JSON), for hipot check and pot(features=FILE); of a cost partitioning, the function that it
    /// corresponds to
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    potential: Option<PathBuf>,
}

impl FunctionOptions {
    /// Refuses a heuristic that has no function to write.
    pub(super) fn check(&self, spec: &Spec) -> Result<(), Failure> {
        match self.potential {
            Some(_) if !spec.has_functions() => Err(no_potential(spec)),
            _ => Ok(()),
        }
    }

    /// Writes the function with the best bound.
    pub(super) fn write(&self, task: &Task, heuristic: &Computed) -> Result<(), Failure> {
        let Some(file) = &self.potential else { return Ok(()) };
        let function = best_function(task, heuristic)?.ok_or_else(|| no_potential(heuristic))?;
        write_potential(&function, file)
    }
}

fn no_potential(heuristic: &impl Display) -> Failure {
    Failure::Usage(format!(
        "--potential needs a potential heuristic such as pot(dim=2), or a cost partitioning; \
         {heuristic} has no function"
    ))
}

const GLOBAL: &str = "Options of all commands";

impl Options {
    pub(super) fn log_level(&self) -> Level {
        match (self.quiet, self.verbose) {
            (true, _) => Level::ERROR,
            (false, 0) => Level::INFO,
            (false, 1) => Level::DEBUG,
            (false, _) => Level::TRACE,
        }
    }

    pub(super) fn is_verbose(&self) -> bool {
        self.verbose > 0
    }

    /// The lines about limits from which Downward Lab computes its scores.
    pub(super) fn limit_lines(&self) -> Vec<String> {
        let time = self.time_limit.into_iter().chain(self.cpu_limit).min();
        let time = time.map(|limit| format!("time limit: {}s", limit.as_secs_f64()));
        let memory = self.memory_limit.map(|limit| format!("memory limit: {} MB", limit >> 20));
        let lines = time.iter().chain(&memory);
        lines.flat_map(|line| [format!("planner {line}"), format!("search {line}")]).collect()
    }

    /// The limits of a process that began at `begin`. The default memory limit is the
    /// machine's free memory, minus a little for others.
    pub(super) fn limits(&self, begin: Instant) -> Limits {
        let deadline = self.time_limit.and_then(|limit| begin.checked_add(limit));
        let memory = self.memory_limit.or_else(|| available_memory().map(|free| free / 100 * 97));
        Limits::new(deadline, memory).with_processor_limit(self.cpu_limit)
    }
}

/// A parser for a file to be written. Elsewhere `-` is standard input, so it is refused as a
/// file name. Its folder has to be there before any work is done.
pub(super) fn output_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if path.to_str() == Some("-") {
            return Err("'-' is not supported here; give a file name".to_owned());
        }
        if path.is_dir() {
            return Err("it is a folder; give a file name".to_owned());
        }
        match folder {
            Some(folder) if !folder.is_dir() => {
                Err(format!("there is no folder '{}'", folder.display()))
            }
            _ => Ok(path),
        }
    })
}

/// Loads HiGHS while the command line is parsed, so that an unusable library is reported
/// before anything else is done.
fn library_parser() -> impl TypedValueParser<Value = Library> {
    PathBufValueParser::new().try_map(|path| Library::load(&path))
}
