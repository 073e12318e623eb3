//! Bytes of a text, and the positions of the protocol: lines, and code units of UTF-16 in them.

use hipot_pddl::{Place, Span};
use lsp_types::{Position, Range};

/// A text with its lines.
#[derive(Debug)]
pub(crate) struct Positions<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let after = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(after.map(|(index, _)| index + 1)).collect();
        Self { text, starts }
    }

    fn line(&self, line: usize) -> &'a str {
        let Some(&start) = self.starts.get(line) else { return "" };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// The position of a byte.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let before = self.text.get(self.starts[line]..offset).unwrap_or_default();
        Position::new(line as u32, before.encode_utf16().count() as u32)
    }

    /// The byte at a position, or the last one of its line.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else { return self.text.len() };
        let (mut units, line) = (0, self.line(position.line as usize));
        for (index, character) in line.char_indices() {
            if units >= position.character as usize {
                return start + index;
            }
            units += character.len_utf16();
        }
        start + line.len()
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start as usize), self.position(span.end as usize))
    }

    /// Where a diagnostic belongs.
    pub(crate) fn range_of_place(&self, place: &Place) -> Range {
        let line = self.line(place.line - 1);
        let units = |characters: usize| {
            line.chars().take(characters).map(char::len_utf16).sum::<usize>() as u32
        };
        let [start, end] = [place.column - 1, place.column - 1 + place.width]
            .map(|column| Position::new(place.line as u32 - 1, units(column)));
        Range::new(start, end)
    }

    /// The whole text.
    pub(crate) fn all(&self) -> Range {
        Range::new(Position::new(0, 0), self.position(self.text.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_code_units() {
        let text = "(a\r\n 🐢é b\n";
        let positions = Positions::new(text);
        let b = text.find('b').unwrap();
        assert_eq!(positions.position(b), Position::new(1, 5));
        for offset in (0..=text.len()).filter(|&it| text.is_char_boundary(it) && it != 3) {
            assert_eq!(positions.offset(positions.position(offset)), offset);
        }
        assert_eq!(positions.offset(Position::new(0, 99)), 2, "the end of the line");
        assert_eq!(positions.offset(Position::new(99, 0)), text.len());
    }
}
