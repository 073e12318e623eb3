//! From PDDL to finite-domain tasks, with one module for each stage.
//!
//! ```text
//! PDDL task ─normalize─► schemas over literals ─reach─► atoms and instances
//!     ─invariants─► mutex groups ─encode─► variables and operators
//!     ─simplify─► reachable and relevant ones ─build─► Task
//! ```
//!
//! The stages are those of Helmert, *Concise finite-domain representations for
//! PDDL planning tasks*, Artificial Intelligence 173 (2009), and of Fast
//! Downward's translator; `docs/translation.md` explains the differences.

pub mod atoms;
mod axioms;
mod build;
mod changes;
mod datalog;
mod encode;
mod encoded;
mod error;
mod formula;
mod ground;
mod instantiate;
pub mod invariants;
mod layers;
pub mod mutex_groups;
pub mod normal;
pub mod normalize;
pub mod obstacles;
mod reach;
mod simplify;
mod translate;
mod tuples;

pub use error::Error;
pub use reach::Progress;
pub use translate::translate;
