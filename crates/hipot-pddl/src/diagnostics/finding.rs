//! What is noted while the files are read.

use std::collections::HashSet;
use std::fmt;

use super::diagnostic::{Diagnostic, Note, Severity};
use super::place::Places;
use super::quote::quote;
use crate::source::Span;

/// The number of findings that are kept; the others are only counted.
const MAX_KEPT: usize = 10_000;

/// The number of findings that may search for a similar name.
const MAX_SUGGESTIONS: usize = 100;

/// A diagnostic whose places are byte offsets.
#[derive(Debug)]
pub(crate) struct Finding {
    span: Span,
    message: String,
    help: Option<String>,
    notes: Vec<(Span, String)>,
    severity: Severity,
    code: Option<&'static str>,
}

impl Finding {
    /// A mistake at `span`.
    pub(crate) fn wrong(span: Span, message: impl Into<String>) -> Self {
        let (help, notes) = (None, Vec::new());
        let (severity, code) = (Severity::Error, None);
        Self { span, message: message.into(), help, notes, severity, code }
    }

    /// A warning at `span`.
    pub(crate) fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        let (severity, code) = (Severity::Warning, Some(code));
        Self { severity, code, ..Self::wrong(span, message) }
    }

    /// Something at `span` that hipot does not support; `what` ends with "is"
    /// or "are".
    pub(crate) fn unsupported(span: Span, what: impl fmt::Display) -> Self {
        let message = format!("{what} not supported");
        Self { severity: Severity::Unsupported, ..Self::wrong(span, message) }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Suggests a name, if any.
    pub(crate) fn with_suggestion(self, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.with_help(format!("did you mean {}?", quote(name))),
            None => self,
        }
    }

    /// Suggests a name or, without one, gives another help.
    pub(crate) fn with_suggestion_or(self, name: Option<&str>, help: &str) -> Self {
        if name.is_some() { self.with_suggestion(name) } else { self.with_help(help) }
    }

    pub(crate) fn with_note(mut self, span: Span, text: impl Into<String>) -> Self {
        self.notes.push((span, text.into()));
        self
    }

    /// Notes where something was declared, unless it is built in.
    pub(crate) fn with_declaration(self, span: Option<Span>, text: &str) -> Self {
        match span {
            Some(span) => self.with_note(span, text),
            None => self,
        }
    }

    pub(crate) fn diagnostic(self, places: &Places<'_>) -> Diagnostic {
        let note = |(span, text)| Note { place: places.place(span), text };
        Diagnostic {
            place: places.place(self.span),
            message: self.message,
            help: self.help,
            notes: self.notes.into_iter().map(note).collect(),
            severity: self.severity,
            code: self.code,
        }
    }
}

/// All findings, or their number if there are too many to keep.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    kept: Vec<Finding>,
    wrong: usize,
    unsupported: usize,
    /// The names that were reported as unknown.
    unknown: HashSet<(&'static str, String)>,
}

impl Findings {
    pub(crate) fn add(&mut self, finding: Finding) {
        if finding.severity == Severity::Unsupported {
            self.unsupported += 1;
        } else {
            self.wrong += 1;
        }
        if self.kept.len() < MAX_KEPT {
            self.kept.push(finding);
        }
    }

    /// Whether a name has not been reported as unknown before; from now on it
    /// has. `kind` is what it should be the name of.
    pub(crate) fn is_new(&mut self, kind: &'static str, name: &str) -> bool {
        self.unknown.insert((kind, name.to_owned()))
    }

    pub(crate) fn count(&self) -> usize {
        self.wrong + self.unsupported
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Whether nothing is wrong, only unsupported.
    pub(super) fn are_unsupported(&self) -> bool {
        self.wrong == 0
    }

    /// The findings that were kept, in the order of their places.
    pub(crate) fn in_order(mut self) -> impl Iterator<Item = Finding> {
        self.kept.sort_by_key(|finding| finding.span);
        self.kept.into_iter()
    }

    /// Whether another finding may search for a name to suggest.
    pub(crate) fn may_suggest(&self) -> bool {
        self.kept.len() < MAX_SUGGESTIONS
    }
}
