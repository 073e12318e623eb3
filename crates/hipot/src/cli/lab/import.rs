//! `hipot lab import`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::Args;
use hipot_lab::properties::{self, Imported, Places};
use hipot_lab::{Record, Store};
use serde::Serialize;

use super::{Context, Files, SCHEMA};
use crate::failure::{Failure, Status};

/// Add results that were made with Downward Lab
///
/// Each algorithm becomes a configuration of its own in the tables. Its runs are matched with the
/// experiment's tasks by domain and problem; its plans are not validated.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    files: Files,

    /// Files as Lab writes them (`properties` in a folder `…-eval`)
    #[arg(required = true, value_name = "PROPERTIES")]
    properties: Vec<PathBuf>,

    /// What to put before the names of algorithms
    #[arg(long, value_name = "TEXT", default_value = "")]
    prefix: String,

    /// Delete what was imported of these algorithms before
    #[arg(long)]
    replace: bool,
}

/// What became of the files, schema `hipot.lab/1`.
#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    status: Status,
    /// Rows that are new.
    imported: usize,
    /// Rows that were there already.
    known: usize,
    /// Runs of the files that have no place here.
    unplaced: usize,
    /// Attributes left out because their values are not of the right type: how often.
    skipped: BTreeMap<&'static str, usize>,
}

/// How many runs without a place are named.
const NAMED: usize = 10;
/// How many rows are written at once.
const BATCH: usize = 1000;

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let experiment = arguments.files.read()?;
    let tasks = experiment.tasks()?;
    let mut store = Store::open(&arguments.files.database(&experiment))?;
    store.register(&experiment, &tasks)?;
    let mut importer = Importer::new(arguments, &mut store, Places::new(&tasks));
    for file in &arguments.properties {
        importer.read(file, context)?;
    }
    let report = importer.report;
    for (name, count) in &report.skipped {
        tracing::warn!("{name} was left out {count} times: it is not a number of the right kind");
    }
    let mut text = format!("{} rows imported", report.imported);
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

    fn read(&mut self, file: &Path, context: &Context) -> Result<(), Failure> {
        let input = File::open(file)
            .map_err(|error| Failure::Unreadable { file: file.to_owned(), error })?;
        let mut result = Ok(());
        properties::read(BufReader::new(input), |run| {
            if result.is_ok() {
                result =
                    context.limits.check().map_err(Failure::from).and_then(|()| self.take(run));
            }
        })
        .map_err(|error| failure(file, error))?;
        result?;
        self.flush()
    }

    fn take(&mut self, run: Result<Imported, String>) -> Result<(), Failure> {
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

    /// Whether rows of the configuration can be added; complains if not.
    fn has_room_for(&mut self, name: &str) -> Result<bool, Failure> {
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
                "is no proper name"
            };
            self.complain(&format!("algorithm '{}' {why}", name.escape_debug()));
        }
        self.configurations.insert(name.to_owned(), has_room);
        Ok(has_room)
    }

    fn complain(&mut self, why: &str) {
        self.report.unplaced += 1;
        match self.report.unplaced {
            count if count <= NAMED => tracing::warn!("{why}"),
            count if count == NAMED + 1 => tracing::warn!("and so on"),
            _ => {}
        }
    }

    fn flush(&mut self) -> Result<(), Failure> {
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
            // The words end in the place, which is told apart.
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
