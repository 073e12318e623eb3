//! The progress of a run: a line that is redrawn on a terminal, log lines elsewhere.
//!
//! With `--progress json` it is lines of JSON instead, for programs.
//!
//! One [`Terminal`] sees all events of a run and shows one stage at a time. It is shared by
//! the thread that works and by the one that ends the process at a limit, which clears the
//! line first. So the line is behind a lock; log lines are written outside of it, because
//! a reader of standard error that is stuck must not keep the process from ending.

mod json;

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use hipot::events::Event;
use hipot_task::{Amount, Limits, resident_bytes};
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use json::JsonLines;
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
    Plans,
    Lp,
    Search,
    #[cfg(feature = "lab")]
    Runs,
}

/// The form of the progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressForm {
    /// A line that is redrawn on a terminal, log lines elsewhere
    #[default]
    Text,
    /// One JSON object in each line, of schema hipot.progress/1
    Json,
}

/// Shows the progress of a run on standard error.
#[derive(Debug)]
pub(crate) struct Terminal {
    /// Whether more is logged; then no line is drawn between the log lines.
    is_verbose: bool,
    /// When the run began.
    begin: Instant,
    limits: Limits,
    /// Lines of JSON, if these are wanted.
    json: Option<Mutex<JsonLines>>,
    line: Mutex<Option<Line>>,
    speed: Mutex<Speed>,
    /// What is proved about the cost of every plan.
    bound: AtomicU64,
    /// The cost of the best plan; the largest number if there is none.
    plan: AtomicU64,
    /// The number of decimals of costs.
    decimals: AtomicU32,
}

/// How fast the search is, while it searches.
#[derive(Debug, Default)]
struct Speed {
    expanded: u64,
    time: Duration,
    /// The last report, unless the search has paused since then.
    last: Option<(Instant, u64)>,
}

impl Speed {
    /// Notes that so many states are expanded by now.
    fn see(&mut self, now: Instant, expanded: u64) {
        if let Some((then, before)) = self.last.replace((now, expanded)) {
            self.expanded += expanded.saturating_sub(before);
            self.time += now.saturating_duration_since(then);
        }
    }

    fn pause(&mut self) {
        self.last = None;
    }

    /// The states that were expanded in a second.
    fn states_per_second(&self) -> u64 {
        let milliseconds = self.time.as_millis().max(1) as u64;
        self.expanded.saturating_mul(1000) / milliseconds
    }
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
    /// For a run that began at `begin` and has these limits.
    pub(crate) fn new(
        form: ProgressForm,
        is_verbose: bool,
        begin: Instant,
        limits: Limits,
    ) -> Self {
        let json = (form == ProgressForm::Json).then(|| Mutex::new(JsonLines::new(begin)));
        let (line, speed) = (Mutex::new(None), Mutex::default());
        let (bound, plan) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
        let decimals = AtomicU32::new(0);
        Self { is_verbose, begin, limits, json, line, speed, bound, plan, decimals }
    }

    /// Costs are in units of the last of so many decimals from now on.
    pub(crate) fn set_decimals(&self, decimals: u32) {
        self.decimals.store(decimals, Ordering::Relaxed);
    }

    /// The number of decimals of costs.
    pub(crate) fn decimals(&self) -> u32 {
        self.decimals.load(Ordering::Relaxed)
    }

    fn amount(&self, units: u64) -> Amount {
        Amount { units, decimals: self.decimals() }
    }

    /// Shows an event.
    pub(crate) fn see(&self, event: &Event<'_>) {
        if let Some(json) = &self.json {
            return lock(json).see(event, self.decimals());
        }
        match event {
            Event::Grounding(hipot_translate::Progress { facts, operators }) => {
                self.show(Stage::Grounding, None, |_| {
                    let [facts, operators] = [facts, operators].map(|&it| HumanCount(it as u64));
                    format!("grounding: {facts} facts, {operators} operators{}", memory())
                });
            }
            Event::Lp(progress) => {
                let decimals = self.decimals();
                self.show(Stage::Lp, progress.certified, |elapsed| {
                    lp_message(progress, elapsed, decimals)
                });
            }
            Event::Plans(evaluated) => {
                self.show(Stage::Plans, None, |elapsed| {
                    let (time, evaluated) = (elapsed.as_secs(), HumanCount(*evaluated));
                    let plan = self.best_plan().unwrap_or("no plan yet".to_owned());
                    format!("looking for plans {time} s: {plan}, {evaluated} evaluated{}", memory())
                });
            }
            Event::Search(progress) => self.see_search(progress),
            Event::SearchPaused => {
                lock(&self.speed).pause();
                self.clear();
            }
            Event::LpEnded | Event::Heuristic(_) => self.clear(),
            Event::Plan(plan) => {
                self.clear();
                self.plan.store(plan.cost, Ordering::Relaxed);
            }
            Event::Bound(bound) => drop(self.bound.fetch_max(*bound, Ordering::Relaxed)),
        }
    }

