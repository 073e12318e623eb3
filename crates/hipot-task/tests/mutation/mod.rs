//! Random damage to a text.

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Numbers at the edges of what the format, or a type, can hold.
const EXTREME: [&str; 11] = [
    "-9223372036854775809",
    "-2147483648",
    "-2",
    "255",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "99999999999999999999",
];

/// Numbers that a small task can have almost anywhere.
const SMALL: [&str; 4] = ["-1", "0", "1", "2"];

/// One change to a text.
#[derive(Clone, Debug)]
pub(crate) enum Mutation {
    /// One bit of one byte becomes the other.
    FlipBit(Index, u32),
    /// A byte is put in.
    InsertByte(Index, u8),
    /// A line is left out.
    DeleteLine(Index),
    /// A line comes twice.
    DuplicateLine(Index),
    /// Two lines change places.
    SwapLines(Index, Index),
    /// A number becomes another.
    ReplaceNumber(Index, &'static str),
    /// The text ends early.
    Truncate(Index),
}

/// Any mutation.
pub(crate) fn mutation() -> impl Strategy<Value = Mutation> {
    let index = any::<Index>;
    prop_oneof![
        2 => (index(), 0..8_u32).prop_map(|(at, bit)| Mutation::FlipBit(at, bit)),
        1 => (index(), any::<u8>()).prop_map(|(at, byte)| Mutation::InsertByte(at, byte)),
        2 => index().prop_map(Mutation::DeleteLine),
        2 => index().prop_map(Mutation::DuplicateLine),
        2 => (index(), index()).prop_map(|(a, b)| Mutation::SwapLines(a, b)),
        9 => (index(), select(&SMALL[..])).prop_map(|(at, to)| Mutation::ReplaceNumber(at, to)),
        3 => (index(), select(&EXTREME[..])).prop_map(|(at, to)| Mutation::ReplaceNumber(at, to)),
        1 => index().prop_map(Mutation::Truncate),
    ]
}

/// `text` after `mutation`; an empty text stays empty.
pub(crate) fn mutate(mut text: Vec<u8>, mutation: &Mutation) -> Vec<u8> {
    let size = text.len();
    if size == 0 {
        return text;
    }
    match *mutation {
        Mutation::FlipBit(at, bit) => text[at.index(size)] ^= 1 << bit,
        Mutation::InsertByte(at, byte) => text.insert(at.index(size), byte),
        Mutation::Truncate(at) => text.truncate(at.index(size)),
        Mutation::ReplaceNumber(at, to) => replace_number(&mut text, at, to),
        _ => text = mutate_lines(&text, mutation),
    }
    text
}

fn mutate_lines(text: &[u8], mutation: &Mutation) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let count = lines.len();
    match *mutation {
        Mutation::DeleteLine(at) => drop(lines.remove(at.index(count))),
        Mutation::DuplicateLine(at) => lines.insert(at.index(count), lines[at.index(count)]),
        Mutation::SwapLines(a, b) => lines.swap(a.index(count), b.index(count)),
        _ => {}
    }
    lines.concat()
}

fn replace_number(text: &mut Vec<u8>, at: Index, to: &str) {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let starts: Vec<usize> = (0..text.len())
        .filter(|&at| is_digit(&text[at]) && (at == 0 || !is_digit(&text[at - 1])))
        .collect();
    if starts.is_empty() {
        return;
    }
    let start = starts[at.index(starts.len())];
    let length = text[start..].iter().take_while(|byte| is_digit(byte)).count();
    text.splice(start..start + length, to.bytes());
}
