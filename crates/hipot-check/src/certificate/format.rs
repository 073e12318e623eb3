//! The text format of certificates: reader and writer.
//!
//! `docs/formats.md` has the grammar. Reading is strict: nothing is guessed or
//! skipped, and every error has a line and a column. The reader accepts extra white
//! space only at the end of a line (hence also Windows line endings) and as blank
//! lines at the end of the file. Files may be hostile: memory is allocated for what
//! was read, never for what a count promises, and numbers have at most `MAX_DIGITS`
//! digits, because the time to convert a number grows with the square of its length.

use std::fmt;
use std::io::{self, Write};

use num_bigint::BigInt;

use super::error::CertificateError;
use super::fingerprint::is_well_formed;
use super::lines::{Line, Lines, parse_fact};
use super::{Certificate, Claim, FeatureFact, OpenValues, layers};
use crate::counted::counted;

/// The first line of each version: without layers of mutexes, with them, and by
/// cases with layers or without.
const HEADERS: [&str; 3] = ["hipot certificate 1", "hipot certificate 2", "hipot certificate 3"];

/// The word for [`OpenValues::Cases`].
const CASES: &str = "cases";

/// The versions, by their [`HEADERS`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    Plain,
    Layers,
    Cases,
}

impl Version {
    const ALL: [Self; 3] = [Self::Plain, Self::Layers, Self::Cases];

    fn of(certificate: &Certificate) -> Self {
        match certificate.open {
            OpenValues::Cases => Self::Cases,
            OpenValues::Unknown if certificate.layers.is_empty() => Self::Plain,
            OpenValues::Unknown => Self::Layers,
        }
    }
}

impl Certificate {
    /// Writes the certificate; [`read_certificate`] reads it.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let version = Version::of(self);
        writeln!(out, "{}", HEADERS[version as usize])?;
        writeln!(out, "task sha256:{}", self.fingerprint)?;
        writeln!(out, "claim {}", self.claim)?;
        writeln!(out, "denominator {}", self.denominator)?;
        writeln!(out, "constant {}", self.constant)?;
        if version == Version::Cases {
            writeln!(out, "open {CASES}")?;
        }
        if version != Version::Plain {
            layers::write(&self.layers, out)?;
        }
        write_features(self, out)?;
        writeln!(out, "end")
    }
}

