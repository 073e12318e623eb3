//! This process as one that makes runs.

use crate::owner::Owner;

/// This process among the owners of the database.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) owner: Owner,
    /// Its row in the table of owners.
    pub(super) id: i64,
    /// The position of its last claim. Earlier positions are searched again only when nothing
    /// is left after this one.
    pub(super) last: Position,
}

/// The position of a run: those of its task and its configuration.
pub(super) type Position = (i64, i64);

/// Before the first run.
pub(super) const BEFORE_ALL: Position = (-1, -1);
