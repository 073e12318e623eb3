//! Heuristics as users name them, and what computing them gives.

mod compute;
mod mutexes;
mod spec;

pub use compute::{Computed, LpSettings, Potential, compute};
pub use mutexes::NormalForm;
pub use spec::{FeatureChoice, MutexChoice, PotentialSpec, Spec, SpecError};
