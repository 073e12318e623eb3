//! Lists of names with types: `a b - t c - (either t u) d`.

use crate::diagnostics::{Finding, Findings, quote};
use crate::tree::Node;

/// Names, and the type written after them.
pub(super) struct Group<'a> {
    pub(super) names: Vec<Node<'a>>,
    pub(super) of_type: Option<Node<'a>>,
    /// Whether a type was started but could not be read.
    pub(super) is_broken: bool,
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
        let of_type = match node.word() {
            Some("-") => parts.next(),
            Some(word) if word.starts_with('-') => None,
            _ => {
                names.push(node);
                continue;
            }
        };
        check(node, of_type, &names, findings);
        let names = std::mem::take(&mut names);
        groups.push(Group { names, of_type, is_broken: of_type.is_none() });
    }
    if !names.is_empty() {
        groups.push(Group { names, of_type: None, is_broken: false });
    }
    groups
}

/// Reports what is missing around a `-`.
fn check(dash: Node<'_>, of_type: Option<Node<'_>>, names: &[Node<'_>], findings: &mut Findings) {
    let word = dash.word().unwrap_or_default();
    if word != "-" {
        let message = format!("expected '-' and a type, found {}", quote(word));
        let help = format!("write '- {}', with a space", &word[1..]);
        findings.add(Finding::wrong(dash.span(), message).with_help(help));
    } else if of_type.is_none() {
        findings.add(Finding::wrong(dash.span(), "expected a type after '-'"));
    } else if names.is_empty() {
        findings.add(Finding::wrong(dash.span(), "expected a name before '-'"));
    }
}
