//! What the LP maximizes.
//!
//! After Seipp, Pommerening and Helmert, *New Optimization Functions for
//! Potential Heuristics*, ICAPS 2015. Every objective is a vector of coefficients
//! for the weights, over the same constraints: φ(s) − φ(s_⋆) for one state s, the
//! average of that over several states, or a weighted sum of such averages.

use hipot_task::Value;

use crate::delta::true_features;
use crate::feature::{FeatureId, Features};
use crate::marginals::Marginals;

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
    /// All states of the original task, reachable or not: facts are true with these shares,
    /// independently of each other.
    AllStates(Marginals),
    /// These states.
    States(Vec<Vec<Value>>),
}

/// For each feature, the share of the states in which it is true.
pub(crate) fn shares(features: &Features, average: &Average) -> Vec<f64> {
    match average {
        Average::AllStates(marginals) => {
            let share = |&id: &_| marginals.share(id);
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
