//! Writes what a command found out, once.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Effects, Style};
use hipot_task::Stop;
use serde::Serialize;

use crate::failure::{Failure, Status};
use crate::output::Output;
use crate::progress;
use crate::report::{BoundReport, SolveReport};

/// An error, schema `hipot.error/1`.
#[derive(Debug, Serialize)]
struct ErrorReport<'a> {
    schema: &'static str,
    status: Status,
    message: String,
    file: Option<&'a Path>,
    line: Option<usize>,
    column: Option<usize>,
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// For people, and as plans.
    Text,
    /// As one JSON object.
    Json,
    /// As the end of a log that goes to standard output, too, as that of Fast
    /// Downward does. Downward Lab wonders at every word on standard error, and
    /// wants the exit code in the log: without that line it takes exit codes for
    /// those that Fast Downward once had. So this cannot be the form for everybody:
    /// that line must not be a comment, but standard output shall be a plan.
    Log,
}

/// Writes the one result of a run, whoever comes first: the command, or the
/// watch that ends it.
#[derive(Debug)]
pub(crate) struct Reporter {
    /// The schema of the command's results.
    schema: &'static str,
    form: Form,
    begin: Instant,
    lower_bound: AtomicU64,
    written: AtomicBool,
    ended: AtomicBool,
    output: Output,
}

impl Reporter {
    /// For a process that began at `begin`. Takes over standard output: only
    /// this reporter can write there from now on.
    pub(crate) fn new(schema: &'static str, form: Form, begin: Instant) -> Self {
        let [written, ended] = [false; 2].map(AtomicBool::new);
        let (lower_bound, output) = (AtomicU64::new(0), Output::take());
        Self { schema, form, begin, lower_bound, written, ended, output }
    }

    /// The time since the process began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Where logs go, unless to standard error.
    pub(crate) fn log_file(&self) -> Option<File> {
        (self.form == Form::Log).then(|| self.output.file()).flatten()
    }

    /// Writes lines of a log that Downward Lab reads; nothing in other forms.
    pub(crate) fn log(&self, lines: impl IntoIterator<Item = String>) {
        if self.form == Form::Log {
            let text: String = lines.into_iter().map(|line| line + "\n").collect();
            // What cannot be written here cannot be written later, which is an error.
            let _ = self.output.print(&text);
        }
    }

    /// Writes the last line of a log, once.
    pub(crate) fn log_exit_code(&self, status: Status) {
        if !self.ended.swap(true, Ordering::Relaxed) {
            self.log([format!("search exit code: {}", status.exit_code())]);
        }
    }

    /// Every plan costs at least `bound`.
    pub(crate) fn prove(&self, bound: u64) {
        self.lower_bound.fetch_max(bound, Ordering::Relaxed);
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
            self.print_error(failure.status(), failure.message(), failure.place());
        }
    }

    /// Writes that hipot has a defect, of which Rust has told already.
    pub(crate) fn write_defect(&self) {
        eprintln!("hipot: this is a defect in hipot itself; please report it");
        if self.claim() && self.form == Form::Json {
            let message = "a defect in hipot itself".to_owned();
            self.print_error(Status::InternalError, message, (None, None, None));
        }
    }

    /// Writes that the run was stopped and ends the process, unless its
    /// result is being written just now.
    pub(crate) fn end_process(&self, stop: Stop) {
        if self.claim() {
            progress::clear();
            self.print_stop(stop);
            self.log_exit_code(stop.into());
            std::process::exit(Status::from(stop).exit_code().into());
        }
    }

    fn print_stop(&self, stop: Stop) {
        let status = Status::from(stop);
        if self.form != Form::Log {
            eprintln!("hipot: {stop}");
        }
        let (bound, total) = (self.lower_bound.load(Ordering::Relaxed), self.elapsed());
        let text = match self.schema {
            SolveReport::SCHEMA => {
                let mut report = SolveReport::new(status);
                report.lower_bound = Some(bound);
                report.seconds.total = total.as_secs_f64();
                match self.form {
                    Form::Text => report.text(),
                    Form::Json => json(&report),
                    Form::Log => report.log(),
                }
            }
            BoundReport::SCHEMA => {
                let report = BoundReport::stopped(status, bound, total);
                if self.form == Form::Json { json(&report) } else { report.text() }
            }
            _ if self.form == Form::Json => {
                return self.print_error(status, stop.to_string(), (None, None, None));
            }
            _ => return,
        };
        // Where standard output fails there is nowhere left to say so.
        let _ = self.output.print(&text);
    }

    fn print_error(
        &self,
        status: Status,
        message: String,
        (file, line, column): (Option<&Path>, Option<usize>, Option<usize>),
    ) {
        let report = ErrorReport { schema: "hipot.error/1", status, message, file, line, column };
        let _ = self.output.print(&json(&report));
    }

    /// The right to write the result, which is given once.
    fn claim(&self) -> bool {
        !self.written.swap(true, Ordering::Relaxed)
    }
}

/// The JSON object about a command line that is wrong.
pub(crate) fn usage_error(message: String) -> String {
    let (schema, status) = ("hipot.error/1", Status::UsageError);
    json(&ErrorReport { schema, status, message, file: None, line: None, column: None })
}

/// The failure for people, with the line that is wrong.
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
