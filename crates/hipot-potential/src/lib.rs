//! Potential heuristics of every dimension, exact and certified.
//!
//! After Pommerening, Helmert and Bonet, *Higher-Dimensional Potential
//! Heuristics for Optimal Classical Planning*, AAAI 2017 (PHB17).
//!
//! A potential function φ(s) is a constant plus the weights of the features that
//! are true in s. What an operator o *takes from φ* in a state s is the decrease
//! φ(s) − φ(s⟦o⟧); φ is consistent if no operator ever takes more than its cost.
//!
//! | paper | place |
//! |---|---|
//! | transition normal form, with mutexes | [`normal_form`] |
//! | features | [`feature`] |
//! | Δ_o and the partition of the features | [`delta`] |
//! | Theorem 1, Eq. 8–9, as the paper writes it | [`binary`] |
//! | Theorem 1, the reduced LP that is solved for dimensions 1 and 2 | [`pairs`] |
//! | Theorem 2, whether a given function is consistent | [`consistency`] |
//! | Theorems 3 and 4, bucket elimination | [`elimination`], step by step: [`trace`] |
//! | Theorem 5, Eq. 11–13 | [`general`], [`contexts`] |
//! | Theorem 6, Corollary 1, context-dependency graph | [`context_graph`] |
//! | Theorem 7, the best function for every state | [`EveryState`] |
//!
//! | from features to a certified function | place |
//! |---|---|
//! | the textbook LP, and its size before it is built | [`textbook`], [`model`] |
//! | the interface of a family of constraints | [`family`] |
//! | what is maximized | [`objective`] |
//! | one optimizer for all families and objectives | [`optimizer`] |
//! | from floating point to integers, with proof | [`certify`] |
//! | features on demand | [`rounds`] |
//! | the best function for a state, in one call | [`optimize()`] |
//! | φ as a transition cost partitioning, Theorem 7 | [`shares`] |
//! | φ as a heuristic for searches | [`PotentialHeuristic`] |

pub mod binary;
pub mod certify;
pub mod consistency;
pub mod context_graph;
pub mod contexts;
pub mod cost;
pub mod delta;
pub mod elimination;
pub mod family;
pub mod feature;
pub mod general;
pub mod model;
pub mod normal_form;
pub mod objective;
pub mod optimizer;
pub mod pairs;
pub mod rounds;
pub mod shares;
pub mod textbook;
pub mod trace;

mod average;
mod complete;
mod diverse;
mod engine;
mod every_state;
mod exclusions;
mod fact_ensemble;
mod feature_set;
mod free_operators;
mod helpers;
mod heuristic;
mod larger;
mod lp;
mod marginals;
mod optimize;
mod params;
mod progress;
mod report;
mod solved_lp;

pub use average::raise_average;
pub use certify::{Certified, Costs, Violation};
pub use complete::predict_complete;
pub use diverse::diverse;
pub use every_state::EveryState;
pub use fact_ensemble::fact_ensemble;
pub use feature_set::FeatureSet;
pub use heuristic::{Changes, PotentialHeuristic};
pub use marginals::Marginals;
pub use normal_form::{MutexChoice, NormalForm, NormalFormError, Validity};
pub use objective::{Average, Objective};
pub use optimize::optimize;
pub use optimizer::{Found, Optimizer, Repeats};
pub use params::{Completeness, Params, Precision};
pub use progress::Progress;
pub use report::{Error, Extent, Optimality, Optimum, Report, Rung, Shortfall};
pub use solved_lp::SolvedLp;
