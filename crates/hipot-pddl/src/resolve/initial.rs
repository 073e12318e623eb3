//! The initial state, and the values of functions.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::ast::{Action, Cost, FunctionId, FunctionValue, GroundAtom, ObjectId, PredicateId};
use crate::diagnostics::{Finding, Findings, quote};
use crate::source::Span;
use crate::tree::Node;

use super::numbers::{decimals, is_number, scaled};
use super::sections::Definition;
use super::terms::Formulas;
use super::vocabulary::Vocabulary;

/// The section `:init`.
pub(super) fn initial(
    problem: &Definition<'_>,
    vocabulary: &Vocabulary<'_>,
    actions: &[Action],
    findings: &mut Findings,
) -> (Vec<GroundAtom>, Vec<FunctionValue>) {
    let Some(section) = problem.required(":init", findings) else {
        return (Vec::new(), Vec::new());
    };
    let mut initial = Initial {
        formulas: Formulas::new(vocabulary, findings),
        is_used: used_functions(vocabulary, actions),
        atoms: Vec::new(),
        stated: HashMap::new(),
        values: Vec::new(),
        known: HashMap::new(),
    };
    for node in section.parts().skip(1) {
        initial.element(node);
    }
    (initial.atoms, initial.values)
}

/// Whether each function is part of some action's cost.
fn used_functions(vocabulary: &Vocabulary<'_>, actions: &[Action]) -> Vec<bool> {
    let mut is_used = vec![false; vocabulary.functions.list.len()];
    for cost in actions.iter().flat_map(|action| &action.cost) {
        if let Cost::Value(function, _) = cost {
            is_used[function.index()] = true;
        }
    }
    is_used
}

struct Initial<'r, 'a> {
    formulas: Formulas<'r, 'a>,
    is_used: Vec<bool>,
    atoms: Vec<GroundAtom>,
    /// For each atom mentioned so far, whether it is true, and where.
    stated: HashMap<GroundAtom, (bool, Span)>,
    values: Vec<FunctionValue>,
    /// The values given so far, and where.
    known: HashMap<(FunctionId, Vec<ObjectId>), (u64, Span)>,
}

