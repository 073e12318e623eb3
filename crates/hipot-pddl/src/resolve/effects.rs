//! Effects of actions.

use crate::ast::{Atom, Effect, PredicateId};
use crate::diagnostics::{Finding, quote};
use crate::tree::Node;

use super::names::CONNECTIVES;
use super::terms::Formulas;

/// Words that begin unsupported effects.
const UNSUPPORTED: [(&str, &str); 6] = [
    ("decrease", "numeric effects other than 'increase' of 'total-cost' are"),
    ("assign", "numeric effects other than 'increase' of 'total-cost' are"),
    ("scale-up", "numeric effects other than 'increase' of 'total-cost' are"),
    ("scale-down", "numeric effects other than 'increase' of 'total-cost' are"),
    ("oneof", "nondeterministic effects are"),
    ("probabilistic", "nondeterministic effects are"),
];

impl<'a> Formulas<'_, 'a> {
    /// Reads an effect; `None` if it only increases the cost. `inside` is the
    /// `when` or `forall` around it.
    pub(super) fn effect(&mut self, node: Node<'a>, inside: Option<&'a str>) -> Option<Effect> {
        if node.is_list() && node.parts().next().is_none() {
            return None;
        }
        let Some(head) = node.head() else {
            let message = format!("expected an effect, found {}", node.found());
            let help = "effects look like '(p ?x)' or '(and …)'";
            self.findings.add(Finding::wrong(node.mark_span(), message).with_help(help));
            return None;
        };
        match head {
            "and" => {
                let parts = node.parts().skip(1);
                Some(Effect::And(parts.filter_map(|part| self.effect(part, inside)).collect()))
            }
            "not" => {
                let [inner] = self.operands(node)?;
                self.changed_atom(inner).map(Effect::Delete)
            }
            "when" => self.conditional(node),
            "forall" => self.repeated(node, inside),
            "increase" => {
                self.increase(node, inside);
                None
            }
            _ => self.changed_atom(node).map(Effect::Add),
        }
    }

    fn conditional(&mut self, node: Node<'a>) -> Option<Effect> {
        let [condition, body] = self.operands(node)?;
        let condition = self.condition(condition);
        let body = self.effect(body, Some("when"))?;
        Some(Effect::When(condition, Box::new(body)))
    }

    fn repeated(&mut self, node: Node<'a>, inside: Option<&'a str>) -> Option<Effect> {
        let [variables, body] = self.operands(node)?;
        let entered = self.enter(variables);
        let body = self.effect(body, inside.or(Some("forall")));
        self.scope.leave(&entered);
        Some(Effect::Forall(entered, Box::new(body?)))
    }

    /// An atom that an action may change.
    fn changed_atom(&mut self, node: Node<'a>) -> Option<Atom> {
        let span = node.head_span();
        let Some(head) = node.head() else {
            let message = format!("expected an atom, found {}", node.found());
            self.findings.add(Finding::wrong(node.mark_span(), message));
            return None;
        };
        let predicates = &self.vocabulary.predicates;
        let Some((predicate, _)) = predicates.names.get(head) else {
            self.report_unknown_effect(head, node);
            return None;
        };
        if predicate == PredicateId::EQUALITY {
            self.findings.add(Finding::wrong(span, "'=' cannot be changed by an action"));
            return None;
        }
        if predicates.list[predicate.index()].is_derived {
            let message = format!("an action cannot change the derived predicate {}", quote(head));
            let finding = Finding::wrong(span, message);
            let rule = predicates.rules.get(&predicate).copied();
            self.findings.add(finding.with_declaration(rule, "this rule defines it"));
            return None;
        }
        self.atom(node)
    }

    /// Reports a head that is not a predicate.
    fn report_unknown_effect(&mut self, head: &str, node: Node<'a>) {
        if let Some((_, what)) = UNSUPPORTED.iter().find(|(word, _)| *word == head) {
            self.findings.add(Finding::unsupported(node.head_span(), what));
        } else if CONNECTIVES.contains(&head) {
            let message = format!("expected an atom, found {}", node.found());
            let help = "an effect changes single atoms; conditions go inside 'when'";
            self.findings.add(Finding::wrong(node.head_span(), message).with_help(help));
        } else {
            self.unknown_predicate(head, node);
        }
    }
}
