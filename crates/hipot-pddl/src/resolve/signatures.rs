//! Predicates and functions, with their parameters.

use std::collections::HashMap;

use crate::ast::{Function, FunctionId, Predicate, PredicateId, TypeId, Variable};
use crate::diagnostics::{Finding, Findings, quote};
use crate::source::Span;
use crate::tree::Node;

use super::names::{NameKind, Names, declared_twice, new_name};
use super::scope::parameters;
use super::typed_list::groups;
use super::types::Types;

/// The only function that actions change.
pub(super) const TOTAL_COST: &str = "total-cost";

/// The terms that a predicate or a function takes.
#[derive(Clone, Copy)]
pub(super) struct Signature<'r> {
    /// `predicate` or `function`.
    pub(super) kind: &'static str,
    pub(super) name: &'r str,
    pub(super) parameters: &'r [Variable],
    pub(super) declared: Option<Span>,
}

/// The predicates of a task.
pub(super) struct Predicates<'a> {
    pub(super) list: Vec<Predicate>,
    pub(super) names: Names<'a, PredicateId>,
    /// The first rule for each derived predicate.
    pub(super) rules: HashMap<PredicateId, Span>,
}

impl<'a> Predicates<'a> {
    /// The predicates of the section `:predicates`, after equality.
    pub(super) fn declare(
        section: Option<Node<'a>>,
        types: &Types<'a>,
        findings: &mut Findings,
    ) -> Self {
        let parameter =
            |name: &str| Variable { name: name.to_owned(), types: vec![TypeId::OBJECT] };
        let parameters = ["?left", "?right"].map(parameter).to_vec();
        let equality = Predicate { name: "=".to_owned(), parameters, is_derived: false };
        let mut names = Names::new();
        names.insert("=", PredicateId::EQUALITY, None);
        let mut predicates = Self { list: vec![equality], names, rules: HashMap::new() };
        for node in section.into_iter().flat_map(Node::parts).skip(1) {
            predicates.add(node, types, findings);
        }
        predicates
    }

    fn add(&mut self, node: Node<'a>, types: &Types<'a>, findings: &mut Findings) {
        let Some((name, span)) = declared_name(node, NameKind::Predicate, findings) else { return };
        if let Some((_, before)) = self.names.get(name) {
            findings.add(declared_twice("predicate", name, span, before));
            return;
        }
        self.names.insert(name, PredicateId::new(self.list.len()), Some(span));
        let parameters = parameters(node.parts().skip(1), types, findings);
        self.list.push(Predicate { name: name.to_owned(), parameters, is_derived: false });
    }

    pub(super) fn signature(&self, id: PredicateId) -> Signature<'_> {
        let Predicate { name, parameters, .. } = &self.list[id.index()];
        let declared = self.names.get(name).and_then(|(_, span)| span);
        Signature { kind: "predicate", name, parameters, declared }
    }
}

/// The numeric functions of a task.
pub(super) struct Functions<'a> {
    pub(super) list: Vec<Function>,
    /// The names of the functions, except the accumulator.
    pub(super) names: Names<'a, FunctionId>,
    /// The function that actions increase by their costs: `total-cost`, or the one that the metric
    /// names.
    pub(super) accumulator: &'a str,
    /// The number of decimals of costs.
    pub(super) decimals: u32,
    /// Where it was declared.
    pub(super) total_cost: Option<Span>,
}

impl<'a> Functions<'a> {
    /// The functions of the section `:functions`.
    pub(super) fn declare(
        section: Option<Node<'a>>,
        accumulator: &'a str,
        types: &Types<'a>,
        findings: &mut Findings,
    ) -> Self {
        let (list, names) = (Vec::new(), Names::new());
        let (decimals, total_cost) = (0, None);
        let mut functions = Self { list, names, accumulator, decimals, total_cost };
        for group in groups(section.into_iter().flat_map(Node::parts).skip(1), findings) {
            if let Some(node) = group.of_type.filter(|node| node.word() != Some("number")) {
                let what = "functions whose values are objects are";
                findings.add(Finding::unsupported(node.span(), what));
            }
            for node in group.names {
                functions.add(node, types, findings);
            }
        }
        functions
    }

    fn add(&mut self, node: Node<'a>, types: &Types<'a>, findings: &mut Findings) {
        let Some((name, span)) = declared_name(node, NameKind::Function, findings) else { return };
        let parameters = parameters(node.parts().skip(1), types, findings);
        let before = self.names.get(name).map(|(_, span)| span);
        let is_total_cost = name == self.accumulator;
        if let Some(before) = before.or(self.total_cost.filter(|_| is_total_cost).map(Some)) {
            findings.add(declared_twice("function", name, span, before));
        } else if is_total_cost {
            self.total_cost = Some(span);
            if !parameters.is_empty() {
                let message = format!("{} cannot have parameters", quote(name));
                findings.add(Finding::wrong(span, message));
            }
        } else {
            self.names.insert(name, FunctionId::new(self.list.len()), Some(span));
            self.list.push(Function { name: name.to_owned(), parameters });
        }
    }

    pub(super) fn signature(&self, id: FunctionId) -> Signature<'_> {
        let Function { name, parameters } = &self.list[id.index()];
        let declared = self.names.get(name).and_then(|(_, span)| span);
        Signature { kind: "function", name, parameters, declared }
    }
}

/// The name in `(NAME ?x - t …)`.
fn declared_name<'a>(
    node: Node<'a>,
    kind: NameKind,
    findings: &mut Findings,
) -> Option<(&'a str, Span)> {
    let Some(first) = node.parts().next() else {
        let message =
            format!("expected a {} such as '(name ?x)', found {}", kind.noun(), node.found());
        findings.add(Finding::wrong(node.span(), message));
        return None;
    };
    Some((new_name(first, kind, findings)?, first.span()))
}
