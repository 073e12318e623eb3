//! `hipot lab import`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::Args;
use hipot::{Failure, Status};
use hipot_lab::properties::{self, Imported, Places};
use hipot_lab::{Record, Store};
use serde::Serialize;

use super::failure::LabFailure;
use super::files::Files;
use super::state::SCHEMA;
use crate::commands::context::Context;
use crate::commands::examples::examples;
use crate::wording::counted;

/// Add results that were made with Downward Lab
///
/// Each algorithm becomes a configuration of its own in the tables. Its runs are matched with the
/// experiment's tasks by domain and problem; its plans are not validated.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot lab import experiment.toml data/lmcut-eval/properties --prefix fd-",
]))]
pub(super) struct Arguments {
    #[command(flatten)]
    files: Files,

    /// Files as Lab writes them (`properties` in a folder `…-eval`)
    #[arg(required = true, value_name = "PROPERTIES")]
    properties: Vec<PathBuf>,

    /// A prefix for the names of algorithms
    #[arg(long, value_name = "TEXT", default_value = "")]
    prefix: String,

    /// Delete earlier imports of these algorithms first
    #[arg(long)]
    replace: bool,
}

/// The result of an import, schema `hipot.lab/1`.
#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    status: Status,
    /// The number of new rows.
    imported: usize,
    /// The number of rows that were there already.
    known: usize,
    /// The number of runs in the files that match no task or configuration.
    unplaced: usize,
    /// How often each attribute was left out because its value has the wrong type.
    skipped: BTreeMap<&'static str, usize>,
}

/// The number of unmatched runs that are named.
const MAX_NAMED: usize = 10;
/// The number of rows that are written at once.
const BATCH: usize = 1000;

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, LabFailure> {
    let experiment = arguments.files.read(context)?;
    let tasks = experiment.tasks()?;
    let mut store = Store::open(&arguments.files.database(&experiment))?;
    store.register(&experiment, &tasks)?;
    let mut importer = Importer::new(arguments, &mut store, Places::new(&tasks));
    for file in &arguments.properties {
        importer.read(file, context)?;
    }
    let report = importer.report;
    for (name, count) in &report.skipped {
        let times = counted(*count, "time");
        tracing::warn!("{name} was left out {times}: it is not a number of the right kind");
    }
    let mut text = format!("{} imported", counted(report.imported, "row"));
    for (count, words) in [(report.known, "were there already"), (report.unplaced, "have no place")]
    {
        if count > 0 {
            write!(text, ", {count} {words}").expect("memory can be written");
        }
    }
    context.reporter.write(&report, &(text + "\n"))?;
    Ok(report.status)
}

struct Importer<'a> {
    arguments: &'a Arguments,
    store: &'a mut Store,
    places: Places<'a>,
    /// The configurations seen, and whether rows can be added to them.
    configurations: BTreeMap<String, bool>,
    batch: Vec<Record>,
    report: Report,
}

impl<'a> Importer<'a> {
    fn new(arguments: &'a Arguments, store: &'a mut Store, places: Places<'a>) -> Self {
        let report = Report {
            schema: SCHEMA,
            status: Status::Complete,
            imported: 0,
            known: 0,
            unplaced: 0,
            skipped: BTreeMap::new(),
        };
        let configurations = BTreeMap::new();
        Self { arguments, store, places, configurations, batch: Vec::new(), report }
    }

    fn read(&mut self, file: &Path, context: &Context) -> Result<(), LabFailure> {
        let input = File::open(file)
            .map_err(|error| Failure::Unreadable { file: file.to_owned(), error })?;
        let mut result = Ok(());
        properties::read(BufReader::new(input), |run| {
            if result.is_ok() {
                let checked = context.limits.check().map_err(LabFailure::from);
                result = checked.and_then(|()| self.take(run));
            }
        })
        .map_err(|error| failure(file, error))?;
        result?;
        self.flush()
    }

    fn take(&mut self, run: Result<Imported, String>) -> Result<(), LabFailure> {
        let run = match run {
            Ok(run) => run,
            Err(id) => {
                self.complain(&format!(
                    "run '{}' has no algorithm, domain or problem",
                    id.escape_debug()
                ));
                return Ok(());
            }
        };
        for name in run.skipped {
            *self.report.skipped.entry(name).or_default() += 1;
        }
        let mut record = run.record;
        record.configuration.insert_str(0, &self.arguments.prefix);
        if !self.has_room_for(&record.configuration)? {
            return Ok(());
        }
        let placed = self.places.place(&record);
        if placed.is_empty() {
            let (domain, problem) = (record.domain.escape_debug(), record.problem.escape_debug());
            self.complain(&format!("the experiment has no task {domain} {problem}"));
        }
        self.batch.extend(placed);
        if self.batch.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    /// Whether rows can be added to the configuration; warns if not.
    fn has_room_for(&mut self, name: &str) -> Result<bool, LabFailure> {
        if let Some(&has_room) = self.configurations.get(name) {
            self.report.unplaced += usize::from(!has_room);
            return Ok(has_room);
        }
        let is_proper = !name.is_empty() && !name.chars().any(char::is_control);
        if is_proper && self.arguments.replace {
            self.store.remove_imported(name)?;
        }
        let has_room = is_proper && self.store.add_imported(name)?;
        if !has_room {
            let why = if is_proper {
                "is one that the experiment runs itself: give --prefix TEXT"
            } else {
                "is not a valid name"
            };
            self.complain(&format!("algorithm '{}' {why}", name.escape_debug()));
        }
        self.configurations.insert(name.to_owned(), has_room);
        Ok(has_room)
    }

    fn complain(&mut self, why: &str) {
        self.report.unplaced += 1;
        match self.report.unplaced {
            count if count <= MAX_NAMED => tracing::warn!("{why}"),
            count if count == MAX_NAMED + 1 => tracing::warn!("further ones are not listed"),
            _ => {}
        }
    }

    fn flush(&mut self) -> Result<(), LabFailure> {
        let new = self.store.insert_all(&self.batch)?;
        self.report.imported += new;
        self.report.known += self.batch.len() - new;
        self.batch.clear();
        Ok(())
    }
}

fn failure(file: &Path, error: properties::Error) -> Failure {
    match error {
        properties::Error::Malformed(error) => {
            // The message ends with the place, which is reported separately.
            let words = error.to_string();
            let message = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words);
            Failure::Input {
                file: file.to_owned(),
                line: error.line(),
                column: error.column(),
                message: message.to_owned(),
                source_line: None,
            }
        }
        properties::Error::Unreadable(error) => {
            Failure::Unreadable { file: file.to_owned(), error }
        }
        compressed @ properties::Error::Compressed => {
            Failure::Meaningless { file: file.to_owned(), message: compressed.to_string() }
        }
    }
}
