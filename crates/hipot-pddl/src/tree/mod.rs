//! Nested lists of words, in one array.
//!
//! An entry comes before its parts, and says where the entries after all of its
//! parts begin. So the next sibling is one step away, and neither building the
//! tree nor dropping it recurses. The depth is limited, so that code that reads
//! the tree may recurse.

mod build;

pub(crate) use build::read;

use crate::diagnostics::quote;
use crate::source::{File, Span};

/// A file as nested lists.
#[derive(Debug)]
pub(crate) struct Tree {
    file: File,
    text: String,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u32,
    end: u32,
    /// The index of the first entry that is not a part of this one.
    after: u32,
}

/// A word or a list of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    tree: &'a Tree,
    index: u32,
}

impl Tree {
    /// The one list that the file consists of.
    pub(crate) fn root(&self) -> Node<'_> {
        Node { tree: self, index: 0 }
    }
}

impl<'a> Node<'a> {
    fn entry(self) -> Entry {
        self.tree.entries[self.index as usize]
    }

    pub(crate) fn span(self) -> Span {
        let Entry { start, end, .. } = self.entry();
        Span { file: self.tree.file, start, end }
    }

    fn text(self) -> &'a str {
        let Entry { start, end, .. } = self.entry();
        &self.tree.text[start as usize..end as usize]
    }

    pub(crate) fn is_list(self) -> bool {
        self.text().starts_with('(')
    }

    /// The word, if this is not a list.
    pub(crate) fn word(self) -> Option<&'a str> {
        Some(self.text()).filter(|text| !text.starts_with('('))
    }

    /// The parts of a list; a word has none.
    pub(crate) fn parts(self) -> Parts<'a> {
        Parts { tree: self.tree, next: self.index + 1, end: self.entry().after }
    }

    /// The first part of a list, if it is a word.
    pub(crate) fn head(self) -> Option<&'a str> {
        self.parts().next()?.word()
    }

    /// The place of the head or, without one, of the opening parenthesis.
    pub(crate) fn head_span(self) -> Span {
        match self.parts().next() {
            Some(first) if first.word().is_some() => first.span(),
            _ => self.open_span(),
        }
    }

    /// The place of the first character.
    pub(crate) fn open_span(self) -> Span {
        let span = self.span();
        Span { end: span.start + 1, ..span }
    }

    /// The place to mark in a message: a word, or the beginning of a list.
    pub(crate) fn mark_span(self) -> Span {
        if self.is_list() { self.open_span() } else { self.span() }
    }

    /// The place of the closing parenthesis.
    pub(crate) fn close_span(self) -> Span {
        let span = self.span();
        Span { start: span.end - 1, ..span }
    }

    /// What this is, for messages such as "found …".
    pub(crate) fn found(self) -> String {
        match (self.word(), self.head()) {
            (Some(word), _) => quote(word),
            (None, Some(head)) => format!("a list that begins with {}", quote(head)),
            (None, None) if self.parts().next().is_none() => "'()'".to_owned(),
            (None, None) => "a list of lists".to_owned(),
        }
    }
}

/// The parts of a list, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Parts<'a> {
    tree: &'a Tree,
    next: u32,
    end: u32,
}

impl<'a> Iterator for Parts<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Node<'a>> {
        if self.next == self.end {
            return None;
        }
        let node = Node { tree: self.tree, index: self.next };
        self.next = node.entry().after;
        Some(node)
    }
}
