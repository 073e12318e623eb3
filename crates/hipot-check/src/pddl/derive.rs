//! The atoms that rules derive.
//!
//! Stratum by stratum, the rules are applied until nothing new is derived. After the
//! first round, an application must use an atom of the round before. So if a rule needs
//! an atom of its own stratum, that atom is matched only with the new ones (semi-naive
//! evaluation). For this purpose, disjunctions are split into several rules.

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
    /// The variables to find values for: those of the head, and those of `exists`
    /// quantifiers that could be moved out of the condition.
    variables: Vec<VariableId>,
    condition: Condition,
    ranges: Vec<Arc<Range>>,
    /// The atoms of the rule's stratum that it needs.
    needed: Vec<Atom>,
    /// The predicates of its stratum that it uses in other ways.
    used: Vec<PredicateId>,
}

impl Rule {
    /// The rule, split into several if its condition is a disjunction.
    pub(super) fn prepare<'a>(
        task: &ast::Task,
        rule: &'a ast::Rule,
        ranges: &'a [Arc<Range>],
        strata: &'a [usize],
    ) -> impl Iterator<Item = Self> + 'a {
        let arity = task.predicates[rule.predicate.index()].parameters.len();
        let bodies = bodies(&rule.condition).into_iter();
        bodies.map(move |body| Self::new(rule.predicate, arity, body, ranges.to_vec(), strata))
    }

    fn new(
        predicate: PredicateId,
        arity: usize,
        body: Body,
        ranges: Vec<Arc<Range>>,
        strata: &[usize],
    ) -> Self {
        let parameters = (0..arity).map(VariableId::new);
        let head = Atom { predicate, terms: parameters.clone().map(Term::Variable).collect() };
        let variables = parameters.chain(body.variables).collect();
        let stratum = strata[predicate.index()];
        let of_stratum = |id: PredicateId| strata[id.index()] == stratum;
        let (mut needed, mut used) = (Vec::new(), Vec::new());
        for part in &body.parts {
            match part {
                Condition::Atom(atom) if of_stratum(atom.predicate) => needed.push(atom.clone()),
                Condition::Atom(_) => {}
                part => signed_predicates(part, true, &mut used),
            }
        }
        let used = used.into_iter().map(|(id, _)| id).filter(|id| of_stratum(*id)).collect();
        let condition = Condition::And(body.parts);
        Self { head, stratum, variables, condition, ranges, needed, used }
    }

    /// Adds to `found` the atoms that the rule derives for the values in `binding`.
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

    /// Like [`apply`](Self::apply), but the rule must use one of the atoms in `fresh`,
    /// which `state` already has.
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

    /// The values for which the atom's objects are the tuple.
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

/// A conjunction, with variables that were quantified by `exists`.
#[derive(Clone, Default)]
struct Body {
    variables: Vec<VariableId>,
    parts: Vec<Condition>,
}

/// The maximum number of conjunctions that a conjunction of disjunctions is split into.
const MAX_BODIES: usize = 16;

/// Conjunctions at least one of which holds if and only if the condition does.
fn bodies(condition: &Condition) -> Vec<Body> {
    match condition {
        Condition::And(parts) => parts.iter().fold(vec![Body::default()], |bodies_before, part| {
            let mut options = bodies(part);
            if bodies_before.len() * options.len() > MAX_BODIES {
                options = vec![Body { variables: Vec::new(), parts: vec![part.clone()] }];
            }
            bodies_before
                .iter()
                .flat_map(|body| options.iter().map(|other| body.and(other)))
                .collect()
        }),
        Condition::Or(parts) => parts.iter().flat_map(bodies).collect(),
        Condition::Exists(variables, part) => {
            let quantifier = Body { variables: variables.clone(), parts: Vec::new() };
            bodies(part).iter().map(|body| quantifier.and(body)).collect()
        }
        part => vec![Body { variables: Vec::new(), parts: vec![part.clone()] }],
    }
}

impl Body {
    fn and(&self, other: &Self) -> Self {
        Self {
            variables: [&*self.variables, &*other.variables].concat(),
            parts: [&*self.parts, &*other.parts].concat(),
        }
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
