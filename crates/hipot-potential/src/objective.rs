//! What the LP maximizes.
//!
//! After Seipp, Pommerening and Helmert, *New Optimization Functions for
//! Potential Heuristics*, ICAPS 2015. Every objective is a vector of coefficients
//! for the weights, over the same constraints: φ(s) − φ(s_⋆) for one state s, the
//! average of that over several states, or a weighted sum of such averages.

use hipot_task::Value;

use crate::delta::true_features;
use crate::feature::{FeatureId, Features};
use crate::normal_form::NormalForm;

/// The objective over the consistent functions: a weighted sum of averages of φ.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective(Vec<(Average, f64)>);

impl Objective {
    /// φ(s) for one state.
    pub fn state(state: &[Value]) -> Self {
        Self::average(Average::States(vec![state.to_vec()]))
    }

    /// An average of φ.
    pub fn average(average: Average) -> Self {
        Self(vec![(average, 1.0)])
    }

    /// An average of φ, and φ in a state, which counts `factor` times as much.
    pub(crate) fn average_and_state(average: &Average, state: &[Value], factor: f64) -> Self {
        let (state, all) = (Average::States(vec![state.to_vec()]), 1.0 + factor);
        Self(vec![(average.clone(), 1.0 / all), (state, factor / all)])
    }

    /// The averages and their factors.
    pub(crate) fn terms(&self) -> &[(Average, f64)] {
        &self.0
    }
}

/// What φ is averaged over.
#[derive(Clone, Debug, PartialEq)]
pub enum Average {
    /// All states of the original task, reachable or not: every variable has
    /// each of its values equally often, independently of the others.
    AllStates(KnownValues),
    /// These states.
    States(Vec<Vec<Value>>),
}

/// The number of values of each variable, without `unknown`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownValues(Vec<u32>);

impl KnownValues {
    /// The numbers of values of a task in normal form.
    pub fn new(normal: &NormalForm) -> Self {
        let task = normal.task();
        let size = |id| normal.unknown(id).unwrap_or(task.variable(id).domain_size());
        Self(task.variable_ids().map(size).collect())
    }

    /// The share of all states in which a variable has a value.
    pub(crate) fn share(&self, variable: usize, value: Value) -> f64 {
        let count = self.0[variable];
        if value < count { 1.0 / f64::from(count) } else { 0.0 }
    }
}

/// For each feature, the share of the states in which it is true.
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
