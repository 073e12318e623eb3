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

/// Follows a search: a line that is drawn anew on a terminal, log lines at
/// most once a second elsewhere.
pub(crate) struct Progress<'a> {
    reporter: &'a Reporter,
    begin: Instant,
    line: Option<ProgressBar>,
    interval: Duration,
    next: Instant,
}

impl<'a> Progress<'a> {
    /// `verbose`: log every f layer instead of drawing a line.
    pub(crate) fn new(reporter: &'a Reporter, verbose: bool) -> Self {
        let draws = io::stderr().is_terminal() && tracing::enabled!(Level::INFO) && !verbose;
        let line = draws.then(|| {
            let style = ProgressStyle::with_template("{spinner} {wide_msg}");
            ProgressBar::new_spinner().with_style(style.expect("a valid template"))
        });
        let interval = match (draws, verbose) {
            (true, _) => Duration::from_millis(100),
            (false, true) => Duration::ZERO,
            (false, false) => Duration::from_secs(1),
        };
        let begin = Instant::now();
        Self { reporter, begin, line, interval, next: begin + interval }
    }

    fn show(&mut self, f: u64, statistics: &Statistics) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + self.interval;
        let milliseconds = self.begin.elapsed().as_millis().max(1) as u64;
        let rate = statistics.expanded.saturating_mul(1000) / milliseconds;
        let memory =
            resident_bytes().map_or(String::new(), |used| format!(", {}", HumanBytes(used)));
        let expanded = HumanCount(statistics.expanded);
        let message =
            format!("f = {f}, {expanded} expanded, {} states/s{memory}", HumanCount(rate));
        if let Some(line) = &self.line {
            line.set_message(message);
            line.tick();
        } else {
            tracing::info!("{message}");
        }
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
        if !self.interval.is_zero() {
            self.show(f, statistics);
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}
