//! Conditions: of actions, effects and rules, and the goal.

use crate::ast::{Atom, Condition, VariableId};
use crate::diagnostics::{Finding, quote};
use crate::tree::Node;

use super::numbers::is_number;
use super::terms::Formulas;

const NUMERIC_CONDITIONS: &str = "numeric conditions are";
const TRAJECTORY_CONSTRAINTS: &str = "trajectory constraints are";

/// Words that begin unsupported conditions.
const UNSUPPORTED: [(&str, &str); 11] = [
    ("<", NUMERIC_CONDITIONS),
    (">", NUMERIC_CONDITIONS),
    ("<=", NUMERIC_CONDITIONS),
    (">=", NUMERIC_CONDITIONS),
    ("preference", "preferences are"),
    ("always", TRAJECTORY_CONSTRAINTS),
    ("sometime", TRAJECTORY_CONSTRAINTS),
    ("within", TRAJECTORY_CONSTRAINTS),
    ("at-most-once", TRAJECTORY_CONSTRAINTS),
    ("sometime-after", TRAJECTORY_CONSTRAINTS),
    ("sometime-before", TRAJECTORY_CONSTRAINTS),
];

/// The condition that always holds.
pub(super) fn truth() -> Condition {
    Condition::And(Vec::new())
}

impl<'a> Formulas<'_, 'a> {
    /// Reads a condition. A mistake is reported and read as a condition that
    /// always holds.
    pub(super) fn condition(&mut self, node: Node<'a>) -> Condition {
        if node.is_list() && node.parts().next().is_none() {
            return truth();
        }
        let Some(head) = node.head() else {
            let message = format!("expected a condition, found {}", node.found());
            let help = "conditions look like '(p ?x)' or '(and …)'";
            self.findings.add(Finding::wrong(node.mark_span(), message).with_help(help));
            return truth();
        };
        match head {
            "and" => Condition::And(self.conditions(node)),
            "or" => Condition::Or(self.conditions(node)),
            "not" => match self.operands(node) {
                Some([inner]) => Condition::Not(Box::new(self.condition(inner))),
                None => truth(),
            },
            "imply" => match self.operands(node) {
                Some([left, right]) => Condition::Imply(
                    Box::new(self.condition(left)),
                    Box::new(self.condition(right)),
                ),
                None => truth(),
            },
            "exists" => self.quantified(node, Condition::Exists),
            "forall" => self.quantified(node, Condition::Forall),
            _ => self.atomic(head, node).map_or_else(truth, Condition::Atom),
        }
    }

    fn conditions(&mut self, node: Node<'a>) -> Vec<Condition> {
        node.parts().skip(1).map(|part| self.condition(part)).collect()
    }

    /// The parts after the head, if there are exactly as many as wanted.
    pub(super) fn operands<const N: usize>(&mut self, node: Node<'a>) -> Option<[Node<'a>; N]> {
        let parts: Vec<_> = node.parts().skip(1).take(N + 1).collect();
        let operands = <[Node<'a>; N]>::try_from(parts).ok();
        if operands.is_none() {
            let found = node.parts().count() - 1;
            let parts = if N == 1 { "part" } else { "parts" };
            let head = quote(node.head().unwrap_or_default());
            let message = format!("{head} needs {N} {parts}, found {found}");
            self.findings.add(Finding::wrong(node.head_span(), message));
        }
        operands
    }

    fn quantified(
        &mut self,
        node: Node<'a>,
        make: impl Fn(Vec<VariableId>, Box<Condition>) -> Condition,
    ) -> Condition {
        let Some([variables, body]) = self.operands(node) else { return truth() };
        let entered = self.enter(variables);
        let body = self.condition(body);
        self.scope.leave(&entered);
        make(entered, Box::new(body))
    }

    /// Declares the variables of a list and makes them visible.
    pub(super) fn enter(&mut self, variables: Node<'a>) -> Vec<VariableId> {
        if !variables.is_list() {
            let message = format!("expected variables in '(…)', found {}", variables.found());
            self.findings.add(Finding::wrong(variables.span(), message));
            self.scope.forgive();
            return Vec::new();
        }
        self.scope.enter(variables.parts(), &self.vocabulary.types, self.findings)
    }

    fn atomic(&mut self, head: &str, node: Node<'a>) -> Option<Atom> {
        let is_declared = self.vocabulary.predicates.names.get(head).is_some();
        let is_numeric = head == "=" && node.parts().skip(1).any(|side| self.is_numeric(side));
        let unsupported = UNSUPPORTED.iter().find(|(word, _)| *word == head && !is_declared);
        let what = unsupported.map(|(_, what)| *what);
        match what.or(is_numeric.then_some(NUMERIC_CONDITIONS)) {
            Some(what) => {
                self.findings.add(Finding::unsupported(node.head_span(), what));
                None
            }
            None => self.atom(node),
        }
    }

    /// Whether a side of an equation is a number or the value of a function.
    fn is_numeric(&self, node: Node<'a>) -> bool {
        let is_object = |word: &str| self.vocabulary.objects.names.get(word).is_some();
        node.word().is_none_or(|word| is_number(word) && !is_object(word))
    }
}
