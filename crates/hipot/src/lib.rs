//! The planner as a library, and its command line.
//!
//! | module | what |
//! |---|---|
//! | [`input`] | from files to a task, with errors that name their place |
//! | [`heuristic`] | heuristic specs such as `blind` |
//! | [`pipeline`] | from a task to a plan or a bound |
//! | [`report`] | results as text and JSON |
//! | [`generate`] | scalable families of tasks with known optimal costs |
//! | [`cli`] | the commands |

pub mod cli;
pub mod generate;
pub mod heuristic;
pub mod input;
pub mod pipeline;
pub mod report;

mod failure;
mod machine;
mod progress;
mod watch;

pub use failure::{Failure, Status};
