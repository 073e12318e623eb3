//! Logs for the page: each cut, compressed, and all together below a limit.
//!
//! The page inflates a log when somebody looks at it. Long ones lose their middle. When
//! there is no room left, further logs are left out and counted; a part of the room is
//! kept for runs that ended in a way that needs an explanation.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compress, Compression, FlushCompress};

use super::Report;
use crate::Status;

/// The bytes that are kept of the beginning and of the end of a log.
const HALF: usize = 6 * 1024;
/// The most bytes of all logs as they stand in the page.
const ROOM: usize = 12 << 20;
/// What others leave for runs that need an explanation.
const KEPT: usize = 3 << 20;

/// Logs for a page.
#[derive(Debug)]
pub struct Logs<'a> {
    /// The place of the run, row × columns + column, and its log as base64 of deflate.
    pub(super) packed: Vec<(usize, String)>,
    /// How many did not find room.
    pub(super) left_out: usize,
    bytes: usize,
    places: BTreeMap<[&'a str; 4], (usize, Status)>,
    /// Used again and again: to make one takes longer than to compress a log.
    compress: Compress,
}

impl<'a> Logs<'a> {
    /// No logs yet.
    pub fn new(report: &'a Report) -> Self {
        let place = |(row, column, record): (usize, usize, &'a crate::Record)| {
            let key = [&record.suite, &record.domain, &record.problem, &record.configuration];
            (key.map(String::as_str), (row * report.columns.len() + column, record.status))
        };
        Self::with_places(report.records().map(place).collect())
    }

    fn with_places(places: BTreeMap<[&'a str; 4], (usize, Status)>) -> Self {
        let compress = Compress::new(Compression::default(), false);
        Self { packed: Vec::new(), left_out: 0, bytes: 0, places, compress }
    }

    /// Adds the log of a run, named by suite, domain, problem and configuration. Runs
    /// that the report does not have are passed over.
    pub fn add(&mut self, run: [&str; 4], text: &str) {
        if let Some(&(place, status)) = self.places.get(&run) {
            self.add_at(place, status, text);
        }
    }

    /// Adds a log, if there is one and room for it.
    fn add_at(&mut self, place: usize, status: Status, text: &str) {
        if text.is_empty() {
            return;
        }
        let room = if needs_explanation(status) { ROOM } else { ROOM - KEPT };
        if self.bytes >= room {
            self.left_out += 1;
            return;
        }
        let packed = STANDARD.encode(deflate(&mut self.compress, &cut(text)));
        if self.bytes + packed.len() > room {
            self.left_out += 1;
        } else {
            self.bytes += packed.len();
            self.packed.push((place, packed));
        }
    }
}

fn needs_explanation(status: Status) -> bool {
    use Status::{Crashed, InputError, InvalidPlan, OutputLimit, Unsupported};
    matches!(status, Crashed | InputError | InvalidPlan | OutputLimit | Unsupported)
}

/// The beginning and the end of a text that is long.
fn cut(text: &str) -> String {
    if text.len() <= 2 * HALF {
        return text.to_owned();
    }
    let boundary = |at: &usize| text.is_char_boundary(*at);
    let head = &text[..(0..=HALF).rev().find(boundary).unwrap_or(0)];
    let tail = &text[(text.len() - HALF..=text.len()).find(boundary).unwrap_or(text.len())..];
    let left_out = text.len() - head.len() - tail.len();
    format!("{head}\n\n[… {left_out} bytes left out here; the results file has more …]\n\n{tail}")
}

fn deflate(compress: &mut Compress, text: &str) -> Vec<u8> {
    let mut packed = Vec::new();
    compress.reset();
    loop {
        packed.reserve(text.len() / 2 + 64);
        let rest = &text.as_bytes()[compress.total_in() as usize..];
        let status = compress.compress_vec(rest, &mut packed, FlushCompress::Finish);
        if status.expect("no error is possible while compressing") == flate2::Status::StreamEnd {
            return packed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_logs_are_cut_between_characters() {
        let text = "é".repeat(100_000);
        let cut = cut(&text);
        assert!(cut.len() < 2 * HALF + 200);
        assert!(cut.contains("187712 bytes left out"), "{}", &cut[HALF..HALF + 100]);
    }

    #[test]
    fn there_is_room_for_explanations() {
        let mut logs = Logs { bytes: ROOM - KEPT, ..Logs::with_places(BTreeMap::new()) };
        logs.add_at(0, Status::Solved, "solved");
        logs.add_at(1, Status::Crashed, "crashed");
        assert_eq!((logs.left_out, logs.packed.len()), (1, 1));
    }
}
