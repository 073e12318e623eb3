//! Lines of text.

use std::fmt::Write;

/// Appends a line, without spaces at its end.
pub(super) fn line(text: &mut String, line: &str) {
    writeln!(text, "{}", line.trim_end()).expect("memory can be written");
}
