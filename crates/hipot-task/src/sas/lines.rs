//! The file as lines and a line as numbers, with their positions.

use super::error::{Problem, SasError};
use crate::defect::Defect;

/// A position in the file: line and column, both from 1.
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
        str::from_utf8(line).map_err(|error| {
            let valid = String::from_utf8_lossy(&line[..error.valid_up_to()]);
            let column = valid.chars().count() + 1;
            Position { line: self.line, column }.error(Problem::NotUtf8)
        })
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
        Ok(Numbers { rest: line, column: 1, number: self.line })
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
    rest: &'a str,
    /// Where `rest` begins.
    column: usize,
    /// The line's number.
    number: usize,
}

impl<'a> Numbers<'a> {
    /// The next word, empty at the end of the line, and where it begins.
    fn word(&mut self) -> (Position, &'a str) {
        let rest = self.rest.trim_ascii_start();
        let begin = self.column + (self.rest.len() - rest.len());
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        self.column = begin + word.chars().count();
        (Position { line: self.number, column: begin }, word)
    }

    /// The next number, not negative.
    pub(super) fn index(&mut self, expected: &str) -> Result<u32, SasError> {
        Ok(self.index_at(expected)?.1)
    }

    /// The next number, not negative, and its position.
    pub(super) fn index_at(&mut self, expected: &str) -> Result<(Position, u32), SasError> {
        let (position, word) = self.word();
        Ok((position, parse(position, word, expected)?))
    }

    /// The next number, not negative; `None` if it is −1.
    pub(super) fn optional(&mut self, expected: &str) -> Result<(Position, Option<u32>), SasError> {
        match self.word() {
            (position, "-1") => Ok((position, None)),
            (position, word) => Ok((position, Some(parse(position, word, expected)?))),
        }
    }

    /// The end of the line.
    pub(super) fn end(mut self) -> Result<(), SasError> {
        match self.word() {
            (_, "") => Ok(()),
            (position, word) => Err(position.expected("the end of the line", quote(word))),
        }
    }
}

/// A number as the translator writes it: digits, no sign, no leading zeros.
fn parse(position: Position, word: &str, expected: &str) -> Result<u32, SasError> {
    let is_number =
        word.bytes().all(|byte| byte.is_ascii_digit()) && (word == "0" || !word.starts_with('0'));
    match word {
        "" => Err(position.expected(expected, "the end of the line")),
        _ if !is_number => Err(position.expected(expected, quote(word))),
        _ => word.parse().map_err(|_| position.error(Problem::TooLarge(quote(word)))),
    }
}

/// `text` in quotes: shortened if it is long, invisible characters escaped.
pub(super) fn quote(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    if text.is_empty() {
        return "an empty line".to_owned();
    }
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("'{}…'", text[..end].escape_debug()),
        None => format!("'{}'", text.escape_debug()),
    }
}
