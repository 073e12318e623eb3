//! Places in files as people count them, with the lines they are in.

use unicode_width::UnicodeWidthChar;

use crate::source::{File, Lines, Source, Span};

/// The width of the longest excerpt from a line, in columns of a terminal.
const MAX_COLUMNS: usize = 120;

/// The columns of a cut line that are shown before the place.
const COLUMNS_BEFORE: usize = 40;

const TAB: &str = "    ";

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The number of characters on the first line, at least 1.
    pub width: usize,
    pub(super) excerpt: Excerpt,
}

impl Place {
    /// The line that the place is in, shortened if it is long, with spaces for
    /// tabs.
    pub fn source_line(&self) -> &str {
        &self.excerpt.text
    }
}

/// A line as it is shown: shortened if it is long, with spaces for tabs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// The columns of a terminal before the place.
    pub(super) before: usize,
    /// The columns of the place itself.
    pub(super) marked: usize,
}

/// Both files with their lines.
pub(crate) struct Places<'a> {
    domain: (&'a Source, Lines),
    problem: (&'a Source, Lines),
}

impl<'a> Places<'a> {
    pub(crate) fn new(domain: &'a Source, problem: &'a Source) -> Self {
        Self {
            domain: (domain, Lines::new(&domain.text)),
            problem: (problem, Lines::new(&problem.text)),
        }
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        let (source, lines) = match span.file {
            File::Domain => &self.domain,
            File::Problem => &self.problem,
        };
        let line = lines.line(span.start);
        let text = &source.text[lines.start(line)..];
        let length = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
        let text = text[..length].trim_ascii_end();
        let start = (span.start as usize - lines.start(line)).min(text.len());
        let end = (span.end as usize - lines.start(line)).clamp(start, text.len());
        let [before, marked, after] = [&text[..start], &text[start..end], &text[end..]]
            .map(|part| String::from_utf8_lossy(part).into_owned());
        Place {
            file: source.name.clone(),
            line,
            column: before.chars().count() + 1,
            width: marked.chars().count().max(1),
            excerpt: Excerpt::new(&before, &marked, &after),
        }
    }
}

impl Excerpt {
    fn new(before: &str, marked: &str, after: &str) -> Self {
        let [before, marked, after] = [before, marked, after].map(shown);
        let whole = width(&before) + width(&marked) + width(&after);
        let before = if whole > MAX_COLUMNS { ending(&before, COLUMNS_BEFORE) } else { before };
        let room = MAX_COLUMNS - width(&before);
        let is_marked_cut = width(&marked) > room;
        let marked = beginning(&marked, room);
        let room = room.saturating_sub(width(&marked));
        let after = if is_marked_cut { String::new() } else { beginning(&after, room) };
        let text = format!("{before}{marked}{after}");
        Self { text, before: width(&before), marked: width(&marked).max(1) }
    }
}

/// The text as it is shown: with spaces for tabs and a replacement character
/// for what cannot be seen.
fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => shown.push_str(TAB),
            _ if character.is_control() => shown.push(char::REPLACEMENT_CHARACTER),
            _ => shown.push(character),
        }
    }
    shown
}

/// As much of the text as fits, from its beginning, with an ellipsis if it is
/// cut.
fn beginning(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut used = 1;
    for character in text.chars() {
        used += columns(character);
        if used > room {
            break;
        }
        cut.push(character);
    }
    cut.push('…');
    cut
}

/// As much of the text as fits, up to its end, with an ellipsis if it is cut.
fn ending(text: &str, room: usize) -> String {
    let reversed: String = text.chars().rev().collect();
    beginning(&reversed, room).chars().rev().collect()
}

fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// The columns that a terminal needs for a character: two for East Asian
/// characters and emoji, none for accents that combine with the one before.
fn columns(character: char) -> usize {
    character.width().unwrap_or(0)
}
