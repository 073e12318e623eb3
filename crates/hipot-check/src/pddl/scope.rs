//! The context in which conditions are evaluated: a state, the ranges of variables, and their
//! values so far.

use std::sync::Arc;

use hipot_pddl::ast::{Atom, ObjectId, Term, VariableId};

use super::state::State;

/// The values of the variables of an action, a rule or the goal.
pub(super) type Binding = Vec<Option<ObjectId>>;

/// The objects that a variable ranges over.
#[derive(Debug)]
pub(super) struct Range {
    pub(super) objects: Vec<ObjectId>,
}

impl Range {
    pub(super) fn contains(&self, object: ObjectId) -> bool {
        self.objects.binary_search(&object).is_ok()
    }
}

/// The context in which conditions are evaluated: a state, and the ranges of the variables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    pub(super) state: &'a State,
    pub(super) ranges: &'a [Arc<Range>],
}

impl Scope<'_> {
    /// The objects that a variable ranges over.
    pub(super) fn range(&self, variable: VariableId) -> &Range {
        &self.ranges[variable.index()]
    }
}

/// The objects of the atom's terms; `None` for open variables.
pub(super) fn pattern(atom: &Atom, binding: &Binding) -> Vec<Option<ObjectId>> {
    let known = |term: &Term| match *term {
        Term::Object(object) => Some(object),
        Term::Variable(variable) => binding[variable.index()],
    };
    atom.terms.iter().map(known).collect()
}

/// The object of a term that has one.
pub(super) fn object_of(term: Term, binding: &Binding) -> ObjectId {
    match term {
        Term::Object(object) => object,
        Term::Variable(variable) => binding[variable.index()].expect("the variable has a value"),
    }
}
