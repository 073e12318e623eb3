//! Potential functions in exact arithmetic, and their heuristic.
//!
//! φ(s) = (constant + Σ W(f) [s ⊨ f]) / denominator with integers W. With
//! integer costs max(0, ⌈φ⌉) of a consistent and goal-aware φ is consistent
//! and goal-aware too: rounding up keeps φ(s) ≤ cost(o) + φ(s⟦o⟧) because
//! cost(o) is an integer.

mod heuristic;
mod terms;

pub use heuristic::PotentialHeuristic;

use hipot_task::{Rational, Value};

use crate::feature::Features;

/// A potential function that has been certified: consistent and goal-aware.
/// [`certify`](crate::certify) is the only place that makes one.
#[derive(Clone, Debug)]
pub struct PotentialFunction {
    pub(crate) features: Features,
    pub(crate) weights: Vec<i64>,
    pub(crate) constant: i64,
    pub(crate) denominator: i64,
}

impl PotentialFunction {
    /// ℱ, over the facts of the task in TNF.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The numerators of the weights, in the order of the features.
    pub fn weights(&self) -> &[i64] {
        &self.weights
    }

    /// The numerator of the constant.
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// What all numerators are divided by; positive.
    pub fn denominator(&self) -> i64 {
        self.denominator
    }

    /// The numerator of φ(s).
    pub fn numerator(&self, state: &[Value]) -> i128 {
        let terms = self.features.ids().filter(|&feature| self.features.holds(feature, state));
        let sum: i128 = terms.map(|feature| i128::from(self.weights[feature.index()])).sum();
        sum + i128::from(self.constant)
    }

    /// Whether φ(s) is higher than that of another function.
    pub fn is_higher(&self, other: &Self, state: &[Value]) -> bool {
        let scaled = |one: &Self, by: i64| one.numerator(state) * i128::from(by);
        scaled(self, other.denominator) > scaled(other, self.denominator)
    }

    /// max(0, ⌈φ(s)⌉).
    pub fn bound(&self, state: &[Value]) -> u64 {
        let numerator = self.numerator(state);
        let denominator = i128::from(self.denominator);
        let rounded =
            numerator.div_euclid(denominator) + i128::from(numerator.rem_euclid(denominator) != 0);
        u64::try_from(rounded.max(0)).unwrap_or(u64::MAX)
    }

    /// φ(s).
    pub fn exact(&self, state: &[Value]) -> Rational {
        Rational { numerator: self.numerator(state), denominator: self.denominator.into() }
    }
}
