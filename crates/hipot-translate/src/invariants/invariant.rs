//! What an invariant is.

use hipot_pddl::ast::PredicateId;

/// For all values of its parameters, if at most one of the atoms that the
/// parts cover is true, then this remains so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Invariant {
    /// The parts, of different predicates, in the order of the predicates'
    /// names. Each has all parameters of the invariant.
    pub parts: Vec<Part>,
}

/// The atoms of one predicate that an [`Invariant`] covers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The predicate.
    pub predicate: PredicateId,
    /// What stands at each position; [`Place::Counted`] at most once.
    pub places: Box<[Place]>,
}

/// What stands at a position of a [`Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Any object: all atoms are counted that differ only here.
    Counted,
    /// The parameter of the invariant with this number.
    Parameter(u32),
}

impl Invariant {
    /// How many parameters it has.
    pub fn arity(&self) -> usize {
        let places = self.parts.first().map_or(&[][..], |part| &part.places);
        places.iter().filter(|&&place| place != Place::Counted).count()
    }
}
