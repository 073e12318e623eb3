//! What drawings for Graphviz share.

/// The color of positive numbers.
pub(super) const POSITIVE: &str = "#2a6fbb";
/// The color of negative numbers.
pub(super) const NEGATIVE: &str = "#c2571a";

/// Escapes text for use between quotes. Graphviz reads `&amp;` and the like as HTML does,
/// so ampersands are escaped too.
pub(in crate::explain) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '&' => escaped.push_str("&amp;"),
            character if character.is_control() => escaped.push(' '),
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_quotes() {
        assert_eq!(escape("a \"b\" \\ <c> & d\ne"), "a \\\"b\\\" \\\\ <c> &amp; d e");
    }
}
