//! What is computed from a task before any heuristic.
//!
//! | module | what |
//! |---|---|
//! | [`mutexes`] | pairs of facts that never hold together |
//! | [`h2`] | mutexes by h², forward and backward, with their proof |
//! | [`mod@prune`] | the task without what h² proves useless |
//! | [`symmetry`] | permutations of the facts that map the task to itself |
//! | [`causal_graph`] | which variables matter for changing which others |
//! | [`plain`] | the task without conditional effects and axioms |
//! | [`landmarks`] | facts that hold at some time in every plan |
//! | [`tnf`] | transition normal form |
//!
//! `hipot-check` does not trust any of this: it has its own code for what it needs and does
//! not depend on this crate.

mod bit_matrix;
pub mod causal_graph;
mod fact_set;
pub mod h2;
pub mod landmarks;
pub mod mutexes;
pub mod plain;
pub mod prune;
pub mod symmetry;
pub mod tnf;

pub use causal_graph::CausalGraph;
pub use fact_set::{FactRow, FactSet};
pub use landmarks::Landmarks;
pub use mutexes::Mutexes;
pub use plain::PlainTask;
pub use prune::{PruneError, PrunedTask, Truth, prune};
pub use tnf::{Mention, OpenValues, TnfTask};
