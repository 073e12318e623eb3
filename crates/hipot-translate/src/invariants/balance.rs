//! Balance: whether each added atom of an instance is paid for by a deleted
//! one.
//!
//! An add effect is balanced if, whenever it makes an atom true, the schema also
//! makes false an atom that the same instance of the candidate covers. When the
//! effect makes its atom a true, the precondition and the effect's condition
//! hold, and a was false. These literals, over the schema's variables and the
//! effect's own, are all that is known; call their set K. A delete effect surely
//! makes an atom false if, for some values of *its* own variables, its atom is
//! in K (so it was true), its condition is a subset of K (so it happens), and
//! its atom is not a (which would be added back).
//!
//! Helmert (2009, Section 5) and Fast Downward state this, together with what
//! the invariant covers, as a system of equations and inequalities whose
//! solution must not restrict the schema's variables. Because it must not, and
//! because each parameter of an invariant occurs once in a part, every equation
//! has the form "term of the delete effect = term of K", and terms of K are equal
//! only if they are identical. So the system is a matching problem (the delete
//! effect θ-subsumes K), and only the last step depends on the candidate:
//! [`consumed`] finds these atoms once for each add effect, and to balance it,
//! one of them must agree with a in the invariant's parameters.
//!
//! Two things are stricter than in Fast Downward. The atom made false must not
//! be added back by another effect (`restoration`). And an own variable of a
//! delete effect takes the value of another term only if it ranges over all
//! values of that term. Otherwise `(forall (?t - truck) (not (at ?t ?from)))`
//! would pay for `(at ?thing ?to)`, even if the thing is not a truck.

use super::prepared::{Atom, Effect, Literal, PreparedSchema, Symbol};

/// The atoms that were true and are surely deleted when the add effect `add`
/// makes its atom true.
pub(super) fn consumed(schema: &PreparedSchema, add: &Effect) -> Vec<Atom> {
    let was_false = Literal { negated: true, atom: add.literal.atom.clone() };
    let known = Known { schema, condition: &add.condition, was_false: &was_false };
    let mut found: Vec<Atom> = Vec::new();
    for delete in schema.effects.iter().filter(|effect| effect.literal.negated) {
        let was_true = Literal { negated: false, atom: delete.literal.atom.clone() };
        for Literal { atom, .. } in known.like(&was_true) {
            let is_added = *atom == add.literal.atom && !atom.terms.is_empty();
            let mut binding = Binding::new(schema, delete);
            if !is_added
                && !found.contains(atom)
                && binding.matches(&delete.literal.atom, atom)
                && known.implies(&delete.condition, &mut binding)
            {
                found.push(atom.clone());
            }
        }
    }
    found
}

/// The set K: what is known when an effect adds its atom.
struct Known<'a> {
    schema: &'a PreparedSchema,
    condition: &'a [Literal],
    was_false: &'a Literal,
}

impl<'a> Known<'a> {
    /// The known literals with this sign and predicate.
    fn like(&self, wanted: &Literal) -> impl Iterator<Item = &'a Literal> + use<'a> {
        let (negated, predicate) = (wanted.negated, wanted.atom.predicate);
        let precondition = self.schema.precondition_on(predicate).iter();
        precondition
            .chain(self.condition)
            .chain([self.was_false])
            .filter(move |known| known.negated == negated && known.atom.predicate == predicate)
    }

    /// Whether the variables that are still free can be bound such that all
    /// `literals` are known.
    fn implies(&self, literals: &[Literal], binding: &mut Binding<'_>) -> bool {
        let Some((first, rest)) = literals.split_first() else { return true };
        self.like(first).any(|known| {
            let bound = binding.trail.len();
            let found = binding.matches(&first.atom, &known.atom) && self.implies(rest, binding);
            if !found {
                binding.undo(bound);
            }
            found
        })
    }
}

/// Values for the own variables of a delete effect.
struct Binding<'a> {
    schema: &'a PreparedSchema,
    delete: &'a Effect,
    values: Vec<Option<Symbol>>,
    /// The bound variables, in the order in which they were bound.
    trail: Vec<usize>,
}

impl<'a> Binding<'a> {
    fn new(schema: &'a PreparedSchema, delete: &'a Effect) -> Self {
        Self { schema, delete, values: vec![None; delete.own.len()], trail: Vec::new() }
    }

    /// Binds the free variables of `atom` such that it equals `known`; whether
    /// that is possible. If not, some variables may stay bound.
    fn matches(&mut self, atom: &Atom, known: &Atom) -> bool {
        std::iter::zip(&atom.terms, &known.terms).all(|(&term, &value)| self.equate(term, value))
    }

    fn equate(&mut self, term: Symbol, value: Symbol) -> bool {
        if !self.delete.own.contains(&term.index()) {
            return term == value;
        }
        let variable = term.index() - self.delete.own.start;
        if let Some(bound) = self.values[variable] {
            return bound == value;
        }
        self.values[variable] = Some(value);
        self.trail.push(variable);
        self.schema.ranges_over(term, value)
    }

    fn undo(&mut self, bound: usize) {
        for variable in self.trail.drain(bound..) {
            self.values[variable] = None;
        }
    }
}
