//! Tables of declared names, and the words that may be names.

use std::collections::HashMap;

use crate::diagnostics::{Finding, Findings, nearest, quote};
use crate::source::Span;
use crate::tree::Node;

/// Words that begin conditions and effects.
pub(super) const CONNECTIVES: [&str; 7] = ["and", "or", "not", "imply", "exists", "forall", "when"];

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    Type,
    Constant,
    Object,
    Predicate,
    Function,
    Action,
}

impl NameKind {
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Constant => "constant",
            Self::Object => "object",
            Self::Predicate => "predicate",
            Self::Function => "function",
            Self::Action => "action",
        }
    }

    fn with_article(self) -> String {
        let article = if matches!(self, Self::Object | Self::Action) { "an" } else { "a" };
        format!("{article} {}", self.noun())
    }

    /// Whether this word means something else where the name would stand.
    fn is_reserved(self, word: &str) -> bool {
        match self {
            Self::Type => word == "either",
            Self::Predicate => CONNECTIVES.contains(&word) || ["=", "increase"].contains(&word),
            Self::Function => ["+", "-", "*", "/"].contains(&word),
            Self::Constant | Self::Object | Self::Action => false,
        }
    }
}

/// The id of each name, and where it was declared unless it is built in.
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

    /// The known name that is most like this one, if any.
    pub(super) fn nearest(&self, name: &str, findings: &Findings) -> Option<&'a str> {
        findings.may_suggest().then(|| nearest(name, self.ids.keys().copied())).flatten()
    }
}

/// Reads a name that is being declared.
pub(super) fn new_name<'a>(
    node: Node<'a>,
    kind: NameKind,
    findings: &mut Findings,
) -> Option<&'a str> {
    let help = match node.word() {
        Some(word) if kind.is_reserved(word) => {
            let message = format!("{} cannot be the name of {}", quote(word), kind.with_article());
            let help = "this word is reserved";
            findings.add(Finding::wrong(node.span(), message).with_help(help));
            return None;
        }
        Some(word) => match unusual_beginning(word) {
            Some(help) => Some(help),
            None => return Some(word),
        },
        None => None,
    };
    let message = format!("expected the name of {}, found {}", kind.with_article(), node.found());
    let finding = Finding::wrong(node.mark_span(), message);
    findings.add(if let Some(help) = help { finding.with_help(help) } else { finding });
    None
}

fn unusual_beginning(word: &str) -> Option<&'static str> {
    let first = word.chars().next()?;
    match (first, &word[first.len_utf8()..]) {
        ('?', _) => Some("only variables begin with '?'"),
        (':', _) => Some("only keywords begin with ':'"),
        ('-', "") => Some("'-' stands between names and their type"),
        _ => None,
    }
}

/// Reports a name that was declared before.
pub(super) fn declared_twice(what: &str, name: &str, span: Span, before: Option<Span>) -> Finding {
    let message = format!("the {what} {} is declared twice", quote(name));
    Finding::wrong(span, message).with_declaration(before, "first declared here")
}
