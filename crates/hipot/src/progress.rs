//! Logs and the progress line, both on standard error if nothing else is asked for.

use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use hipot_search::{Observer, Statistics};
use hipot_task::resident_bytes;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle, WeakProgressBar};
use tracing::Level;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::fmt::writer::BoxMakeWriter;

use crate::reporter::Reporter;

/// Sends logs up to `level` to a file, or else to standard error, with the time since
/// `begin`.
pub(crate) fn init_logs(level: Level, begin: Instant, file: Option<File>) {
    let writer = match file {
        Some(file) => BoxMakeWriter::new(file),
        None => BoxMakeWriter::new(io::stderr),
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_timer(Since(begin))
        .with_target(false)
        .with_level(false)
        .with_ansi(false)
        .with_writer(writer)
        // Whoever reads standard output may go away.
        .log_internal_errors(false)
        .init();
}

struct Since(Instant);

impl FormatTime for Since {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "[{:.3}s]", self.0.elapsed().as_secs_f64())
    }
}

/// How often log lines take the place of a line that is drawn.
const SECOND: Duration = Duration::from_secs(1);

/// A message, cut or filled up to the terminal's width, and the cursor three
/// columns back: where the user interrupts, the terminal writes `^C` there, and
/// at the end of the line it would begin another, which is then the one cleared.
const TEMPLATE: &str = "{spinner} {wide_msg}\u{1b}[3D";

/// The line that is drawn now.
static DRAWN: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

/// Removes the line that is drawn now, for a process that ends here.
pub(crate) fn clear() {
    let drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(bar) = drawn.and_then(|bar| bar.upgrade()) {
        bar.finish_and_clear();
    }
}

/// A line that is drawn anew on a terminal, log lines now and then elsewhere.
struct Line {
    bar: Option<ProgressBar>,
    interval: Duration,
    next: Instant,
}

impl Line {
    /// `may_draw`: where there is a terminal; elsewhere a message is logged
    /// after each `interval` at most.
    fn new(may_draw: bool, interval: Duration) -> Self {
        let draws = may_draw && io::stderr().is_terminal() && tracing::enabled!(Level::INFO);
        let bar = draws.then(|| {
            let style = ProgressStyle::with_template(TEMPLATE);
            ProgressBar::new_spinner().with_style(style.expect("a valid template"))
        });
        if let Some(bar) = &bar {
            *DRAWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.downgrade());
        }
        let interval = if draws { Duration::from_millis(100) } else { interval };
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
        Self(Line::new(true, SECOND))
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

/// Who is told bounds that an LP has proved so far; nobody in a library.
static REPORTER: OnceLock<Arc<Reporter>> = OnceLock::new();

/// Bounds that LPs prove from now on are told to `reporter`.
pub(crate) fn tell_bounds_to(reporter: &Arc<Reporter>) {
    let _ = REPORTER.set(Arc::clone(reporter));
}

/// Follows an LP.
pub(crate) struct Lp {
    begin: Instant,
    line: Mutex<Line>,
}

impl Lp {
    /// Shows how far an LP is until it is dropped. With the messages for those who
    /// want to know more, about what was tried, no line is drawn between them.
    pub(crate) fn observer() -> hipot_potential::Observer {
        let line = Line::new(!tracing::enabled!(Level::DEBUG), SECOND);
        let lp = Self { begin: Instant::now(), line: Mutex::new(line) };
        hipot_potential::Observer::new(move |progress| lp.show(&progress))
    }

    fn show(&self, progress: &hipot_potential::Progress) {
        if let (Some(reporter), Some(bound)) = (REPORTER.get(), progress.certified) {
            reporter.prove(bound);
        }
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        line.show(|| lp_message(progress, self.begin.elapsed()));
    }
}

/// What changes comes first: a narrow terminal cuts the rest.
fn lp_message(progress: &hipot_potential::Progress, elapsed: Duration) -> String {
    let mut parts = Vec::new();
    if let (Some(primal), Some(dual)) = (progress.primal, progress.dual) {
        parts.push(gap(primal.min(dual), primal.max(dual)));
    }
    parts.extend(progress.certified.map(|bound| format!("certified {bound}")));
    let method = progress.method.name();
    parts.push(match progress.iterations {
        Some(iterations) => format!("{method} {} iterations", HumanCount(iterations as u64)),
        None => format!("{method} {} s", elapsed.as_secs()),
    });
    parts.push(format!("{} rows", HumanCount(progress.size.rows)));
    parts.push(format!("{} features", HumanCount(progress.weights as u64)));
    format!("LP: {}", parts.join(", "))
}

/// Two values, with as many digits as it takes to tell them apart.
fn gap(low: f64, high: f64) -> String {
    let least = usize::from(high.abs() < 1000.0);
    let pairs = (least..=6).map(|digits| [low, high].map(|value| format!("{value:.digits$}")));
    match pairs.into_iter().find(|[low, high]| low != high) {
        Some([low, high]) => format!("{low} to {high}"),
        None => format!("{low:.6}"),
    }
}

/// Follows the runs of an experiment.
pub(crate) struct Runs(Line);

impl Runs {
    /// `verbose`: every run is logged, and no line is drawn between them.
    pub(crate) fn new(verbose: bool) -> Self {
        Self(Line::new(!verbose, Duration::from_secs(30)))
    }

    /// What the line says next.
    pub(crate) fn show(&mut self, message: impl FnOnce() -> String) {
        self.0.show(message);
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
        let interval = if verbose { Duration::ZERO } else { SECOND };
        Self { reporter, begin: Instant::now(), line: Line::new(!verbose, interval) }
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

#[cfg(test)]
mod tests {
    use hipot_lp::Method;
    use hipot_potential::model::Size;

    use super::*;

    #[test]
    fn what_is_known_of_an_lp_is_shown() {
        let mut progress = hipot_potential::Progress {
            size: Size { rows: 116_227, columns: 50_000, nonzeros: 400_000 },
            weights: 38_739,
            method: Method::HiPdlp,
            iterations: Some(4200),
            primal: Some(14.6),
            dual: Some(13.2),
            certified: Some(12),
        };
        let after = Duration::from_secs_f64(7.9);
        let expected = "LP: 13.2 to 14.6, certified 12, hipdlp 4,200 iterations, \
                        116,227 rows, 38,739 features";
        assert_eq!(lp_message(&progress, after), expected);
        (progress.method, progress.iterations) = (Method::Pdlp, None);
        (progress.primal, progress.dual, progress.certified) = (None, None, None);
        assert_eq!(lp_message(&progress, after), "LP: pdlp 7 s, 116,227 rows, 38,739 features");
    }

    #[test]
    fn a_gap_has_the_digits_that_it_needs() {
        assert_eq!(gap(13.2, 14.64), "13.2 to 14.6");
        assert_eq!(gap(13.9987, 14.0001), "13.999 to 14.000");
        assert_eq!(gap(-99_000.4, 123_456.7), "-99000 to 123457");
        assert_eq!(gap(14.0, 14.000_000_01), "14.000000");
    }
}
