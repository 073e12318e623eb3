//! From tokens to a tree, or to a message about the parentheses.
//!
//! Counting parentheses finds a missing one only at the end of the file, far
//! from the mistake. But keywords occur only in the outer two levels, so the
//! first keyword that is deeper shows where a parenthesis is missing.

use crate::clean::clean;
use crate::diagnostics::{Finding, Findings, quote};
use crate::lexer::{Kind, Token, tokens};
use crate::source::{File, Source, Span};

use super::{Entry, Tree};

/// The depth of the deepest list.
const MAX_DEPTH: usize = 200;

/// The length of the longest file whose places fit into 32 bits.
const MAX_LENGTH: usize = u32::MAX as usize - 1;

/// Keywords inside a section: those of `:length`.
const INNER_KEYWORDS: [&str; 2] = [":serial", ":parallel"];

/// Reads a file that consists of one list.
pub(crate) fn read(file: File, source: &Source, findings: &mut Findings) -> Option<Tree> {
    let beginning = Span { file, start: 0, end: 0 };
    if source.text.len() > MAX_LENGTH {
        findings.add(Finding::wrong(beginning, "this file is too large"));
        return None;
    }
    let text = clean(file, source, findings);
    let mut builder = Builder { file, entries: Vec::new(), open: Vec::new(), misplaced: None };
    for token in tokens(&text) {
        if let Err(finding) = builder.add(token, &text) {
            findings.add(*finding);
            return None;
        }
    }
    match builder.finish() {
        Ok(entries) => Some(Tree { file, text, entries }),
        Err(finding) => {
            findings.add(*finding);
            None
        }
    }
}

struct Builder {
    file: File,
    entries: Vec<Entry>,
    /// The lists that are not closed yet, outermost first.
    open: Vec<u32>,
    /// The first keyword that shows that a parenthesis is missing.
    misplaced: Option<Misplaced>,
}

/// A keyword where no keyword can be.
struct Misplaced {
    keyword: Span,
    /// The list that should have been closed before it.
    open: Span,
    /// Whether the keyword begins a list.
    is_section: bool,
}

impl Builder {
    fn add(&mut self, token: Token, text: &str) -> Result<(), Box<Finding>> {
        if self.open.is_empty() && !(self.entries.is_empty() && token.kind == Kind::Open) {
            return Err(Box::new(self.outside(token, text)));
        }
        let index = self.entries.len() as u32;
        let Token { kind, start, end } = token;
        match kind {
            Kind::Open if self.open.len() == MAX_DEPTH => {
                let message = format!("more than {MAX_DEPTH} nested parentheses");
                return Err(Box::new(Finding::wrong(self.span(token), message)));
            }
            Kind::Open => {
                self.open.push(index);
                self.entries.push(Entry { start, end, after: 0 });
            }
            Kind::Word => {
                self.note_misplaced(token, text);
                self.entries.push(Entry { start, end, after: index + 1 });
            }
            Kind::Close => {
                let list = self.open.pop().map(|list| &mut self.entries[list as usize]);
                if let Some(list) = list {
                    (list.end, list.after) = (end, index);
                }
            }
        }
        Ok(())
    }

    fn span(&self, token: Token) -> Span {
        Span { file: self.file, start: token.start, end: token.end }
    }

