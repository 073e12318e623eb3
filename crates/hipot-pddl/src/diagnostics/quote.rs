//! Words of a file inside a message.

/// `text` in quotes: shortened if it is long, with invisible characters
/// escaped.
pub(crate) fn quote(text: &str) -> String {
    const MAX_CHARACTERS: usize = 40;
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("'{}…'", text[..end].escape_debug()),
        None => format!("'{}'", text.escape_debug()),
    }
}
