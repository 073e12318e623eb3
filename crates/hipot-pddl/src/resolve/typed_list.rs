//! Lists of names with types: `a b - t c - (either t u) d`.

use crate::diagnostics::{Finding, Findings};
use crate::tree::Node;

/// Names, and the type that is written behind them.
pub(super) struct Group<'a> {
    pub(super) names: Vec<Node<'a>>,
    pub(super) of_type: Option<Node<'a>>,
}

/// The groups of a typed list.
pub(super) fn groups<'a>(
    parts: impl IntoIterator<Item = Node<'a>>,
    findings: &mut Findings,
) -> Vec<Group<'a>> {
    let mut groups = Vec::new();
    let mut names = Vec::new();
    let mut parts = parts.into_iter();
    while let Some(node) = parts.next() {
        if node.word() != Some("-") {
            names.push(node);
            continue;
        }
        let of_type = parts.next();
        if of_type.is_none() {
            findings.add(Finding::wrong(node.span(), "expected a type after '-'"));
        } else if names.is_empty() {
            findings.add(Finding::wrong(node.span(), "expected a name before '-'"));
        }
        groups.push(Group { names: std::mem::take(&mut names), of_type });
    }
    if !names.is_empty() {
        groups.push(Group { names, of_type: None });
    }
    groups
}
