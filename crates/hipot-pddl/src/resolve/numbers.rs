//! Numbers, which in a classical task are costs.

use crate::ast::MAX_COST;
use crate::diagnostics::{Finding, quote};
use crate::source::Span;

/// Whether this is a number of any kind.
pub(super) fn is_number(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit()) && word.parse::<f64>().is_ok()
}

/// A natural number, perhaps with zeros after a decimal point. Other numbers
/// are unsupported; words that are not numbers are mistakes.
pub(super) fn natural(word: &str, span: Span) -> Result<u64, Box<Finding>> {
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
    if fraction.bytes().any(|byte| byte != b'0') {
        return Err(Box::new(Finding::unsupported(span, "non-integer costs are")));
    }
    let whole = whole.trim_start_matches('0');
    match if whole.is_empty() { Ok(0) } else { whole.parse() } {
        Ok(number) if number <= MAX_COST => Ok(number),
        _ => Err(Box::new(too_large(span))),
    }
}

/// Reports a cost that is too large.
pub(super) fn too_large(span: Span) -> Finding {
    Finding::wrong(span, format!("this cost is too large; the maximum is {MAX_COST}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::File;

    fn read(word: &str) -> Option<u64> {
        natural(word, Span { file: File::Domain, start: 0, end: 0 }).ok()
    }

    #[test]
    fn integers_are_read() {
        let cases = [("0", 0), ("007", 7), ("3.0", 3), ("3.", 3), (".0", 0), ("-0", 0), ("+4", 4)];
        for (word, number) in cases {
            assert_eq!(read(word), Some(number), "{word}");
        }
        assert_eq!(read("2147483647"), Some(MAX_COST));
    }

    #[test]
    fn other_words_are_refused() {
        for word in ["", ".", "-", "1.5", "-1", "x", "1e3", "1.2.3", "2147483648", "--1"] {
            assert_eq!(read(word), None, "{word}");
        }
        assert_eq!(read(&"9".repeat(1000)), None);
    }
}