    /// How the file should begin.
    fn beginning(&self) -> &'static str {
        match self.file {
            File::Domain => "'(define (domain …'",
            File::Problem => "'(define (problem …'",
        }
    }

    /// A token before the file's list or after it.
    fn outside(&self, token: Token, text: &str) -> Finding {
        let word = &text[token.start as usize..token.end as usize];
        let span = self.span(token);
        let Some(first) = self.entries.first() else {
            let message = format!("expected {}, found {}", self.beginning(), quote(word));
            return Finding::wrong(span, message);
        };
        let end = Span { file: self.file, start: first.end - 1, end: first.end };
        let opened = Span { file: self.file, start: first.start, end: first.start + 1 };
        let after = "unexpected text after the end of the definition";
        let finding = match token.kind {
            Kind::Close => Finding::wrong(span, "one closing parenthesis too many"),
            Kind::Word => Finding::wrong(span, after),
            Kind::Open => Finding::wrong(span, after)
                .with_help("is there one closing parenthesis too many before this?"),
        };
        finding.with_note(opened, "the definition opened here …").with_note(end, "… is closed here")
    }

    /// Notes a keyword that is too deep. Sections are directly in the file's
    /// list, and other keywords directly in a section; anything deeper shows
    /// where a closing parenthesis is missing.
    fn note_misplaced(&mut self, token: Token, text: &str) {
        let word = &text[token.start as usize..token.end as usize];
        let is_keyword = word.starts_with(':') && !INNER_KEYWORDS.contains(&word);
        if !is_keyword || self.open.len() <= 2 || self.misplaced.is_some() {
            return;
        }
        let innermost = self.open[self.open.len() - 1];
        let is_section = innermost as usize + 1 == self.entries.len();
        let open = if is_section { self.open[1] } else { innermost };
        let Entry { start, end, .. } = self.entries[open as usize];
        let open = Span { file: self.file, start, end };
        self.misplaced = Some(Misplaced { keyword: self.span(token), open, is_section });
    }

    fn finish(self) -> Result<Vec<Entry>, Box<Finding>> {
        let file = self.file;
        if self.entries.is_empty() {
            let message = format!("this file is empty: expected {}", self.beginning());
            return Err(Box::new(Finding::wrong(Span { file, start: 0, end: 0 }, message)));
        }
        if let Some(Misplaced { keyword, open, is_section }) = self.misplaced {
            let (message, note) = if is_section {
                let message =
                    "a section inside another section: a closing parenthesis is missing before it";
                (message, "this section is still open at that point")
            } else {
                let message = "a keyword inside a list: a closing parenthesis is missing before it";
                (message, "this list is still open at that point")
            };
            return Err(Box::new(Finding::wrong(keyword, message).with_note(open, note)));
        }
        let Some(&innermost) = self.open.last() else { return Ok(self.entries) };
        let Entry { start, end, .. } = self.entries[innermost as usize];
        let message = match self.open.len() {
            1 => "this parenthesis is never closed".to_owned(),
            2 => "this parenthesis is never closed, nor is the one around it".to_owned(),
            count => {
                format!("this parenthesis is never closed, nor are the {} around it", count - 1)
            }
        };
        Err(Box::new(Finding::wrong(Span { file, start, end }, message)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Node;

    fn tree(text: &str) -> Option<Tree> {
        read(File::Domain, &Source::new("test", text), &mut Findings::default())
    }

    fn words(node: Node<'_>) -> Vec<String> {
        node.parts().map(|part| part.word().unwrap_or("(…)").to_owned()).collect()
    }

    #[test]
    fn parts_are_siblings() {
        let tree = tree("(A (b c (d)) ; e)\n f ())").expect("it is balanced");
        assert_eq!(words(tree.root()), ["a", "(…)", "f", "(…)"]);
        let inner = tree.root().parts().nth(1).expect("four parts");
        assert_eq!(words(inner), ["b", "c", "(…)"]);
        assert_eq!(inner.head(), Some("b"));
        assert_eq!(inner.span(), Span { file: File::Domain, start: 3, end: 12 });
    }

    #[test]
    fn depth_is_limited() {
        let nested = |depth| format!("{}{}", "(".repeat(depth), ")".repeat(depth));
        assert!(tree(&nested(MAX_DEPTH)).is_some());
        assert!(tree(&nested(MAX_DEPTH + 1)).is_none());
        assert!(tree(&"(".repeat(10_000_000)).is_none());
    }

    #[test]
    fn what_is_not_one_list_is_refused() {
        for text in ["", "; nothing", "a", ")", "(", "(a", "(a))", "(a) b", "(a) (b)"] {
            assert!(tree(text).is_none(), "{text}");
        }
    }
}
