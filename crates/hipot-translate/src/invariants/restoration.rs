//! Restoration: whether a deleted atom may be added back at once.
//!
//! A delete effect does not balance an add effect if another add effect of
//! the schema adds the same atom, for deletes happen first. Neither check
//! notices: heaviness counts atoms that were false before only, and balance
//! compares the deleted atom with the added one, not with other added ones.
//! The schema with precondition d(x), d(y) that deletes d(y) and adds d(x)
//! and c has the invariant "c or d" by these two checks; yet with x = y it
//! keeps d(x) and makes c true. Fast Downward accepts such invariants.
//!
//! Whether another add effect can restore the deleted atom f is decided with
//! equations and inequalities as for heaviness, with one rule more. Only
//! instances of the invariant with weight 1 matter. Their one true atom is f;
//! so any other atom that was true, and that the same instance covers, *is*
//! f. Where the predicates differ, the case is impossible, and otherwise this
//! equates the terms that are left. Without this rule, putting block x on
//! block y would be suspected to restore `(clear y)` by adding `(clear x)`.

use super::candidates::Cover;
use super::congruence::Congruence;
use super::pattern::Atom;
use super::requirement::{Addition, Additions, Requirement, conflicts, falsified_by};

/// Whether the schema can, while its add effect with number `index` makes an
/// atom true, restore the `deleted` atom, which is of the same instance of the
/// candidate that `cover` describes.
pub(super) fn is_restored(
    additions: &mut Additions,
    index: usize,
    deleted: &Atom,
    cover: &Cover<'_>,
) -> bool {
    let Additions { all, precondition, congruence } = additions;
    let Some(congruence) = congruence else { return false };
    let addition = &all[index];
    let others = all.iter().enumerate().filter(|&(other, _)| other != index);
    let others = others.map(|(_, other)| other).chain(addition.twin.as_deref());
    let mut candidates = others.filter(|other| other.atom.predicate == deleted.predicate);
    candidates.any(|other| {
        let possible = happen_together(congruence, precondition, addition, other, deleted, cover);
        congruence.undo();
        possible
    })
}

/// Whether `addition` can make its atom true and `other` add `deleted`, when
/// the instance of both has weight 1.
fn happen_together(
    congruence: &mut Congruence,
    precondition: &Requirement,
    addition: &Addition,
    other: &Addition,
    deleted: &Atom,
    cover: &Cover<'_>,
) -> bool {
    let conditions = [&addition.condition, &other.condition];
    let given = conditions.iter().flat_map(|condition| &condition.equations).copied();
    let same = other.atom.terms.iter().copied().zip(deleted.terms.iter().copied());
    let were_true = [precondition, conditions[0], conditions[1]].map(|part| &part.positive[..]);
    same.chain(given).all(|(x, y)| congruence.merge(x, y))
        && identify(congruence, were_true, deleted, cover)
        && congruence.satisfies(&precondition.clauses)
        && conditions.iter().all(|condition| congruence.satisfies(&condition.clauses))
        && congruence.satisfies(&addition.was_false)
        && conflicts(conditions[0], conditions[1])
            .chain(falsified_by(&other.condition.positive, &addition.atom))
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
