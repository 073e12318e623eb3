//! Terms, and the atoms made of them.

use crate::ast::{Atom, Cost, ObjectId, Term, TypeId, VariableId};
use crate::diagnostics::{Finding, Findings, nearest, quote};
use crate::source::File;
use crate::tree::Node;

use super::names::CONNECTIVES;
use super::scope::Scope;
use super::signatures::Signature;
use super::vocabulary::Vocabulary;

/// Reads conditions and effects of one action, rule or goal.
pub(super) struct Formulas<'r, 'a> {
    pub(super) vocabulary: &'r Vocabulary<'a>,
    pub(super) findings: &'r mut Findings,
    pub(super) scope: Scope<'a>,
    /// The increases of the total cost found so far.
    pub(super) cost: Vec<Cost>,
}

impl<'r, 'a> Formulas<'r, 'a> {
    pub(super) fn new(vocabulary: &'r Vocabulary<'a>, findings: &'r mut Findings) -> Self {
        Self { vocabulary, findings, scope: Scope::default(), cost: Vec::new() }
    }

    /// Reads an atom, whose head must be a word.
    pub(super) fn atom(&mut self, node: Node<'a>) -> Option<Atom> {
        let vocabulary = self.vocabulary;
        let name = node.head()?;
        let Some((predicate, _)) = vocabulary.predicates.names.get(name) else {
            self.unknown_predicate(name, node);
            return None;
        };
        let terms = self.terms(node, vocabulary.predicates.signature(predicate), Self::term)?;
        Some(Atom { predicate, terms })
    }

    /// Reports an unknown predicate, once for each name.
    pub(super) fn unknown_predicate(&mut self, name: &str, node: Node<'a>) {
        if self.findings.is_new("predicate", name) {
            let finding = self.unknown_predicate_finding(name, node);
            self.findings.add(finding);
        }
    }

    fn unknown_predicate_finding(&self, name: &str, node: Node<'a>) -> Finding {
        let span = node.head_span();
        if name.starts_with('?') {
            let message = format!("expected a predicate, found the variable {}", quote(name));
            return Finding::wrong(span, message);
        }
        if let Some((_, declared)) = self.vocabulary.functions.names.get(name) {
            let message = format!("{} is a function, not a predicate", quote(name));
            return Finding::wrong(span, message).with_declaration(declared, "declared here");
        }
        let predicates = &self.vocabulary.predicates;
        let names = predicates.list.iter().map(|predicate| predicate.name.as_str());
        let known = || nearest(name, names.filter(|&name| name != "=").chain(CONNECTIVES));
        let suggestion = self.findings.may_suggest().then(known).flatten();
        Finding::wrong(span, format!("unknown predicate {}", quote(name)))
            .with_suggestion_or(suggestion, "it is not declared in ':predicates'")
    }

