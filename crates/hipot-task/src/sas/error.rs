//! Errors with a place.

use crate::defect::Defect;

/// What is wrong with a `.sas` file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct SasError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong at one place of a `.sas` file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What should stand here.
        expected: String,
        /// What stands here instead.
        found: String,
    },
    /// A number that no task needs.
    #[error("the number {0} is too large")]
    TooLarge(String),
    /// The text cannot be read.
    #[error("this line is not valid UTF-8")]
    NotUtf8,
    /// The syntax is right, the meaning is not.
    #[error(transparent)]
    Defect(#[from] Defect),
}
