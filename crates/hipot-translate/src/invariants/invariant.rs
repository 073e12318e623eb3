//! Invariants: patterns of atoms of which at most one is ever true.

use hipot_pddl::ast::PredicateId;

/// For all values of the parameters: if at most one of the atoms that the parts
/// cover is true, this stays so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Invariant {
    /// The parts, each for another predicate, in the order of the predicates'
    /// names. Each part has all parameters of the invariant.
    pub parts: Vec<InvariantPart>,
}

/// The atoms of one predicate that an [`Invariant`] covers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InvariantPart {
    /// The predicate.
    pub predicate: PredicateId,
    /// The argument at each position; [`Argument::Counted`] at most once.
    pub arguments: Box<[Argument]>,
}

/// The argument at a position of an [`InvariantPart`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Argument {
    /// Any object: all atoms that differ only here are counted.
    Counted,
    /// The parameter of the invariant with this number.
    Parameter(u32),
}

impl Invariant {
    /// The number of parameters.
    pub fn arity(&self) -> usize {
        let arguments = self.parts.first().map_or(&[][..], |part| &part.arguments);
        arguments.iter().filter(|&&argument| argument != Argument::Counted).count()
    }
}
