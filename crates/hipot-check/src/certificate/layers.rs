//! The layers of mutexes in the text format: reader and writer.
//!
//! Each pair has exactly one place: the line of its lower fact, which lists that fact
//! and then its partners, all in order. So a layer has only one text, and no pair of
//! a line can have come before.

use std::fmt;
use std::io::{self, Write};

use hipot_task::Fact;

use super::FeatureFact;
use super::error::CertificateError;
use super::lines::{Line, Lines, parse_fact};
use crate::mutexes::{Direction, Layer};

const FORWARD: &str = "forward";
const BACKWARD: &str = "backward";

/// Writes layers; [`read`] reads them.
pub(super) fn write(layers: &[Layer], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "layers {}", layers.len())?;
    for layer in layers {
        let direction = match layer.direction() {
            Direction::Forward => FORWARD,
            Direction::Backward => BACKWARD,
        };
        writeln!(out, "layer {direction} {}", layer.rows().len())?;
        for (fact, partners) in layer.rows() {
            write!(out, "{}", Shown(fact))?;
            for &partner in partners {
                write!(out, " {}", Shown(partner))?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Reads layers, at least one.
pub(super) fn read_some(lines: &mut Lines<'_>) -> Result<Vec<Layer>, CertificateError> {
    let mut line = lines.field("layers")?;
    let column = line.column;
    match line.last_count("layers")? {
        0 => {
            let message = "a certificate without layers has version 1".to_owned();
            Err(line.error(column, message))
        }
        count => read_layers(lines, count),
    }
}

/// Reads layers, perhaps none.
pub(super) fn read(lines: &mut Lines<'_>) -> Result<Vec<Layer>, CertificateError> {
    let count = lines.field("layers")?.last_count("layers")?;
    read_layers(lines, count)
}

/// Reads so many layers.
pub(super) fn read_layers(
    lines: &mut Lines<'_>,
    count: usize,
) -> Result<Vec<Layer>, CertificateError> {
    let mut layers = Vec::new();
    for number in 1..=count {
        layers.push(read_layer(lines, number)?);
    }
    Ok(layers)
}

fn read_layer(lines: &mut Lines<'_>, layer: usize) -> Result<Layer, CertificateError> {
    let mut line = lines.field("layer")?;
    let direction = match line.word() {
        (_, FORWARD) => Direction::Forward,
        (_, BACKWARD) => Direction::Backward,
        (column, word) => {
            let expected = format_args!("'{FORWARD}' or '{BACKWARD}'");
            return Err(line.expected(column, expected, word));
        }
    };
    let count = line.last_count("lines")?;
    let (mut read, mut last, mut partners) = (Layer::empty(direction), None, Vec::new());
    for number in 1..=count {
        let place = Place { number, count, layer };
        let mut line = lines.next(place)?;
        let fact = read_first(&mut line, place, last)?;
        read_partners(line, fact, &mut partners)?;
        read.push(fact, partners.drain(..));
        last = Some(fact);
    }
    Ok(read)
}

/// The position of a line in a layer, for messages.
#[derive(Clone, Copy)]
struct Place {
    number: usize,
    count: usize,
    layer: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of {} of layer {}", self.number, self.count, self.layer)
    }
}

/// Reads the first fact of a line, which must come after that of the `last` line.
fn read_first(
    line: &mut Line<'_>,
    place: Place,
    last: Option<Fact>,
) -> Result<Fact, CertificateError> {
    let (column, word) = line.word();
    let Some(fact) = parse_known(word) else {
        return Err(line.expected(column, format_args!("{place}: {FACT}"), word));
    };
    match last {
        Some(last) if last == fact => {
            Err(line.error(column, format!("the previous line is also for {}", Shown(fact))))
        }
        Some(last) if last > fact => {
            let message = format!("{} must come before {}", Shown(fact), Shown(last));
            Err(line.error(column, message))
        }
        _ => Ok(fact),
    }
}

/// Reads the rest of the line of `fact`.
fn read_partners(
    mut line: Line<'_>,
    fact: Fact,
    partners: &mut Vec<Fact>,
) -> Result<(), CertificateError> {
    while partners.is_empty() || !line.at_end() {
        let (column, word) = line.word();
        let Some(partner) = parse_known(word) else {
            return Err(line.expected(column, FACT, word));
        };
        let shown = Shown(partner);
        let message = match partners.last() {
            _ if partner < fact => format!("this pair belongs in the line of {shown}"),
            Some(&last) if last == partner => format!("the line mentions {shown} twice"),
            Some(&last) if last > partner => format!("{shown} must come before {}", Shown(last)),
            _ => {
                partners.push(partner);
                continue;
            }
        };
        return Err(line.error(column, message));
    }
    Ok(())
}

const FACT: &str = "a fact VARIABLE=VALUE of the task";

/// `VARIABLE=VALUE`, where the value is not `u`.
fn parse_known(word: &str) -> Option<Fact> {
    let FeatureFact { variable, value } = parse_fact(word)?;
    Some(Fact::new(variable, value?))
}

/// A fact as certificates write it.
struct Shown(Fact);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FeatureFact::new(self.0.variable, Some(self.0.value)).fmt(f)
    }
}
