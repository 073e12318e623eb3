//! Times and sizes as people write them: on the command line and in experiment files.

use std::time::Duration;

/// `30m`, `1h 30m`, or a number of seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let expected = || "expected a time such as 30m, 1h 30m, 90s or 90".to_owned();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).map_err(|_| expected());
    }
    humantime::parse_duration(text).map_err(|_| expected())
}

/// `4G`, `4GB`, `4GiB`, `100B`, or a number of bytes.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let expected = || "expected a size such as 4G, 512M or 1.5G".to_owned();
    let text = text.trim().to_ascii_uppercase();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(expected()),
    };
    let number: f64 = digits.trim().parse().map_err(|_| expected())?;
    let bytes = number * (1_u64 << shift) as f64;
    if !(1.0..=u64::MAX as f64).contains(&bytes) {
        return Err(expected());
    }
    #[allow(clippy::cast_sign_loss, reason = "checked above")]
    Ok(bytes as u64)
}

/// Fewer bytes of memory than this need a unit: other planners take a number for megabytes.
const LEAST_WITHOUT_UNIT: u64 = 1 << 24;

/// A size of memory, which has a unit unless it is clearly a number of bytes.
pub fn parse_memory(text: &str) -> Result<u64, String> {
    let (text, bytes) = (text.trim(), parse_size(text)?);
    if text.ends_with(|it: char| it.is_ascii_digit()) && bytes < LEAST_WITHOUT_UNIT {
        return Err(format!("{text} bytes are too few; with a unit: {text}M"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("512m"), Ok(512 << 20));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("100 kB"), Ok(100 << 10));
        assert_eq!(parse_size("4096B"), Ok(4096));
        assert_eq!(parse_size("1000"), Ok(1000));
        assert_eq!(parse_memory("2147483648"), Ok(2 << 30));
        assert_eq!(parse_memory("1K"), Ok(1024));
        assert_eq!(parse_memory("3584"), Err("3584 bytes are too few; with a unit: 3584M".into()));
        for wrong in ["", "G", "4X", "-1G", "0", "1e400", "nan", "4G4"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(parse_time("30m"), Ok(Duration::from_secs(1800)));
        assert_eq!(parse_time("1h 30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(parse_time("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["", "-1", "5 parsecs", "nan", "1e300"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
