//! Everything that does not trust the planner.
//!
//! Plan validation with reasons, certificates of lower bounds and their
//! verifier, the explicit state space with h* by Dijkstra's algorithm, and
//! random tiny tasks for property tests, for SAS+ tasks and, in [`pddl`], for
//! tasks as they are written. This crate shares the task types with the rest of
//! hipot and nothing else: it has its own reading of what operators, axioms and
//! PDDL's actions do, as direct as can be.

mod certificate;
pub mod mutexes;
pub mod pddl;
mod random;
mod semantics;
mod state_space;
mod validate;

pub use certificate::{
    BigInt, Certificate, CertificateError, Claim, FeatureFact, MAX_DIGITS, MAX_JOINT_VALUES,
    Malformed, OpenValues, Rejection, Verified, Violation, fingerprint, read_certificate, verify,
};
pub use random::{RandomTask, Rng};
pub use semantics::{State, applicable, apply, initial_state, is_goal};
pub use state_space::{StateSpace, TooLarge};
pub use validate::{Invalid, Reason, Unsatisfied, validate};
