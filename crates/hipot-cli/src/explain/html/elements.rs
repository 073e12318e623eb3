//! Elements that several pages and parts of a page use.

use super::super::Ratio;

const STYLE: &str = include_str!("style.css");

/// A page with its style inside. The title is escaped already.
pub(in crate::explain) fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         {body}</main>\n</body>\n</html>\n"
    )
}

/// Escapes text for a page, also between quotes.
pub(in crate::explain) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            character if character.is_control() => escaped.push(' '),
            character => escaped.push(character),
        }
    }
    escaped
}

/// Appends a part.
pub(in crate::explain) fn push(text: &mut String, part: &str) {
    text.push_str(part);
}

/// A section with a hint under its title.
pub(in crate::explain) fn section(title: &str, hint: &str, content: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n<p class=\"hint\">{hint}</p>\n{content}</section>\n")
}

/// A small label for each property that holds.
pub(in crate::explain) fn chips(labels: &[(bool, &str)]) -> String {
    let chip = |&(_, label): &(bool, &str)| format!(" <span class=\"chip\">{label}</span>");
    labels.iter().filter(|(holds, _)| *holds).map(chip).collect()
}

/// A number that stands out, with a label and a note.
pub(super) fn card(label: &str, value: &str, note: &str) -> String {
    let long = if value.chars().count() > 14 { " long" } else { "" };
    format!(
        "<li><span class=\"label\">{label}</span><span class=\"value{long}\">{}</span>\
         <span class=\"note\">{}</span></li>\n",
        escape(value),
        escape(note)
    )
}

/// A row of a list of bars.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) bar: String,
    pub(super) number: String,
    /// All digits of the number, if it is rounded.
    exact: Option<String>,
    is_total: bool,
}

impl Row {
    pub(super) fn new(name: String, bar: String, number: String) -> Self {
        Self { name, bar, number, exact: None, is_total: false }
    }

    /// A row whose number is a fraction behind a sign.
    pub(super) fn of_ratio(name: String, bar: String, sign: &str, ratio: Ratio) -> Self {
        let row = Self::new(name, bar, format!("{sign}{ratio}"));
        Self { exact: ratio.exactly(), ..row }
    }

    /// The row of the sum.
    pub(super) fn total(bar: String, ratio: Ratio) -> Self {
        let row = Self::of_ratio("the initial state".to_owned(), bar, "= ", ratio);
        Self { is_total: true, ..row }
    }
}

/// A fraction; if it is rounded, all its digits are shown while the pointer is on it.
pub(in crate::explain) fn number(ratio: Ratio) -> String {
    match ratio.exactly() {
        Some(exact) => format!("<span title=\"{exact}\">{ratio}</span>"),
        None => ratio.to_string(),
    }
}

/// A list of bars. All numbers get equal room, so that the bars are aligned.
pub(super) fn bars(rows: &[Row]) -> String {
    let longest = rows.iter().map(|row| row.number.chars().count()).max().unwrap_or(0);
    let row = |Row { name, bar, number, exact, is_total }: &Row| {
        let class = if *is_total { " class=\"total\"" } else { "" };
        let exact = exact.as_ref().map_or(String::new(), |exact| format!(" title=\"{exact}\""));
        format!(
            "<li{class}><span class=\"name\">{name}</span>{bar}\
             <span class=\"number\"{exact}>{number}</span></li>\n"
        )
    };
    let rows: String = rows.iter().map(row).collect();
    let digits = longest.clamp(4, 26);
    format!("<ul class=\"bars\" style=\"--digits: {digits}\">\n{rows}</ul>\n")
}

/// Cuts a label that is longer than `max` characters.
pub(in crate::explain) fn shorten(name: &str, max: usize) -> String {
    if name.chars().count() <= max {
        return name.to_owned();
    }
    name.chars().take(max - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_become_tags() {
        assert_eq!(
            escape("<b a=\"1\" c='2'> & \u{7}"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt; &amp;  "
        );
    }
}
