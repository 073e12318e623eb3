//! Add effects, and what must hold for them to happen: equations between
//! symbols, and disjunctions of inequalities.
//!
//! Whether a conjunction of literals can be true, for some values of the
//! variables, depends only on which symbols are equal. Literals of `=` say so
//! directly; and an atom that must be true and one that must be false have to
//! differ in some term. The equations force a least [`Congruence`]. Further
//! equations only make inequalities false, so it is enough to check that this
//! congruence leaves each disjunction one inequality. No search is needed.
//!
//! Ranges of variables are ignored, and so are contradictions between atoms
//! without terms. So some unsatisfiable conjunctions count as satisfiable. For
//! the checks that use them this is the safe side, and Fast Downward does the
//! same.
//!
//! Disjunctions that involve only the precondition and one effect are computed
//! once for each schema.

use std::iter::zip;

use hipot_pddl::ast::PredicateId;

use super::congruence::{AtomPair, Clause, Congruence};
use super::prepared::{Atom, Effect, Literal, PreparedSchema, Symbol};

/// A conjunction of literals.
#[derive(Debug, Default)]
pub(super) struct Requirement {
    pub(super) equations: Vec<(Symbol, Symbol)>,
    pub(super) positive: Vec<Atom>,
    pub(super) negative: Vec<Atom>,
    /// These say that no two literals contradict each other. For the condition
    /// of an effect, they also say that no literal contradicts the
    /// precondition.
    pub(super) clauses: Vec<Clause>,
}

/// An add effect.
#[derive(Debug)]
pub(super) struct AddEffect {
    pub(super) atom: Atom,
    pub(super) condition: Requirement,
    /// These say that the atom can have been false before: neither the
    /// precondition nor the condition requires it.
    pub(super) was_false: Vec<Clause>,
    /// A second instance of the effect, if it is universal.
    pub(super) twin: Option<Box<AddEffect>>,
}

/// The add effects of a schema.
#[derive(Debug)]
pub(super) struct AddEffects {
    pub(super) all: Vec<AddEffect>,
    pub(super) precondition: Requirement,
    /// The equalities of the precondition, or `None` if they are
    /// contradictory.
    pub(super) congruence: Option<Congruence>,
}

impl AddEffects {
    pub(super) fn new(schema: &PreparedSchema) -> Self {
        let objects = schema.variables();
        let precondition = Requirement::new(&schema.precondition, objects);
        let adds = schema.effects.iter().filter(|effect| !effect.literal.negated);
        let all = adds.map(|effect| AddEffect::new(effect, &precondition, objects)).collect();
        let mut congruence = Congruence::new(schema.symbols(), objects);
        let is_consistent = precondition.equations.iter().all(|&(x, y)| congruence.merge(x, y));
        congruence.keep();
        Self { all, precondition, congruence: is_consistent.then_some(congruence) }
    }
}

impl AddEffect {
    fn new(effect: &Effect, precondition: &Requirement, objects: usize) -> Self {
        let atom = &effect.literal.atom;
        let mut condition = Requirement::new(&effect.condition, objects);
        let conflicts = conflicts(&condition, precondition);
        let conflicts: Vec<_> = conflicts.filter_map(|pair| clause(pair, objects)).collect();
        condition.clauses.extend(conflicts);
        let falsified = [precondition, &condition].map(|requirement| &requirement.positive[..]);
        let falsified = falsified.into_iter().flat_map(|positive| falsified_by(positive, atom));
        Self {
            was_false: falsified.filter_map(|pair| clause(pair, objects)).collect(),
            atom: atom.clone(),
            condition,
            twin: effect.twin.as_ref().map(|twin| Box::new(Self::new(twin, precondition, objects))),
        }
    }
}

impl Requirement {
    fn new(literals: &[Literal], objects: usize) -> Self {
        let mut requirement = Self::default();
        for Literal { negated, atom } in literals {
            match (atom.predicate == PredicateId::EQUALITY, negated) {
                (true, false) => requirement.equations.push((atom.terms[0], atom.terms[1])),
                (true, true) => {
                    let pair = (&atom.terms[..1], &atom.terms[1..]);
                    requirement.clauses.extend(clause(pair, objects));
                }
                (false, false) => requirement.positive.push(atom.clone()),
                (false, true) => requirement.negative.push(atom.clone()),
            }
        }
        let conflicts = opposites(&requirement.positive, &requirement.negative);
        requirement.clauses.extend(conflicts.filter_map(|pair| clause(pair, objects)));
        requirement
    }
}

/// Pairs of atoms, one required to be true and one to be false by the other
/// requirement.
pub(super) fn conflicts<'a>(
    left: &'a Requirement,
    right: &'a Requirement,
) -> impl Iterator<Item = AtomPair<'a>> {
    opposites(&left.positive, &right.negative).chain(opposites(&right.positive, &left.negative))
}

fn opposites<'a>(positive: &'a [Atom], negative: &'a [Atom]) -> impl Iterator<Item = AtomPair<'a>> {
    negative.iter().flat_map(|no| falsified_by(positive, no))
}

/// The true atoms with the predicate of the false atom `no`, each paired with
/// it, if it has terms.
pub(super) fn falsified_by<'a>(
    positive: &'a [Atom],
    no: &'a Atom,
) -> impl Iterator<Item = AtomPair<'a>> {
    let opposed = |yes: &&Atom| yes.predicate == no.predicate && !no.terms.is_empty();
    positive.iter().filter(opposed).map(|yes| (&*yes.terms, &*no.terms))
}

/// The clause that the terms differ somewhere, unless two different objects
/// make that certain. Symbols from `objects` on are objects.
fn clause((left, right): AtomPair<'_>, objects: usize) -> Option<Clause> {
    let pairs = || zip(left.iter().copied(), right.iter().copied()).filter(|(x, y)| x != y);
    let is_object = |symbol: Symbol| symbol.index() >= objects;
    let is_sure = pairs().any(|(x, y)| is_object(x) && is_object(y));
    (!is_sure).then(|| pairs().collect())
}
