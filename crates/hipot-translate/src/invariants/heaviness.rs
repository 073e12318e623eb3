//! Heaviness: whether a schema can add two atoms of one instance at once.
//!
//! Two add effects do so if values of the variables exist with which both
//! happen, neither atom was true before, the atoms differ, and the invariant
//! covers both for the same values of its parameters: each parameter equates
//! a term of one atom with a term of the other. A universal effect can also
//! do so with itself.

use super::candidates::Cover;
use super::congruence::Congruence;
use super::requirement::{Addition, Additions, Requirement, conflicts, falsified_by};

/// Whether the schema with these add effects can add two atoms of one
/// instance of the candidate that `cover` describes.
pub(super) fn is_too_heavy(additions: &mut Additions, cover: &Cover<'_>) -> bool {
    let Additions { all, precondition, congruence } = additions;
    let Some(congruence) = congruence else { return false };
    let covered = || all.iter().filter(|addition| cover.has(addition.atom.predicate));
    let mut both = |first: &Addition, second: &Addition| {
        let possible = happen_together(congruence, precondition, first, second, cover);
        congruence.undo();
        possible
    };
    covered().enumerate().any(|(index, addition)| {
        addition.twin.as_ref().is_some_and(|twin| both(addition, twin))
            || covered().take(index).any(|other| both(other, addition))
    })
}

/// Whether both effects can make their atoms true at once, for the same
/// instance of the candidate.
fn happen_together(
    congruence: &mut Congruence,
    precondition: &Requirement,
    first: &Addition,
    second: &Addition,
    cover: &Cover<'_>,
) -> bool {
    let conditions = [&first.condition, &second.condition];
    let given = conditions.iter().flat_map(|condition| &condition.equations).copied();
    let parameters = cover.parameters(&first.atom).zip(cover.parameters(&second.atom));
    if !parameters.chain(given).all(|(x, y)| congruence.merge(x, y)) {
        return false;
    }
    let same = first.atom.predicate == second.atom.predicate && !first.atom.terms.is_empty();
    (!same || congruence.separates((&first.atom.terms, &second.atom.terms)))
        && congruence.satisfies(&precondition.clauses)
        && [first, second].iter().all(|addition| {
            congruence.satisfies(&addition.condition.clauses)
                && congruence.satisfies(&addition.was_false)
        })
        && conflicts(&first.condition, &second.condition)
            .chain(falsified_by(&first.condition.positive, &second.atom))
            .chain(falsified_by(&second.condition.positive, &first.atom))
            .all(|pair| congruence.separates(pair))
}
