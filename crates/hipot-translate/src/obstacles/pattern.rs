//! Atoms with gaps.

use hipot_pddl::ast::{PredicateId, Term};

use crate::normal::Literal;
use crate::reach::Reached;

/// A predicate, and objects for some of its terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) predicate: PredicateId,
    pub(super) terms: Vec<Option<u32>>,
}

impl Pattern {
    /// The atom of a literal whose variables have these values, if any.
    pub(super) fn of(literal: &Literal, values: &[Option<u32>]) -> Self {
        let terms = literal.terms.iter().map(|&term| known(term, values)).collect();
        Self { predicate: literal.predicate, terms }
    }

    /// Whether an atom of the pattern is ever true.
    pub(super) fn is_in(&self, reached: &Reached) -> bool {
        let mut tuples = reached.relations[self.predicate.index()].tuples().iter();
        let fits = |tuple: &[u32]| {
            tuple.iter().zip(&self.terms).all(|(value, term)| term.is_none_or(|it| it == *value))
        };
        tuples.any(fits)
    }

    /// The values that the variables of a literal must have for its atom to fit; `None` if none do.
    /// There are `variables` of them.
    pub(super) fn unify(&self, terms: &[Term], variables: usize) -> Option<Vec<Option<u32>>> {
        let mut values = vec![None; variables];
        for (&term, &wanted) in terms.iter().zip(&self.terms) {
            let Some(wanted) = wanted else { continue };
            match term {
                Term::Object(object) if object.index() as u32 != wanted => return None,
                Term::Object(_) => {}
                Term::Variable(variable) => {
                    let value = values[variable.index()].get_or_insert(wanted);
                    if *value != wanted {
                        return None;
                    }
                }
            }
        }
        Some(values)
    }
}

/// The value of a term, if it is known.
pub(super) fn known(term: Term, values: &[Option<u32>]) -> Option<u32> {
    match term {
        Term::Object(object) => Some(object.index() as u32),
        Term::Variable(variable) => values.get(variable.index()).copied().flatten(),
    }
}
