//! Logs for the page: shortened, compressed, and limited in total size.
//!
//! The page inflates a log when somebody opens it. Long logs lose their middle. When the
//! total limit is reached, further logs are left out and counted. Part of the space is
//! reserved for runs that ended in a way that needs an explanation.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compress, Compression, FlushCompress};

use super::Report;
use crate::Status;
use crate::excerpt::both_ends;

/// The bytes that are kept of the beginning of a log, and again of its end.
const KEPT_BYTES: usize = 6 * 1024;
/// The most bytes of all logs together, as they are in the page.
const MAX_BYTES: usize = 12 << 20;
/// The part of [`MAX_BYTES`] that is reserved for runs that need an explanation.
const RESERVED_BYTES: usize = 3 << 20;

/// Logs for a page.
#[derive(Debug)]
pub struct Logs<'a> {
    /// The index of the run, row × columns + column, and its log, deflated, as base64.
    pub(super) packed: Vec<(usize, String)>,
    /// The number of logs that did not fit.
    pub(super) left_out: usize,
    bytes: usize,
    places: BTreeMap<[&'a str; 4], (usize, Status)>,
    /// Reused, because making one takes longer than compressing a log.
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

    /// Adds the log of a run, named by suite, domain, problem and configuration. Runs that
    /// are not in the report are ignored.
    pub fn add(&mut self, run: [&str; 4], text: &str) {
        if let Some(&(place, status)) = self.places.get(&run) {
            self.add_at(place, status, text);
        }
    }

    /// Adds a log, unless it is empty or does not fit.
    fn add_at(&mut self, place: usize, status: Status, text: &str) {
        if text.is_empty() {
            return;
        }
        let limit = if needs_explanation(status) { MAX_BYTES } else { MAX_BYTES - RESERVED_BYTES };
        if self.bytes >= limit {
            self.left_out += 1;
            return;
        }
        let packed = STANDARD.encode(deflate(&mut self.compress, &shortened(text)));
        if self.bytes + packed.len() > limit {
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

/// A text without its middle if it is long.
fn shortened(text: &str) -> String {
    match both_ends(text, KEPT_BYTES) {
        Some((head, left_out, tail)) => format!(
            "{head}\n\n[… {left_out} bytes left out here; the results file has more …]\n\n{tail}"
        ),
        None => text.to_owned(),
    }
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
        let cut = shortened(&text);
        assert!(cut.len() < 2 * KEPT_BYTES + 200);
        assert!(cut.contains("187712 bytes left out"), "{}", &cut[KEPT_BYTES..KEPT_BYTES + 100]);
    }

    #[test]
    fn space_is_reserved_for_explanations() {
        let mut logs =
            Logs { bytes: MAX_BYTES - RESERVED_BYTES, ..Logs::with_places(BTreeMap::new()) };
        logs.add_at(0, Status::Solved, "solved");
        logs.add_at(1, Status::Crashed, "crashed");
        assert_eq!((logs.left_out, logs.packed.len()), (1, 1));
    }
}
