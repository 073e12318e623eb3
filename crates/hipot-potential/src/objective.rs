//! What the LP maximizes.
//!
//! After Seipp, Pommerening and Helmert, *New Optimization Functions for
//! Potential Heuristics*, ICAPS 2015. All objectives are vectors of coefficients
//! for the weights over the same constraints: φ(s) − φ(s_⋆) for one state s, or
//! the average of that over several states.

use hipot_task::{TnfTask, Value};

use crate::delta::true_features;
use crate::feature::{FeatureId, Features};
use crate::model::Model;

/// What φ is averaged over.
#[derive(Clone, Debug, PartialEq)]
pub enum Average {
    /// All states of the original task, reachable or not: every variable has
    /// each of its values equally often, whatever the others have.
    AllStates(KnownValues),
    /// These states.
    States(Vec<Vec<Value>>),
}

/// How many values each variable has, `unknown` not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownValues(Vec<u32>);

impl KnownValues {
    /// Those of a task in normal form.
    pub fn new(tnf: &TnfTask) -> Self {
        let size = |id| tnf.unknown(id).unwrap_or(tnf.task().variable(id).domain_size());
        Self(tnf.task().variable_ids().map(size).collect())
    }

    /// How often a variable has a value, on average over all states.
    pub(crate) fn share(&self, variable: usize, value: Value) -> f64 {
        let count = self.0[variable];
        if value < count { 1.0 / f64::from(count) } else { 0.0 }
    }
}

/// Makes the LP maximize φ(`state`) − φ(`goal`).
pub fn maximize_in_state(model: &mut Model, features: &Features, state: &[Value], goal: &[Value]) {
    for feature in features.ids() {
        let column = model.w(feature);
        model.problem_mut().set_objective(column, 0.0);
    }
    for (state, sign) in [(state, 1.0), (goal, -1.0)] {
        for feature in true_features(features, state) {
            let column = model.w(feature);
            let before = model.problem().objective(column);
            model.problem_mut().set_objective(column, before + sign);
        }
    }
}

/// How often each feature is true, on average.
pub(crate) fn shares(features: &Features, average: &Average) -> Vec<f64> {
    let facts = features.facts();
    match average {
        Average::AllStates(known) => {
            let share = |&id: &_| {
                let fact = facts.fact(id);
                known.share(fact.variable.index(), fact.value)
            };
            let of_feature = |id: FeatureId| features.conjuncts(id).iter().map(share).product();
            features.ids().map(of_feature).collect()
        }
        Average::States(states) => {
            let mut shares = vec![0.0; features.len()];
            let each = 1.0 / states.len().max(1) as f64;
            for state in states {
                for feature in true_features(features, state) {
                    shares[feature.index()] += each;
                }
            }
            shares
        }
    }
}
