//! All rows as comma-separated values (RFC 4180), with every number.

use std::io::{self, Write};

use csv::{Terminator, WriterBuilder};

use super::Report;
use crate::Record;

/// A column: its name, and its value for a record.
type Field = (&'static str, fn(&Record) -> String);

const FIELDS: [Field; 30] = [
    ("suite", |record| record.suite.clone()),
    ("domain", |record| record.domain.clone()),
    ("problem", |record| record.problem.clone()),
    ("configuration", |record| record.configuration.clone()),
    ("revision", |record| record.revision.clone()),
    ("machine", |record| record.machine.clone()),
    ("imported", |record| record.imported.to_string()),
    ("time_limit_seconds", |record| record.limits.time.as_secs_f64().to_string()),
    ("memory_limit", |record| record.limits.memory.to_string()),
    ("output_limit", |record| record.limits.output.to_string()),
    ("started", |record| record.started.to_string()),
    ("status", |record| record.status.name().to_owned()),
    ("reason", |record| record.reason.clone().unwrap_or_default()),
    ("exit_code", |record| show(record.exit_code)),
    ("cost", |record| show(record.measures.cost)),
    ("plan_length", |record| show(record.measures.plan_length)),
    ("lower_bound", |record| show(record.measures.lower_bound)),
    ("initial_h", |record| show(record.measures.initial_h)),
    ("initial_exact", |record| show(record.measures.initial_exact.as_ref())),
    ("evaluated", |record| show(record.measures.evaluated)),
    ("expanded", |record| show(record.measures.expanded)),
    ("expanded_until_last_jump", |record| show(record.measures.expanded_until_last_jump)),
    ("generated", |record| show(record.measures.generated)),
    ("reopened", |record| show(record.measures.reopened)),
    ("dead_ends", |record| show(record.measures.dead_ends)),
    ("search_seconds", |record| show(record.measures.search_seconds)),
    ("total_seconds", |record| show(record.measures.total_seconds)),
    ("wall_seconds", |record| record.measures.wall_seconds.to_string()),
    ("cpu_seconds", |record| record.measures.cpu_seconds.to_string()),
    ("peak_memory", |record| record.measures.peak_memory.to_string()),
];

impl Report {
    /// Writes a header and all rows. The last column is the task's optimal cost.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut out = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out);
        out.write_record(FIELDS.iter().map(|(name, _)| *name).chain(["optimal_cost"]))?;
        for (row, _, record) in self.records() {
            let cells = FIELDS.iter().map(|(_, field)| field(record));
            out.write_record(cells.chain([show(self.rows[row].optimal)]))?;
        }
        out.flush()
    }
}

fn show(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
