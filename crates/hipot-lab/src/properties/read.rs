//! Reads the runs of a `properties` file.

use std::fmt;
use std::io::Read;
use std::time::Duration;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::attributes::Attributes;
use super::error_word;
use crate::{Limits, Measures, Record, Status};

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is malformed.
    #[error("{0}")]
    Malformed(#[from] serde_json::Error),
    /// It is compressed.
    #[error("the file is compressed with xz: decompress it first (xz -dk FILE)")]
    Compressed,
    /// It cannot be read at all.
    #[error("{0}")]
    Unreadable(#[from] std::io::Error),
}

/// A run from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The run. Its suite is empty, because such files have no suites. Its problem is named as
    /// in the file, with its extension if any.
    pub record: Record,
    /// Attributes that were ignored because their values have the wrong type.
    pub skipped: Vec<&'static str>,
}

/// The first bytes of files that are compressed with xz.
const XZ_MAGIC: [u8; 6] = [0xfd, b'7', b'z', b'X', b'Z', 0];

/// Reads a file and calls `each` with every run. A run without algorithm, domain or problem
/// is an `Err` with its name.
pub fn read(
    mut input: impl Read,
    mut each: impl FnMut(Result<Imported, String>),
) -> Result<(), Error> {
    let mut first = Vec::with_capacity(XZ_MAGIC.len());
    input.by_ref().take(XZ_MAGIC.len() as u64).read_to_end(&mut first)?;
    if first == XZ_MAGIC {
        return Err(Error::Compressed);
    }
    let mut deserializer = serde_json::Deserializer::from_reader(first.as_slice().chain(input));
    Runs(|id, attributes| each(run(attributes).ok_or(id))).deserialize(&mut deserializer)?;
    Ok(deserializer.end()?)
}

/// Reads the object that contains all runs, one run at a time.
struct Runs<F>(F);

impl<'de, F: FnMut(String, Attributes)> DeserializeSeed<'de> for Runs<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, F: FnMut(String, Attributes)> Visitor<'de> for Runs<F> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object of runs, as properties files of Downward Lab have it")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some((id, attributes)) = map.next_entry::<String, Attributes>()? {
            (self.0)(id, attributes);
        }
        Ok(())
    }
}

fn run(mut attributes: Attributes) -> Option<Imported> {
    let configuration = attributes.text("algorithm")?;
    let domain = attributes.text("domain")?;
    let problem = attributes.text("problem")?;
    let revision = attributes.text("global_revision").or_else(|| attributes.text("local_revision"));
    let word = attributes.text("error");
    let status = status(&mut attributes, word.as_deref());
    let record = Record {
        suite: String::new(),
        domain,
        problem,
        configuration,
        revision: revision.unwrap_or_default(),
        machine: attributes.text("node").unwrap_or_default(),
        imported: true,
        limits: limits(&mut attributes),
        started: 0,
        status,
        reason: word.filter(|_| status == Status::Crashed),
        exit_code: attributes.count("planner_exit_code").and_then(|code| i32::try_from(code).ok()),
        measures: measures(&mut attributes),
        log: String::new(),
    };
    Some(Imported { record, skipped: attributes.skipped })
}

/// The status of a run. Coverage and unsolvability are what Lab's tables count, so they come
/// first; the word decides the rest.
fn status(attributes: &mut Attributes, word: Option<&str>) -> Status {
    let coverage = attributes.count("coverage");
    if coverage == Some(1) {
        return Status::Solved;
    }
    if attributes.count("unsolvable") == Some(1) {
        return Status::Unsolvable;
    }
    match word.and_then(error_word::status) {
        Some(Status::Solved) if coverage.is_some() => Status::Unsolved,
        status => status.unwrap_or(Status::Unsolved),
    }
}

fn limits(attributes: &mut Attributes) -> Limits {
    let mut either = |first, second| attributes.number(first).or_else(|| attributes.number(second));
    let seconds = either("planner_time_limit", "limit_search_time").unwrap_or(0.0);
    let megabytes = either("planner_memory_limit", "limit_search_memory").unwrap_or(0.0);
    Limits {
        time: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
        memory: bytes(megabytes, 20),
        output: 0,
    }
}

/// Converts units of 2^`exponent` bytes to bytes.
#[expect(clippy::cast_sign_loss, reason = "numbers of attributes are not negative")]
fn bytes(units: f64, exponent: i32) -> u64 {
    (units * f64::from(exponent).exp2()).round() as u64
}

fn measures(attributes: &mut Attributes) -> Measures {
    let total_seconds = attributes.number("total_time");
    let cpu_seconds = attributes.number("planner_time").or(total_seconds).unwrap_or(0.0);
    let memory = ["memory", "planner_memory", "raw_memory"];
    let memory = memory.into_iter().find_map(|name| attributes.number(name));
    Measures {
        cost: attributes.count("cost"),
        plan_length: attributes.count("plan_length"),
        lower_bound: None,
        initial_h: attributes.count("initial_h_value"),
        initial_exact: None,
        evaluated: attributes.count("evaluations"),
        expanded: attributes.count("expansions"),
        expanded_until_last_jump: attributes.count("expansions_until_last_jump"),
        generated: attributes.count("generated"),
        reopened: attributes.count("reopened"),
        dead_ends: attributes.count("dead_ends"),
        search_seconds: attributes.number("search_time"),
        total_seconds,
        wall_seconds: attributes.number("planner_wall_clock_time").unwrap_or(cpu_seconds),
        cpu_seconds,
        peak_memory: memory.map_or(0, |kilobytes| bytes(kilobytes, 10)),
        statistics: None,
    }
}
