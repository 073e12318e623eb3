//! A message about one place of a file.

use super::place::Place;

/// A mistake, or something unsupported, at one place.
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
    /// Whether this is a part of PDDL that hipot does not support, and not a
    /// mistake.
    pub unsupported: bool,
}

/// Another place that matters for a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place.
    pub place: Place,
    /// What is there.
    pub text: String,
}
