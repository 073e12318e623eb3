//! A clean text, cut into parentheses and words. A question mark begins a new
//! word, because a competition task contains `(aircraft?a)`.

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Open,
    Close,
    Word,
}

/// A parenthesis or a word, and the bytes that it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The tokens of a clean text.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = Token> {
    let bytes = text.as_bytes();
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = next + bytes[next..].iter().position(|&byte| byte != b' ')?;
        let kind = match bytes[start] {
            b'(' => Kind::Open,
            b')' => Kind::Close,
            _ => Kind::Word,
        };
        let length = match kind {
            Kind::Word => bytes[start + 1..].iter().position(|byte| b" ()?".contains(byte)),
            _ => Some(0),
        };
        next = length.map_or(bytes.len(), |length| start + 1 + length);
        Some(Token { kind, start: start as u32, end: next as u32 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text).map(|token| &text[token.start as usize..token.end as usize]).collect()
    }

    #[test]
    fn parentheses_end_words() {
        assert_eq!(words("(a(b )c)"), ["(", "a", "(", "b", ")", "c", ")"]);
    }

    #[test]
    fn variables_begin_words() {
        assert_eq!(words("p?x?y ?"), ["p", "?x", "?y", "?"]);
    }

    #[test]
    fn names_may_have_unusual_characters() {
        let names = ["?x", "a@b", "c.d+e", "f/g*h", "&", "-", "1.5", "zoë"];
        assert_eq!(words(&names.join(" ")), names);
    }

    #[test]
    fn an_empty_text_has_no_tokens() {
        assert_eq!(words(""), [""; 0]);
        assert_eq!(words("   "), [""; 0]);
    }
}
