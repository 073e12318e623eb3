//! How a run ends, and its exit code.

use std::path::{Path, PathBuf};

use hipot_pddl::{Diagnostic, Errors, Severity};
use hipot_potential::NormalFormError;
use hipot_task::{Stop, Unsupported};
use serde::Serialize;

use crate::diagnostics::DiagnosticReport;

/// How a run ended, as the JSON output names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// An optimal plan was found, or a bound was proved.
    Solved,
    /// There is no plan.
    Unsolvable,
    /// The plan is valid.
    Valid,
    /// The plan is not valid, or the certificate does not hold.
    Invalid,
    /// The certificate holds.
    Verified,
    /// A task was generated.
    Generated,
    /// A task was translated.
    Translated,
    /// A certificate was exported.
    Exported,
    /// Every run of an experiment is done.
    Complete,
    /// Some runs of an experiment are not done.
    Incomplete,
    /// The time limit is reached.
    TimeLimit,
    /// The limit on processor time is reached.
    #[serde(rename = "time-limit")]
    ProcessorLimit,
    /// The memory limit is reached.
    MemoryLimit,
    /// The user interrupted.
    Interrupted,
    /// The input uses a feature that the command does not support.
    Unsupported,
    /// The input is wrong.
    InputError,
    /// The command line is wrong.
    UsageError,
    /// A defect in hipot itself.
    InternalError,
}

impl Status {
    /// The process's exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Solved
            | Self::Valid
            | Self::Verified
            | Self::Generated
            | Self::Translated
            | Self::Exported
            | Self::Complete
            | Self::Incomplete => 0,
            Self::Invalid => 1,
            Self::UsageError => 2,
            Self::Unsolvable => 11,
            Self::MemoryLimit => 22,
            Self::TimeLimit | Self::ProcessorLimit => 23,
            Self::InputError => 31,
            Self::InternalError => 32,
            Self::Unsupported => 34,
            Self::Interrupted => 130,
        }
    }
}

impl From<Stop> for Status {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::TimeLimit => Self::TimeLimit,
            Stop::ProcessorLimit => Self::ProcessorLimit,
            Stop::MemoryLimit => Self::MemoryLimit,
            Stop::Interrupted => Self::Interrupted,
        }
    }
}

/// Why a command could not do its job.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file has an error.
    #[error("{}:{line}:{column}: {message}", file.display())]
    Input {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// What is wrong.
        message: String,
        /// The line's text, if it helps.
        source_line: Option<String>,
    },
    /// A PDDL task has errors, or features that hipot does not support.
    #[error("{0}")]
    Pddl(
        /// The errors.
        Errors,
    ),
    /// A task is well-formed but has no meaning.
    #[error("{}: {message}", file.display())]
    Meaningless {
        /// The file.
        file: PathBuf,
        /// Why not.
        message: String,
    },
    /// A file cannot be read.
    #[error("cannot read '{}': {}", file.display(), reason(error))]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// A file or standard output cannot be written.
    #[error("cannot write '{}': {}", file.display(), reason(error))]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The input has a feature that the command does not support.
    #[error("{0}")]
    Unsupported(String),
    /// The command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// The LP solver failed, and no fallback was allowed.
    #[error("{0}; this is a defect in hipot or in its LP solver; please report it")]
    Solver(String),
    /// An error of a part of the program that this library does not know.
    #[error("{message}")]
    Refused {
        /// The status that the command ends with.
        status: Status,
        /// What is wrong.
        message: String,
        /// The file concerned.
        file: Option<PathBuf>,
    },
    /// A limit, or an interrupt.
    #[error("{0}")]
    Stopped(#[from] Stop),
}

impl Failure {
    /// What is wrong, without the place.
    pub fn message(&self) -> String {
        match self {
            Self::Input { message, .. } | Self::Meaningless { message, .. } => message.clone(),
            Self::Pddl(errors) => match decisive(errors) {
                Some(Diagnostic { message, help: Some(help), .. }) => format!("{message}; {help}"),
                Some(diagnostic) => diagnostic.message.clone(),
                None => errors.to_string(),
            },
            other => other.to_string(),
        }
    }

    /// The file, line and column, if known.
    pub fn place(&self) -> (Option<&Path>, Option<usize>, Option<usize>) {
        match self {
            Self::Input { file, line, column, .. } => (Some(file), Some(*line), Some(*column)),
            Self::Pddl(errors) => match decisive(errors).map(|diagnostic| &diagnostic.place) {
                Some(place) => (Some(Path::new(&place.file)), Some(place.line), Some(place.column)),
                None => (None, None, None),
            },
            Self::Meaningless { file, .. }
            | Self::Unreadable { file, .. }
            | Self::Unwritable { file, .. } => (Some(file), None, None),
            Self::Refused { file, .. } => (file.as_deref(), None, None),
            Self::Unsupported(_) | Self::Usage(_) | Self::Solver(_) | Self::Stopped(_) => {
                (None, None, None)
            }
        }
    }

    /// The text of the offending line, if it helps.
    pub fn source_line(&self) -> Option<&str> {
        match self {
            Self::Input { source_line, .. } => source_line.as_deref(),
            Self::Pddl(errors) => decisive(errors).map(|found| found.place.source_line()),
            _ => None,
        }
    }

    /// Everything that is wrong with a task in PDDL.
    pub fn diagnostics(&self) -> Vec<DiagnosticReport> {
        match self {
            Self::Pddl(errors) => errors.diagnostics.iter().map(DiagnosticReport::from).collect(),
            _ => Vec::new(),
        }
    }

    /// The status that the command ends with.
    pub fn status(&self) -> Status {
        match self {
            Self::Pddl(errors) if errors.is_unsupported() => Status::Unsupported,
            Self::Input { .. }
            | Self::Pddl(_)
            | Self::Meaningless { .. }
            | Self::Unreadable { .. } => Status::InputError,
            Self::Unwritable { .. } | Self::Usage(_) => Status::UsageError,
            Self::Refused { status, .. } => *status,
            Self::Solver(_) => Status::InternalError,
            Self::Unsupported(_) => Status::Unsupported,
            Self::Stopped(stop) => (*stop).into(),
        }
    }
}

/// The first diagnostic that determines the status.
fn decisive(errors: &Errors) -> Option<&Diagnostic> {
    let decides =
        |found: &&Diagnostic| (found.severity == Severity::Unsupported) == errors.is_unsupported();
    errors.diagnostics.iter().find(decides)
}

impl From<Unsupported> for Failure {
    fn from(unsupported: Unsupported) -> Self {
        Self::Unsupported(unsupported.to_string())
    }
}

impl From<hipot_potential::Error> for Failure {
    fn from(error: hipot_potential::Error) -> Self {
        match error {
            hipot_potential::Error::Stopped(stop) => stop.into(),
            hipot_potential::Error::Incomplete(shortfall) => match shortfall.stop() {
                Some(stop) => stop.into(),
                None => Self::Solver(shortfall.to_string()),
            },
            error @ hipot_potential::Error::Solver(_) => Self::Solver(error.to_string()),
            error @ hipot_potential::Error::TooWide(_) => Self::Unsupported(error.to_string()),
        }
    }
}

impl From<NormalFormError> for Failure {
    fn from(error: NormalFormError) -> Self {
        match error {
            NormalFormError::Unsupported(unsupported) => unsupported.into(),
            NormalFormError::Stopped(stop) => stop.into(),
        }
    }
}

/// What the system says about a file, without its number.
fn reason(error: &std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::IsADirectory {
        return "it is a folder, not a file".to_owned();
    }
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