impl<'a> Initial<'_, 'a> {
    fn wrong(&mut self, span: Span, message: impl Into<String>) {
        self.formulas.findings.add(Finding::wrong(span, message));
    }

    fn element(&mut self, node: Node<'a>) {
        let Some(head) = node.head() else {
            let message = format!("expected an atom such as '(p a)', found {}", node.found());
            let span = node.mark_span();
            self.wrong(span, message);
            return;
        };
        match head {
            "=" => self.equation(node),
            "not" => {
                let Some([inner]) = self.formulas.operands(node) else { return };
                self.atom(inner, false);
            }
            "and" => {
                let message = "':init' lists its atoms directly, without 'and'";
                self.wrong(node.head_span(), message);
            }
            "at" if is_timed(node) => {
                let what = "timed initial literals are";
                self.formulas.findings.add(Finding::unsupported(node.span(), what));
            }
            _ => self.atom(node, true),
        }
    }

    fn atom(&mut self, node: Node<'a>, is_true: bool) {
        let vocabulary = self.formulas.vocabulary;
        let Some(name) = node.head() else {
            let message = format!("expected an atom such as '(p a)', found {}", node.found());
            self.wrong(node.mark_span(), message);
            return;
        };
        let Some((predicate, _)) = vocabulary.predicates.names.get(name) else {
            self.formulas.unknown_predicate(name, node);
            return;
        };
        if predicate == PredicateId::EQUALITY {
            self.wrong(node.head_span(), "'=' between objects is not allowed in ':init'");
            return;
        }
        if vocabulary.predicates.list[predicate.index()].is_derived {
            let message =
                format!("the derived predicate {} is not allowed in ':init'", quote(name));
            let finding = Finding::wrong(node.head_span(), message);
            let rule = vocabulary.predicates.rules.get(&predicate).copied();
            let finding = finding.with_declaration(rule, "this rule defines it");
            self.formulas.findings.add(finding);
            return;
        }
        let signature = vocabulary.predicates.signature(predicate);
        let objects = self.formulas.terms(node, signature, Formulas::object);
        if let Some(objects) = objects {
            self.state(GroundAtom { predicate, objects }, is_true, node);
        }
    }

    /// Adds an atom, unless it was mentioned before.
    fn state(&mut self, atom: GroundAtom, is_true: bool, node: Node<'a>) {
        match self.stated.entry(atom) {
            Entry::Vacant(entry) => {
                if is_true {
                    self.atoms.push(entry.key().clone());
                }
                entry.insert((is_true, node.span()));
            }
            Entry::Occupied(entry) if entry.get().0 != is_true => {
                let message = "this atom is both true and false in ':init'";
                let finding = Finding::wrong(node.span(), message);
                let note = "the opposite is stated here";
                self.formulas.findings.add(finding.with_note(entry.get().1, note));
            }
            Entry::Occupied(_) => {}
        }
    }

    /// Reads `(= (f a) 3)`.
    fn equation(&mut self, node: Node<'a>) {
        let vocabulary = self.formulas.vocabulary;
        let Some([left, right]) = self.formulas.operands(node) else { return };
        let Some(name) = left.head() else {
            let message = format!("expected a function such as '(f a)', found {}", left.found());
            let help = "in ':init', '=' gives a function its value, as in '(= (f a) 3)'";
            let finding = Finding::wrong(left.span(), message).with_help(help);
            self.formulas.findings.add(finding);
            return;
        };
        if name == vocabulary.functions.accumulator {
            self.total_cost(name, right);
            return;
        }
        let functions = &vocabulary.functions;
        let Some((function, _)) = functions.names.get(name) else {
            self.formulas.unknown_function(name, left);
            return;
        };
        let signature = functions.signature(function);
        let objects = self.formulas.terms(left, signature, Formulas::object);
        match (objects, value(right, functions.decimals)) {
            (Some(objects), Ok(value)) => self.set(function, objects, value, node),
            (_, Err(finding)) if self.is_used[function.index()] => {
                self.formulas.findings.add(*finding);
            }
            _ => {}
        }
    }

    fn total_cost(&mut self, name: &str, node: Node<'a>) {
        let own = decimals(node.word().unwrap_or_default());
        match value(node, own) {
            Ok(0) => {}
            Ok(_) => {
                let what = format!("a {} that does not start at 0 is", quote(name));
                self.formulas.findings.add(Finding::unsupported(node.span(), what));
            }
            Err(finding) => self.formulas.findings.add(*finding),
        }
    }

    fn set(&mut self, function: FunctionId, objects: Vec<ObjectId>, value: u64, node: Node<'a>) {
        match self.known.entry((function, objects)) {
            Entry::Vacant(entry) => {
                let objects = entry.key().1.clone();
                self.values.push(FunctionValue { function, objects, value });
                entry.insert((value, node.span()));
            }
            Entry::Occupied(entry) if entry.get().0 != value => {
                let finding = Finding::wrong(node.span(), "a second value for the same objects");
                let note = "another value is given here";
                self.formulas.findings.add(finding.with_note(entry.get().1, note));
            }
            Entry::Occupied(_) => {}
        }
    }
}

/// A number, in units of the last of so many decimals.
fn value(node: Node<'_>, decimals: u32) -> Result<u64, Box<Finding>> {
    match node.word() {
        Some(word) => scaled(word, decimals, node.span()),
        None => {
            let message = format!("expected a number, found {}", node.found());
            Err(Box::new(Finding::wrong(node.span(), message)))
        }
    }
}

/// Whether this is `(at 5 (p a))`, and not the predicate `at` with objects.
fn is_timed(node: Node<'_>) -> bool {
    let mut parts = node.parts().skip(1);
    parts.next().and_then(Node::word).is_some_and(is_number)
        && parts.next().is_some_and(Node::is_list)
}