/// Writes the features and their number; [`read_features`] reads them.
pub(super) fn write_features(certificate: &Certificate, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "features {}", certificate.feature_count())?;
    for (weight, facts) in certificate.features() {
        write!(out, "{weight}")?;
        for fact in facts {
            write!(out, " {fact}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Reads a certificate.
pub fn read_certificate(text: &str) -> Result<Certificate, CertificateError> {
    let mut lines = Lines::new(text);
    let version = read_header(&mut lines)?;
    let fingerprint = read_fingerprint(lines.field("task")?)?;
    let claim = read_claim(lines.field("claim")?)?;
    let denominator = read_denominator(lines.field("denominator")?)?;
    let constant = lines.field("constant")?.last_integer("an integer")?;
    let (open, layers) = match version {
        Version::Plain => (OpenValues::Unknown, Vec::new()),
        Version::Layers => (OpenValues::Unknown, layers::read_some(&mut lines)?),
        Version::Cases => (read_open(lines.field("open")?)?, layers::read(&mut lines)?),
    };
    let mut certificate = Certificate::without_features(fingerprint, claim, denominator, constant)
        .expect("the parts were checked")
        .with_layers(layers)
        .with_open_values(open);
    let lines_before = read_features(&mut lines, &mut certificate)?;
    let count = certificate.feature_count();
    lines.expect("end", format_args!("'end' after {}", counted(count, "feature")))?;
    lines.end()?;
    require_no_duplicate(certificate, lines_before)
}

/// Reads features and adds them to a certificate without any; returns the number of lines before
/// them.
pub(super) fn read_features(
    lines: &mut Lines<'_>,
    certificate: &mut Certificate,
) -> Result<usize, CertificateError> {
    let count = lines.field("features")?.last_count("features")?;
    let lines_before = lines.number;
    let mut facts = Vec::new();
    for number in 1..=count {
        let place = Place { number, count };
        read_feature(lines.next(place)?, place, &mut facts, certificate)?;
    }
    Ok(lines_before)
}

/// The certificate, unless two of its features, after so many lines, are the same.
pub(super) fn require_no_duplicate(
    certificate: Certificate,
    lines_before: usize,
) -> Result<Certificate, CertificateError> {
    let duplicate = certificate.find_duplicate().map(|pair| duplicate(pair, lines_before));
    duplicate.map_or(Ok(certificate), Err)
}

fn read_header(lines: &mut Lines<'_>) -> Result<Version, CertificateError> {
    let [first, second, third] = HEADERS;
    let expected = format!("'{first}', '{second}' or '{third}'");
    lines.expect_one_of(&HEADERS, expected).map(|index| Version::ALL[index])
}

fn read_open(mut line: Line<'_>) -> Result<OpenValues, CertificateError> {
    match line.last_word()? {
        (_, CASES) => Ok(OpenValues::Cases),
        (column, word) => Err(line.expected(column, format_args!("'{CASES}'"), word)),
    }
}

pub(super) fn read_fingerprint(mut line: Line<'_>) -> Result<String, CertificateError> {
    let (column, word) = line.last_word()?;
    let digits = word.strip_prefix("sha256:").filter(|digits| is_well_formed(digits));
    let expected = "'sha256:' and 64 hexadecimal digits in lower case";
    digits.map(str::to_owned).ok_or_else(|| line.expected(column, expected, word))
}

pub(super) fn read_claim(mut line: Line<'_>) -> Result<Claim, CertificateError> {
    match line.word() {
        (_, "unsolvable") => line.end().map(|()| Claim::Unsolvable),
        (_, "bound") => line.last_natural("a bound").map(Claim::Bound),
        (column, word) => Err(line.expected(column, "'bound' or 'unsolvable'", word)),
    }
}

pub(super) fn read_denominator(mut line: Line<'_>) -> Result<BigInt, CertificateError> {
    let column = line.column;
    let denominator = line.last_integer("a positive integer")?;
    if denominator > BigInt::ZERO {
        return Ok(denominator);
    }
    Err(line.error(column, "the denominator must be positive".to_owned()))
}

/// The position of a feature, for messages.
#[derive(Clone, Copy)]
struct Place {
    number: usize,
    count: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "feature {} of {}", self.number, self.count)
    }
}

fn read_feature(
    mut line: Line<'_>,
    place: Place,
    facts: &mut Vec<FeatureFact>,
    certificate: &mut Certificate,
) -> Result<(), CertificateError> {
    let (column, word) = line.word();
    let weight = line.parse_integer(column, word, format_args!("{place}: a weight"))?;
    facts.clear();
    while facts.is_empty() || !line.at_end() {
        let (column, word) = line.word();
        let Some(fact) = parse_fact(word) else {
            return Err(line.expected(column, "a fact VARIABLE=VALUE", word));
        };
        match facts.last().map(|last: &FeatureFact| last.variable) {
            Some(last) if last == fact.variable => {
                let message = format!("the feature mentions variable {last} twice");
                return Err(line.error(column, message));
            }
            Some(last) if last > fact.variable => {
                let message = format!("variable {} must come before {last}", fact.variable);
                return Err(line.error(column, message));
            }
            _ => facts.push(fact),
        }
    }
    certificate.push(weight, facts).expect("the parts were checked");
    Ok(())
}

/// The error for two features, by index, that are the same.
fn duplicate((first, second): (usize, usize), lines_before: usize) -> CertificateError {
    let line_of = |feature| lines_before + feature + 1;
    let message = format!("the feature is the same as in line {}", line_of(first));
    CertificateError { line: line_of(second), column: 1, message }
}
