//! Potential heuristics of every dimension, exact and certified.
//!
//! After Pommerening, Helmert and Bonet, *Higher-Dimensional Potential
//! Heuristics for Optimal Classical Planning*, AAAI 2017 (PHB17).
//!
//! | paper | place |
//! |---|---|
//! | features | [`feature`] |
//! | Δ_o and the partition of the features | [`delta`] |
//! | Theorem 1, Eq. 8–9 | [`binary`] |
//! | Theorem 2, is a given function consistent? | [`consistency`] |
//! | Theorems 3 and 4, bucket elimination | [`elimination`] |
//! | Theorem 5, Eq. 11–13 | [`general`], [`contexts`] |
//! | Theorem 6, Corollary 1, context-dependency graph | [`context_graph`] |
//! | the LP, and its size before it is built | [`model`] |
//! | objectives | [`objective`] |
//! | from floating point to integers | [`certify`] |
//! | φ and its heuristic | [`function`] |
//! | all of it in one call | [`optimize()`] |
//! | features of size 3 and more, as far as they fit | [`optimize_larger`] |
//! | looking on meanwhile | [`Observer`] |

pub mod binary;
pub mod certify;
pub mod consistency;
pub mod context_graph;
pub mod contexts;
pub mod delta;
pub mod elimination;
pub mod feature;
pub mod function;
pub mod general;
pub mod model;
pub mod objective;

mod attempts;
mod average;
mod climb;
mod diverse;
mod every_state;
mod formulation;
mod ladder;
mod larger;
mod on_demand;
mod optimize;
mod pairs;
mod progress;
mod quotient;
mod reoptimize;

pub use average::Raise;
pub use diverse::diverse;
pub use every_state::EveryState;
pub use larger::optimize_larger;
pub use objective::{Average, KnownValues};
pub use optimize::{
    Error, Extent, Optimized, Params, Report, Rung, optimize, optimize_complete, predict_complete,
};
pub use progress::{Observer, Progress};
pub use reoptimize::{Constraints, Over, Reoptimized, Reoptimizer};
