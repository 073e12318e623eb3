//! Writes the one result of a command.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Effects, Style};
use hipot::diagnostics::DiagnosticReport;
use hipot::report::{BoundReport, HeuristicReport, SearchReport, SolveReport, TaskReport};
use hipot::{Failure, Status};
use hipot_search::Statistics;
use hipot_task::{Amount, Plan, Stop, Task};
use serde::Serialize;

use crate::output::Output;
use crate::progress::Terminal;

/// An error, schema `hipot.error/1`.
#[derive(Debug, Serialize)]
struct ErrorReport<'a> {
    schema: &'static str,
    status: Status,
    message: String,
    file: Option<&'a Path>,
    line: Option<usize>,
    column: Option<usize>,
    /// Everything that is wrong with a task in PDDL.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<DiagnosticReport>,
}

impl<'a> ErrorReport<'a> {
    fn new(status: Status, message: String) -> Self {
        let (file, line, column, diagnostics) = (None, None, None, Vec::new());
        Self { schema: "hipot.error/1", status, message, file, line, column, diagnostics }
    }

    fn of(failure: &'a Failure) -> Self {
        let (file, line, column) = failure.place();
        let report = Self::new(failure.status(), failure.message());
        Self { file, line, column, diagnostics: failure.diagnostics(), ..report }
    }
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// For people, and as plans.
    Text,
    /// As one JSON object.
    Json,
    /// As the end of a log, which goes to standard output too, as Fast Downward's does.
    /// Downward Lab reports anything on standard error as unexpected, and wants the exit
    /// code in the log: without that line it takes exit codes for those of an old Fast
    /// Downward. This cannot be the form for everybody: that line must not be a comment,
    /// but standard output should be a plan.
    Log,
}

/// Writes the one result of a run. Whoever comes first may write it: the command, or the
/// watch that ends the process.
#[derive(Debug)]
pub(crate) struct Reporter {
    /// The schema of the command's results.
    schema: &'static str,
    form: Form,
    begin: Instant,
    lower_bound: AtomicU64,
    known: Mutex<Known>,
    written: AtomicBool,
    ended: AtomicBool,
    output: Output,
    /// Its progress line is cleared before anything is written.
    terminal: Arc<Terminal>,
}

/// What a report says about a run that has to be ended.
#[derive(Debug, Default)]
struct Known {
    task: Option<TaskReport>,
    /// The number of decimals of its costs.
    decimals: u32,
    heuristic: Option<HeuristicReport>,
    search: Option<SearchReport>,
    search_begin: Option<Instant>,
    /// The best plan, and the task that it is for.
    plan: Option<(Arc<Task>, Plan)>,
}

impl Reporter {
    /// A reporter for a process that began at `begin`. It takes over standard output: from
    /// now on only this reporter can write there.
    pub(crate) fn new(
        schema: &'static str,
        form: Form,
        begin: Instant,
        terminal: Arc<Terminal>,
    ) -> Self {
        let [written, ended] = [false; 2].map(AtomicBool::new);
        let (lower_bound, output) = (AtomicU64::new(0), Output::take());
        let known = Mutex::default();
        Self { schema, form, begin, lower_bound, known, written, ended, output, terminal }
    }

    /// The time since the process began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Standard output for a command that writes to it by itself.
    pub(crate) fn stream(&self) -> Result<Box<dyn Write>, Failure> {
        let file = || "standard output".into();
        self.output.stream().map_err(|error| Failure::Unwritable { file: file(), error })
    }

    /// The file that logs go to; `None` for standard error.
    pub(crate) fn log_file(&self) -> Option<File> {
        (self.form == Form::Log).then(|| self.output.file()).flatten()
    }

    /// Writes lines of a log for Downward Lab. Other forms have no such lines.
    pub(crate) fn log(&self, lines: impl IntoIterator<Item = String>) {
        if self.form == Form::Log {
            let text: String = lines.into_iter().map(|line| line + "\n").collect();
            // If this fails, writing the result fails as well and is reported.
            let _ = self.output.print(&text);
        }
    }

    /// Writes the last line of a log, once.
    pub(crate) fn log_exit_code(&self, status: Status) {
        if !self.ended.swap(true, Ordering::Relaxed) {
            self.log([format!("search exit code: {}", status.exit_code())]);
        }
    }

    /// Notes that every plan costs at least `bound`.
    pub(crate) fn prove(&self, bound: u64) {
        self.lower_bound.fetch_max(bound, Ordering::Relaxed);
    }

    /// Notes the sizes of the task.
    pub(crate) fn note_task(&self, task: &Task) {
        let mut known = self.known();
        (known.task, known.decimals) = (Some(TaskReport::new(task)), task.decimals());
    }

    /// Notes the heuristic that is about to be used.
    pub(crate) fn note_heuristic(&self, heuristic: HeuristicReport) {
        self.known().heuristic = Some(heuristic);
    }

    /// Notes how far the search is. Its time is counted from the first such note.
    pub(crate) fn note_search(&self, statistics: &Statistics) {
        let mut known = self.known();
        let begin = *known.search_begin.get_or_insert_with(Instant::now);
        known.search = Some(SearchReport::so_far(statistics, begin.elapsed()));
    }