    /// Verbose logs have a line for each f layer and nothing in between.
    fn see_search(&self, progress: &hipot_search::Progress<'_>) {
        let expanded = progress.statistics.expanded;
        let rate = {
            let mut speed = lock(&self.speed);
            speed.see(Instant::now(), expanded);
            speed.states_per_second()
        };
        if progress.is_new_layer || !self.is_verbose {
            self.show(Stage::Search, None, |_| {
                let bound = self.amount(self.bound.load(Ordering::Relaxed).max(progress.f));
                let plan = self.best_plan().map_or(String::new(), |plan| format!(", {plan}"));
                let time = time(self.begin.elapsed(), self.limits.time_left());
                let [expanded, rate] = [expanded, rate].map(HumanCount);
                let memory = memory();
                format!("lower bound {bound}{plan}, {time}, {expanded} expanded, {rate}/s{memory}")
            });
        }
        if !progress.is_new_layer && tracing::enabled!(Level::TRACE) {
            // For experiments, which compute rates.
            let begin = self.lock().as_ref().map(|line| line.begin);
            let seconds = begin.map_or(0.0, |begin| begin.elapsed().as_secs_f64());
            tracing::trace!("search: expanded={expanded} seconds={seconds:.6}");
        }
    }

    fn best_plan(&self) -> Option<String> {
        let cost = self.plan.load(Ordering::Relaxed);
        (cost != u64::MAX).then(|| format!("best plan {}", self.amount(cost)))
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
        lock(&self.line)
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

/// The time of the run so far, and what the limits leave.
fn time(elapsed: Duration, left: Option<Duration>) -> String {
    let left = left.map(|left| format!(" ({} s left)", left.as_secs()));
    format!("{} s{}", elapsed.as_secs(), left.unwrap_or_default())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The memory in use, to end a message with.
fn memory() -> String {
    resident_bytes().map_or(String::new(), |used| format!(", {}", HumanBytes(used)))
}

/// What is proved comes first: a narrow terminal cuts the rest.
fn lp_message(progress: &hipot_potential::Progress, elapsed: Duration, decimals: u32) -> String {
    let mut parts = Vec::new();
    let amount = |units| Amount { units, decimals };
    let certified = progress.certified.map(amount);
    parts.extend(certified.map(|bound| format!("bound {bound}")));
    let unit = 10_f64.powi(decimals.cast_signed());
    let bound = certified.map_or(0.0, Amount::to_f64);
    parts.extend(progress.dual.map(|upper| gap(bound, upper / unit)));
    if progress.dual.is_none() {
        parts.push(progress.method.name().to_owned());
    }
    parts.push(format!("{} features", HumanCount(progress.weights as u64)));
    format!("LP {} s: {}", elapsed.as_secs(), parts.join(", "))
}

/// The highest bound that the LP may still give, and how far it is.
fn gap(bound: f64, upper: f64) -> String {
    let digits = usize::from(upper.abs() < 1000.0);
    let percent = 100.0 * (upper - bound) / upper;
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
        let message = lp_message(&progress, after, 0);
        assert_eq!(message, "LP 7 s: bound 12, at most 13.2 (gap 9.1%), 38,739 features");
        assert!(message.len() <= 60);
        let decimal = lp_message(&progress, after, 1);
        assert_eq!(decimal, "LP 7 s: bound 1.2, at most 1.3 (gap 9.1%), 38,739 features");
        (progress.method, progress.iterations) = (Method::Pdlp, None);
        (progress.primal, progress.dual, progress.certified) = (None, None, None);
        assert_eq!(lp_message(&progress, after, 0), "LP 7 s: pdlp, 38,739 features");
    }

    #[test]
    fn the_speed_of_a_search_does_not_count_its_pauses() {
        let (begin, mut speed) = (Instant::now(), Speed::default());
        let mut see = |seconds, expanded| {
            speed.see(begin + Duration::from_secs(seconds), expanded);
            if seconds == 12 {
                speed.pause(); // an LP of 50 s
            }
            speed.states_per_second()
        };
        assert_eq!(see(10, 0), 0);
        assert_eq!(see(12, 2000), 1000);
        assert_eq!(see(62, 2000), 1000);
        assert_eq!(see(64, 8000), 2000);
    }

    #[test]
    fn the_time_is_shown_with_what_is_left_of_it() {
        let second = Duration::from_secs(1);
        assert_eq!(time(12 * second, None), "12 s");
        assert_eq!(time(12 * second, Some(48 * second)), "12 s (48 s left)");
    }

    #[test]
    fn a_closed_gap_is_not_shown() {
        assert_eq!(gap(14.0, 13.9987), "at most 14.0");
        assert_eq!(gap(100_000.0, 123_456.7), "at most 123457 (gap 19.0%)");
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
