//! Errors of the lab as failures of a command.
//!
//! The library `hipot` does not know the lab, and neither type is defined in this crate, so
//! a type of its own stands between them.

use hipot::{Failure, Status};
use hipot_lab::{Error, SuperviseError};
use hipot_task::Stop;

/// A failure of a command of the lab.
#[derive(Debug)]
pub(super) struct LabFailure(pub(super) Failure);

impl From<Failure> for LabFailure {
    fn from(failure: Failure) -> Self {
        Self(failure)
    }
}

impl From<Stop> for LabFailure {
    fn from(stop: Stop) -> Self {
        Self(stop.into())
    }
}

impl From<SuperviseError> for LabFailure {
    fn from(error: SuperviseError) -> Self {
        Error::from(error).into()
    }
}

impl From<Error> for LabFailure {
    fn from(error: Error) -> Self {
        Self(match error {
            Error::Text { file, line, column, message, source_line } => {
                Failure::Input { file, line, column, message, source_line }
            }
            Error::Unreadable { path, error } => Failure::Unreadable { file: path, error },
            Error::Unwritable { path, error } => Failure::Unwritable { file: path, error },
            Error::Interrupted => Failure::Stopped(Stop::Interrupted),
            error => {
                let message = error.to_string();
                let (status, file) = match error {
                    Error::Database { file, .. } => (Status::InputError, Some(file)),
                    Error::Changed { .. } => (Status::InputError, None),
                    _ => (Status::UsageError, None),
                };
                Failure::Refused { status, message, file }
            }
        })
    }
}
