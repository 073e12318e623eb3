//! Derived predicates and their rules.

use crate::ast::{PredicateId, Rule, VariableId};
use crate::diagnostics::{Finding, Findings};
use crate::tree::Node;

use super::sections::Definition;
use super::signatures::Predicates;
use super::terms::{Formulas, wrong_arity};
use super::vocabulary::Vocabulary;

/// Marks the predicates that rules define.
pub(super) fn find_derived(
    domain: &Definition<'_>,
    predicates: &mut Predicates<'_>,
    findings: &mut Findings,
) {
    for section in domain.all(":derived") {
        let head = section.parts().nth(1);
        let Some(name) = head.and_then(Node::head) else { continue };
        match predicates.names.get(name) {
            Some((PredicateId::EQUALITY, _)) => {
                let span = head.map_or(section.span(), Node::head_span);
                findings.add(Finding::wrong(span, "'=' cannot be derived"));
            }
            Some((id, _)) => {
                predicates.list[id.index()].is_derived = true;
                predicates.rules.entry(id).or_insert(section.head_span());
            }
            None => {}
        }
    }
}

/// The sections `:derived`.
pub(super) fn rules(
    domain: &Definition<'_>,
    vocabulary: &Vocabulary<'_>,
    findings: &mut Findings,
) -> Vec<Rule> {
    let sections = domain.all(":derived");
    sections.filter_map(|section| rule(section, vocabulary, findings)).collect()
}

fn rule<'a>(
    section: Node<'a>,
    vocabulary: &Vocabulary<'a>,
    findings: &mut Findings,
) -> Option<Rule> {
    let mut formulas = Formulas::new(vocabulary, findings);
    let [head, condition] = formulas.operands(section)?;
    let Some(name) = head.head() else {
        let message = format!("expected an atom such as '(p ?x)', found {}", head.found());
        formulas.findings.add(Finding::wrong(head.mark_span(), message));
        return None;
    };
    let Some((predicate, _)) = vocabulary.predicates.names.get(name) else {
        formulas.unknown_predicate(name, head);
        return None;
    };
    let entered = formulas.scope.enter(head.parts().skip(1), &vocabulary.types, formulas.findings);
    formulas.adopt_types(predicate, head, &entered);
    let signature = vocabulary.predicates.signature(predicate);
    if entered.len() != signature.parameters.len() {
        formulas.findings.add(wrong_arity(head, signature, entered.len()));
    }
    let condition = formulas.condition(condition);
    Some(Rule { predicate, variables: formulas.scope.variables, condition })
}

impl<'a> Formulas<'_, 'a> {
    /// If the head of a rule gives no types at all, its variables have those of
    /// the predicate's declaration.
    fn adopt_types(&mut self, predicate: PredicateId, head: Node<'a>, entered: &[VariableId]) {
        if head.parts().any(|part| part.word() == Some("-")) {
            return;
        }
        let declared = &self.vocabulary.predicates.list[predicate.index()].parameters;
        for (id, parameter) in entered.iter().zip(declared) {
            self.scope.variables[id.index()].types.clone_from(&parameter.types);
        }
    }
}
