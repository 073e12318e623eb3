//! Abstractions and saturated cost partitioning.
//!
//! An abstraction maps states to abstract states, and its goal distances are lower bounds. Several
//! abstractions share the costs of operators, so that their distances may be added.
//!
//! | module | what |
//! |---|---|
//! | [`Frame`] | a task as its abstractions see it: operators, and what mutexes say about them |
//! | [`projection`] | projections to a few variables (pattern databases) |
//! | [`mod@systematic`], [`mod@grow`] | which projections are of use |
//! | [`cartesian`] | Cartesian abstractions by counterexample-guided refinement |
//! | [`Collection`] | abstractions, and what they say together, whatever the costs |
//! | [`partitioning`] | saturated cost partitioning over orders of abstractions |
//! | [`Costs`] | costs as integers over one denominator |
//!
//! A pattern database is a potential function whose features are all conjunctions over its
//! variables, and so is any sum of these functions. So a partitioning may begin with the costs that
//! a potential function leaves: they are integers over its denominator, and everything here is
//! computed with integers.
//!
//! # For which states the values are lower bounds
//!
//! Without mutexes for all states. With mutexes that no state of a plan violates, for all reachable
//! states: if a reachable state has a plan, it is on a plan from the initial state, and so
//! are all states behind it. A state for which [`Collection::states`] has no abstract states is
//! on no plan.
//!
//! Tasks with axioms or conditional effects have no abstractions here, but their
//! [plain tasks](hipot_analysis::PlainTask) have.

mod abstraction;
pub mod cartesian;
mod collection;
pub mod cost;
mod error;
mod frame;
pub mod grow;
pub mod partitioning;
pub mod projection;
mod queue;
pub mod systematic;
mod value_sets;

pub use abstraction::Abstraction;
pub use collection::Collection;
pub use cost::{Costs, INFINITE, NONE};
pub use error::Error;
pub use frame::Frame;
