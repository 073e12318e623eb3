//! Dates.

/// From one time to another: `2026-11-15 23:07 – 23:09 UTC`.
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

/// A time, in seconds since 1970, as `2026-11-15 23:07 UTC`.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", rest / 3600, rest % 3600 / 60)
}

/// Year, month and day of the Gregorian calendar, from days since 1970. Years are
/// counted from March, so that the day added in leap years is the last one; 400 of them
/// have 146,097 days.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + carry, month, day)
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
        assert_eq!(span(0, 30), "1970-01-01 00:00 UTC");
        assert_eq!(span(0, 3600), "1970-01-01 00:00 – 01:00 UTC");
        assert_eq!(span(0, 86_400), "1970-01-01 00:00 – 1970-01-02 00:00 UTC");
    }
}
