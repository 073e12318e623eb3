//! The metric: by cost or by length.

use crate::diagnostics::{Finding, Findings, nearest};
use crate::tree::Node;

use super::costs::undeclared_total_cost;
use super::sections::Definition;
use super::signatures::TOTAL_COST;
use super::vocabulary::Vocabulary;

/// Whether the problem has `(:metric minimize (total-cost))`.
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
    if target.head().or(target.word()) != Some(TOTAL_COST) {
        findings.add(Finding::unsupported(target.span(), "a metric other than '(total-cost)' is"));
    } else if vocabulary.functions.total_cost.is_none() {
        undeclared_total_cost(target, findings);
    }
    true
}
