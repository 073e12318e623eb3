//! The progress of a run: a line that is redrawn on a terminal, log lines elsewhere.
//!
//! One [`Terminal`] sees all events of a run and shows one stage at a time. It is shared by
//! the thread that works and by the one that ends the process at a limit, which clears the
//! line first. So the line is behind a lock; log lines are written outside of it, because
//! a reader of standard error that is stuck must not keep the process from ending.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hipot::events::Event;
use hipot_task::resident_bytes;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use tracing::Level;

/// The time between two drawings of the line.
const DRAW_INTERVAL: Duration = Duration::from_millis(100);

/// The time between two log lines, and between two about the runs of an experiment.
const LOG_INTERVAL: Duration = Duration::from_secs(1);
#[cfg(feature = "lab")]
const RUNS_LOG_INTERVAL: Duration = Duration::from_secs(30);

/// A message, cut or filled up to the terminal's width, and the cursor three columns back:
/// if the user interrupts, the terminal writes `^C` there. At the end of the line it would
/// begin another one, and that one would be cleared instead.
const TEMPLATE: &str = "{spinner} {wide_msg}\u{1b}[3D";

/// What the line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Grounding,
    Lp,
    Search,
    #[cfg(feature = "lab")]
    Runs,
}

/// Shows the progress of a run on standard error.
#[derive(Debug)]
pub(crate) struct Terminal {
    /// Whether more is logged; then no line is drawn between the log lines.
    is_verbose: bool,
    line: Mutex<Option<Line>>,
}

/// The progress of one stage.
#[derive(Debug)]
struct Line {
    stage: Stage,
    begin: Instant,
    /// The line on a terminal; `None` if progress is logged.
    bar: Option<ProgressBar>,
    interval: Duration,
    next: Instant,
}

impl Terminal {
    pub(crate) fn new(is_verbose: bool) -> Self {
        Self { is_verbose, line: Mutex::new(None) }
    }

    /// Shows an event.
    pub(crate) fn see(&self, event: &Event<'_>) {
        match event {
            Event::Grounding(hipot_translate::Progress { facts, operators }) => {
                self.show(Stage::Grounding, |_| {
                    let [facts, operators] = [facts, operators].map(|&it| HumanCount(it as u64));
                    format!("grounding: {facts} facts, {operators} operators{}", memory())
                });
            }
            Event::Lp(progress) => {
                self.show(Stage::Lp, |elapsed| lp_message(progress, elapsed));
            }
            Event::Search(progress) => self.see_search(progress),
            Event::LpEnded | Event::Heuristic(_) => self.clear(),
            Event::Bound(_) => {}
        }
    }

    /// Verbose logs have a line for each f layer and nothing in between.
    fn see_search(&self, progress: &hipot_search::Progress<'_>) {
        let (f, expanded) = (progress.f, progress.statistics.expanded);
        if progress.is_new_layer || !self.is_verbose {
            self.show(Stage::Search, |elapsed| {
                let milliseconds = elapsed.as_millis().max(1) as u64;
                let rate = HumanCount(expanded.saturating_mul(1000) / milliseconds);
                let expanded = HumanCount(expanded);
                format!("f = {f}, {expanded} expanded, {rate} states/s{}", memory())
            });
        }
        if !progress.is_new_layer && tracing::enabled!(Level::TRACE) {
            // For experiments, which compute rates.
            let begin = self.lock().as_ref().map(|line| line.begin);
            let seconds = begin.map_or(0.0, |begin| begin.elapsed().as_secs_f64());
            tracing::trace!("search: expanded={expanded} seconds={seconds:.6}");
        }
    }

    /// Shows how far the runs of an experiment are.
    #[cfg(feature = "lab")]
    pub(crate) fn show_runs(&self, message: impl FnOnce() -> String) {
        self.show(Stage::Runs, |_| message());
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        *self.lock() = None;
    }

    /// Shows a message, made from the time since the stage began, if it is due.
    fn show(&self, stage: Stage, message: impl FnOnce(Duration) -> String) {
        let mut current = self.lock();
        if current.as_ref().is_none_or(|line| line.stage != stage) {
            // The old line is cleared before the new one is drawn.
            *current = None;
            *current = Some(Line::new(stage, self.is_verbose));
        }
        let Some(line) = current.as_mut() else { return };
        if !line.is_due() {
            return;
        }
        let message = message(line.begin.elapsed());
        if let Some(bar) = &line.bar {
            bar.set_message(message);
            bar.tick();
        } else {
            drop(current);
            tracing::info!("{message}");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Line>> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    fn new(stage: Stage, is_verbose: bool) -> Self {
        let may_draw = stage == Stage::Grounding || !is_verbose;
        let draws = may_draw && io::stderr().is_terminal() && tracing::enabled!(Level::INFO);
        let bar = draws.then(|| {
            let style = ProgressStyle::with_template(TEMPLATE);
            ProgressBar::new_spinner().with_style(style.expect("a valid template"))
        });
        let interval = match stage {
            _ if draws => DRAW_INTERVAL,
            Stage::Search if is_verbose => Duration::ZERO,
            #[cfg(feature = "lab")]
            Stage::Runs => RUNS_LOG_INTERVAL,
            _ => LOG_INTERVAL,
        };
        let begin = Instant::now();
        Self { stage, begin, bar, interval, next: begin + interval }
    }

    /// Whether it is time for a message.
    fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let is_due = now >= self.next;
        if is_due {
            self.next = now + self.interval;
        }
        is_due
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

#[cfg(test)]
mod tests {
    use hipot_lp::Method;
    use hipot_lp::Size;

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
