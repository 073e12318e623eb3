//! The data for the page's script: arrays with one entry per task.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::report::{Logs, Metric, Report};
use crate::{Record, Status};

/// One array per configuration, with one entry per task.
type Columns<T> = Vec<Vec<T>>;

#[derive(Serialize)]
struct Data<'a> {
    columns: Vec<&'a str>,
    domains: &'a [String],
    statuses: Vec<&'static str>,
    tasks: Tasks<'a>,
    runs: Runs,
    metrics: BTreeMap<&'static str, Columns<u64>>,
    units: BTreeMap<&'static str, u32>,
    /// By the index of the run, row × columns + column.
    reasons: BTreeMap<usize, &'a str>,
}

#[derive(Serialize)]
struct Tasks<'a> {
    domain: Vec<usize>,
    problem: Vec<&'a str>,
    optimal: Vec<Option<u64>>,
}

#[derive(Serialize)]
struct Runs {
    /// The index into `statuses`; −1: not run yet; −2: not part of the experiment.
    status: Columns<i8>,
    cost: Columns<Option<u64>>,
    h: Columns<Option<u64>>,
    /// Expansions.
    x: Columns<Option<u64>>,
    /// Expansions before the last f layer.
    e: Columns<Option<u64>>,
    evaluated: Columns<Option<u64>>,
    generated: Columns<Option<u64>>,
    bound: Columns<Option<u64>>,
    time: Columns<Option<f64>>,
    search: Columns<Option<f64>>,
    total: Columns<Option<f64>>,
    /// In units of 10⁶ bytes.
    memory: Columns<Option<u64>>,
}

/// The report's numbers as JSON for a script element.
pub(super) fn data(report: &Report) -> String {
    let rows = &report.rows;
    let width = report.columns.len();
    let reasons = report.records().filter_map(|(row, column, record)| {
        Some((row * width + column, record.reason.as_deref()?))
    });
    let data = Data {
        columns: report.columns.iter().map(|column| column.name.as_str()).collect(),
        domains: &report.domains,
        statuses: Status::ALL.map(Status::name).to_vec(),
        tasks: Tasks {
            domain: rows.iter().map(|row| row.domain).collect(),
            problem: rows.iter().map(|row| row.problem.as_str()).collect(),
            optimal: rows.iter().map(|row| row.optimal).collect(),
        },
        runs: runs(report),
        metrics: Metric::ALL
            .into_iter()
            .map(|metric| (metric.name(), values(report, metric)))
            .collect(),
        units: Metric::ALL.into_iter().map(|metric| (metric.name(), metric.units())).collect(),
        reasons: reasons.collect(),
    };
    inside_script(&serde_json::to_string(&data).expect("numbers and names"))
}

/// The logs as JSON for a script element.
pub(super) fn logs(logs: &Logs<'_>) -> String {
    let packed = logs.packed.iter();
    let object = packed.map(|(place, log)| (place.to_string(), Value::from(log.as_str())));
    inside_script(&Value::Object(object.collect()).to_string())
}

fn values(report: &Report, metric: Metric) -> Columns<u64> {
    each(report, |row, column| metric.value(report, row, column))
}

fn each<T>(report: &Report, value: impl Fn(usize, usize) -> T) -> Columns<T> {
    let column = |column: usize| (0..report.rows.len()).map(|row| value(row, column)).collect();
    (0..report.columns.len()).map(column).collect()
}

fn runs(report: &Report) -> Runs {
    let from = |value: fn(&Record) -> Option<u64>| {
        each(report, |row, column| report.record(row, column).and_then(value))
    };
    let seconds = |value: fn(&Record) -> Option<f64>| {
        each(report, |row, column| {
            let seconds = report.record(row, column).and_then(value)?;
            Some((seconds * 1e6).round() / 1e6)
        })
    };
    Runs {
        status: each(report, |row, column| status(report, row, column)),
        cost: from(|record| record.measures.cost),
        h: from(|record| record.measures.initial_h),
        x: from(|record| record.measures.expanded),
        e: from(|record| record.measures.expanded_until_last_jump),
        evaluated: from(|record| record.measures.evaluated),
        generated: from(|record| record.measures.generated),
        bound: from(|record| record.measures.lower_bound),
        time: seconds(|record| Some(record.measures.cpu_seconds)),
        search: seconds(|record| record.measures.search_seconds),
        total: seconds(|record| record.measures.total_seconds),
        memory: from(|record| Some(record.measures.peak_memory.div_ceil(1_000_000))),
    }
}

fn status(report: &Report, row: usize, column: usize) -> i8 {
    match report.record(row, column) {
        Some(record) => {
            let place = Status::ALL.iter().position(|&status| status == record.status);
            place.map_or(-1, |place| place as i8)
        }
        None if report.is_expected(row, column) => -1,
        None => -2,
    }
}

/// JSON that cannot end the script element around it.
fn inside_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}
