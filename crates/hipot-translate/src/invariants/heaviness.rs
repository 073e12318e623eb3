//! Heaviness: whether a schema can add two atoms of one instance at once.
//!
//! Two add effects do so if values of the variables exist with which both
//! happen, neither atom was true before, the atoms differ, and the invariant
//! covers both for the same values of its parameters. These are equations
//! between symbols (each parameter of the invariant equates a term of one
//! atom with a term of the other; conditions may have more) and disjunctions
//! of inequalities (the atoms differ somewhere; a literal and the negation of
//! another must not be about the same atom). The equations force one
//! [`Congruence`]; as more equations only make inequalities false, it is
//! enough to look whether this one leaves each disjunction an inequality.
//! There is nothing to search for.
//!
//! Ranges of variables play no role, and neither do contradictions between
//! atoms without terms: some schemas are thus called heavy that are not. This
//! errs to the safe side, as does Fast Downward.
//!
//! All disjunctions that only one effect (or none) takes part in are made
//! once for each schema.

use std::iter::zip;

use hipot_pddl::ast::PredicateId;

use super::candidates::Cover;
use super::congruence::Congruence;
use super::pattern::{Atom, Effect, Literal, Pattern, Symbol};

/// A disjunction of inequalities.
type Clause = Box<[(Symbol, Symbol)]>;

/// What the check needs to know of a schema.
#[derive(Debug)]
pub(super) struct Heaviness {
    adds: Vec<Add>,
    precondition: Requirement,
    /// What the precondition equates; nothing if that is contradictory.
    congruence: Option<Congruence>,
}

/// An add effect.
#[derive(Debug)]
struct Add {
    atom: Atom,
    requirement: Requirement,
    /// Another instance of it, if it is universal.
    twin: Option<Box<Add>>,
}

/// A conjunction of literals.
#[derive(Debug, Default)]
struct Requirement {
    equations: Vec<(Symbol, Symbol)>,
    positive: Vec<Atom>,
    negative: Vec<Atom>,
    /// That no literals contradict each other, here and, for effects, between
    /// here and the precondition.
    clauses: Vec<Clause>,
}

impl Heaviness {
    pub(super) fn new(pattern: &Pattern) -> Self {
        let objects = pattern.variables();
        let mut precondition = Requirement::default();
        precondition.require(&pattern.precondition, objects);
        let adds = pattern.effects.iter().filter(|effect| !effect.literal.negated);
        let adds = adds.map(|effect| Add::new(effect, &precondition, objects)).collect();
        let mut congruence = Congruence::new(pattern.symbols(), objects);
        let consistent = precondition.equations.iter().all(|&(x, y)| congruence.merge(x, y));
        congruence.keep();
        Self { adds, precondition, congruence: consistent.then_some(congruence) }
    }

    /// Whether the schema can add two atoms of one instance of the candidate
    /// that `cover` describes.
    pub(super) fn is_too_heavy(&mut self, cover: &Cover<'_>) -> bool {
        let Some(congruence) = &mut self.congruence else { return false };
        let covered = || self.adds.iter().filter(|add| cover.has(add.atom.predicate));
        let mut both = |first: &Add, second: &Add| {
            let possible = happen_together(congruence, &self.precondition, first, second, cover);
            congruence.undo();
            possible
        };
        covered().enumerate().any(|(index, add)| {
            add.twin.as_ref().is_some_and(|twin| both(add, twin))
                || covered().take(index).any(|other| both(other, add))
        })
    }
}

impl Add {
    fn new(effect: &Effect, precondition: &Requirement, objects: usize) -> Self {
        let mut requirement = Requirement::default();
        let was_false = Literal { negated: true, atom: effect.literal.atom.clone() };
        requirement.require(effect.condition.iter().chain([&was_false]), objects);
        let between = conflicts(&requirement, precondition);
        let between: Vec<_> = between.filter_map(|(x, y)| clause(x, y, objects)).collect();
        requirement.clauses.extend(between);
        let twin = effect.twin.as_ref();
        Self {
            atom: effect.literal.atom.clone(),
            requirement,
            twin: twin.map(|twin| Box::new(Self::new(twin, precondition, objects))),
        }
    }
}

impl Requirement {
    fn require<'a>(&mut self, literals: impl IntoIterator<Item = &'a Literal>, objects: usize) {
        for Literal { negated, atom } in literals {
            match (atom.predicate == PredicateId::EQUALITY, negated) {
                (true, false) => self.equations.push((atom.terms[0], atom.terms[1])),
                (true, true) => {
                    self.clauses.extend(clause(&atom.terms[..1], &atom.terms[1..], objects));
                }
                (false, false) => self.positive.push(atom.clone()),
                (false, true) => self.negative.push(atom.clone()),
            }
        }
        let within = opposites(&self.positive, &self.negative);
        self.clauses.extend(within.filter_map(|(x, y)| clause(x, y, objects)));
    }
}

/// Whether both effects can add their atoms at once, for the same instance
/// of the candidate.
fn happen_together(
    congruence: &mut Congruence,
    precondition: &Requirement,
    first: &Add,
    second: &Add,
    cover: &Cover<'_>,
) -> bool {
    let requirements = [&first.requirement, &second.requirement];
    let given = requirements.iter().flat_map(|requirement| &requirement.equations).copied();
    let left = cover.parameters(&first.atom);
    let mut equations = left.zip(cover.parameters(&second.atom)).chain(given);
    if !equations.all(|(x, y)| congruence.merge(x, y)) {
        return false;
    }
    let holds = |clause: &Clause| clause.iter().any(|&(x, y)| !congruence.equates(x, y));
    let differ =
        |(x, y): (&[Symbol], &[Symbol])| zip(x, y).any(|(&x, &y)| !congruence.equates(x, y));
    let same = first.atom.predicate == second.atom.predicate && !first.atom.terms.is_empty();
    (!same || differ((&first.atom.terms, &second.atom.terms)))
        && precondition.clauses.iter().all(holds)
        && requirements.iter().flat_map(|part| &part.clauses).all(holds)
        && conflicts(&first.requirement, &second.requirement).all(differ)
}

/// The terms of atoms that are true in one requirement and false in the
/// other.
fn conflicts<'a>(
    left: &'a Requirement,
    right: &'a Requirement,
) -> impl Iterator<Item = (&'a [Symbol], &'a [Symbol])> {
    opposites(&left.positive, &right.negative).chain(opposites(&right.positive, &left.negative))
}

/// The terms of the true and the false atoms with the same predicate.
fn opposites<'a>(
    positive: &'a [Atom],
    negative: &'a [Atom],
) -> impl Iterator<Item = (&'a [Symbol], &'a [Symbol])> {
    positive.iter().flat_map(move |yes| {
        let opposed = |no: &&Atom| no.predicate == yes.predicate && !no.terms.is_empty();
        negative.iter().filter(opposed).map(|no| (&*yes.terms, &*no.terms))
    })
}

/// That the terms differ somewhere, unless that is sure because of two
/// objects. Symbols from `objects` on are objects.
fn clause(left: &[Symbol], right: &[Symbol], objects: usize) -> Option<Clause> {
    let pairs = || zip(left.iter().copied(), right.iter().copied()).filter(|(x, y)| x != y);
    let is_object = |symbol: Symbol| symbol.index() >= objects;
    let is_sure = pairs().any(|(x, y)| is_object(x) && is_object(y));
    (!is_sure).then(|| pairs().collect())
}
