//! What must hold for add effects to happen, in the form of equations and
//! disjunctions of inequalities between symbols.
//!
//! Whether a conjunction of literals can be true, for some values of the
//! variables, is a question about which symbols are equal: literals `=` say
//! so directly, and an atom that must be true and one that must be false have
//! to differ somewhere. The equations force one [`Congruence`]; as more
//! equations only make inequalities false, it is enough to look whether this
//! one leaves each disjunction an inequality. There is nothing to search for.
//!
//! Ranges of variables play no role, and neither do contradictions between
//! atoms without terms: some conjunctions are thus taken for satisfiable that
//! are not. For the checks that use them this errs to the safe side, as does
//! Fast Downward.
//!
//! All disjunctions that only the precondition and one effect take part in
//! are made once for each schema.

use std::iter::zip;

use hipot_pddl::ast::PredicateId;

use super::congruence::{Clause, Congruence, Pair};
use super::pattern::{Atom, Effect, Literal, Pattern, Symbol};

/// A conjunction of literals.
#[derive(Debug, Default)]
pub(super) struct Requirement {
    pub(super) equations: Vec<(Symbol, Symbol)>,
    pub(super) positive: Vec<Atom>,
    pub(super) negative: Vec<Atom>,
    /// That no literals contradict each other; for the condition of an
    /// effect, that they do not contradict the precondition either.
    pub(super) clauses: Vec<Clause>,
}

/// An add effect.
#[derive(Debug)]
pub(super) struct Addition {
    pub(super) atom: Atom,
    pub(super) condition: Requirement,
    /// That the atom was false before, and neither the precondition nor the
    /// condition contradicts that.
    pub(super) was_false: Vec<Clause>,
    /// Another instance of it, if it is universal.
    pub(super) twin: Option<Box<Addition>>,
}

/// The add effects of a schema.
#[derive(Debug)]
pub(super) struct Additions {
    pub(super) all: Vec<Addition>,
    pub(super) precondition: Requirement,
    /// What the precondition equates; nothing if that is contradictory.
    pub(super) congruence: Option<Congruence>,
}

impl Additions {
    pub(super) fn new(pattern: &Pattern) -> Self {
        let objects = pattern.variables();
        let precondition = Requirement::new(&pattern.precondition, objects);
        let adds = pattern.effects.iter().filter(|effect| !effect.literal.negated);
        let all = adds.map(|effect| Addition::new(effect, &precondition, objects)).collect();
        let mut congruence = Congruence::new(pattern.symbols(), objects);
        let is_consistent = precondition.equations.iter().all(|&(x, y)| congruence.merge(x, y));
        congruence.keep();
        Self { all, precondition, congruence: is_consistent.then_some(congruence) }
    }
}

impl Addition {
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

/// The atoms that are true in one requirement and false in the other.
pub(super) fn conflicts<'a>(
    left: &'a Requirement,
    right: &'a Requirement,
) -> impl Iterator<Item = Pair<'a>> {
    opposites(&left.positive, &right.negative).chain(opposites(&right.positive, &left.negative))
}

fn opposites<'a>(positive: &'a [Atom], negative: &'a [Atom]) -> impl Iterator<Item = Pair<'a>> {
    negative.iter().flat_map(|no| falsified_by(positive, no))
}

/// The true atoms with the predicate of the false one, if it has terms.
pub(super) fn falsified_by<'a>(
    positive: &'a [Atom],
    no: &'a Atom,
) -> impl Iterator<Item = Pair<'a>> {
    let opposed = |yes: &&Atom| yes.predicate == no.predicate && !no.terms.is_empty();
    positive.iter().filter(opposed).map(|yes| (&*yes.terms, &*no.terms))
}

/// That the terms differ somewhere, unless that is sure because of two
/// objects. Symbols from `objects` on are objects.
fn clause((left, right): Pair<'_>, objects: usize) -> Option<Clause> {
    let pairs = || zip(left.iter().copied(), right.iter().copied()).filter(|(x, y)| x != y);
    let is_object = |symbol: Symbol| symbol.index() >= objects;
    let is_sure = pairs().any(|(x, y)| is_object(x) && is_object(y));
    (!is_sure).then(|| pairs().collect())
}
