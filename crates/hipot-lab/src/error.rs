//! What can go wrong outside the runs themselves. A run that fails is a [`Record`] with its
//! status, never an error.
//!
//! [`Record`]: crate::Record

use std::path::{Path, PathBuf};

use crate::supervise;

/// Why the lab could not do its job.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An experiment file or a table has a mistake.
    #[error("{}:{line}:{column}: {message}", file.display())]
    Text {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// What is wrong, and what was expected.
        message: String,
        /// The text of the line, unless it is long.
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
    /// A file cannot be used as a database.
    #[error("'{}' {problem}", file.display())]
    Database {
        /// The file.
        file: PathBuf,
        /// Why not: the rest of a sentence that begins with the file.
        problem: String,
    },
    /// An operation on a database failed.
    #[error("the database failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A configuration has changed since some of its rows were made.
    #[error(
        "configuration '{name}' has changed since {}: rename it, or delete its results and run it \
         again with --redo {name}",
        if *rows == 1 { "its only run was made".to_owned() } else { format!("its {rows} runs were made") }
    )]
    Changed {
        /// The configuration.
        name: String,
        /// The number of its rows.
        rows: u64,
    },
    /// The experiment has nothing with this name.
    #[error("the experiment has no {kind} '{name}'")]
    Unknown {
        /// The kind of thing that was expected.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// This machine cannot run anything.
    #[error("{0}")]
    Supervise(supervise::Error),
    /// There is not even one thread for runs.
    #[error("there is no thread to make runs: {0}")]
    NoThread(std::io::Error),
    /// The cluster failed.
    #[error(transparent)]
    Slurm(#[from] crate::slurm::Error),
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// The error for a file that could not be read, for `map_err`.
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
