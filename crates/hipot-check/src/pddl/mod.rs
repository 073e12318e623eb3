//! Validates plans by the semantics of PDDL, without grounding.
//!
//! A state is the set of ground atoms that hold. A step is an action with objects for
//! its parameters. Its precondition and the conditions of its effects are evaluated in
//! the state before any effect takes place; an atom that is both deleted and added is
//! added. Atoms of derived predicates follow from the others: stratum by stratum, they
//! are the smallest set that satisfies the rules. Without a metric, a step costs 1;
//! with one, it costs the sum of what the action adds to `total-cost`.
//!
//! All of this works on the resolved [`Task`](hipot_pddl::Task) as it was written and
//! shares nothing with the translation to finite-domain variables, so that each can
//! reveal errors of the other.

mod choice;
mod conditions;
mod derive;
mod effect;
mod explain;
mod failure;
mod scope;
mod semantics;
mod state;
mod strata;
mod validate;

pub use explain::FalsePart;
pub use failure::{Failure, Reason};
pub use semantics::{GroundAction, NoCost, Semantics};
pub use state::State;
pub use strata::NotStratified;
pub use validate::validate;
