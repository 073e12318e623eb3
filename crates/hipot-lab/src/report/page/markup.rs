//! Markup and words that several parts of the page use.

use crate::noun::noun;

/// A section with a title, a sentence about it, and its content.
pub(super) fn section(title: &str, hint: &str, content: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n<p class=\"hint\">{hint}</p>\n{content}</section>\n")
}

/// A number with its noun, in the plural unless it is 1.
pub(super) fn plural(count: usize, singular: &str) -> String {
    format!("{} {}", grouped(count), noun(count as u64, singular))
}

/// A number with commas between thousands.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
