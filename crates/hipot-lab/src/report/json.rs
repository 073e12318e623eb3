//! The report as JSON (`hipot.lab-report/1`): the tables, and all rows.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{Metric, Report};
use crate::{Record, Status};

/// A row: a record without its log, with the task's optimal cost.
#[derive(Serialize)]
struct Run<'a> {
    #[serde(flatten)]
    record: &'a Record,
    optimal_cost: Option<u64>,
}

/// The whole report. Rows come last, because they are long.
#[derive(Serialize)]
struct ReportJson<'a> {
    schema: &'static str,
    status: &'static str,
    name: &'a str,
    configurations: Vec<Value>,
    tasks: usize,
    runs_expected: usize,
    runs_done: usize,
    statuses: Value,
    sums: Value,
    comparisons: Vec<Value>,
    warnings: Vec<Value>,
    runs: Vec<Run<'a>>,
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_json().serialize(serializer)
    }
}

impl Report {
    fn as_json(&self) -> ReportJson<'_> {
        let configuration = |column: usize| {
            let provenance = self.provenance(column);
            json!({
                "name": self.columns[column].name,
                "optimal": self.columns[column].is_optimal,
                "imported": provenance.imported,
                "revisions": provenance.revisions,
                "machines": provenance.machines,
            })
        };
        let rows = self
            .records()
            .map(|(row, _, record)| Run { record, optimal_cost: self.rows[row].optimal });
        ReportJson {
            schema: "hipot.lab-report/1",
            status: if self.is_complete() { "complete" } else { "incomplete" },
            name: &self.name,
            configurations: (0..self.columns.len()).map(configuration).collect(),
            tasks: self.rows.len(),
            runs_expected: self.expected_count(),
            runs_done: self.done_count(),
            statuses: self.statuses_as_json(),
            sums: self.sums_as_json(),
            comparisons: self.comparisons_as_json(),
            warnings: self.warnings_as_json(),
            runs: rows.collect(),
        }
    }

    /// An object with a value for each configuration, by its name.
    fn by_name<T: Into<Value>>(&self, values: impl IntoIterator<Item = T>) -> Value {
        let names = self.columns.iter().map(|column| column.name.clone());
        Value::Object(names.zip(values.into_iter().map(Into::into)).collect())
    }

    fn statuses_as_json(&self) -> Value {
        let entry =
            |status: Status| (status.name().to_owned(), self.by_name(self.count(Some(status))));
        let mut counts: Map<String, Value> = Status::ALL.into_iter().map(entry).collect();
        counts.insert("not-run".to_owned(), self.by_name(self.count(None)));
        Value::Object(counts)
    }

    fn sums_as_json(&self) -> Value {
        let entry = |metric: Metric| {
            let sums = metric.sums(self);
            let in_ones = |values: &Vec<u64>| {
                self.by_name(values.iter().map(|&value| match metric {
                    Metric::Score(_) => Value::from(value as f64 / f64::from(metric.units())),
                    _ => Value::from(value),
                }))
            };
            let domains = self.domains.iter().cloned().zip(sums.by_domain.iter().map(in_ones));
            let domains: Map<String, Value> = domains.collect();
            (
                metric.name().to_owned(),
                json!({ "total": in_ones(&sums.total), "by_domain": domains }),
            )
        };
        Value::Object(Metric::ALL.into_iter().map(entry).collect())
    }

    fn comparisons_as_json(&self) -> Vec<Value> {
        let compare = |(first, second): (usize, usize)| {
            let comparison = self.compare(first, second);
            let mut value = json!(comparison);
            value["first"] = json!(self.columns[first].name);
            value["second"] = json!(self.columns[second].name);
            value
        };
        self.pairs().into_iter().map(compare).collect()
    }

    fn warnings_as_json(&self) -> Vec<Value> {
        let describe = |warning: super::Warning| {
            let row = &self.rows[warning.row];
            json!({
                "suite": row.suite,
                "domain": self.domain(warning.row),
                "problem": row.problem,
                "message": warning.to_string(),
            })
        };
        self.warnings().into_iter().map(describe).collect()
    }
}
