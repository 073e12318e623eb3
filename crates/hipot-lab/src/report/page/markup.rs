//! What all parts of the page are made of.

/// A section of the page.
pub(super) fn section(title: &str, hint: &str, content: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n<p class=\"hint\">{hint}</p>\n{content}</section>\n")
}

/// A number with its noun, in the plural unless it is 1.
pub(super) fn plural(count: usize, word: &str) -> String {
    format!("{} {word}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A number with its thousands apart.
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
