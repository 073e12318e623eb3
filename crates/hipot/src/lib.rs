//! The planner as a library, and its command line.
//!
//! | module | what |
//! |---|---|
//! | [`input`] | from files to a task, with errors that name their place |
//! | [`heuristic`] | heuristic specs such as `pot(dim=2)`, and computing them |
//! | [`potential_file`] | features and potential functions as JSON |
//! | [`pipeline`] | from a task to a plan or a bound |
//! | [`auto`] | the same, with the heuristics that seem best |
//! | [`certificate`] | what a potential function proves, for others to check |
//! | [`explain`] | what a potential function is made of, for people |
//! | [`report`] | results as text and JSON |
//! | [`verdict`] | whether a plan is valid and a certificate holds, as JSON |
//! | [`generate`] | scalable families of tasks with known optimal costs |
//! | [`cli`] | the commands |

pub mod auto;
pub mod certificate;
pub mod cli;
pub mod explain;
pub mod generate;
pub mod heuristic;
pub mod input;
pub mod pipeline;
pub mod potential_file;
pub mod report;
pub mod verdict;

mod failure;
mod machine;
mod output;
mod progress;
mod reduced;
mod reporter;
mod watch;

pub use failure::{Failure, Status};
pub use machine::{available_memory, peak_memory};
pub use output::end_log;

/// The version, with the revision that it was built from where that is known.
pub const VERSION: &str = env!("HIPOT_VERSION");

/// The tutorial, compiled and run with the other documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorial.md")]
mod tutorial {}