    /// Notes a plan that may not be optimal.
    pub(crate) fn note_plan(&self, task: &Arc<Task>, plan: &Plan) {
        self.known().plan = Some((Arc::clone(task), plan.clone()));
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a result to standard output: as JSON, or as `text`.
    pub(crate) fn write<R: Serialize>(&self, report: &R, text: &str) -> Result<(), Failure> {
        if !self.claim() {
            return Ok(());
        }
        let json = (self.form == Form::Json).then(|| json(report));
        let written = self.output.print(json.as_deref().unwrap_or(text));
        written.map_err(|error| Failure::Unwritable { file: "<stdout>".into(), error })
    }

    /// Writes why the command failed: to standard error, and with `--json` to
    /// standard output.
    pub(crate) fn write_failure(&self, failure: &Failure) {
        let first = self.claim();
        match failure {
            Failure::Stopped(stop) if first => return self.print_stop(*stop),
            Failure::Stopped(_) => return,
            _ => print_failure(failure),
        }
        if self.form == Form::Json && first {
            self.print_error(&ErrorReport::of(failure));
        }
    }

    /// Writes that hipot has a defect. Rust has printed the panic's message already.
    pub(crate) fn write_defect(&self) {
        let first = self.claim();
        eprintln!("hipot: this is a defect in hipot itself; please report it");
        if first && self.form == Form::Json {
            let message = "a defect in hipot itself".to_owned();
            self.print_error(&ErrorReport::new(Status::InternalError, message));
        }
    }

    /// Writes that the run was stopped and ends the process, unless its result has been
    /// written or is being written right now.
    pub(crate) fn end_process(&self, stop: Stop) {
        if self.claim() {
            self.print_stop(stop);
            self.log_exit_code(stop.into());
            std::process::exit(Status::from(stop).exit_code().into());
        }
    }

    /// Tells people that the run was stopped.
    pub(crate) fn tell_stop(&self, stop: Stop) {
        if self.form != Form::Log {
            self.terminal.clear();
            eprintln!("hipot: {stop}");
        }
    }

    fn print_stop(&self, stop: Stop) {
        let status = Status::from(stop);
        self.tell_stop(stop);
        let (units, total) = (self.lower_bound.load(Ordering::Relaxed), self.elapsed());
        let known = std::mem::take(&mut *self.known());
        let Known { task, decimals, heuristic, search, plan, .. } = known;
        let bound = Amount { units, decimals };
        let text = match self.schema {
            SolveReport::SCHEMA => {
                let mut report = SolveReport::new(status);
                report.lower_bound = Some(bound);
                (report.task, report.heuristic, report.search) = (task, heuristic, search);
                report.seconds.total = total.as_secs_f64();
                if let Some((task, plan)) = plan {
                    report.add_incumbent(&task, &plan);
                }
                match self.form {
                    Form::Text => report.text(),
                    Form::Json => json(&report),
                    Form::Log => report.log(),
                }
            }
            BoundReport::SCHEMA => {
                let report = BoundReport { task, ..BoundReport::stopped(status, bound, total) };
                if self.form == Form::Json { json(&report) } else { report.text() }
            }
            _ if self.form == Form::Json => {
                return self.print_error(&ErrorReport::new(status, stop.to_string()));
            }
            _ => return,
        };
        // If standard output fails, there is nowhere left to report it.
        let _ = self.output.print(&text);
    }

    fn print_error(&self, report: &ErrorReport<'_>) {
        // If standard output fails, there is nowhere left to report it.
        let _ = self.output.print(&json(report));
    }

    /// Claims the right to write the result, which is given once, and clears the progress
    /// line.
    fn claim(&self) -> bool {
        let first = !self.written.swap(true, Ordering::Relaxed);
        self.terminal.clear();
        first
    }
}

/// The JSON object for an invalid command line.
pub(crate) fn usage_error(message: String) -> String {
    json(&ErrorReport::new(Status::UsageError, message))
}

/// Prints the failure for people, with the offending line.
fn print_failure(failure: &Failure) {
    if let Failure::Pddl(errors) = failure {
        return anstream::eprint!("{errors}");
    }
    anstream::eprintln!("{ERROR}error:{ERROR:#} {failure}");
    if let Failure::Input { line, column, source_line: Some(source), .. } = failure {
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let before: String = source.chars().take(column - 1).map(blank).collect();
        anstream::eprintln!("{PLACE}{margin} |{PLACE:#}");
        anstream::eprintln!("{PLACE}{number} |{PLACE:#} {source}");
        anstream::eprintln!("{PLACE}{margin} |{PLACE:#} {before}{ERROR}^{ERROR:#}");
    }
}

const ERROR: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
const PLACE: Style = AnsiColor::Blue.on_default();

/// White space as wide as `character`.
fn blank(character: char) -> char {
    if character == '\t' { '\t' } else { ' ' }
}

fn json(report: &impl Serialize) -> String {
    serde_json::to_string(report).expect("reports can be serialized") + "\n"
}