    /// Reads the terms of `(NAME TERM …)` and checks them against the
    /// signature.
    pub(super) fn terms<T>(
        &mut self,
        node: Node<'a>,
        signature: Signature<'_>,
        read: impl Fn(&mut Self, Node<'a>, &[TypeId], Signature<'_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let nodes = node.parts().skip(1);
        let (expected, found) = (signature.parameters.len(), nodes.clone().count());
        if expected != found {
            self.findings.add(wrong_arity(node, signature, found));
            return None;
        }
        let mut terms = Vec::with_capacity(expected);
        for (node, parameter) in nodes.zip(signature.parameters) {
            terms.extend(read(self, node, &parameter.types, signature));
        }
        Some(terms).filter(|terms| terms.len() == expected)
    }

    /// Reads an object or a variable that can have one of these types.
    pub(super) fn term(
        &mut self,
        node: Node<'a>,
        types: &[TypeId],
        signature: Signature<'_>,
    ) -> Option<Term> {
        match node.word() {
            Some(name) if name.starts_with('?') => {
                Some(Term::Variable(self.variable(name, node, types, signature)?))
            }
            _ => Some(Term::Object(self.object(node, types, signature)?)),
        }
    }

    fn variable(
        &mut self,
        name: &str,
        node: Node<'a>,
        types: &[TypeId],
        signature: Signature<'_>,
    ) -> Option<VariableId> {
        let Vocabulary { types: all, objects, .. } = self.vocabulary;
        let Some(id) = self.scope.get(name) else {
            if self.scope.is_incomplete() {
                return None;
            }
            let finding = Finding::wrong(node.span(), format!("unbound variable {}", quote(name)));
            let suggestion = self.scope.nearest(name, self.findings);
            let help = "variables are declared as parameters, or by 'exists' or 'forall'";
            self.findings.add(finding.with_suggestion_or(suggestion, help));
            return None;
        };
        let own = &self.scope.variables[id.index()].types;
        if !objects.meet(own, types, all) {
            let message = mismatch(name, &all.show(own), &all.show(types), signature);
            let finding = Finding::wrong(node.span(), message)
                .with_note(self.scope.span(id), format!("{} is declared here", quote(name)));
            self.findings.add(declaration(finding, signature));
        }
        Some(id)
    }

    /// Reads an object that has one of these types.
    pub(super) fn object(
        &mut self,
        node: Node<'a>,
        types: &[TypeId],
        signature: Signature<'_>,
    ) -> Option<ObjectId> {
        let Vocabulary { types: all, objects, .. } = self.vocabulary;
        let Some(name) = node.word() else {
            let message = format!("expected an object or a variable, found {}", node.found());
            self.findings.add(Finding::wrong(node.mark_span(), message));
            return None;
        };
        let Some((id, declared)) = objects.names.get(name) else {
            if self.findings.is_new("object", name) {
                let finding = self.unknown_object(name, node);
                self.findings.add(finding);
            }
            return None;
        };
        if !objects.belongs(id, types, all) {
            let own = &objects.list[id.index()].types;
            let message = mismatch(name, &all.show(own), &all.show(types), signature);
            let text = format!("{} is declared here", quote(name));
            let finding = Finding::wrong(node.span(), message).with_declaration(declared, &text);
            self.findings.add(declaration(finding, signature));
        }
        Some(id)
    }

    fn unknown_object(&self, name: &str, node: Node<'a>) -> Finding {
        if name.starts_with('?') {
            let message = format!("expected an object, found the variable {}", quote(name));
            return Finding::wrong(node.span(), message);
        }
        let finding = Finding::wrong(node.span(), format!("unknown object {}", quote(name)));
        let as_variable = format!("?{name}");
        if self.scope.get(&as_variable).is_some() {
            return finding
                .with_help(format!("did you mean the variable {}?", quote(&as_variable)));
        }
        let later = self.vocabulary.objects_of_problem.into_iter().flat_map(Node::parts);
        if self.findings.may_suggest() && later.clone().any(|part| part.word() == Some(name)) {
            return finding
                .with_help("the domain can name only ':constants', not objects of the problem");
        }
        let suggestion = self.vocabulary.objects.names.nearest(name, self.findings);
        finding.with_suggestion_or(
            suggestion,
            match node.span().file {
                File::Domain => "it is not declared in ':constants'",
                File::Problem => "it is declared neither in ':objects' nor in ':constants'",
            },
        )
    }
}

fn mismatch(name: &str, own: &str, expected: &str, signature: Signature<'_>) -> String {
    let Signature { kind, name: of, .. } = signature;
    format!(
        "type mismatch: {} is of type {own}, but {kind} {} expects {expected} here",
        quote(name),
        quote(of)
    )
}

fn declaration(finding: Finding, signature: Signature<'_>) -> Finding {
    let text = format!("{} {} is declared here", signature.kind, quote(signature.name));
    finding.with_declaration(signature.declared, &text)
}

/// Reports too many or too few arguments.
pub(super) fn wrong_arity(node: Node<'_>, signature: Signature<'_>, found: usize) -> Finding {
    let Signature { kind, name, parameters, .. } = signature;
    let expected = match parameters.len() {
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    };
    let message = format!("{kind} {} takes {expected}, found {found}", quote(name));
    declaration(Finding::wrong(node.span(), message), signature)
}
