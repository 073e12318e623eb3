//! Options that mean the same everywhere.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{ArgAction, Args};
use hipot_lp::Library;
use hipot_partition::projection::Scope;
use hipot_task::{Limits, parse_size, parse_time};
use tracing::Level;

use crate::heuristic::LpSettings;
use crate::machine::available_memory;

#[derive(Clone, Debug, Args)]
pub(super) struct Options {
    /// End after this time with exit code 23: 30m, 1h 30m, 90s, or a number of seconds
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_time, help_heading = GLOBAL)]
    time_limit: Option<Duration>,

    /// End before more memory is resident, with exit code 22: 4G, 512M (K, M, G, T are powers of
    /// 1024) [default: what the machine has free]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size, help_heading = GLOBAL)]
    memory_limit: Option<u64>,

    /// Use at most N threads; so far one is used, whatever N is [default: 1]
    #[arg(long, global = true, value_name = "N", help_heading = GLOBAL, hide_default_value = true,
          default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    #[allow(dead_code, reason = "an upper limit; nothing uses more than one thread yet")]
    threads: u32,

    /// Seed of all that is random [default: 0]
    #[arg(long, global = true, value_name = "N", help_heading = GLOBAL, hide_default_value = true,
          default_value_t = 0)]
    pub(super) seed: u64,

    /// Print one JSON object on standard output and nothing else there
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(super) json: bool,

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
    /// Give the LP at most this time; then a lower dimension takes its place
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    lp_time_limit: Option<Duration>,

    /// End with the exit code of the limit where the LP asked for cannot be solved inside the
    /// limits, instead of taking fewer features or a lower dimension
    #[arg(long)]
    strict: bool,

    /// Solve LPs with this shared library of HiGHS, such as a build with CUDA (docs/gpu.md), where
    /// it pays: on a graphics card, large LPs and those with lp=pdlp
    #[arg(long, value_name = "PATH", value_parser = library_parser())]
    highs_library: Option<Library>,

    /// Write a certificate of the bound that the heuristic proves, for hipot verify
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    pub(super) certificate: Option<PathBuf>,
}

impl LpOptions {
    pub(super) fn settings(&self, options: &Options) -> LpSettings {
        LpSettings {
            time_limit: self.lp_time_limit,
            library: self.highs_library.unwrap_or_default(),
            seed: options.seed,
            is_strict: self.strict,
            shows_progress: true,
            scope: if self.certificate.is_some() { Scope::All } else { Scope::default() },
        }
    }
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

    /// Lines about limits that Downward Lab computes its scores from.
    pub(super) fn limit_lines(&self) -> Vec<String> {
        let time = self.time_limit.map(|limit| format!("time limit: {}s", limit.as_secs_f64()));
        let memory = self.memory_limit.map(|limit| format!("memory limit: {} MB", limit >> 20));
        let lines = time.iter().chain(&memory);
        lines.flat_map(|line| [format!("planner {line}"), format!("search {line}")]).collect()
    }

    /// The limits of a process that began at `begin`. Without a memory limit
    /// the machine's is taken, less a little for others.
    pub(super) fn limits(&self, begin: Instant) -> Limits {
        let deadline = self.time_limit.and_then(|limit| begin.checked_add(limit));
        let memory = self.memory_limit.or_else(|| available_memory().map(|free| free / 100 * 97));
        Limits::new(deadline, memory)
    }
}

/// A file to be written. Elsewhere `-` is the standard input, so it would be odd as the
/// name of a file.
pub(super) fn output_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.to_str() {
        Some("-") => Err("'-' is no file to write to; standard output cannot be named"),
        _ => Ok(path),
    })
}

/// Loads HiGHS where the command line names it, so that a library that cannot be
/// used is known before anything else is done.
fn library_parser() -> impl TypedValueParser<Value = Library> {
    PathBufValueParser::new().try_map(|path| Library::load(&path))
}
