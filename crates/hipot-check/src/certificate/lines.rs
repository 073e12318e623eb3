//! A certificate's text as lines and a line as words, with their positions.

use std::fmt;

use hipot_task::{Value, VariableId};
use num_bigint::BigInt;

use super::FeatureFact;
use super::error::CertificateError;

/// The maximum number of digits of a number in a certificate.
const MAX_DIGITS: usize = 10_000;

/// Whether `word` has digits only, and no leading zeros.
fn is_natural(word: &str) -> bool {
    !word.is_empty()
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && (word == "0" || !word.starts_with('0'))
}

/// The lines not yet read.
pub(super) struct Lines<'a> {
    rest: &'a str,
    /// The number of lines read.
    pub(super) number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, number: 0 }
    }

    /// The next line without white space at its end.
    pub(super) fn next(
        &mut self,
        expected: impl fmt::Display,
    ) -> Result<Line<'a>, CertificateError> {
        self.number += 1;
        if self.rest.is_empty() {
            let message = format!("expected {expected}, found the end of the file");
            return Err(CertificateError { line: self.number, column: 1, message });
        }
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        Ok(Line { rest: Some(line.trim_ascii_end()), column: 1, number: self.number })
    }

    /// A line that is exactly `text`.
    pub(super) fn expect(
        &mut self,
        text: &str,
        expected: impl fmt::Display,
    ) -> Result<(), CertificateError> {
        self.expect_one_of(&[text], expected).map(|_| ())
    }

    /// A line that is exactly one of `texts`; returns its index.
    pub(super) fn expect_one_of(
        &mut self,
        texts: &[&str],
        expected: impl fmt::Display,
    ) -> Result<usize, CertificateError> {
        let line = self.next(&expected)?;
        let found = line.rest.unwrap_or_default();
        let index = texts.iter().position(|&text| text == found);
        index.ok_or_else(|| line.expected(1, expected, found))
    }

    /// A line that begins with `keyword`; returns what comes after it.
    pub(super) fn field(&mut self, keyword: &str) -> Result<Line<'a>, CertificateError> {
        let mut line = self.next(format_args!("'{keyword}'"))?;
        match line.word() {
            (_, word) if word == keyword => Ok(line),
            (column, word) => Err(line.expected(column, format_args!("'{keyword}'"), word)),
        }
    }

    /// The end of the file.
    pub(super) fn end(&mut self) -> Result<(), CertificateError> {
        while !self.rest.is_empty() {
            self.expect("", "the end of the file")?;
        }
        Ok(())
    }
}

/// The words of a line not yet read, one space between them.
pub(super) struct Line<'a> {
    /// `None` once the last word was read.
    rest: Option<&'a str>,
    /// Where `rest` begins.
    pub(super) column: usize,
    /// The line's number.
    number: usize,
}

impl<'a> Line<'a> {
    /// Whether all words were read.
    pub(super) fn at_end(&self) -> bool {
        self.rest.is_none()
    }

    /// Whether nothing but this is left.
    pub(super) fn rest_is(&self, text: &str) -> bool {
        self.rest == Some(text)
    }

    /// The next word and its column; empty at the end of the line.
    pub(super) fn word(&mut self) -> (usize, &'a str) {
        let begin = self.column;
        let rest = self.rest.unwrap_or_default();
        let (word, rest) = match rest.split_once(' ') {
            Some((word, rest)) => (word, Some(rest)),
            None => (rest, None),
        };
        self.rest = rest;
        self.column = begin + word.chars().count() + usize::from(rest.is_some());
        (begin, word)
    }

    /// The last word of the line and its column.
    pub(super) fn last_word(&mut self) -> Result<(usize, &'a str), CertificateError> {
        let (column, word) = self.word();
        // The caller reports an extra space, because it knows what it expects.
        if !word.is_empty() {
            self.end()?;
        }
        Ok((column, word))
    }

    /// The end of the line.
    pub(super) fn end(&self) -> Result<(), CertificateError> {
        match self.rest {
            None => Ok(()),
            Some(rest) => Err(self.expected(self.column, "the end of the line", rest)),
        }
    }

    /// The last word of the line as an integer.
    pub(super) fn last_integer(
        &mut self,
        expected: impl fmt::Display,
    ) -> Result<BigInt, CertificateError> {
        let (column, word) = self.last_word()?;
        self.parse_integer(column, word, expected)
    }

    /// The last word of the line as an integer that is not negative.
    pub(super) fn last_natural(
        &mut self,
        expected: impl fmt::Display,
    ) -> Result<u64, CertificateError> {
        let (column, word) = self.last_word()?;
        if !is_natural(word) {
            return Err(self.expected(column, expected, word));
        }
        let too_large = |_| self.error(column, format!("the number {} is too large", quote(word)));
        word.parse().map_err(too_large)
    }

    /// The last word of the line as the number of `what`.
    pub(super) fn last_count(&mut self, what: &str) -> Result<usize, CertificateError> {
        let column = self.column;
        let count = self.last_natural(format_args!("the number of {what}"))?;
        // Line numbers must not overflow; no file has so many lines.
        match u32::try_from(count) {
            Ok(count) => Ok(count as usize),
            Err(_) => Err(self.error(column, format!("{count} {what} are too many"))),
        }
    }

    /// A word as an integer.
    pub(super) fn parse_integer(
        &self,
        column: usize,
        word: &str,
        expected: impl fmt::Display,
    ) -> Result<BigInt, CertificateError> {
        let digits = word.strip_prefix('-').unwrap_or(word);
        if !is_natural(digits) || word == "-0" {
            return Err(self.expected(column, expected, word));
        }
        if digits.len() > MAX_DIGITS {
            let message = format!("the number has more than {MAX_DIGITS} digits");
            return Err(self.error(column, message));
        }
        Ok(word.parse::<i128>().map_or_else(|_| word.parse().expect("digits"), BigInt::from))
    }

    /// The error for a word that is not what was expected.
    pub(super) fn expected(
        &self,
        column: usize,
        expected: impl fmt::Display,
        found: &str,
    ) -> CertificateError {
        let found = match found {
            "" if self.at_end() && column > 1 => "the end of the line".to_owned(),
            "" if self.at_end() || self.rest == Some("") => "an empty line".to_owned(),
            "" => "an extra space".to_owned(),
            found => quote(found),
        };
        self.error(column, format!("expected {expected}, found {found}"))
    }

    /// An error in this line.
    pub(super) fn error(&self, column: usize, message: String) -> CertificateError {
        CertificateError { line: self.number, column, message }
    }
}

/// `VARIABLE=VALUE`.
pub(super) fn parse_fact(word: &str) -> Option<FeatureFact> {
    let (variable, value) = word.split_once('=')?;
    let variable = VariableId::new(parse_index(variable)? as usize);
    let value = if value == "u" { None } else { Some(parse_index(value)?) };
    Some(FeatureFact::new(variable, value))
}

fn parse_index(word: &str) -> Option<Value> {
    if is_natural(word) { word.parse().ok() } else { None }
}

/// `text` in quotes: shortened if it is long, invisible characters escaped.
fn quote(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("'{}…'", text[..end].escape_debug()),
        None => format!("'{}'", text.escape_debug()),
    }
}
