//! Dates.

use std::time::{Duration, UNIX_EPOCH};

use humantime::format_rfc3339_seconds;

/// The last second of the year 9999, which is the last one that RFC 3339 can write.
const END_OF_9999: u64 = 253_402_300_799;

/// A span of time: `2026-11-15 23:07 – 23:09 UTC`.
pub(super) fn span(first: u64, last: u64) -> String {
    let (from, to) = (date(first), date(last));
    if from == to {
        return from;
    }
    let from = from.trim_end_matches(" UTC");
    let same_day = first / 86_400 == last / 86_400;
    let to = if same_day { to.split_once(' ').map_or(to.as_str(), |(_, time)| time) } else { &to };
    format!("{from} – {to}")
}

/// A time, in seconds since 1970, as `2026-11-15 23:07 UTC`. Years after 9999 are written as 9999.
fn date(seconds: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_secs(seconds.min(END_OF_9999));
    let text = format_rfc3339_seconds(time).to_string();
    format!("{} {} UTC", &text[..10], &text[11..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_825_600), "2000-02-29 12:00 UTC");
        assert_eq!(date(4_107_542_399), "2100-02-28 23:59 UTC");
        assert_eq!(date(4_107_542_400), "2100-03-01 00:00 UTC");
        assert_eq!(date(1_794_783_600), "2026-11-15 23:00 UTC");
        assert_eq!(date(u64::MAX), "9999-12-31 23:59 UTC");
        assert_eq!(span(0, 30), "1970-01-01 00:00 UTC");
        assert_eq!(span(0, 3600), "1970-01-01 00:00 – 01:00 UTC");
        assert_eq!(span(0, 86_400), "1970-01-01 00:00 – 1970-01-02 00:00 UTC");
    }
}
