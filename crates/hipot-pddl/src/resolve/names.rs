//! Tables of declared names, and what a name may look like.

use std::collections::HashMap;

use crate::diagnostics::{Finding, Findings, nearest, quote};
use crate::source::Span;
use crate::tree::Node;

/// Words that mean something in conditions and effects.
const RESERVED: [&str; 20] = [
    "and",
    "or",
    "not",
    "imply",
    "exists",
    "forall",
    "when",
    "=",
    "<",
    ">",
    "<=",
    ">=",
    "+",
    "*",
    "/",
    "increase",
    "decrease",
    "define",
    "either",
    "preference",
];

/// What each name stands for, and where it was declared unless it is built
/// in.
pub(super) struct Names<'a, Id> {
    ids: HashMap<&'a str, (Id, Option<Span>)>,
}

impl<'a, Id: Copy> Names<'a, Id> {
    pub(super) fn new() -> Self {
        Self { ids: HashMap::new() }
    }

    pub(super) fn get(&self, name: &str) -> Option<(Id, Option<Span>)> {
        self.ids.get(name).copied()
    }

    pub(super) fn insert(&mut self, name: &'a str, id: Id, span: Option<Span>) {
        self.ids.insert(name, (id, span));
    }

    /// A known name that is like this one.
    pub(super) fn nearest(&self, name: &str, findings: &Findings) -> Option<&'a str> {
        findings.may_suggest().then(|| nearest(name, self.ids.keys().copied())).flatten()
    }
}

/// A name that is being declared; `what` it is the name of, with its article.
pub(super) fn new_name<'a>(node: Node<'a>, what: &str, findings: &mut Findings) -> Option<&'a str> {
    let finding = match node.word() {
        None => {
            let message = format!("expected the name of {what}, found {}", node.found());
            Finding::wrong(node.mark_span(), message)
        }
        Some(word) if RESERVED.contains(&word) => {
            let message = format!("{} cannot be the name of {what}", quote(word));
            Finding::wrong(node.span(), message).with_help("this word has a meaning of its own")
        }
        Some(word) => match unusual_beginning(word) {
            Some(help) => {
                let message = format!("expected the name of {what}, found {}", quote(word));
                Finding::wrong(node.span(), message).with_help(help)
            }
            None => return Some(word),
        },
    };
    findings.add(finding);
    None
}

fn unusual_beginning(word: &str) -> Option<String> {
    let first = word.chars().next()?;
    match (first, &word[first.len_utf8()..]) {
        ('?', _) => Some("only variables begin with '?'".to_owned()),
        (':', _) => Some("only keywords begin with ':'".to_owned()),
        ('-', "") => Some("'-' stands between names and their type".to_owned()),
        ('-', rest) => Some(format!("write '- {rest}', with a space, to give a type")),
        _ => None,
    }
}

/// Says that a name was declared before.
pub(super) fn declared_twice(what: &str, name: &str, span: Span, before: Option<Span>) -> Finding {
    let message = format!("{what} {} is declared twice", quote(name));
    Finding::wrong(span, message).with_declaration(before, "declared here before")
}
