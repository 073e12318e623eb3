//! Errors with a position in the text, as bytes and as line and column.

use std::ops::Range;
use std::path::Path;

use crate::error::Error;

/// An error at a position in the text.
#[derive(Debug)]
pub(super) struct SpannedError {
    pub(super) span: Range<usize>,
    pub(super) message: String,
}

impl SpannedError {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }

    pub(super) fn at(self, file: &Path, text: &str) -> Error {
        error(file, text, self.span.start, self.message)
    }
}

impl From<toml::de::Error> for SpannedError {
    fn from(error: toml::de::Error) -> Self {
        let message = error.message().trim_end().replace('\n', ", ");
        Self { span: error.span().unwrap_or(0..0), message }
    }
}

/// The error for byte `at` of `text`.
pub(super) fn error(file: &Path, text: &str, at: usize, message: String) -> Error {
    const MAX_LINE_BYTES: usize = 120;
    let at = (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[begin..].split('\n').next().unwrap_or_default().trim_end();
    Error::Text {
        file: file.to_owned(),
        line: text[..at].matches('\n').count() + 1,
        column: text[begin..at].chars().count() + 1,
        message,
        source_line: (line.len() <= MAX_LINE_BYTES).then(|| line.to_owned()),
    }
}
