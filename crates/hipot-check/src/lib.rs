//! Everything that does not trust the planner.
//!
//! | what | where |
//! |---|---|
//! | validates plans for SAS+ tasks, and says what is wrong with them | [`validate()`] |
//! | validates plans for PDDL tasks, without translating the task | [`pddl`] |
//! | reads certificates of lower bounds and verifies them | [`read_certificate`], [`verify`] |
//! | the same for certificates of searches, which list states | [`read_proof`], [`verify_search`] |
//! | checks proofs that pairs of facts are mutex | [`mutexes`] |
//! | says what follows | [`Conclusion`] |
//! | what operators and axioms do, as directly as possible | [`initial_state`], [`applicable`], [`apply`], [`is_goal`] |
//!
//! With the rest of hipot, this crate shares the task types, the reader of `.sas` files, the
//! reader of plans (all in `hipot-task`) and the PDDL reader (`hipot-pddl`), and nothing else.
//! It depends on no other crate of the workspace, so it cannot even name the planner's
//! algorithms. Even the numbering of facts is its own.
//!
//! The command `hipot check` is not here but in the command line: it asks whether a given
//! potential function is consistent. This crate serves `hipot validate`, `hipot verify` and the
//! binary `hipot-verify`, which has nothing but this.

mod certificate;
mod conclusion;
mod counted;
pub mod mutexes;
pub mod pddl;
mod semantics;
mod validate;

pub use certificate::{
    BigInt, Certificate, CertificateError, Claim, FeatureFact, ListedStates, MAX_JOINT_VALUES,
    Malformed, OpenValues, Proof, ReadError, Rejection, SearchCertificate, SearchRejection,
    StateCode, States, StatesError, StatesWriter, Uncovered, Verified, VerifiedSearch, Violation,
    fingerprint, read_certificate, read_proof, verify, verify_search,
};
pub use conclusion::Conclusion;
pub use semantics::{State, applicable, apply, initial_state, is_goal};
pub use validate::{Invalid, Reason, Unsatisfied, execute, validate};
