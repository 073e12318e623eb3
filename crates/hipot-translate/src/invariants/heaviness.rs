//! Heaviness: whether a schema can add two atoms of one instance at once.
//!
//! Two add effects do so if there are values of the variables for which both
//! happen, neither atom was true before, the atoms differ, and both belong to the
//! same instance of the invariant. The latter is a set of equations: each
//! parameter equates a term of one atom with a term of the other. A universal
//! effect can be too heavy with itself, so it is paired with a second instance
//! of itself that has variables of its own.
//!
//! Whether such values exist is decided by a congruence, without search (see
//! `add_effects`). If the answer is wrongly yes, an invariant is lost, but no
//! wrong one is found.

use super::add_effects::{AddEffect, AddEffects, Requirement, conflicts, falsified_by};
use super::candidates::Cover;
use super::congruence::Congruence;

/// Whether the schema with these add effects can add two atoms of one
/// instance of the candidate that `cover` describes.
pub(super) fn is_too_heavy(add_effects: &mut AddEffects, cover: &Cover<'_>) -> bool {
    let AddEffects { all, precondition, congruence } = add_effects;
    let Some(congruence) = congruence else { return false };
    let covered = || all.iter().filter(|add_effect| cover.has(add_effect.atom.predicate));
    let mut both = |first: &AddEffect, second: &AddEffect| {
        let possible = happen_together(congruence, precondition, first, second, cover);
        congruence.undo();
        possible
    };
    covered().enumerate().any(|(index, add_effect)| {
        add_effect.twin.as_ref().is_some_and(|twin| both(add_effect, twin))
            || covered().take(index).any(|other| both(other, add_effect))
    })
}

/// Whether both effects can make their atoms true at once, for the same
/// instance of the candidate.
fn happen_together(
    congruence: &mut Congruence,
    precondition: &Requirement,
    first: &AddEffect,
    second: &AddEffect,
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
        && [first, second].iter().all(|add_effect| {
            congruence.satisfies(&add_effect.condition.clauses)
                && congruence.satisfies(&add_effect.was_false)
        })
        && conflicts(&first.condition, &second.condition)
            .chain(falsified_by(&first.condition.positive, &second.atom))
            .chain(falsified_by(&second.condition.positive, &first.atom))
            .all(|pair| congruence.separates(pair))
}
