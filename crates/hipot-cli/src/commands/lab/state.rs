//! How far an experiment is, as a report.

use std::path::Path;

use hipot::Status;
use hipot_lab::Overview;
use serde::Serialize;

/// The schema of what `lab run`, `lab status` and `lab import` print.
pub(in crate::commands) const SCHEMA: &str = "hipot.lab/1";

/// How far an experiment is, schema `hipot.lab/1`.
#[derive(Debug, Serialize)]
pub(super) struct StateReport<'a> {
    schema: &'static str,
    pub(super) status: Status,
    database: &'a Path,
    #[serde(flatten)]
    overview: &'a Overview,
}

impl<'a> StateReport<'a> {
    pub(super) fn new(overview: &'a Overview, database: &'a Path) -> Self {
        let is_complete = overview.done == overview.runs;
        let status = if is_complete { Status::Complete } else { Status::Incomplete };
        Self { schema: SCHEMA, status, database, overview }
    }
}
