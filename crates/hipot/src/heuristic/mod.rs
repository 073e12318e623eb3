//! Heuristics as users name them, and what computing them gives.

mod compute;
mod spec;

pub use compute::{Computed, LpSettings, Potential, compute};
pub use spec::{FeatureChoice, PotentialSpec, Spec, SpecError};
