//! Diagnostics as text, in the manner of compilers.

use super::diagnostic::Diagnostic;
use super::place::Place;

/// The diagnostics, separated by empty lines, and the number of those that
/// are hidden.
pub(super) fn text(diagnostics: &[Diagnostic], hidden: usize) -> String {
    let mut paragraphs: Vec<String> = diagnostics.iter().map(diagnostic).collect();
    match hidden {
        0 => {}
        1 => paragraphs.push("1 more error is not shown\n".to_owned()),
        hidden => paragraphs.push(format!("{hidden} more errors are not shown\n")),
    }
    paragraphs.join("\n")
}

fn diagnostic(diagnostic: &Diagnostic) -> String {
    let kind = diagnostic.severity.word();
    let places = diagnostic.notes.iter().map(|note| &note.place);
    let last = places.chain([&diagnostic.place]).map(|place| place.line).max();
    let margin = last.unwrap_or(1).to_string().len();
    let code = diagnostic.code.map_or(String::new(), |code| format!(" [{code}]"));
    let mut parts = vec![format!("{kind}: {}{code}\n", diagnostic.message)];
    parts.push(excerpt(&diagnostic.place, "^", margin));
    for note in &diagnostic.notes {
        parts.push(format!("{:margin$} = note: {}\n", "", note.text));
        parts.push(excerpt(&note.place, "-", margin));
    }
    let help = diagnostic.help.iter();
    parts.extend(help.map(|help| format!("{:margin$} = help: {help}\n", "")));
    parts.concat()
}

/// A place: its file, its line, and the marks below the line.
fn excerpt(place: &Place, mark: &str, margin: usize) -> String {
    let Place { file, line, column, excerpt, .. } = place;
    let (before, marks) = (" ".repeat(excerpt.before), mark.repeat(excerpt.marked));
    let text = &excerpt.text;
    format!(
        "{:margin$}--> {file}:{line}:{column}\n{line:margin$} | {text}\n{:margin$} | {before}{marks}\n",
        "", ""
    )
}
