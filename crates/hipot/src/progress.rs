//! Logs and the progress line, both on standard error.

use std::fmt;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use hipot_search::{Observer, Statistics};
use hipot_task::resident_bytes;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use tracing::Level;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

use crate::reporter::Reporter;

/// Sends logs up to `level` to standard error, with the time since `begin`.
pub(crate) fn init_logs(level: Level, begin: Instant) {
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_timer(Since(begin))
        .with_target(false)
        .with_level(false)
        .with_ansi(false)
        .with_writer(io::stderr)
        .init();
}

struct Since(Instant);

impl FormatTime for Since {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "[{:.3}s]", self.0.elapsed().as_secs_f64())
    }
}

/// A line that is drawn anew on a terminal, log lines at most once a second
/// elsewhere.
struct Line {
    bar: Option<ProgressBar>,
    interval: Duration,
    next: Instant,
}

impl Line {
    /// `verbose`: log every message instead of drawing a line.
    fn new(verbose: bool) -> Self {
        let draws = io::stderr().is_terminal() && tracing::enabled!(Level::INFO) && !verbose;
        let bar = draws.then(|| {
            let style = ProgressStyle::with_template("{spinner} {wide_msg}");
            ProgressBar::new_spinner().with_style(style.expect("a valid template"))
        });
        let interval = match (draws, verbose) {
            (true, _) => Duration::from_millis(100),
            (false, true) => Duration::ZERO,
            (false, false) => Duration::from_secs(1),
        };
        Self { bar, interval, next: Instant::now() + interval }
    }

    fn show(&mut self, message: impl FnOnce() -> String) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + self.interval;
        match &self.bar {
            Some(bar) => {
                bar.set_message(message());
                bar.tick();
            }
            None => tracing::info!("{}", message()),
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The memory in use, to end a message with.
fn memory() -> String {
    resident_bytes().map_or(String::new(), |used| format!(", {}", HumanBytes(used)))
}

/// Follows the grounding of a PDDL task.
pub(crate) struct Grounding(Line);

impl Grounding {
    pub(crate) fn new() -> Self {
        Self(Line::new(false))
    }
}

impl hipot_translate::Observer for Grounding {
    fn reached(&mut self, facts: usize, operators: usize) {
        self.0.show(|| {
            let (facts, operators) = (HumanCount(facts as u64), HumanCount(operators as u64));
            format!("grounding: {facts} facts, {operators} operators{}", memory())
        });
    }
}

/// Follows a search.
pub(crate) struct Progress<'a> {
    reporter: &'a Reporter,
    begin: Instant,
    line: Line,
}

impl<'a> Progress<'a> {
    /// `verbose`: log every f layer instead of drawing a line.
    pub(crate) fn new(reporter: &'a Reporter, verbose: bool) -> Self {
        Self { reporter, begin: Instant::now(), line: Line::new(verbose) }
    }

    fn show(&mut self, f: u64, statistics: &Statistics) {
        let begin = self.begin;
        self.line.show(|| {
            let milliseconds = begin.elapsed().as_millis().max(1) as u64;
            let rate = HumanCount(statistics.expanded.saturating_mul(1000) / milliseconds);
            let expanded = HumanCount(statistics.expanded);
            format!("f = {f}, {expanded} expanded, {rate} states/s{}", memory())
        });
    }
}

impl Observer for Progress<'_> {
    fn layer(&mut self, f: u64, statistics: &Statistics) {
        self.reporter.prove(f);
        self.show(f, statistics);
    }

    fn progress(&mut self, f: u64, statistics: &Statistics) {
        let seconds = self.begin.elapsed().as_secs_f64();
        tracing::trace!("search: expanded={} seconds={seconds:.6}", statistics.expanded);
        if !self.line.interval.is_zero() {
            self.show(f, statistics);
        }
    }
}
