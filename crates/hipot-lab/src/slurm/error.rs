//! What can go wrong with Slurm and the spool.

use std::io;
use std::path::{Path, PathBuf};

/// Why the Slurm engine cannot continue.
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
    /// A file of the spool is malformed.
    #[error("{path}: {reason}", path = path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Slurm's commands cannot be started.
    #[error(
        "{program}: {source}; the Slurm engine needs Slurm's commands (sbatch, squeue, scancel, \
         scontrol) in the PATH: start `hipot lab run` on a login node of the cluster, or use \
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
        /// What it printed.
        message: String,
    },
    /// An option with which we could not find the jobs again.
    #[error("the Slurm option {option} is not allowed: {reason}")]
    Option {
        /// The option.
        option: String,
        /// Why.
        reason: &'static str,
    },
    /// Array elements fail, and none has ever produced a record.
    #[error(
        "the array elements fail before their first run ends ({state}); the end of their output \
         is:\n{words}"
    )]
    NoRecords {
        /// Their state according to Slurm.
        state: String,
        /// The end of the output of one of them.
        words: String,
    },
    /// The sink refused a record.
    #[error(transparent)]
    Sink(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// The error for a failed operation on a file, for `map_err`.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), source }
    }
}
