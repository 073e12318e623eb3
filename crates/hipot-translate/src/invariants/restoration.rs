//! Restoration: whether a deleted atom may be added back at once.
//!
//! A delete effect does not balance an add effect if another add effect of the
//! schema adds the deleted atom, because deletes happen first. Neither of the
//! other checks notices. Heaviness counts only atoms that were false before, and
//! balance compares the deleted atom with the added one, not with other added
//! ones. Take the schema with the precondition d(x), d(y) that deletes d(y) and
//! adds d(x) and c. By the two checks, "c or d" is an invariant; yet with x = y
//! the schema keeps d(x) and makes c true. Fast Downward accepts such
//! invariants.
//!
//! Whether another add effect can restore the deleted atom f is decided by
//! equations and inequalities as for heaviness, with one more rule. Only
//! instances of the invariant with weight 1 matter. Their only true atom is f,
//! so any atom that was true and that the same instance covers *is* f. If the
//! predicates differ, the case is impossible; otherwise the remaining terms are
//! equal. Without this rule, putting block x on block y would seem to restore
//! `(clear y)` by adding `(clear x)`.

use super::add_effects::{AddEffect, AddEffects, Requirement, conflicts, falsified_by};
use super::candidates::Cover;
use super::congruence::Congruence;
use super::prepared::Atom;

/// Whether the schema can, while its add effect with number `index` makes an
/// atom true, restore the `deleted` atom, which is of the same instance of the
/// candidate that `cover` describes.
pub(super) fn is_restored(
    add_effects: &mut AddEffects,
    index: usize,
    deleted: &Atom,
    cover: &Cover<'_>,
) -> bool {
    let AddEffects { all, precondition, congruence } = add_effects;
    let Some(congruence) = congruence else { return false };
    let add_effect = &all[index];
    let others = all.iter().enumerate().filter(|&(other, _)| other != index);
    let others = others.map(|(_, other)| other).chain(add_effect.twin.as_deref());
    let mut candidates = others.filter(|other| other.atom.predicate == deleted.predicate);
    candidates.any(|other| {
        let possible = happen_together(congruence, precondition, add_effect, other, deleted, cover);
        congruence.undo();
        possible
    })
}

/// Whether `add_effect` can make its atom true and `other` add `deleted`, when
/// the instance of both has weight 1.
fn happen_together(
    congruence: &mut Congruence,
    precondition: &Requirement,
    add_effect: &AddEffect,
    other: &AddEffect,
    deleted: &Atom,
    cover: &Cover<'_>,
) -> bool {
    let conditions = [&add_effect.condition, &other.condition];
    let given = conditions.iter().flat_map(|condition| &condition.equations).copied();
    let same = other.atom.terms.iter().copied().zip(deleted.terms.iter().copied());
    let were_true = [precondition, conditions[0], conditions[1]].map(|part| &part.positive[..]);
    same.chain(given).all(|(x, y)| congruence.merge(x, y))
        && identify(congruence, were_true, deleted, cover)
        && congruence.satisfies(&precondition.clauses)
        && conditions.iter().all(|condition| congruence.satisfies(&condition.clauses))
        && congruence.satisfies(&add_effect.was_false)
        && conflicts(conditions[0], conditions[1])
            .chain(falsified_by(&other.condition.positive, &add_effect.atom))
            .all(|pair| congruence.separates(pair))
}

/// Equates `deleted` with all atoms that were true and that its instance
/// covers; false if that is impossible.
fn identify(
    congruence: &mut Congruence,
    were_true: [&[Atom]; 3],
    deleted: &Atom,
    cover: &Cover<'_>,
) -> bool {
    let mut remaining: Vec<&Atom> =
        were_true.into_iter().flatten().filter(|atom| cover.has(atom.predicate)).collect();
    loop {
        let is_of_instance = |atom: &&Atom| {
            let mut parameters = cover.parameters(atom).zip(cover.parameters(deleted));
            parameters.all(|(x, y)| congruence.equates(x, y))
        };
        let Some(index) = remaining.iter().position(is_of_instance) else { return true };
        let atom = remaining.swap_remove(index);
        let mut terms = atom.terms.iter().zip(&deleted.terms);
        if atom.predicate != deleted.predicate || !terms.all(|(&x, &y)| congruence.merge(x, y)) {
            return false;
        }
    }
}
