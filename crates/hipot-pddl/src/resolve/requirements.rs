//! Requirements. None needs to be declared; unsupported ones are refused.

use crate::diagnostics::{Finding, Findings, nearest, quote};

use super::sections::Definition;

/// The requirements that hipot supports.
pub const REQUIREMENTS: [&str; 14] = [
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":adl",
    ":derived-predicates",
    ":action-costs",
    ":numeric-fluents",
    ":fluents",
];

pub(super) fn check(definition: &Definition<'_>, findings: &mut Findings) {
    let Some(section) = definition.section(":requirements") else { return };
    for node in section.parts().skip(1) {
        let Some(word) = node.word().filter(|word| word.starts_with(':')) else {
            let message =
                format!("expected a requirement such as ':strips', found {}", node.found());
            findings.add(Finding::wrong(node.span(), message));
            continue;
        };
        if !REQUIREMENTS.contains(&word) {
            let what = format!("the requirement {} is", quote(word));
            let finding = Finding::unsupported(node.span(), what);
            findings.add(finding.with_suggestion(nearest(word, REQUIREMENTS)));
        }
    }
}
