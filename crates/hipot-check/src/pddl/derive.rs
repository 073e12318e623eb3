//! The atoms that rules derive.
//!
//! Stratum by stratum the rules are applied until nothing new comes out. After
//! the first round an application must use an atom of the round before, so
//! where a rule needs an atom of its own stratum, that atom is matched with
//! the new ones only (semi-naive evaluation).

use std::ops::ControlFlow::Continue;
use std::sync::Arc;

use hipot_pddl::ast::{self, Atom, Condition, PredicateId, Term, VariableId};

use super::scope::{Binding, Range, Scope, object_of};
use super::state::{State, Tuple};
use super::strata::signed_predicates;

/// A rule, prepared.
#[derive(Debug)]
pub(super) struct Rule {
    head: Atom,
    stratum: usize,
    /// The variables to find values for: those of the head, and those of
    /// quantifiers `exists` that needed not be inside the condition.
    variables: Vec<VariableId>,
    condition: Condition,
    ranges: Vec<Arc<Range>>,
    /// The atoms of the rule's stratum that it needs.
    needed: Vec<Atom>,
    /// The predicates of its stratum that it uses otherwise.
    used: Vec<PredicateId>,
}

impl Rule {
    pub(super) fn new(
        task: &ast::Task,
        rule: &ast::Rule,
        ranges: Vec<Arc<Range>>,
        strata: &[usize],
    ) -> Self {
        let arity = task.predicates[rule.predicate.index()].parameters.len();
        let mut variables: Vec<_> = (0..arity).map(VariableId::new).collect();
        let terms = variables.iter().copied().map(Term::Variable).collect();
        let head = Atom { predicate: rule.predicate, terms };
        let mut parts = Vec::new();
        open(&rule.condition, &mut variables, &mut parts);
        let stratum = strata[rule.predicate.index()];
        let of_stratum = |id: PredicateId| strata[id.index()] == stratum;
        let (mut needed, mut used) = (Vec::new(), Vec::new());
        for part in &parts {
            match part {
                Condition::Atom(atom) if of_stratum(atom.predicate) => needed.push(atom.clone()),
                Condition::Atom(_) => {}
                part => signed_predicates(part, true, &mut used),
            }
        }
        let used = used.into_iter().map(|(id, _)| id).filter(|id| of_stratum(*id)).collect();
        Self { head, stratum, variables, condition: Condition::And(parts), ranges, needed, used }
    }

    /// Adds to `found` what the rule derives for the values in `binding`.
    fn apply(&self, state: &State, binding: &mut Binding, found: &mut Vec<(PredicateId, Tuple)>) {
        let scope = Scope { state, ranges: &self.ranges };
        let predicate = self.head.predicate;
        let _ = scope.solve(&self.variables, &self.condition, true, binding, &mut |binding| {
            let tuple: Tuple =
                self.head.terms.iter().map(|term| object_of(*term, binding)).collect();
            if !state.contains(predicate, &tuple) {
                found.push((predicate, tuple));
            }
            Continue(())
        });
    }

    /// Like [`apply`](Self::apply), where the rule uses one of the atoms in
    /// `fresh`, which `state` has already.
    fn apply_to(
        &self,
        state: &State,
        fresh: &[(PredicateId, Tuple)],
        found: &mut Vec<(PredicateId, Tuple)>,
    ) {
        if fresh.iter().any(|(predicate, _)| self.used.contains(predicate)) {
            return self.apply(state, &mut self.unbound(), found);
        }
        for atom in &self.needed {
            for (_, tuple) in fresh.iter().filter(|(predicate, _)| *predicate == atom.predicate) {
                if let Some(mut binding) = self.unify(atom, tuple) {
                    self.apply(state, &mut binding, found);
                }
            }
        }
    }

    /// The values that make the atom the tuple's.
    fn unify(&self, atom: &Atom, tuple: &Tuple) -> Option<Binding> {
        let mut binding = self.unbound();
        for (term, object) in atom.terms.iter().zip(tuple) {
            let fits = match term {
                Term::Object(other) => other == object,
                Term::Variable(id) => {
                    let value = binding[id.index()].get_or_insert(*object);
                    value == object && self.ranges[id.index()].contains(*object)
                }
            };
            if !fits {
                return None;
            }
        }
        Some(binding)
    }

    fn unbound(&self) -> Binding {
        vec![None; self.ranges.len()]
    }
}

/// Splits a condition into the parts of a conjunction; what is quantified by
/// `exists` there becomes a variable like the others.
fn open(condition: &Condition, variables: &mut Vec<VariableId>, parts: &mut Vec<Condition>) {
    match condition {
        Condition::And(inner) => inner.iter().for_each(|part| open(part, variables, parts)),
        Condition::Exists(quantified, part) => {
            variables.extend(quantified);
            open(part, variables, parts);
        }
        part => parts.push(part.clone()),
    }
}

/// Adds the derived atoms to a state that has none.
pub(super) fn derive(rules: &[Rule], state: &mut State) {
    let strata = rules.iter().map(|rule| rule.stratum).max().unwrap_or(0);
    for stratum in 1..=strata {
        let rules = || rules.iter().filter(move |rule| rule.stratum == stratum);
        let mut found = Vec::new();
        for rule in rules() {
            rule.apply(state, &mut rule.unbound(), &mut found);
        }
        while !found.is_empty() {
            let mut fresh = std::mem::take(&mut found);
            fresh.retain(|(predicate, tuple)| state.add(*predicate, tuple.clone()));
            for rule in rules() {
                rule.apply_to(state, &fresh, &mut found);
            }
        }
    }
}
