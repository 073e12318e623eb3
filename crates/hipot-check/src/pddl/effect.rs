//! The atoms that an effect adds and deletes.

use std::ops::ControlFlow::Continue;

use hipot_pddl::ast::{Atom, Effect, PredicateId, VariableId};

use super::scope::{Binding, Scope, object_of};
use super::state::{State, Tuple};

/// The atoms that an effect makes true and false.
#[derive(Debug, Default)]
pub(super) struct Changes {
    added: Vec<(PredicateId, Tuple)>,
    deleted: Vec<(PredicateId, Tuple)>,
}

impl Changes {
    /// Collects what happens in the scope's state.
    pub(super) fn collect(&mut self, effect: &Effect, scope: Scope<'_>, binding: &mut Binding) {
        match effect {
            Effect::Add(atom) => self.added.push(instance(atom, binding)),
            Effect::Delete(atom) => self.deleted.push(instance(atom, binding)),
            Effect::And(parts) => parts.iter().for_each(|part| self.collect(part, scope, binding)),
            Effect::When(condition, part) => {
                if scope.holds(condition, binding) {
                    self.collect(part, scope, binding);
                }
            }
            Effect::Forall(variables, part) => self.collect_all(variables, part, scope, binding),
        }
    }

    /// Collects what happens for all values of the variables. Conditions inside restrict
    /// the values.
    fn collect_all(
        &mut self,
        variables: &[VariableId],
        effect: &Effect,
        scope: Scope<'_>,
        binding: &mut Binding,
    ) {
        let flow = match effect {
            Effect::And(parts) => {
                for part in parts {
                    self.collect_all(variables, part, scope, binding);
                }
                Continue(())
            }
            Effect::When(condition, part) => {
                scope.solve(variables, condition, true, binding, &mut |binding| {
                    self.collect(part, scope, binding);
                    Continue(())
                })
            }
            Effect::Forall(inner, part) => {
                let both: Vec<VariableId> = variables.iter().chain(inner).copied().collect();
                self.collect_all(&both, part, scope, binding);
                Continue(())
            }
            Effect::Add(_) | Effect::Delete(_) => {
                scope.complete(variables, binding, &mut |binding| {
                    self.collect(effect, scope, binding);
                    Continue(())
                })
            }
        };
        debug_assert!(flow.is_continue(), "all values are visited");
    }

    /// Makes the changes and returns the predicates of atoms that really changed. An atom
    /// that is both deleted and added is true afterwards.
    pub(super) fn make(self, state: &mut State) -> Vec<PredicateId> {
        let mut changed = Vec::new();
        for (predicate, tuple) in &self.deleted {
            if state.delete(*predicate, tuple) {
                changed.push(*predicate);
            }
        }
        for (predicate, tuple) in self.added {
            if state.add(predicate, tuple) {
                changed.push(predicate);
            }
        }
        changed
    }
}

fn instance(atom: &Atom, binding: &Binding) -> (PredicateId, Tuple) {
    (atom.predicate, atom.terms.iter().map(|term| object_of(*term, binding)).collect())
}
