//! `Δ_o(f, s)`: what an operator does to the features.
//!
//! For an operator o of a TNF task and a feature f = f_o ∧ f_ō, where f_o
//! mentions only variables of o and f_ō only others,
//!
//! > Δ_o(f, s) = [s ⊨ f] − [s⟦o⟧ ⊨ f] = ([pre(o) ⊨ f_o] − [eff(o) ⊨ f_o]) · [s ⊨ f_ō]
//!
//! in every state s in which o is applicable. What o *takes from φ* in s is the
//! decrease φ(s) − φ(s⟦o⟧) = Σ_f w(f) Δ_o(f, s). There are three kinds of
//! features: *irrelevant* ones, whose bracket is 0; *context-independent* ones
//! with empty f_ō; and *context-dependent* ones. The paper counts a feature that
//! mentions vars(o) as relevant even if the bracket is 0; such features
//! contribute nothing to any constraint and are left out here.

use hipot_task::{FactId, OperatorId, Value};

use crate::feature::{FeatureId, Features};
use crate::normal_form::NormalForm;

/// A feature and its bracket [pre(o) ⊨ f_o] − [eff(o) ⊨ f_o], which is ±1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The feature f.
    pub feature: FeatureId,
    /// +1 if the operator makes f_o false, −1 if it makes f_o true.
    pub sign: i8,
}

/// The features that an operator changes.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    /// `Δ_o^ind`: the context-independent features.
    pub independent: Vec<Term>,
    /// `Δ_o^ctx`: the context-dependent features.
    dependent: Vec<Term>,
    /// For each of them, where f_ō ends in `contexts`.
    context_ends: Vec<u32>,
    contexts: Vec<FactId>,
}

impl Delta {
    /// The features that `operator` changes.
    pub fn new(normal: &NormalForm, features: &Features, operator: OperatorId) -> Self {
        let mentions = normal.mentions(operator).iter();
        let (before, after): (Vec<FactId>, Vec<FactId>) =
            mentions.map(|mention| (mention.before, mention.after)).unzip();
        let mut delta = Self::default();
        for (side, sign) in [(&before, 1), (&after, -1)] {
            let other = if sign == 1 { &after } else { &before };
            for (&fact, &opposite) in side.iter().zip(other) {
                if fact == opposite {
                    continue;
                }
                for &feature in features.mentioning(fact) {
                    delta.add(features, feature, fact, side, other, sign);
                }
            }
        }
        delta
    }

    /// Adds `feature` if f_o holds on `side` of the operator and `changed` is the
    /// first of its facts that the operator changes, so that it is added only once.
    fn add(
        &mut self,
        features: &Features,
        feature: FeatureId,
        changed: FactId,
        side: &[FactId],
        other: &[FactId],
        sign: i8,
    ) {
        let facts = features.facts();
        let begin = self.contexts.len();
        let mut first = None;
        for &conjunct in features.conjuncts(feature) {
            let variable = facts.variable(conjunct);
            let place = side.binary_search_by_key(&variable, |&id| facts.variable(id));
            match place {
                Err(_) => self.contexts.push(conjunct),
                Ok(place) if side[place] == conjunct => {
                    if other[place] != conjunct && first.is_none() {
                        first = Some(conjunct);
                    }
                }
                Ok(_) => {
                    self.contexts.truncate(begin);
                    return;
                }
            }
        }
        let term = Term { feature, sign };
        if first != Some(changed) {
            self.contexts.truncate(begin);
        } else if self.contexts.len() == begin {
            self.independent.push(term);
        } else {
            self.dependent.push(term);
            self.context_ends.push(self.contexts.len() as u32);
        }
    }

    /// The context-dependent features, each with its context f_ō.
    pub fn dependent(&self) -> impl Iterator<Item = (Term, &[FactId])> {
        let begins = std::iter::once(0).chain(self.context_ends.iter().copied());
        let contexts = begins
            .zip(&self.context_ends)
            .map(|(begin, &end)| &self.contexts[begin as usize..end as usize]);
        self.dependent.iter().copied().zip(contexts)
    }
}

/// The features that are true in `state`. As a linear expression in the weights, φ(s)
/// has the coefficient 1 for these and 0 for the others.
pub fn true_features(features: &Features, state: &[Value]) -> Vec<FeatureId> {
    features.ids().filter(|&feature| features.holds(feature, state)).collect()
}
