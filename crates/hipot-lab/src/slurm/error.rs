//! What can go wrong around Slurm.

use std::io;
use std::path::{Path, PathBuf};

/// Why the Slurm engine cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of the spool cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file of the spool is not what it should be.
    #[error("{path}: {reason}", path = path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// There is no Slurm here.
    #[error(
        "{program}: {source}; the Slurm engine needs Slurm's commands (sbatch, squeue, scancel, \
         scontrol) in the PATH: start `hipot lab run` on a login node of the cluster, or take \
         `--engine local`"
    )]
    NoSlurm {
        /// The command that could not be started.
        program: &'static str,
        /// Why.
        source: io::Error,
    },
    /// A command of Slurm failed.
    #[error("{program}: {message}")]
    Command {
        /// The command.
        program: &'static str,
        /// What it said.
        message: String,
    },
    /// An option that would take the jobs out of our sight.
    #[error("the Slurm option {option} cannot be given: {reason}")]
    Option {
        /// The option.
        option: String,
        /// Why.
        reason: &'static str,
    },
    /// Array elements end, and none has brought a record.
    #[error(
        "the array elements on the cluster fail before their first run ends ({state}); \
         their last words:\n{words}"
    )]
    NoRecords {
        /// How Slurm says that they ended.
        state: String,
        /// The end of such an element's output.
        words: String,
    },
    /// Whoever takes the records does not take one.
    #[error(transparent)]
    Sink(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// For `map_err` after an operation on a file.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), source }
    }
}
