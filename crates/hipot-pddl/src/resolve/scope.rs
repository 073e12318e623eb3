//! Variables and where they are visible.

use std::collections::HashMap;

use crate::ast::{Variable, VariableId};
use crate::diagnostics::{Finding, Findings, nearest};
use crate::source::Span;
use crate::tree::Node;

use super::names::declared_twice;
use super::typed_list::groups;
use super::types::Types;

/// All variables of an action, a rule or the goal, and those that are visible
/// at the current place.
#[derive(Default)]
pub(super) struct Scope<'a> {
    pub(super) variables: Vec<Variable>,
    declared: Vec<(&'a str, Span)>,
    /// Whether a declaration could not be read, so that names may be missing.
    is_incomplete: bool,
    /// For each name its variables, the innermost last.
    visible: HashMap<&'a str, Vec<VariableId>>,
}

impl<'a> Scope<'a> {
    /// Declares the variables of a typed list and makes them visible.
    pub(super) fn enter(
        &mut self,
        list: impl IntoIterator<Item = Node<'a>>,
        types: &Types<'a>,
        findings: &mut Findings,
    ) -> Vec<VariableId> {
        let mut entered = Vec::new();
        let mut before = HashMap::new();
        for (name, span, variable) in typed_variables(list, types, findings) {
            if !name.starts_with('?') {
                self.is_incomplete = true;
            }
            if let Some(before) = before.insert(name, span) {
                findings.add(declared_twice("variable", name, span, Some(before)));
            }
            let id = VariableId::new(self.variables.len());
            self.variables.push(variable);
            self.declared.push((name, span));
            self.visible.entry(name).or_default().push(id);
            entered.push(id);
        }
        entered
    }

    /// Records that a declaration could not be read: unknown variables are no
    /// longer reported.
    pub(super) fn forgive(&mut self) {
        self.is_incomplete = true;
    }

    pub(super) fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// Makes the variables that were entered last invisible again.
    pub(super) fn leave(&mut self, entered: &[VariableId]) {
        for id in entered {
            let (name, _) = self.declared[id.index()];
            if let Some(ids) = self.visible.get_mut(name) {
                ids.pop();
            }
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<VariableId> {
        self.visible.get(name)?.last().copied()
    }

    /// Where the variable was declared.
    pub(super) fn span(&self, id: VariableId) -> Span {
        self.declared[id.index()].1
    }

    /// The visible variable whose name is most like this one, if any.
    pub(super) fn nearest(&self, name: &str, findings: &Findings) -> Option<&'a str> {
        let visible = self.visible.iter().filter(|(_, ids)| !ids.is_empty());
        findings.may_suggest().then(|| nearest(name, visible.map(|(name, _)| *name))).flatten()
    }
}

/// The parameters of a predicate or a function. Their names do not matter and
/// may repeat, as they do in competition tasks.
pub(super) fn parameters<'a>(
    list: impl IntoIterator<Item = Node<'a>>,
    types: &Types<'a>,
    findings: &mut Findings,
) -> Vec<Variable> {
    let variables = typed_variables(list, types, findings);
    variables.into_iter().map(|(_, _, variable)| variable).collect()
}

/// The variables of a typed list. Anything else is noted and stays in the list,
/// so that the number of parameters is right.
fn typed_variables<'a>(
    list: impl IntoIterator<Item = Node<'a>>,
    types: &Types<'a>,
    findings: &mut Findings,
) -> Vec<(&'a str, Span, Variable)> {
    let mut variables = Vec::new();
    for group in groups(list, findings) {
        let of_types = types.of(&group, findings);
        for node in group.names {
            check_variable(node, findings);
            let name = node.word().unwrap_or_default();
            let variable = Variable { name: name.to_owned(), types: of_types.clone() };
            variables.push((name, node.span(), variable));
        }
    }
    variables
}

fn check_variable(node: Node<'_>, findings: &mut Findings) {
    if !node.word().is_some_and(|word| word.len() > 1 && word.starts_with('?')) {
        let message = format!("expected a variable such as '?x', found {}", node.found());
        findings.add(Finding::wrong(node.mark_span(), message));
    }
}
