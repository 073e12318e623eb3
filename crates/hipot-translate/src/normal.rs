//! The normal form: what is left of PDDL once conditions are conjunctions of
//! literals.
//!
//! Several [`Schema`]s may come from one action (one for each disjunct of its
//! precondition), and share its name. Variables are numbered: a schema's
//! parameters first, then, in each effect, the effect's own.

use hipot_pddl::ast::{Cost, FunctionValue, GroundAtom, ObjectId, PredicateId, Term, VariableId};

/// A task in normal form.
#[derive(Clone, Debug)]
pub struct NormalTask {
    /// The predicates of the domain, `=` first, then those that
    /// normalization made.
    pub predicates: Vec<Predicate>,
    /// The number of the first predicate that normalization made.
    pub made: usize,
    /// How many objects there are.
    pub objects: usize,
    /// The operators' patterns.
    pub schemas: Vec<Schema>,
    /// The axioms' patterns.
    pub axioms: Vec<AxiomSchema>,
    /// The number of terms of each function.
    pub functions: Vec<usize>,
    /// The functions' values.
    pub values: Vec<FunctionValue>,
    /// Whether operators cost what they say, and not 1.
    pub uses_costs: bool,
    /// What holds initially, `=` and derived predicates aside.
    pub initial: Vec<GroundAtom>,
    /// The goal: a conjunction without variables, or nothing where it cannot
    /// be satisfied.
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

/// An operator's pattern.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The name of its action.
    pub name: String,
    /// The objects that each parameter ranges over.
    pub parameters: Vec<Range>,
    /// How many of the parameters are the action's own: the first ones. The
    /// others come from quantifiers and do not show in the operator's name.
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
    /// When it happens: a conjunction.
    pub condition: Vec<Literal>,
    /// What becomes true, or false.
    pub literal: Literal,
}

/// An axiom's pattern.
#[derive(Clone, Debug)]
pub struct AxiomSchema {
    /// The objects that each parameter ranges over: first those of the
    /// derived predicate, in its order, then those that come from quantifiers.
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
