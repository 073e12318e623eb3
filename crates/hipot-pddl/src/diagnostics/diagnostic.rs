//! What is said about one place.

use super::place::Place;

/// Something wrong or unsupported at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What could be done about it.
    pub help: Option<String>,
    /// Other places that matter.
    pub notes: Vec<Note>,
    /// Whether it is PDDL, but a part that hipot does not support.
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
