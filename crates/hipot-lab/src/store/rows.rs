//! The results: one row per run, with its log in a table of its own.
//!
//! Current runs are those whose task is in the experiment file, and whose configuration is too
//! or was imported ([`FROM_CURRENT_RUNS`]). Only they are read; other rows are kept.

use std::io::{Read, Write};
use std::time::Duration;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::register::{json, json_column};
use super::{ClaimedRun, Store, begin};
use crate::error::Error;
use crate::model::{Limits, Measures, Record, Status, Task};

/// The names that identify a run of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunKey {
    /// The task's suite.
    pub suite: String,
    /// The task's domain.
    pub domain: String,
    /// The task's problem.
    pub problem: String,
    /// The configuration's name.
    pub configuration: String,
}

/// The current runs `r`, with their tasks `t` and configurations `c`.
pub(crate) const FROM_CURRENT_RUNS: &str = "FROM runs r JOIN tasks t ON t.id = r.task
                    JOIN configurations c ON c.id = r.configuration
                    WHERE t.position IS NOT NULL
                    AND (c.position IS NOT NULL OR c.definition IS NULL)";
const RUN_ORDER: &str = "ORDER BY t.position, c.position NULLS LAST, c.id";

impl Store {
    /// Stores the result of a claimed run and gives up the claim. `false`: it was not stored,
    /// because the run already has a result, or its configuration was replaced meanwhile.
    pub fn finish(&mut self, claim: &ClaimedRun, record: &Record) -> Result<bool, Error> {
        let transaction = begin(&mut self.connection)?;
        let is_new = add(&transaction, claim.task_id, claim.configuration_id, record)?;
        transaction.commit()?;
        Ok(is_new)
    }

    /// Stores results, all or none, and returns the number of new ones.
    pub fn insert_all(&mut self, records: &[Record]) -> Result<usize, Error> {
        let transaction = begin(&mut self.connection)?;
        let mut new = 0;
        for record in records {
            new += usize::from(insert(&transaction, record)?);
        }
        transaction.commit()?;
        Ok(new)
    }

    /// All results without their logs, in the order of runs.
    pub fn records(&self) -> Result<Vec<Record>, Error> {
        let select = format!(
            "SELECT t.suite, t.domain, t.problem, c.name, r.revision, r.machine,
                    r.time_limit, r.memory_limit, r.output_limit, r.started, r.status, r.reason,
                    r.exit_code, {MEASURES}, t.position, c.position, c.id {FROM_CURRENT_RUNS}"
        );
        let mut statement = self.connection.prepare(&select)?;
        let row = |row: &Row<'_>| {
            let configuration = row.get::<_, Option<i64>>(31)?.unwrap_or(i64::MAX);
            Ok(((row.get::<_, i64>(30)?, configuration, row.get::<_, i64>(32)?), record(row)?))
        };
        // Sorted here, because SQLite would copy whole rows to sort them.
        let mut records = statement.query_map([], row)?.collect::<Result<Vec<_>, _>>()?;
        records.sort_unstable_by_key(|(position, _)| *position);
        Ok(records.into_iter().map(|(_, record)| record).collect())
    }

    /// Calls `see` with the log of each result, in the order of runs. Only one log is in memory
    /// at a time.
    pub fn for_each_log(&self, mut see: impl FnMut(&RunKey, &str)) -> Result<(), Error> {
        let select = format!(
            "SELECT t.suite, t.domain, t.problem, c.name, r.id {FROM_CURRENT_RUNS} {RUN_ORDER}"
        );
        let mut statement = self.connection.prepare(&select)?;
        let mut log_of = self.connection.prepare("SELECT log FROM logs WHERE run = ?")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (key, run) = (key(row)?, row.get::<_, i64>(4)?);
            let log: Option<Vec<u8>> = log_of.query_row([run], |row| row.get(0)).optional()?;
            see(&key, &decompress(&log.unwrap_or_default()));
        }
        Ok(())
    }

    /// All runs of the experiment in their order, done or not. An imported configuration has
    /// only the runs that were imported.
    pub fn runs(&self) -> Result<Vec<(Task, String)>, Error> {
        let select = "SELECT t.suite, t.domain, t.problem, c.name, t.files
                      FROM tasks t CROSS JOIN configurations c
                      WHERE t.position IS NOT NULL
                      AND (c.position IS NOT NULL
                           OR (c.definition IS NULL AND EXISTS (
                               SELECT 1 FROM runs WHERE task = t.id AND configuration = c.id)))
                      ORDER BY t.position, c.position NULLS LAST, c.id";
        let mut statement = self.connection.prepare(select)?;
        let runs = statement.query_map([], |row| {
            let RunKey { suite, domain, problem, configuration } = key(row)?;
            Ok((Task { suite, domain, problem, files: json_column(row, 4)? }, configuration))
        })?;
        Ok(runs.collect::<Result<_, _>>()?)
    }
}

fn insert(transaction: &Transaction<'_>, record: &Record) -> Result<bool, Error> {
    let unknown = |kind, name: String| Error::Unknown { kind, name };
    let task = "SELECT id FROM tasks WHERE suite = ? AND domain = ? AND problem = ?";
    let key = [&record.suite, &record.domain, &record.problem];
    let task: Option<i64> =
        transaction.prepare_cached(task)?.query_row(key, |row| row.get(0)).optional()?;
    let task = task.ok_or_else(|| unknown("task", key.map(String::as_str).join("/")))?;
    let configuration = "SELECT id FROM configurations WHERE name = ?";
    let name = &record.configuration;
    let configuration: Option<i64> = transaction
        .prepare_cached(configuration)?
        .query_row([name], |row| row.get(0))
        .optional()?;
    let configuration = configuration.ok_or_else(|| unknown("configuration", name.clone()))?;
    Ok(add(transaction, task, configuration, record)?)
}

