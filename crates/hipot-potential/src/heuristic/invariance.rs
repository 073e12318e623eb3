//! Whether a symmetry keeps the value of every state.
//!
//! It does if it maps each term to a term of the same weight, which is checked. (A function can
//! be invariant without that, because the indicators of a variable's values add up to 1. Then
//! `false` is the answer, and a search forgoes an assertion.)

use hipot_task::Fact;

use super::lanes::Lanes;

/// A conjunction of facts, in order, and its weights.
pub(super) type Term<const N: usize> = (Vec<Fact>, Lanes<N>);

/// Whether a symmetry maps the terms that mention a fact that it moves onto each other.
pub(super) fn keeps<const N: usize>(terms: Vec<Term<N>>, moved: &[(Fact, Fact)]) -> bool {
    let image = |&fact: &Fact| {
        let place = moved.binary_search_by_key(&fact, |&(from, _)| from);
        place.map_or(fact, |place| moved[place].1)
    };
    let image = |(conjuncts, weight): &Term<N>| {
        let mut images: Vec<Fact> = conjuncts.iter().map(image).collect();
        images.sort_unstable();
        (images, *weight)
    };
    let mut images: Vec<Term<N>> = terms.iter().map(image).collect();
    let mut terms = terms;
    images.sort_unstable();
    terms.sort_unstable();
    images == terms
}
