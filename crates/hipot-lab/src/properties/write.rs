//! Writes results as a `properties` file.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::error_word;
use crate::report::{Metric, Report};
use crate::{Record, Status};

impl Report {
    /// Writes all rows in the format of Downward Lab.
    pub fn write_properties(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(b"{")?;
        let mut separator = "\n";
        for (row, column, record) in self.records() {
            let domain = self.domain(row);
            let id = [&record.configuration, domain, &record.problem].join("-");
            write!(out, "{separator}{}: ", Value::from(id))?;
            serde_json::to_writer(&mut *out, &self.attributes(row, column, record))?;
            separator = ",\n";
        }
        out.write_all(b"\n}\n")
    }

    fn attributes(&self, row: usize, column: usize, record: &Record) -> Value {
        let (domain, is_solved) = (self.domain(row), record.status == Status::Solved);
        let path = [&record.configuration, domain, &record.problem];
        let mut all = Map::new();
        let mut put = |name: &str, value: Value| {
            if !value.is_null() {
                all.insert(name.to_owned(), value);
            }
        };
        put("algorithm", json!(record.configuration));
        put("domain", json!(domain));
        put("problem", json!(record.problem));
        put("id", json!(path));
        put("run_dir", json!(path.join("/")));
        put("coverage", json!(u8::from(is_solved)));
        put("unsolvable", json!(u8::from(record.status == Status::Unsolvable)));
        put("error", json!(error_word::word(record)));
        put("unexplained_errors", json!(unexplained(record)));
        put("global_revision", json!(record.revision));
        put("node", json!(record.machine));
        put("planner_exit_code", json!(record.exit_code));
        put_measures(&mut put, record);
        for metric in Metric::scores() {
            let score = metric.value(self, row, column) as f64 / f64::from(metric.units());
            put(metric.name(), json!(score));
        }
        Value::Object(all)
    }
}

fn put_measures(put: &mut impl FnMut(&str, Value), record: &Record) {
    let (measures, limits) = (&record.measures, record.limits);
    put("cost", json!(measures.cost));
    put("plan_length", json!(measures.plan_length));
    put("evaluations", json!(measures.evaluated));
    put("expansions", json!(measures.expanded));
    put("expansions_until_last_jump", json!(measures.expanded_until_last_jump));
    put("generated", json!(measures.generated));
    put("reopened", json!(measures.reopened));
    put("dead_ends", json!(measures.dead_ends));
    put("initial_h_value", json!(measures.initial_h));
    put("search_time", json!(measures.search_seconds));
    put("total_time", json!(measures.total_seconds));
    put("planner_time", json!(measures.cpu_seconds));
    put("planner_wall_clock_time", json!(measures.wall_seconds));
    put("memory", json!(measures.peak_memory.div_ceil(1024)));
    if !limits.time.is_zero() {
        put("planner_time_limit", json!(limits.time.as_secs_f64()));
    }
    if limits.memory > 0 {
        put("planner_memory_limit", json!(limits.memory as f64 / f64::from(1 << 20)));
    }
}

/// The entry for Lab's table of unexplained errors, if the run needs one.
fn unexplained(record: &Record) -> Option<Vec<&str>> {
    use Status::{Crashed, InvalidPlan, OutputLimit};
    let is_strange = matches!(record.status, Crashed | InvalidPlan | OutputLimit);
    is_strange.then(|| vec![record.reason.as_deref().unwrap_or(record.status.name())])
}
