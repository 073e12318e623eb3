//! What can go wrong outside the runs themselves; a run that fails is a [`Record`] with
//! its status, never an error.
//!
//! [`Record`]: crate::Record

use std::path::{Path, PathBuf};

use crate::supervise;

/// Why the lab could not do its job.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An experiment file says something wrong.
    #[error("{}:{line}:{column}: {message}", file.display())]
    Experiment {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// What is wrong, and what was expected.
        message: String,
        /// The line's text, unless it is long.
        source_line: Option<String>,
    },
    /// A file or a folder cannot be read.
    #[error("cannot read '{}': {error}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// A file or a folder cannot be written.
    #[error("cannot write '{}': {error}", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// A database cannot be used at all.
    #[error("'{}' {problem}", file.display())]
    Database {
        /// The file.
        file: PathBuf,
        /// Why not, as the end of a sentence that begins with the file.
        problem: String,
    },
    /// A database that was fine does not do what it should.
    #[error("the database fails: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A configuration has rows that were made when it was another one.
    #[error(
        "configuration '{name}' has changed since {rows} of its runs were made: rename it, or run \
         it anew with --redo {name}, which deletes them"
    )]
    Changed {
        /// The configuration.
        name: String,
        /// How many rows it has.
        rows: u64,
    },
    /// A name that the experiment does not have.
    #[error("the experiment has no {kind} '{name}'")]
    Unknown {
        /// What kind of thing it should name.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// Nothing can be run on this machine.
    #[error("{0}")]
    Supervise(supervise::Error),
    /// The cluster does not do what it should.
    #[error(transparent)]
    Slurm(#[from] crate::slurm::Error),
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// For `map_err` after reading.
    pub(crate) fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Unreadable { path, error }
    }
}

impl From<supervise::Error> for Error {
    fn from(error: supervise::Error) -> Self {
        match error {
            supervise::Error::Interrupted => Self::Interrupted,
            error => Self::Supervise(error),
        }
    }
}
