//! A message about one place of a file.

use super::place::Place;

/// A mistake, something unsupported, or a warning, at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The place.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What could be done about it.
    pub help: Option<String>,
    /// Other places that matter.
    pub notes: Vec<Note>,
    /// How bad it is.
    pub severity: Severity,
    /// The kind of a warning, such as `unused-parameter`.
    pub code: Option<&'static str>,
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A mistake: the task has no meaning.
    Error,
    /// A part of PDDL that hipot does not support.
    Unsupported,
    /// The task has a meaning, but perhaps not the one that was meant.
    Warning,
}

impl Severity {
    /// The word for it in messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Unsupported => "unsupported",
            Self::Warning => "warning",
        }
    }
}

/// Another place that matters for a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place.
    pub place: Place,
    /// What is there.
    pub text: String,
}
