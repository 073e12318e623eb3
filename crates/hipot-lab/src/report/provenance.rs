//! Where the rows of a configuration come from, and how they ended.
//!
//! A table compares like with like only if all rows of a configuration were made by one
//! revision, under the same limits, on comparable machines. Rows may have been made at
//! different times by different processes, so the report shows all that occur.

use std::collections::BTreeSet;

use super::Report;
use crate::{Limits, Record, Status};

/// How the rows of a configuration were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Provenance {
    /// The versions and revisions of the planner.
    pub(super) revisions: BTreeSet<String>,
    /// The machines.
    pub(super) machines: BTreeSet<String>,
    /// The limits, in the order of rows.
    pub(super) limits: Vec<Limits>,
    /// When the first run started, in seconds since 1970.
    pub(super) first: Option<u64>,
    /// When the last run started.
    pub(super) last: Option<u64>,
    /// The number of imported rows.
    pub(super) imported: usize,
    /// The number of rows.
    pub(super) done: usize,
    /// The number of rows once all runs are done.
    pub(super) expected: usize,
}

impl Provenance {
    fn add(&mut self, record: &Record) {
        self.revisions.insert(record.revision.clone());
        self.machines.insert(record.machine.clone());
        if !self.limits.contains(&record.limits) {
            self.limits.push(record.limits);
        }
        if record.started > 0 {
            let started = record.started;
            self.first = Some(self.first.map_or(started, |first| first.min(started)));
            self.last = self.last.max(Some(started));
        }
        self.imported += usize::from(record.imported);
        self.done += 1;
    }
}

impl Report {
    /// How the rows of a configuration were made.
    pub(super) fn provenance(&self, column: usize) -> Provenance {
        let mut provenance = Provenance::default();
        for row in 0..self.rows.len() {
            provenance.expected += usize::from(self.is_expected(row, column));
            if let Some(record) = self.record(row, column) {
                provenance.add(record);
            }
        }
        provenance
    }

    /// The number of runs of each configuration that ended with this status; `None`: that are
    /// not done.
    pub fn count(&self, status: Option<Status>) -> Vec<usize> {
        let mut counts = vec![0; self.columns.len()];
        for row in 0..self.rows.len() {
            for (column, count) in counts.iter_mut().enumerate() {
                let ended = self.record(row, column).map(|record| record.status);
                let is_missing = ended.is_none() && !self.is_expected(row, column);
                *count += usize::from(ended == status && !is_missing);
            }
        }
        counts
    }
}
