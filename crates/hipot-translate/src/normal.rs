//! The normal form of a PDDL task, in which all conditions are conjunctions of
//! literals.
//!
//! An action may give several [`Schema`]s, one for each disjunct of its
//! precondition, which share its name. Variables are numbered: first the
//! parameters of the schema, then, in each effect, the effect's own.

use hipot_pddl::ast::{Cost, FunctionValue, GroundAtom, ObjectId, PredicateId, Term, VariableId};

/// A task in normal form.
#[derive(Clone, Debug)]
pub struct NormalTask {
    /// The predicates of the domain, with `=` first, then the auxiliary ones
    /// that normalization added.
    pub predicates: Vec<Predicate>,
    /// The number of the first auxiliary predicate.
    pub first_auxiliary: usize,
    /// The number of objects.
    pub objects: usize,
    /// The action schemas.
    pub schemas: Vec<Schema>,
    /// The axiom schemas.
    pub axioms: Vec<AxiomSchema>,
    /// The number of terms of each function.
    pub functions: Vec<usize>,
    /// The functions' values.
    pub values: Vec<FunctionValue>,
    /// Whether operators have their own costs; otherwise each costs 1.
    pub uses_costs: bool,
    /// The atoms that hold initially, except those of `=` and of derived
    /// predicates.
    pub initial: Vec<GroundAtom>,
    /// The goal: a conjunction without variables, or `None` if it can never be
    /// satisfied.
    pub goal: Option<Vec<Literal>>,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The name.
    pub name: String,
    /// The number of terms.
    pub arity: usize,
    /// Whether axioms define it.
    pub is_derived: bool,
}

/// An action schema: operators are its instances.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The name of its action.
    pub name: String,
    /// The objects that each parameter ranges over.
    pub parameters: Vec<Range>,
    /// The number of parameters of the action itself, which come first. The
    /// others stem from quantifiers and are not part of an operator's name.
    pub shown: usize,
    /// The precondition, a conjunction.
    pub precondition: Vec<Literal>,
    /// The effects.
    pub effects: Vec<SchemaEffect>,
    /// The cost: the sum of these.
    pub cost: Vec<Cost>,
}

/// An effect of a [`Schema`].
#[derive(Clone, Debug)]
pub struct SchemaEffect {
    /// The ranges of the effect's own parameters: the variables that follow
    /// the schema's.
    pub parameters: Vec<Range>,
    /// The condition, a conjunction.
    pub condition: Vec<Literal>,
    /// The literal that becomes true.
    pub literal: Literal,
}

/// An axiom schema: ground axioms are its instances.
#[derive(Clone, Debug)]
pub struct AxiomSchema {
    /// The objects that each parameter ranges over: first the parameters of the
    /// derived predicate, in order, then those that stem from quantifiers.
    pub parameters: Vec<Range>,
    /// The derived predicate.
    pub predicate: PredicateId,
    /// The body, a conjunction.
    pub condition: Vec<Literal>,
}

/// The objects that a variable ranges over, in the order of their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range(pub std::sync::Arc<[ObjectId]>);

/// An atom or its negation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    /// Whether it is negated.
    pub negated: bool,
    /// The predicate.
    pub predicate: PredicateId,
    /// Its terms.
    pub terms: Vec<Term>,
}

impl Literal {
    /// The opposite literal.
    #[must_use]
    pub fn negate(self) -> Self {
        Self { negated: !self.negated, ..self }
    }

    /// The literal with other variables.
    #[must_use]
    pub fn rename(mut self, rename: &mut impl FnMut(VariableId) -> VariableId) -> Self {
        for term in &mut self.terms {
            if let Term::Variable(variable) = term {
                *variable = rename(*variable);
            }
        }
        self
    }
}
