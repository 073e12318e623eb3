//! Places in files as people count them, with the line they are in.

use crate::source::{File, Lines, Source, Span};

/// The widest excerpt from a line, in columns of a terminal.
const WIDEST: usize = 120;

/// How much of a cut line is shown before the place.
const BEFORE: usize = 40;

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
    /// The number of characters, at least 1; what goes on in the next line
    /// does not count.
    pub width: usize,
    pub(super) excerpt: Excerpt,
}

impl Place {
    /// The line that it is in: cut where it is long, tabs as spaces.
    pub fn source_line(&self) -> &str {
        &self.excerpt.text
    }
}

/// A line as it is shown: cut where it is long, tabs as spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// The columns of a terminal before the place, and those of the place.
    pub(super) before: usize,
    pub(super) marked: usize,
}

/// Both files with their lines.
pub(super) struct Places<'a> {
    domain: (&'a Source, Lines),
    problem: (&'a Source, Lines),
}

impl<'a> Places<'a> {
    pub(super) fn new(domain: &'a Source, problem: &'a Source) -> Self {
        Self {
            domain: (domain, Lines::new(&domain.text)),
            problem: (problem, Lines::new(&problem.text)),
        }
    }

    pub(super) fn place(&self, span: Span) -> Place {
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
        let before = if whole > WIDEST { ending(&before, BEFORE) } else { before };
        let room = WIDEST - width(&before);
        let is_marked_cut = width(&marked) > room;
        let marked = beginning(&marked, room);
        let room = room.saturating_sub(width(&marked));
        let after = if is_marked_cut { String::new() } else { beginning(&after, room) };
        let text = format!("{before}{marked}{after}");
        Self { text, before: width(&before), marked: width(&marked).max(1) }
    }
}

/// The text as it is shown: tabs as spaces, invisible characters visible.
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

/// The beginning of the text, with an ellipsis where it is cut.
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

/// The end of the text, with an ellipsis where it is cut.
fn ending(text: &str, room: usize) -> String {
    let reversed: String = text.chars().rev().collect();
    beginning(&reversed, room).chars().rev().collect()
}

fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// The columns that a terminal needs for a character: two for East Asian
/// characters and pictures, none for what combines with the character before.
fn columns(character: char) -> usize {
    match u32::from(character) {
        0x0300..=0x036F | 0x200B..=0x200F | 0xFE00..=0xFE0F | 0xFEFF => 0,
        0x1100..=0x115F
        | 0x2E80..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1FAFF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}
