//! Diagnostics about PDDL, as JSON.

use hipot_pddl::{Diagnostic, Place};
use serde::Serialize;

/// A diagnostic, with its places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiagnosticReport {
    /// `error`, `unsupported` or `warning`.
    pub severity: &'static str,
    /// The kind of a warning.
    pub code: Option<&'static str>,
    /// The place.
    #[serde(flatten)]
    pub place: PlaceReport,
    /// The number of characters, on the first line.
    pub width: usize,
    /// What is wrong.
    pub message: String,
    /// What could be done about it.
    pub help: Option<String>,
    /// Other places that matter.
    pub notes: Vec<NoteReport>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlaceReport {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// Another place that matters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteReport {
    /// The place.
    #[serde(flatten)]
    pub place: PlaceReport,
    /// What is there.
    pub text: String,
}

impl From<&Place> for PlaceReport {
    fn from(place: &Place) -> Self {
        Self { file: place.file.clone(), line: place.line, column: place.column }
    }
}

impl From<&Diagnostic> for DiagnosticReport {
    fn from(found: &Diagnostic) -> Self {
        let note = |note: &hipot_pddl::Note| NoteReport {
            place: PlaceReport::from(&note.place),
            text: note.text.clone(),
        };
        Self {
            severity: found.severity.word(),
            code: found.code,
            place: PlaceReport::from(&found.place),
            width: found.place.width,
            message: found.message.clone(),
            help: found.help.clone(),
            notes: found.notes.iter().map(note).collect(),
        }
    }
}
