//! Literals, parameters and actions in the words of the task.

use hipot_pddl::Task as PddlTask;
use hipot_pddl::ast::{FunctionId, PredicateId, Term, TypeId};

use super::by::By;
use super::pattern::known;
use crate::normal::{Literal, NormalTask};

/// The words of a task.
pub(super) struct Words<'a> {
    source: &'a PddlTask,
    task: &'a NormalTask,
}

impl<'a> Words<'a> {
    pub(super) fn new(source: &'a PddlTask, task: &'a NormalTask) -> Self {
        Self { source, task }
    }

    pub(super) fn predicate(&self, id: PredicateId) -> String {
        self.task.predicates[id.index()].name.clone()
    }

    /// A literal: `(at p ?a)`, or `(not (at p ?a))`. Variables without a value keep their names, unless
    /// there is only one object that they can have.
    pub(super) fn literal(
        &self,
        literal: &Literal,
        values: &[Option<u32>],
        by: Option<By<'_>>,
    ) -> String {
        if literal.predicate.index() >= self.task.first_auxiliary {
            return "one of its conditions with 'or', 'exists' or 'forall'".to_owned();
        }
        let name = &self.task.predicates[literal.predicate.index()].name;
        let atom = self.list(name, &literal.terms, values, by);
        if literal.negated { format!("(not {atom})") } else { atom }
    }

    /// The name of a function, and the function with its terms.
    pub(super) fn function(
        &self,
        id: FunctionId,
        terms: &[Term],
        values: &[Option<u32>],
        by: By<'_>,
    ) -> (String, String) {
        let name = self.source.functions[id.index()].name.clone();
        let words = self.list(&name, terms, values, Some(by));
        (name, words)
    }

    fn list(
        &self,
        name: &str,
        terms: &[Term],
        values: &[Option<u32>],
        by: Option<By<'_>>,
    ) -> String {
        let mut words = vec![name.to_owned()];
        words.extend(terms.iter().map(|&term| self.term(term, values, by)));
        format!("({})", words.join(" "))
    }

    fn term(&self, term: Term, values: &[Option<u32>], by: Option<By<'_>>) -> String {
        let variable = match (known(term, values), term) {
            (Some(object), _) => return self.source.objects[object as usize].name.clone(),
            (None, Term::Variable(variable)) => variable.index(),
            (None, Term::Object(object)) => object.index(),
        };
        let only = by.and_then(|by| match &by.ranges()[variable].0[..] {
            [only] => Some(self.source.objects[only.index()].name.clone()),
            _ => None,
        });
        only.unwrap_or_else(|| match by {
            Some(by) => self.variable(by, variable),
            None => format!("?{}", variable + 1),
        })
    }

    fn variable(&self, by: By<'_>, variable: usize) -> String {
        let declared = self.declared(by, variable).map(|it| it.name.clone());
        declared.unwrap_or_else(|| format!("?{}", variable + 1))
    }

    /// The parameter of an action, if it is not one that a quantifier declares.
    fn declared(&self, by: By<'_>, variable: usize) -> Option<&hipot_pddl::ast::Variable> {
        let By::Action(schema, _) = by else { return None };
        let action = self.source.actions.iter().find(|action| action.name == schema.name)?;
        action.variables.get(variable).filter(|_| variable < schema.shown)
    }

    /// The name of a parameter, and those of its types.
    pub(super) fn parameter(&self, by: By<'_>, variable: usize) -> (String, Vec<String>) {
        let name = |of_type: &TypeId| self.source.types[of_type.index()].name.clone();
        let types = self.declared(by, variable).map(|it| it.types.iter().map(name).collect());
        (self.variable(by, variable), types.unwrap_or_default())
    }

    pub(super) fn name(&self, by: By<'_>) -> String {
        match by {
            By::Action(schema, _) => schema.name.clone(),
            By::Rule(rule) if rule.predicate.index() >= self.task.first_auxiliary => {
                "a quantifier".to_owned()
            }
            By::Rule(rule) => format!("the rule for {}", self.predicate(rule.predicate)),
        }
    }

    /// The names of several, each once.
    pub(super) fn names<'b>(&self, all: impl Iterator<Item = By<'b>>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in all.map(|by| self.name(by)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}
