//! The metric: by cost or by length.

use crate::diagnostics::{Finding, Findings, nearest};
use crate::tree::Node;

use super::costs::undeclared_total_cost;
use super::sections::Definition;
use super::signatures::TOTAL_COST;
use super::vocabulary::Vocabulary;

/// The function that actions increase by their costs: the one that the metric names, if the domain
/// declares it without parameters; otherwise `total-cost`.
pub(super) fn accumulator<'a>(domain: &Definition<'a>, problem: &Definition<'a>) -> &'a str {
    let named = problem.section(":metric").and_then(|section| section.parts().nth(2));
    let named = named.filter(|node| node.parts().count() <= 1);
    let Some(name) = named.and_then(|node| node.head().or(node.word())) else { return TOTAL_COST };
    let functions = domain.section(":functions").into_iter().flat_map(Node::parts);
    let is_declared =
        functions.skip(1).any(|it| it.head() == Some(name) && it.parts().count() == 1);
    if is_declared { name } else { TOTAL_COST }
}

/// Whether the problem has `(:metric minimize (total-cost))`, or the same with the accumulator.
pub(super) fn uses_costs(
    problem: &Definition<'_>,
    vocabulary: &Vocabulary<'_>,
    findings: &mut Findings,
) -> bool {
    let Some(section) = problem.section(":metric") else { return false };
    let mut parts = section.parts().skip(1);
    let (direction, target) = (parts.next(), parts.next());
    match direction.and_then(Node::word) {
        Some("minimize") => {}
        Some("maximize") => {
            findings.add(Finding::unsupported(section.span(), "'maximize' is"));
            return false;
        }
        word => {
            let span = direction.map_or(section.head_span(), Node::span);
            let finding = Finding::wrong(span, "expected 'minimize (total-cost)' after ':metric'");
            let suggestion = word.and_then(|word| nearest(word, ["minimize"]));
            findings.add(finding.with_suggestion(suggestion));
            return false;
        }
    }
    let Some(target) = target else {
        findings.add(Finding::wrong(section.span(), "expected '(total-cost)' after 'minimize'"));
        return false;
    };
    if target.head().or(target.word()) != Some(vocabulary.functions.accumulator) {
        findings.add(Finding::unsupported(
            target.span(),
            "a metric other than '(total-cost)' or a declared function without parameters is",
        ));
    } else if vocabulary.functions.total_cost.is_none() {
        undeclared_total_cost(target, findings);
    }
    true
}
