//! The text part of the format of certificates of searches: reader and writer.
//!
//! `docs/formats.md` has the grammar. The list of states comes after the text, as [`States`].

use std::io::{self, BufRead, Write};

use super::stream::States;
use super::{Function, SearchCertificate};
use crate::certificate::error::CertificateError;
use crate::certificate::format::{
    read_certificate, read_claim, read_denominator, read_features, read_fingerprint,
    require_no_duplicate, write_features,
};
use crate::certificate::lines::{Line, Lines};
use crate::certificate::{Certificate, Claim, OpenValues, layers};
use crate::mutexes::Layer;

/// The first line.
const HEADER: &str = "hipot certificate 4";
/// The line after which the list of states begins.
const STATES: &str = "states";
/// Functions whose operators lower them by their cost at most, and those that none lowers.
const BOUND: &str = "bound";
const UNSOLVABLE: &str = "unsolvable";

/// A certificate of any version.
pub enum Proof<R: BufRead> {
    /// A function proves the claim: versions 1 to 3.
    Function(Certificate),
    /// Functions and listed states prove it: version 4.
    Search(SearchCertificate, States<R>),
}

/// Why a certificate cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The text has an error.
    #[error("{error}")]
    Text {
        /// The error.
        error: CertificateError,
        /// The text.
        text: String,
    },
}

impl SearchCertificate {
    /// Writes the text; a [`StatesWriter`](super::StatesWriter) writes the states that belong after
    /// it.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{HEADER}")?;
        writeln!(out, "task sha256:{}", self.fingerprint)?;
        writeln!(out, "claim {}", self.claim)?;
        writeln!(out, "functions {}", self.functions.len())?;
        for Function { certificate, layers } in &self.functions {
            let kind = match certificate.claim {
                Claim::Bound(_) => BOUND,
                Claim::Unsolvable => UNSOLVABLE,
            };
            writeln!(out, "function {kind}")?;
            writeln!(out, "denominator {}", certificate.denominator)?;
            writeln!(out, "constant {}", certificate.constant)?;
            writeln!(out, "open {}", open_word(certificate.open))?;
            match layers {
                Some(layers) => crate::certificate::layers::write(layers, out)?,
                None => writeln!(out, "layers {SAME}")?,
            }
            write_features(certificate, out)?;
        }
        writeln!(out, "{STATES}")
    }
}

/// For layers that are those of the function before.
const SAME: &str = "same";

fn open_word(open: OpenValues) -> &'static str {
    match open {
        OpenValues::Unknown => "unknown",
        OpenValues::Cases => "cases",
    }
}

/// Reads a certificate of any version; the states of one of a search are read as it is verified.
pub fn read_proof<R: BufRead>(mut input: R) -> Result<Proof<R>, ReadError> {
    let mut text = Vec::new();
    input.read_until(b'\n', &mut text)?;
    if text.trim_ascii_end() != HEADER.as_bytes() {
        input.read_to_end(&mut text)?;
        return parsed(&text, read_certificate).map(Proof::Function);
    }
    loop {
        let begin = text.len();
        let length = input.read_until(b'\n', &mut text)?;
        if length == 0 || text[begin..].trim_ascii_end() == STATES.as_bytes() {
            break;
        }
    }
    let certificate = parsed(&text, read_search)?;
    Ok(Proof::Search(certificate, States::new(input)))
}

fn parsed<T>(
    text: &[u8],
    read: impl FnOnce(&str) -> Result<T, CertificateError>,
) -> Result<T, ReadError> {
    let text = String::from_utf8_lossy(text);
    read(&text).map_err(|error| ReadError::Text { error, text: text.into_owned() })
}

fn read_search(text: &str) -> Result<SearchCertificate, CertificateError> {
    let mut lines = Lines::new(text);
    lines.expect(HEADER, format_args!("'{HEADER}'"))?;
    let fingerprint = read_fingerprint(lines.field("task")?)?;
    let claim = read_claim(lines.field("claim")?)?;
    let count = lines.field("functions")?.last_count("functions")?;
    let mut certificate = SearchCertificate::new(fingerprint, claim);
    for number in 1..=count {
        let function = read_function(&mut lines, &certificate, number)?;
        certificate.functions.push(function);
    }
    lines.expect(STATES, format_args!("'{STATES}'"))?;
    Ok(certificate)
}

fn read_function(
    lines: &mut Lines<'_>,
    before: &SearchCertificate,
    number: usize,
) -> Result<Function, CertificateError> {
    let claim = choice(
        lines.field("function")?,
        [(BOUND, Claim::Bound(0)), (UNSOLVABLE, Claim::Unsolvable)],
    )?;
    let denominator = read_denominator(lines.field("denominator")?)?;
    let constant = lines.field("constant")?.last_integer("an integer")?;
    let open = choice(
        lines.field("open")?,
        [OpenValues::Unknown, OpenValues::Cases].map(|open| (open_word(open), open)),
    )?;
    let layers = read_layers(lines, number)?;
    let fingerprint = before.fingerprint.clone();
    let mut function = Certificate::without_features(fingerprint, claim, denominator, constant)
        .expect("the parts were checked")
        .with_open_values(open);
    let lines_before = read_features(lines, &mut function)?;
    let certificate = require_no_duplicate(function, lines_before)?;
    Ok(Function { certificate, layers })
}

/// The meaning of the last word of a line, which must be one of two.
fn choice<T>(mut line: Line<'_>, words: [(&str, T); 2]) -> Result<T, CertificateError> {
    let (column, word) = line.last_word()?;
    let expected = format!("'{}' or '{}'", words[0].0, words[1].0);
    let found = words.into_iter().find(|choice| choice.0 == word);
    found.map(|choice| choice.1).ok_or_else(|| line.expected(column, expected, word))
}

/// Reads the layers of the function with this number; `None` for those of the one before.
fn read_layers(
    lines: &mut Lines<'_>,
    number: usize,
) -> Result<Option<Vec<Layer>>, CertificateError> {
    let mut line = lines.field("layers")?;
    if number > 1 && line.rest_is(SAME) {
        return Ok(None);
    }
    let count = line.last_count("layers")?;
    layers::read_layers(lines, count).map(Some)
}
