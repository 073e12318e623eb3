//! What is wrong with a task, and where.
//!
//! While the files are read, a [`Finding`] is a message with places as bytes.
//! At the end the first findings become [`Diagnostic`]s, which carry the lines
//! that they speak of and so outlive the files.

mod nearest;
mod place;
mod render;

use std::collections::HashSet;
use std::fmt;

pub(crate) use nearest::nearest;
pub use place::Place;
use place::Places;

use crate::source::{Source, Span};

/// How many diagnostics are kept for the reader.
const MOST_SHOWN: usize = 20;

/// How many findings are kept before the first are selected.
const MOST_KEPT: usize = 10_000;

/// How many findings may search for a similar name.
const MOST_SUGGESTIONS: usize = 100;

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

/// All that is wrong with a task. [`Display`](fmt::Display) shows the places
/// in their lines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", render::text(self))]
pub struct Errors {
    /// The first diagnostics: those of the domain, then those of the problem,
    /// each in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more there are.
    pub hidden: usize,
    unsupported: bool,
}

impl Errors {
    pub(crate) fn new(mut findings: Findings, domain: &Source, problem: &Source) -> Self {
        findings.kept.sort_by_key(|finding| finding.span);
        let shown = findings.kept.len().min(MOST_SHOWN);
        let hidden = findings.count() - shown;
        let places = Places::new(domain, problem);
        let kept = findings.kept.into_iter().take(MOST_SHOWN);
        let diagnostics = kept.map(|finding| finding.diagnostic(&places)).collect();
        Self { diagnostics, hidden, unsupported: findings.wrong == 0 }
    }

    /// Whether the task is right as far as hipot can tell, but uses parts of
    /// PDDL that hipot does not support.
    pub fn is_unsupported(&self) -> bool {
        self.unsupported
    }
}

/// A diagnostic whose places are bytes.
#[derive(Debug)]
pub(crate) struct Finding {
    span: Span,
    message: String,
    help: Option<String>,
    notes: Vec<(Span, String)>,
    unsupported: bool,
}

impl Finding {
    /// The task is wrong here.
    pub(crate) fn wrong(span: Span, message: impl Into<String>) -> Self {
        let (help, notes) = (None, Vec::new());
        Self { span, message: message.into(), help, notes, unsupported: false }
    }

    /// The task uses something here that hipot does not support.
    pub(crate) fn unsupported(span: Span, what: impl fmt::Display) -> Self {
        let message = format!("{what} not supported");
        Self { unsupported: true, ..Self::wrong(span, message) }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Suggests a name, if there is one to suggest.
    pub(crate) fn with_suggestion(self, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.with_help(format!("did you mean {}?", quote(name))),
            None => self,
        }
    }

    /// Suggests a name, or helps otherwise.
    pub(crate) fn with_suggestion_or(self, name: Option<&str>, help: &str) -> Self {
        if name.is_some() { self.with_suggestion(name) } else { self.with_help(help) }
    }

    pub(crate) fn with_note(mut self, span: Span, text: impl Into<String>) -> Self {
        self.notes.push((span, text.into()));
        self
    }

    /// Says where something was declared, unless it is built in.
    pub(crate) fn with_declaration(self, span: Option<Span>, text: &str) -> Self {
        match span {
            Some(span) => self.with_note(span, text),
            None => self,
        }
    }

    fn diagnostic(self, places: &Places<'_>) -> Diagnostic {
        let note = |(span, text)| Note { place: places.place(span), text };
        Diagnostic {
            place: places.place(self.span),
            message: self.message,
            help: self.help,
            notes: self.notes.into_iter().map(note).collect(),
            unsupported: self.unsupported,
        }
    }
}

/// All findings, or their number where there are too many to keep.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    kept: Vec<Finding>,
    wrong: usize,
    unsupported: usize,
    /// Names that were said to be unknown.
    unknown: HashSet<(&'static str, String)>,
}

impl Findings {
    pub(crate) fn add(&mut self, finding: Finding) {
        if finding.unsupported {
            self.unsupported += 1;
        } else {
            self.wrong += 1;
        }
        if self.kept.len() < MOST_KEPT {
            self.kept.push(finding);
        }
    }

    /// Whether a name is now for the first time said to be unknown; `kind`
    /// is what it should be the name of.
    pub(crate) fn is_new(&mut self, kind: &'static str, name: &str) -> bool {
        self.unknown.insert((kind, name.to_owned()))
    }

    pub(crate) fn count(&self) -> usize {
        self.wrong + self.unsupported
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Whether there is still reason to search for names to suggest.
    pub(crate) fn may_suggest(&self) -> bool {
        self.kept.len() < MOST_SUGGESTIONS
    }
}

/// `text` in quotes, shortened where it is long, invisible characters escaped.
pub(crate) fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("'{}…'", text[..end].escape_debug()),
        None => format!("'{}'", text.escape_debug()),
    }
}