fn key(row: &Row<'_>) -> rusqlite::Result<RunKey> {
    let (suite, domain, problem) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(RunKey { suite, domain, problem, configuration: row.get(3)? })
}

const MEASURES: &str = "cost, plan_length, lower_bound, initial_h, evaluated, expanded,
    expanded_until_last_jump, generated, reopened, dead_ends, search_seconds, total_seconds,
    wall_seconds, cpu_seconds, peak_memory, initial_exact, statistics";

/// Writes a row, unless the run has one or its configuration is gone. A revision in the
/// experiment file takes precedence over the record's.
fn add(
    transaction: &Transaction<'_>,
    task: i64,
    configuration: i64,
    record: &Record,
) -> rusqlite::Result<bool> {
    let release = "DELETE FROM claims WHERE task = ? AND configuration = ?";
    transaction.prepare_cached(release)?.execute([task, configuration])?;
    let insert = format!(
        "INSERT INTO runs (task, configuration, revision, machine, time_limit, memory_limit,
                           output_limit, started, status, reason, exit_code, {MEASURES})
         SELECT ?1, c.id, coalesce(c.definition ->> '$.revision', ?3), ?4, ?5, ?6, ?7, ?8, ?9,
                ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25,
                ?26, ?27, ?28
         FROM configurations c WHERE c.id = ?2 ON CONFLICT DO NOTHING"
    );
    let Record { limits, measures: m, .. } = record;
    let rows = transaction.prepare_cached(&insert)?.execute(params![
        task,
        configuration,
        record.revision,
        record.machine,
        limits.time.as_secs_f64(),
        integer(limits.memory),
        integer(limits.output),
        integer(record.started),
        record.status.name(),
        record.reason,
        record.exit_code,
        m.cost.map(integer),
        m.plan_length.map(integer),
        m.lower_bound.map(integer),
        m.initial_h.map(integer),
        m.evaluated.map(integer),
        m.expanded.map(integer),
        m.expanded_until_last_jump.map(integer),
        m.generated.map(integer),
        m.reopened.map(integer),
        m.dead_ends.map(integer),
        m.search_seconds,
        m.total_seconds,
        finite(m.wall_seconds),
        finite(m.cpu_seconds),
        integer(m.peak_memory),
        m.initial_exact,
        m.statistics.as_ref().map(json),
    ])?;
    if rows > 0 {
        let run = transaction.last_insert_rowid();
        let log = "INSERT INTO logs (run, log) VALUES (?, ?)";
        transaction.prepare_cached(log)?.execute(params![run, compress(&record.log)])?;
    }
    Ok(rows > 0)
}

fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let RunKey { suite, domain, problem, configuration } = key(row)?;
    let time = Duration::try_from_secs_f64(row.get(6)?).unwrap_or_default();
    let status = row.get_ref(10)?.as_str()?;
    let status = Status::from_name(status).ok_or_else(|| {
        let unknown = format!("unknown status '{status}'");
        rusqlite::Error::FromSqlConversionFailure(10, rusqlite::types::Type::Text, unknown.into())
    })?;
    Ok(Record {
        suite,
        domain,
        problem,
        configuration,
        revision: row.get(4)?,
        machine: row.get(5)?,
        // Of the current configurations only imported ones have no position.
        imported: row.get::<_, Option<i64>>(31)?.is_none(),
        limits: Limits { time, memory: row.get(7)?, output: row.get(8)? },
        started: row.get(9)?,
        status,
        reason: row.get(11)?,
        exit_code: row.get(12)?,
        measures: measures(row, 13)?,
        log: String::new(),
    })
}

fn measures(row: &Row<'_>, first: usize) -> rusqlite::Result<Measures> {
    let statistics = match row.get_ref(first + 16)?.as_str_or_null()? {
        Some(_) => Some(json_column(row, first + 16)?),
        None => None,
    };
    Ok(Measures {
        cost: row.get(first)?,
        plan_length: row.get(first + 1)?,
        lower_bound: row.get(first + 2)?,
        initial_h: row.get(first + 3)?,
        evaluated: row.get(first + 4)?,
        expanded: row.get(first + 5)?,
        expanded_until_last_jump: row.get(first + 6)?,
        generated: row.get(first + 7)?,
        reopened: row.get(first + 8)?,
        dead_ends: row.get(first + 9)?,
        search_seconds: row.get(first + 10)?,
        total_seconds: row.get(first + 11)?,
        wall_seconds: row.get(first + 12)?,
        cpu_seconds: row.get(first + 13)?,
        peak_memory: row.get(first + 14)?,
        initial_exact: row.get(first + 15)?,
        statistics,
    })
}

/// A number as SQLite can store it: at most 2^63 − 1. No planner counts that far.
fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number as SQLite can store it: without NaN and infinity.
fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

fn compress(log: &str) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder
        .write_all(log.as_bytes())
        .and_then(|()| encoder.finish())
        .expect("writing to memory cannot fail")
}

/// The text of a compressed log, up to the first part that cannot be read.
fn decompress(bytes: &[u8]) -> String {
    let mut log = Vec::new();
    let _ = ZlibDecoder::new(bytes).read_to_end(&mut log);
    String::from_utf8_lossy(&log).into_owned()
}
