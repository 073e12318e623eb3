//! Where the rows of a configuration come from, and how they ended.

use std::collections::BTreeSet;

use super::Report;
use crate::{Limits, Record, Status};

/// What the rows of a configuration say about how they were made. More than one of a
/// kind means that the rows are not of one piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Versions and revisions of the planner.
    pub revisions: BTreeSet<String>,
    /// Machines.
    pub machines: BTreeSet<String>,
    /// Limits, in the order in which they come up.
    pub limits: Vec<Limits>,
    /// When the first run began, in seconds since 1970.
    pub first: Option<u64>,
    /// When the last one began.
    pub last: Option<u64>,
    /// How many rows were imported.
    pub imported: usize,
    /// How many rows there are.
    pub done: usize,
    /// How many there will be.
    pub expected: usize,
}

impl Facts {
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
    /// Where the rows of a configuration come from.
    pub fn facts(&self, column: usize) -> Facts {
        let mut facts = Facts::default();
        for row in 0..self.rows.len() {
            facts.expected += usize::from(self.is_expected(row, column));
            if let Some(record) = self.record(row, column) {
                facts.add(record);
            }
        }
        facts
    }

    /// How many runs of each configuration ended so; `None`: are not done.
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
