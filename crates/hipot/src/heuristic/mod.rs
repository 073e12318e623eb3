//! Heuristics as users name them, and what computing them gives.

mod average;
mod compute;
mod mutexes;
mod parse;
mod partition;
mod spec;

pub(crate) use compute::potential_in;
pub use compute::{Computed, LpSettings, Part, Potential, compute};
pub use mutexes::NormalForm;
pub use parse::SpecError;
pub use partition::{PartitionSpec, Partitioning};
pub use spec::{FeatureChoice, MutexChoice, Objective, PotentialSpec, Spec};
