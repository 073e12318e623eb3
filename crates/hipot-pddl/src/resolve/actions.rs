//! Actions: their parameters, preconditions and effects.

use std::collections::HashMap;

use crate::ast::{Action, Effect};
use crate::diagnostics::{Finding, Findings, nearest, quote};
use crate::source::{Lines, Span};
use crate::tree::Node;

use super::conditions::truth;
use super::names::{NameKind, declared_twice, new_name};
use super::sections::Definition;
use super::terms::Formulas;
use super::vocabulary::Vocabulary;

const KEYWORDS: [&str; 3] = [":parameters", ":precondition", ":effect"];

/// Keywords of unsupported kinds of actions.
const UNSUPPORTED: [(&str, &str); 3] = [
    (":duration", "durative actions are"),
    (":condition", "durative actions are"),
    (":vars", "':vars' is"),
];

/// The sections `:action`.
pub(super) fn actions(
    domain: &Definition<'_>,
    vocabulary: &Vocabulary<'_>,
    lines: &Lines,
    findings: &mut Findings,
) -> Vec<Action> {
    let mut names: HashMap<&str, Span> = HashMap::new();
    let mut actions = Vec::new();
    for section in domain.all(":action") {
        let Some(name) = section.parts().nth(1) else {
            let message = "expected the name of an action after ':action'";
            findings.add(Finding::wrong(section.head_span(), message));
            continue;
        };
        let Some(word) = new_name(name, NameKind::Action, findings) else { continue };
        if let Some(&before) = names.get(word) {
            findings.add(declared_twice("action", word, name.span(), Some(before)));
        } else {
            names.insert(word, name.span());
        }
        let line = lines.line(section.span().start);
        actions.push(action(word, line, section, vocabulary, findings));
    }
    actions
}

fn action<'a>(
    name: &str,
    line: usize,
    section: Node<'a>,
    vocabulary: &Vocabulary<'a>,
    findings: &mut Findings,
) -> Action {
    let [parameters, precondition, effect] = fields(section, findings);
    let mut formulas = Formulas::new(vocabulary, findings);
    let parameters = parameters.map_or_else(Vec::new, |list| formulas.enter(list));
    let precondition = precondition.map_or_else(truth, |node| formulas.condition(node));
    let effect = effect.and_then(|node| formulas.effect(node, None));
    Action {
        name: name.to_owned(),
        line,
        parameters: parameters.len(),
        variables: formulas.scope.variables,
        precondition,
        effect: effect.unwrap_or_else(|| Effect::And(Vec::new())),
        cost: formulas.cost,
    }
}

/// What follows each of the keywords.
fn fields<'a>(section: Node<'a>, findings: &mut Findings) -> [Option<Node<'a>>; 3] {
    let mut fields = [None; 3];
    let mut seen: [Option<Span>; 3] = [None; 3];
    let mut parts = section.parts().skip(2).peekable();
    while let Some(node) = parts.next() {
        let is_keyword = |node: Node<'_>| node.word().is_some_and(|word| word.starts_with(':'));
        if !is_keyword(node) {
            let message = format!(
                "expected ':parameters', ':precondition' or ':effect', found {}",
                node.found()
            );
            findings.add(Finding::wrong(node.mark_span(), message));
            continue;
        }
        let word = node.word().unwrap_or_default();
        let value = parts.next_if(|&next| !is_keyword(next));
        let meant = meant_keyword(word);
        if meant != Some(word) {
            findings.add(unknown_keyword(word, meant, node));
        }
        let Some(index) = KEYWORDS.iter().position(|&keyword| Some(keyword) == meant) else {
            continue;
        };
        if let Some(before) = seen[index] {
            let message = format!("a second {} in this action", quote(word));
            let finding = Finding::wrong(node.span(), message);
            findings.add(finding.with_note(before, "the first one is here"));
        } else if value.is_none() {
            let message = format!("nothing follows {}", quote(word));
            findings
                .add(Finding::wrong(node.span(), message).with_help("leave it out, or write '()'"));
        } else {
            fields[index] = value;
        }
        seen[index] = seen[index].or(Some(node.span()));
    }
    fields
}

/// The keyword itself or, for an unknown word, the one that was probably
/// meant.
fn meant_keyword(word: &str) -> Option<&'static str> {
    let exact = KEYWORDS.into_iter().find(|&keyword| keyword == word);
    let is_unsupported = UNSUPPORTED.iter().any(|(keyword, _)| *keyword == word);
    exact.or_else(|| nearest(word, KEYWORDS.into_iter().filter(|_| !is_unsupported)))
}

fn unknown_keyword(word: &str, meant: Option<&str>, node: Node<'_>) -> Finding {
    match UNSUPPORTED.iter().find(|(keyword, _)| *keyword == word) {
        Some((_, what)) => Finding::unsupported(node.span(), what),
        None => Finding::wrong(node.span(), format!("unknown keyword {}", quote(word)))
            .with_suggestion(meant),
    }
}
