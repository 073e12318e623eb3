//! Evaluates conditions in a state.
//!
//! Variables have values or are still open. A condition with open variables has a
//! truth value if it is the same for all their values, as far as Kleene's three-valued
//! logic shows. Quantifiers are evaluated by search: a variable gets one value after
//! the other, but only values that are allowed by an atom that must be true. As soon
//! as the truth value of the condition is known, the search ends. For `forall`, it
//! looks for a value that makes the condition false.

use std::ops::ControlFlow::{self, Break, Continue};

use hipot_pddl::ast::{Atom, Condition, PredicateId, Term, VariableId};

use super::choice::next_choice;
use super::scope::{Binding, Scope, pattern};

/// A visitor of solutions, which decides whether to go on.
type Visit<'v> = dyn FnMut(&mut Binding) -> ControlFlow<()> + 'v;

impl Scope<'_> {
    /// Whether a condition without open variables holds.
    pub(super) fn holds(&self, condition: &Condition, binding: &mut Binding) -> bool {
        self.value(condition, binding).expect("all variables have values")
    }

    /// The value of a condition, if it is known.
    pub(super) fn value(&self, condition: &Condition, binding: &mut Binding) -> Option<bool> {
        match condition {
            Condition::Atom(atom) => self.atom_value(atom, binding),
            Condition::Not(part) => Some(!self.value(part, binding)?),
            Condition::And(parts) => self.junction(parts, true, binding),
            Condition::Or(parts) => self.junction(parts, false, binding),
            Condition::Imply(premise, conclusion) => match self.value(premise, binding) {
                Some(false) => Some(true),
                premise => match self.value(conclusion, binding) {
                    Some(true) => Some(true),
                    conclusion => Some(!premise? || conclusion?),
                },
            },
            Condition::Exists(variables, part) => self.some(variables, part, true, binding),
            Condition::Forall(variables, part) => {
                Some(!self.some(variables, part, false, binding)?)
            }
        }
    }

    fn atom_value(&self, atom: &Atom, binding: &Binding) -> Option<bool> {
        let pattern = pattern(atom, binding);
        if atom.predicate == PredicateId::EQUALITY {
            let same = atom.terms[0] == atom.terms[1];
            return if same { Some(true) } else { Some(pattern[0]? == pattern[1]?) };
        }
        match pattern.iter().copied().collect::<Option<Vec<_>>>() {
            Some(objects) => Some(self.state.contains(atom.predicate, &objects)),
            None => {
                let candidates = self.state.relation(atom.predicate).candidates(&pattern);
                if candidates.is_empty() { Some(false) } else { None }
            }
        }
    }

    /// The value of a conjunction (`neutral` is true) or disjunction (false).
    fn junction(&self, parts: &[Condition], neutral: bool, binding: &mut Binding) -> Option<bool> {
        let mut value = Some(neutral);
        for part in parts {
            match self.value(part, binding) {
                Some(known) if known != neutral => return Some(known),
                Some(_) => {}
                None => value = None,
            }
        }
        value
    }

    /// Whether the condition has the value `wanted` for some values of the
    /// variables.
    fn some(
        &self,
        variables: &[VariableId],
        condition: &Condition,
        wanted: bool,
        binding: &mut Binding,
    ) -> Option<bool> {
        if variables.iter().any(|variable| self.range(*variable).objects.is_empty()) {
            return Some(false);
        }
        if let Some(value) = self.value(condition, binding) {
            return Some(value == wanted);
        }
        if has_open_variable(condition, &mut variables.to_vec(), binding) {
            return None;
        }
        let found = self.solve(variables, condition, wanted, binding, &mut |_| Break(()));
        Some(found.is_break())
    }

    /// Visits all values of the open variables among `variables` for which the
    /// condition has the value `wanted`. The condition must have no other open
    /// variables. Afterwards they are open again.
    pub(super) fn solve(
        &self,
        variables: &[VariableId],
        condition: &Condition,
        wanted: bool,
        binding: &mut Binding,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        match self.value(condition, binding) {
            Some(value) if value == wanted => return self.complete(variables, binding, visit),
            Some(_) => return Continue(()),
            None => {}
        }
        let choice = next_choice(*self, variables, condition, wanted, binding);
        for values in choice.values {
            for (variable, value) in choice.variables.iter().zip(values) {
                binding[variable.index()] = Some(value);
            }
            let flow = self.solve(variables, condition, wanted, binding, visit);
            for variable in &choice.variables {
                binding[variable.index()] = None;
            }
            flow?;
        }
        Continue(())
    }

    /// Visits all values of the open variables among `variables`.
    pub(super) fn complete(
        &self,
        variables: &[VariableId],
        binding: &mut Binding,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let Some(open) = variables.iter().position(|id| binding[id.index()].is_none()) else {
            return visit(binding);
        };
        let variable = variables[open];
        for &object in &self.range(variable).objects {
            binding[variable.index()] = Some(object);
            let flow = self.complete(&variables[open + 1..], binding, visit);
            binding[variable.index()] = None;
            flow?;
        }
        Continue(())
    }
}

/// Whether the condition has an open variable that is not `quantified`.
fn has_open_variable(
    condition: &Condition,
    quantified: &mut Vec<VariableId>,
    binding: &Binding,
) -> bool {
    match condition {
        Condition::Atom(atom) => atom.terms.iter().any(|term| match term {
            Term::Object(_) => false,
            Term::Variable(id) => binding[id.index()].is_none() && !quantified.contains(id),
        }),
        Condition::Not(part) => has_open_variable(part, quantified, binding),
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().any(|part| has_open_variable(part, quantified, binding))
        }
        Condition::Imply(premise, conclusion) => {
            has_open_variable(premise, quantified, binding)
                || has_open_variable(conclusion, quantified, binding)
        }
        Condition::Exists(variables, part) | Condition::Forall(variables, part) => {
            let outside = quantified.len();
            quantified.extend(variables);
            let found = has_open_variable(part, quantified, binding);
            quantified.truncate(outside);
            found
        }
    }
}
