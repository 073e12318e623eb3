//! The file as lines, a line as numbers, both with their place.

use super::error::{Problem, SasError};
use crate::defect::Defect;

/// A place in the file: line and column from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Position {
    pub(super) fn expected(
        self,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> SasError {
        self.error(Problem::Expected { expected: expected.into(), found: found.into() })
    }

    pub(super) fn defect(self, defect: Defect) -> SasError {
        self.error(defect.into())
    }

    fn error(self, problem: Problem) -> SasError {
        SasError { line: self.line, column: self.column, problem }
    }
}

/// The lines not yet read.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// The number of lines read.
    line: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { rest: text, line: 0 }
    }

    /// Where the line read last begins.
    pub(super) fn position(&self) -> Position {
        Position { line: self.line, column: 1 }
    }

    /// The next line without white space at its end.
    pub(super) fn text(&mut self, expected: &str) -> Result<&'a str, SasError> {
        self.line += 1;
        if self.rest.is_empty() {
            return Err(self.position().expected(expected, "the end of the file"));
        }
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let (line, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &self.rest[self.rest.len()..]),
        };
        self.rest = rest;
        let line = line.trim_ascii_end();
        str::from_utf8(line).map_err(|_| self.position().error(Problem::NotUtf8))
    }

    /// A line that says exactly `keyword`.
    pub(super) fn keyword(&mut self, keyword: &str) -> Result<(), SasError> {
        let expected = format!("'{keyword}'");
        match self.text(&expected)? {
            line if line == keyword => Ok(()),
            line => Err(self.position().expected(expected, quote(line))),
        }
    }

    /// The next line as numbers.
    pub(super) fn numbers(&mut self, expected: &str) -> Result<Numbers<'a>, SasError> {
        let line = self.text(expected)?;
        Ok(Numbers { line, offset: 0, number: self.line })
    }

    /// A line with one number that is not negative.
    pub(super) fn count(&mut self, expected: &str) -> Result<u32, SasError> {
        let mut numbers = self.numbers(expected)?;
        let count = numbers.index(expected)?;
        numbers.end()?;
        Ok(count)
    }

    /// The end of the file.
    pub(super) fn end(&mut self) -> Result<(), SasError> {
        while !self.rest.is_empty() {
            let line = self.text("the end of the file")?;
            if !line.is_empty() {
                return Err(self.position().expected("the end of the file", quote(line)));
            }
        }
        Ok(())
    }
}

/// The numbers of a line not yet read.
pub(super) struct Numbers<'a> {
    line: &'a str,
    /// The number of bytes read.
    offset: usize,
    /// The line's number.
    number: usize,
}

impl<'a> Numbers<'a> {
    /// The next word, empty at the end of the line, and where it begins.
    fn word(&mut self) -> (Position, &'a str) {
        let rest = &self.line[self.offset..];
        let skipped = rest.len() - rest.trim_ascii_start().len();
        let begin = self.offset + skipped;
        let word = self.line[begin..].split_ascii_whitespace().next().unwrap_or("");
        self.offset = begin + word.len();
        let column = self.line[..begin].chars().count() + 1;
        (Position { line: self.number, column }, word)
    }

    /// The next number, which must be one that `accept` takes.
    fn number<T>(
        &mut self,
        expected: &str,
        accept: impl Fn(i64) -> Option<T>,
    ) -> Result<(Position, T), SasError> {
        let (position, word) = self.word();
        if word.is_empty() {
            return Err(position.expected(expected, "the end of the line"));
        }
        match word.parse().ok().and_then(accept) {
            Some(number) => Ok((position, number)),
            None => Err(position.expected(expected, quote(word))),
        }
    }

    /// The next number, not negative.
    pub(super) fn index(&mut self, expected: &str) -> Result<u32, SasError> {
        Ok(self.index_at(expected)?.1)
    }

    /// The next number, not negative, and its place.
    pub(super) fn index_at(&mut self, expected: &str) -> Result<(Position, u32), SasError> {
        self.number(expected, |number| u32::try_from(number).ok())
    }

    /// The next number, not negative, or −1, which stands for nothing.
    pub(super) fn optional(&mut self, expected: &str) -> Result<(Position, Option<u32>), SasError> {
        self.number(expected, |number| match number {
            -1 => Some(None),
            _ => u32::try_from(number).ok().map(Some),
        })
    }

    /// The end of the line.
    pub(super) fn end(mut self) -> Result<(), SasError> {
        match self.word() {
            (_, "") => Ok(()),
            (position, word) => Err(position.expected("the end of the line", quote(word))),
        }
    }
}

/// `text` in quotes, shortened where it is long.
pub(super) fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.is_empty() {
        return "an empty line".to_owned();
    }
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("'{}…'", &text[..end]),
        None => format!("'{text}'"),
    }
}
