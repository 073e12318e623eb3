//! Random PDDL tasks, and optimal plans of tiny ones by brute force.

mod explore;
pub mod random;

pub use explore::{Exploration, OptimalPlan, explore};
