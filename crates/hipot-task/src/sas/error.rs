//! Errors of the reader, each with its line and column.

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
    /// Something else was expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What was expected.
        expected: String,
        /// What was found instead.
        found: String,
    },
    /// A number that does not fit into 32 bits.
    #[error("the number {0} is too large")]
    TooLarge(String),
    /// The line is not text.
    #[error("this line is not valid UTF-8")]
    NotUtf8,
    /// The syntax is correct, but the task would not be valid.
    #[error(transparent)]
    Defect(#[from] Defect),
}
