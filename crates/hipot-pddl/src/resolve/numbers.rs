//! Numbers, which in a classical task are costs.

use crate::ast::MAX_COST;
use crate::diagnostics::{Finding, quote};
use crate::source::Span;

/// Whether this is a number of any kind.
pub(super) fn is_number(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit()) && word.parse::<f64>().is_ok()
}

/// The largest number of decimals of a cost.
const MAX_DECIMALS: usize = 9;

/// The number of decimals of a number, without zeros at its end; 0 for other words, and for numbers
/// with more decimals than costs may have.
pub(super) fn decimals(word: &str) -> u32 {
    let fraction = word.split_once('.').map_or("", |(_, fraction)| fraction.trim_end_matches('0'));
    let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
    if is_fraction && fraction.len() <= MAX_DECIMALS { fraction.len() as u32 } else { 0 }
}

/// A number that is not negative, multiplied by 10 to the power of `decimals`, so that it is an integer.
/// Negative numbers and those with more decimals are unsupported; words that are not numbers are mistakes.
pub(super) fn scaled(word: &str, decimals: u32, span: Span) -> Result<u64, Box<Finding>> {
    let unsigned = word.strip_prefix(['-', '+']).unwrap_or(word);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if unsigned.is_empty() || unsigned == "." || !is_digits(whole) || !is_digits(fraction) {
        let message = format!("expected a number, found {}", quote(word));
        return Err(Box::new(Finding::wrong(span, message)));
    }
    let is_zero = unsigned.bytes().all(|byte| b"0.".contains(&byte));
    if word.starts_with('-') && !is_zero {
        return Err(Box::new(Finding::unsupported(span, "negative costs are")));
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > MAX_DECIMALS {
        let what = format!("costs with more than {MAX_DECIMALS} decimals are");
        return Err(Box::new(Finding::unsupported(span, what)));
    }
    let places = decimals as usize;
    if fraction.len() > places {
        // Then it is not a cost of the task, and nobody needs it.
        let what = "a number with more decimals than the costs is";
        return Err(Box::new(Finding::unsupported(span, what)));
    }
    let digits = format!("{whole}{fraction:0<places$}");
    let digits = digits.trim_start_matches('0');
    match if digits.is_empty() { Ok(0) } else { digits.parse() } {
        Ok(number) if number <= MAX_COST => Ok(number),
        _ => Err(Box::new(too_large(span, decimals))),
    }
}

/// Reports a cost that is too large.
pub(super) fn too_large(span: Span, decimals: u32) -> Finding {
    if decimals == 0 {
        return Finding::wrong(span, format!("this cost is too large; the maximum is {MAX_COST}"));
    }
    let digits = MAX_COST.to_string();
    let (whole, fraction) = digits.split_at(digits.len() - decimals as usize);
    let message = format!("this cost is too large; the maximum is {whole}.{fraction}");
    let help = format!(
        "costs of this task have up to {decimals} decimals, and are multiplied to be integers of at \
         most {MAX_COST}"
    );
    Finding::wrong(span, message).with_help(&help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::File;

    fn read(word: &str, decimals: u32) -> Option<u64> {
        scaled(word, decimals, Span { file: File::Domain, start: 0, end: 0 }).ok()
    }

    #[test]
    fn integers_are_read() {
        let cases = [("0", 0), ("007", 7), ("3.0", 3), ("3.", 3), (".0", 0), ("-0", 0), ("+4", 4)];
        for (word, number) in cases {
            assert_eq!(read(word, 0), Some(number), "{word}");
            assert_eq!(decimals(word), 0);
        }
        assert_eq!(read("2147483647", 0), Some(MAX_COST));
    }

    #[test]
    fn decimals_are_multiplied_exactly() {
        let cases =
            [("4.5", 1, 450), ("0.07", 2, 7), ("3", 0, 300), (".10", 1, 10), ("+1.20", 1, 120)];
        for (word, own, number) in cases {
            assert_eq!((decimals(word), read(word, 2)), (own, Some(number)), "{word}");
        }
        assert_eq!(read("21474836.47", 2), Some(MAX_COST));
        assert_eq!(read("21474836.48", 2), None);
        assert_eq!(read("2.147483647", 9), Some(MAX_COST));
        assert_eq!(read("3", 9), None);
        assert_eq!(read("4.55", 1), None);
    }

    #[test]
    fn other_words_are_refused() {
        for word in ["", ".", "-", "-1", "x", "1e3", "1.2.3", "2147483648", "--1", "0.1234567891"] {
            assert_eq!(read(word, 0), None, "{word}");
        }
        assert_eq!(read(&"9".repeat(1000), 0), None);
        assert_eq!((decimals("0.1234567891"), decimals("1.x"), decimals("1.2.3")), (0, 0, 0));
    }
}
