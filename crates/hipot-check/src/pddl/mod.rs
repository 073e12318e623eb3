//! Plans checked against the meaning of PDDL, without grounding.
//!
//! A state is the set of ground atoms that hold. A step is an action with
//! objects for its parameters: its precondition is evaluated in the state, and
//! so are the conditions of its effects, all before any of them happens; where
//! an atom is both deleted and added, it is added. Atoms of derived predicates
//! follow from the others: stratum by stratum the smallest set that the rules
//! allow. Without a metric a step costs 1, else the sum of what the action adds
//! to `total-cost`.
//!
//! All of this is read from the resolved [`Task`](hipot_pddl::Task) as it was
//! written, and shares nothing with the translation to finite-domain variables,
//! so that each can show the other wrong.

mod choice;
mod derive;
mod effect;
mod explain;
mod explore;
mod failure;
pub mod random;
mod scope;
mod semantics;
mod state;
mod strata;
mod validate;

pub use explain::FalsePart;
pub use explore::{Exploration, OptimalPlan, explore};
pub use failure::{Failure, Reason};
pub use semantics::{GroundAction, NoCost, Semantics};
pub use state::State;
pub use strata::NotStratified;
pub use validate::validate;
