//! The text of a file as the lexer needs it: lower case and valid UTF-8, with
//! plain spaces for comments and other white space. It is exactly as long as the
//! file, so a place in one is the same place in the other.

use crate::diagnostics::{Finding, Findings};
use crate::source::{File, Source, Span};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The clean text; bytes that do not belong in a PDDL file are noted.
pub(crate) fn clean(file: File, source: &Source, findings: &mut Findings) -> String {
    let mut text = source.text.to_ascii_lowercase();
    if text.starts_with(BYTE_ORDER_MARK) {
        text[..BYTE_ORDER_MARK.len()].fill(b' ');
    }
    blank_comments(&mut text);
    let mut text = valid(file, text, findings);
    if !text.is_ascii() || text.bytes().any(|byte| byte.is_ascii_control()) {
        text = plain_spaces(file, &text, findings);
    }
    text
}

/// Replaces comments by spaces, up to the ends of their lines.
fn blank_comments(text: &mut [u8]) {
    let mut in_comment = false;
    for byte in text {
        match *byte {
            b'\n' | b'\r' => in_comment = false,
            b';' => in_comment = true,
            _ => {}
        }
        if in_comment {
            *byte = b' ';
        }
    }
}

/// The text as a string; bytes that are not UTF-8 are noted and replaced.
fn valid(file: File, mut text: Vec<u8>, findings: &mut Findings) -> String {
    let mut checked = 0;
    loop {
        let Err(error) = str::from_utf8(&text[checked..]) else {
            return String::from_utf8(text).unwrap_or_default();
        };
        let start = checked + error.valid_up_to();
        let end = error.error_len().map_or(text.len(), |length| start + length);
        let message = "this is not valid UTF-8";
        let help = "outside comments, the file must be UTF-8 (plain ASCII is fine)";
        let span = Span { file, start: start as u32, end: end as u32 };
        findings.add(Finding::wrong(span, message).with_help(help));
        text[start..end].fill(b'_');
        checked = end;
    }
}

/// Replaces white space of all kinds by spaces; control characters are noted.
fn plain_spaces(file: File, text: &str, findings: &mut Findings) -> String {
    let mut plain = String::with_capacity(text.len());
    for (start, character) in text.char_indices() {
        let width = character.len_utf8();
        if character.is_whitespace() {
            plain.extend(std::iter::repeat_n(' ', width));
        } else if character.is_control() {
            let (start, end) = (start as u32, (start + width) as u32);
            let message = format!("unexpected control character {character:?}");
            findings.add(Finding::wrong(Span { file, start, end }, message));
            plain.extend(std::iter::repeat_n(' ', width));
        } else {
            plain.push(character);
        }
    }
    plain
}
