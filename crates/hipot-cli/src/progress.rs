//! The progress of a run: a line that is redrawn on a terminal, log lines elsewhere.
//!
//! One [`Terminal`] sees all events of a run and shows one stage at a time. It is shared by
//! the thread that works and by the one that ends the process at a limit, which clears the
//! line first. So the line is behind a lock; log lines are written outside of it, because
//! a reader of standard error that is stuck must not keep the process from ending.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
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

/// The longest time between two log lines about an LP.
const MAX_LOG_INTERVAL: Duration = Duration::from_secs(60);
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
    /// The cost of the best plan; the largest number if there is none.
    plan: AtomicU64,
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
    /// The last bound that was shown.
    bound: Option<u64>,
}

impl Terminal {
    pub(crate) fn new(is_verbose: bool) -> Self {
        Self { is_verbose, line: Mutex::new(None), plan: AtomicU64::new(u64::MAX) }
    }

    /// Shows an event.
    pub(crate) fn see(&self, event: &Event<'_>) {
        match event {
            Event::Grounding(hipot_translate::Progress { facts, operators }) => {
                self.show(Stage::Grounding, None, |_| {
                    let [facts, operators] = [facts, operators].map(|&it| HumanCount(it as u64));
                    format!("grounding: {facts} facts, {operators} operators{}", memory())
                });
            }
            Event::Lp(progress) => {
                self.show(Stage::Lp, progress.certified, |elapsed| lp_message(progress, elapsed));
            }
            Event::Search(progress) => self.see_search(progress),
            Event::LpEnded | Event::Heuristic(_) => self.clear(),
            Event::Plan(plan) => {
                self.clear();
                self.plan.store(plan.cost, Ordering::Relaxed);
            }
            Event::Bound(_) => {}
        }
    }

    /// Verbose logs have a line for each f layer and nothing in between.
    fn see_search(&self, progress: &hipot_search::Progress<'_>) {
        let (f, expanded) = (progress.f, progress.statistics.expanded);
        if progress.is_new_layer || !self.is_verbose {
            self.show(Stage::Search, None, |elapsed| {
                let milliseconds = elapsed.as_millis().max(1) as u64;
                let rate = HumanCount(expanded.saturating_mul(1000) / milliseconds);
                let expanded = HumanCount(expanded);
                let plan = match self.plan.load(Ordering::Relaxed) {
                    u64::MAX => String::new(),
                    cost => format!(" (best plan: {cost})"),
                };
                format!("f = {f}{plan}, {expanded} expanded, {rate} states/s{}", memory())
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
        self.show(Stage::Runs, None, |_| message());
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        *self.lock() = None;
    }

    /// Shows a message, made from the time since the stage began, if it is due; `bound` is what
    /// is proved.
    fn show(&self, stage: Stage, bound: Option<u64>, message: impl FnOnce(Duration) -> String) {
        let mut current = self.lock();
        if current.as_ref().is_none_or(|line| line.stage != stage) {
            // The old line is cleared before the new one is drawn.
            *current = None;
            *current = Some(Line::new(stage, self.is_verbose));
        }
        let Some(line) = current.as_mut() else { return };
        if !line.is_due(Instant::now(), bound) {
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
        Self { stage, begin, bar, interval, next: begin + interval, bound: None }
    }

    /// Whether it is time for a message. In a log, messages about LPs become rare unless the
    /// bound rises.
    fn is_due(&mut self, now: Instant, bound: Option<u64>) -> bool {
        let is_log = self.stage == Stage::Lp && self.bar.is_none();
        let since = now - self.begin;
        let rises = is_log && bound > self.bound && since >= LOG_INTERVAL;
        if now < self.next && !rises {
            return false;
        }
        self.bound = self.bound.max(bound);
        if is_log {
            self.interval = (2 * self.interval).min(MAX_LOG_INTERVAL);
        }
        self.next = now + self.interval;
        true
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

/// What is proved comes first: a narrow terminal cuts the rest.
fn lp_message(progress: &hipot_potential::Progress, elapsed: Duration) -> String {
    let mut parts = Vec::new();
    parts.extend(progress.certified.map(|bound| format!("bound {bound}")));
    parts.extend(progress.dual.map(|upper| gap(progress.certified.unwrap_or(0), upper)));
    if progress.dual.is_none() {
        parts.push(progress.method.name().to_owned());
    }
    parts.push(format!("{} features", HumanCount(progress.weights as u64)));
    format!("LP {} s: {}", elapsed.as_secs(), parts.join(", "))
}

/// The highest bound that the LP may still give, and how far it is.
fn gap(bound: u64, upper: f64) -> String {
    let digits = usize::from(upper.abs() < 1000.0);
    let percent = 100.0 * (upper - bound as f64) / upper;
    let gap = if percent >= 0.05 { format!(" (gap {percent:.1}%)") } else { String::new() };
    format!("at most {upper:.digits$}{gap}")
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
        let message = lp_message(&progress, after);
        assert_eq!(message, "LP 7 s: bound 12, at most 13.2 (gap 9.1%), 38,739 features");
        assert!(message.len() <= 60);
        (progress.method, progress.iterations) = (Method::Pdlp, None);
        (progress.primal, progress.dual, progress.certified) = (None, None, None);
        assert_eq!(lp_message(&progress, after), "LP 7 s: pdlp, 38,739 features");
    }

    #[test]
    fn a_closed_gap_is_not_shown() {
        assert_eq!(gap(14, 13.9987), "at most 14.0");
        assert_eq!(gap(100_000, 123_456.7), "at most 123457 (gap 19.0%)");
    }

    #[test]
    fn off_a_terminal_lines_become_rare_unless_the_bound_rises() {
        let mut line = Line::new(Stage::Lp, true);
        let begin = line.begin;
        let mut due =
            |seconds: u64, bound| line.is_due(begin + Duration::from_secs(seconds), bound);
        assert!(!due(0, Some(3)), "not at once");
        let shown: Vec<u64> = (1..=60).filter(|&seconds| due(seconds, Some(3))).collect();
        assert_eq!(shown, [1, 3, 7, 15, 31]);
        assert!(due(61, Some(4)), "the bound rises");
        assert!(!due(62, Some(4)));
    }
}
