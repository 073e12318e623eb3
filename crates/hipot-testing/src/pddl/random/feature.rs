//! The parts of PDDL that random tasks may use.

/// A part of PDDL that random tasks may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Feature {
    /// A hierarchy of types.
    Types,
    /// Variables and objects of one type or another; needs types.
    Either,
    /// Constants in conditions and effects.
    Constants,
    /// Negations.
    Negations,
    /// Disjunctions.
    Disjunctions,
    /// Implications.
    Implications,
    /// `exists` and `forall`, nested, with variables that hide others.
    Quantifiers,
    /// Equality.
    Equality,
    /// Conditional effects.
    ConditionalEffects,
    /// Universal effects.
    UniversalEffects,
    /// Derived predicates, recursive and in several strata.
    DerivedPredicates,
    /// Action costs by functions.
    Costs,
}

impl Feature {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Types,
        Self::Either,
        Self::Constants,
        Self::Negations,
        Self::Disjunctions,
        Self::Implications,
        Self::Quantifiers,
        Self::Equality,
        Self::ConditionalEffects,
        Self::UniversalEffects,
        Self::DerivedPredicates,
        Self::Costs,
    ];
}
