//! Support for tests: random tiny tasks, brute force on them, and a browser.
//!
//! | what | SAS+ | PDDL |
//! |---|---|---|
//! | random tasks, by seed | [`RandomTask`] | [`pddl::random`] |
//! | random tasks with known symmetries | [`SymmetricTask`] | |
//! | tasks of any size with known state spaces | [`counter`], [`switches`] | |
//! | random consistent heuristics | [`Tables`] | |
//! | optimal costs by Dijkstra's algorithm | [`StateSpace`], with all reachable states and h* | [`pddl::explore`] |
//!
//! [`browser`] opens pages in a real browser, [`veripb()`] finds a checker of proofs by others.
//!
//! The semantics of operators, axioms and actions comes from `hipot-check`, whose code is as
//! direct as possible. Other crates use this one only as a dev-dependency: it is never shipped.

pub mod browser;
mod consistent;
mod families;
pub mod pddl;
mod random;
mod state_space;
mod symmetric;
mod too_large;
mod veripb;

pub use consistent::Tables;
pub use families::{counter, switches};
pub use hipot_task::Rng;
pub use random::RandomTask;
pub use state_space::StateSpace;
pub use symmetric::{Symmetric, SymmetricTask};
pub use too_large::TooLarge;
pub use veripb::veripb;
