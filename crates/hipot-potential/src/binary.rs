//! Theorem 1, textbook form: features of size at most 2.
//!
//! [PHB17, Theorem 1; thm:tractable:binary.] A context-dependent feature of
//! size 2 has a context of one fact ⟨V, v⟩. The contexts of an operator o are
//! independent of each other, so the largest decrease of φ by o is
//!
//! > Δ_o^ind + Σ_V max_v Σ w(f) Δ_o(f_o) over the features f = f_o ∧ ⟨V, v⟩
//!
//! and φ is consistent iff that is at most cost(o) for every operator. With a
//! new column z_V^o for each maximum these are linear constraints.
//!
//! **`pot(dim=2)` does not solve this LP.** It solves the reduced LP in
//! [`pairs`](crate::pairs), which has the same optimum but drops what is
//! redundant. This form is Theorem 1 as the paper states it, to be read next to
//! it. It is used for features that a user lists, for `--write-lp`, and in tests:
//! `crates/hipot-potential/tests/theorem_1.rs` compares it with an LP that has a
//! row for each transition, and `tests/certify.rs::run_reduced` in the same crate
//! checks that the reduced LP has the same optimum.

use hipot_lp::{Bounds, Column};
use hipot_task::{FactId, OperatorId};

use crate::contexts::Domains;
use crate::delta::{Delta, Term};
use crate::feature::Features;
use crate::model::Model;

/// Adds the constraints of one operator whose contexts have one fact each.
pub fn add_operator(
    model: &mut Model,
    features: &Features,
    domains: &Domains,
    operator: OperatorId,
    cost: f64,
    delta: &Delta,
) {
    let facts = features.facts();
    let is_possible = |fact: FactId| domains.place(facts, fact).is_some();
    let dependent = delta.dependent().map(|(term, context)| (context[0], term));
    let mut dependent: Vec<(FactId, Term)> =
        dependent.filter(|&(fact, _)| is_possible(fact)).collect();
    dependent.sort_unstable_by_key(|&(fact, term)| (fact, term.feature));
    let mut sum: Vec<(Column, f64)> = weighted(model, delta.independent.iter().copied());

    let same_variable =
        |a: &(FactId, Term), b: &(FactId, Term)| facts.variable(a.0) == facts.variable(b.0);
    for of_variable in dependent.chunk_by(same_variable) {
        let variable = facts.variable(of_variable[0].0);
        let contexts: Vec<_> = of_variable.chunk_by(|a, b| a.0 == b.0).collect();
        let terms =
            |context: &[(FactId, Term)]| context.iter().map(|&(_, term)| term).collect::<Vec<_>>();
        let size = domains.sizes()[variable.index()];
        if size == 1 {
            // The maximum over a single value is that value.
            sum.extend(weighted(model, terms(contexts[0]).into_iter()));
            continue;
        }
        // [PHB17, Eq. 9; constraint:bound-ge-max]
        //
        //     z_V^o ≥ Σ w(f) Δ_o(f_o)   for each value v of V, f = f_o ∧ ⟨V, v⟩
        //
        // z is at least what o can take from φ through features with V.
        //
        // Values that no feature mentions have an empty sum on the right:
        // a single bound z ≥ 0 on the column covers all of them.
        let all_mentioned = contexts.len() == size;
        let bounds = if all_mentioned { Bounds::FREE } else { Bounds::from(0.0..) };
        let z = model.z(operator, variable, bounds);
        for context in contexts {
            let mut row = vec![(z, 1.0)];
            let negated = weighted(model, terms(context).into_iter());
            row.extend(negated.into_iter().map(|(column, value)| (column, -value)));
            model.add_row(0.0.., &row);
        }
        sum.push((z, 1.0));
    }
    // [PHB17, Eq. 8; constraint:transition-consistency-rewrite]
    //
    //     Δ_o^ind + Σ_V z_V^o ≤ cost(o)
    //
    // In no context does o take more from φ than it costs.
    model.add_row(..=cost, &sum);
}

/// Σ w(f) · sign as terms of a row.
pub(crate) fn weighted(model: &Model, terms: impl Iterator<Item = Term>) -> Vec<(Column, f64)> {
    terms.map(|term| (model.w(term.feature), f64::from(term.sign))).collect()
}
