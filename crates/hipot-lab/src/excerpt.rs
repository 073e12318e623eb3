//! The two ends of long texts, such as logs.

/// The first and the last `kept` bytes of a text, without breaking characters, and the number
/// of bytes between them. `None` if the text is no longer than both ends together.
pub(crate) fn both_ends(text: &str, kept: usize) -> Option<(&str, usize, &str)> {
    if text.len() <= 2 * kept {
        return None;
    }
    let is_boundary = |&index: &usize| text.is_char_boundary(index);
    let head = &text[..(0..=kept).rev().find(is_boundary).unwrap_or(0)];
    let begin = (text.len() - kept..=text.len()).find(is_boundary);
    let tail = &text[begin.unwrap_or(text.len())..];
    Some((head, text.len() - head.len() - tail.len(), tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(both_ends("äöü", 3), None);
        assert_eq!(both_ends("aäöüß", 2), Some(("a", 6, "ß")));
    }
}
