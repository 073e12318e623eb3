//! The elements of drawings.
//!
//! Colors and line styles are defined in `plot.css` only, as `var(--name, color)`. In the page
//! the variables have the colors of the reader's scheme, light or dark. In files for papers each
//! variable is replaced by its default color, since not every program that reads SVG knows
//! variables.

use std::fmt::Write;

/// The style of drawings.
pub(super) const STYLE: &str = include_str!("plot.css");

/// Where a drawing is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Medium {
    /// In the page, with its tasks attached to each mark.
    Page,
    /// In a file of its own.
    Paper,
}

/// An unfinished drawing.
pub(super) struct Drawing {
    text: String,
}

impl Drawing {
    /// Begins a drawing; `attributes` are for the page's script.
    pub(super) fn begin(
        title: &str,
        (width, height): (f64, f64),
        medium: Medium,
        attributes: &str,
    ) -> Self {
        let title = escape(title);
        let text = match medium {
            Medium::Page => format!(
                "<svg class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" tabindex=\"0\" \
                 aria-label=\"{title}\"{attributes}>"
            ),
            Medium::Paper => format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" \
                 class=\"plot\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
                 role=\"img\">\n<title>{title}</title>\n<style>\n{}</style>\n\
                 <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
                without_variables(STYLE)
            ),
        };
        Self { text }
    }

    /// Adds markup.
    pub(super) fn push(&mut self, markup: &str) {
        self.text.push_str(markup);
        self.text.push('\n');
    }

    /// Adds a line.
    pub(super) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        self.push(&format!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    /// Adds text.
    pub(super) fn words(&mut self, class: &str, (x, y): (f64, f64), words: &str) {
        let words = escape(words);
        self.push(&format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>"));
    }

    /// Adds text that runs upward.
    pub(super) fn upright_words(&mut self, class: &str, (x, y): (f64, f64), words: &str) {
        let words = escape(words);
        self.push(&format!(
            "<text class=\"{class}\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\">{words}</text>"
        ));
    }

    /// Ends the drawing.
    pub(super) fn end(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// A mark at a position. Each class has its own shape, so that they can be told apart without
/// colors.
pub(super) fn mark(class: &str, (x, y): (f64, f64), attributes: &str) -> String {
    let shape = match class {
        "both" | "perfect" => "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
        "first" => "m0-4l4 7h-8z",
        "second" | "below" => "m0 4l4-7h-8z",
        "above" => "m-3.5-3.5h7v7h-7z",
        _ => "m-3-3l6 6m0-6l-6 6",
    };
    format!("<path class=\"{class}\" d=\"M{x} {y}{shape}\"{attributes}/>")
}

/// Numbers separated by spaces.
pub(super) fn list(numbers: &[u32]) -> String {
    let mut text = String::with_capacity(6 * numbers.len());
    for number in numbers {
        if !text.is_empty() {
            text.push(' ');
        }
        write!(text, "{number}").expect("memory can be written");
    }
    text
}

/// A name of at most `max` characters.
pub(super) fn shorten(name: &str, max: usize) -> String {
    if name.chars().count() <= max {
        return name.to_owned();
    }
    name.chars().take(max - 1).chain(['…']).collect()
}

/// The style, with each variable replaced by its default color.
fn without_variables(style: &str) -> String {
    let mut plain = String::with_capacity(style.len());
    let mut rest = style;
    while let Some((before, variable)) = rest.split_once("var(") {
        plain.push_str(before);
        let (variable, behind) = variable.split_once(')').unwrap_or((variable, ""));
        plain.push_str(variable.split_once(", ").map_or(variable, |(_, color)| color));
        rest = behind;
    }
    plain + rest
}

/// Text, escaped for markup and for attributes in quotes. Characters that XML does not allow
/// become spaces.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
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
    fn variables_become_colors() {
        assert_eq!(
            without_variables("a { fill: var(--x, #123456); } b { top: 0; }"),
            "a { fill: #123456; } b { top: 0; }"
        );
        assert!(!without_variables(STYLE).contains("var("));
    }

    #[test]
    fn names_cannot_become_tags() {
        assert_eq!(
            escape("<b a=\"1\" c='2'> & \u{7}\u{ffff}"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt; &amp;   "
        );
    }
}
