//! The planner as a library: tasks in, limits in, events out, results out.
//!
//! Modules use only those above them in this table.
//!
//! | module | what |
//! |---|---|
//! | [`spec`] | heuristic specs such as `pot(dim=2)` |
//! | [`partitioning`] | what the state equation and cost partitionings prove |
//! | [`heuristic`] | computed heuristics: data to read, report and search with |
//! | [`events`] | what happens during a run, told to one sink |
//! | [`settings`] | how heuristics are computed and plans searched |
//! | [`input`] | from files to a task, with errors that name their place |
//! | [`correspondence`] | cost partitionings as potential functions: Theorem 7 |
//! | `json_file`, [`pattern_file`] | JSON files whose errors name their place; patterns |
//! | [`potential_file`] | features and potential functions as JSON |
//! | [`function_file`] | the same from JSON files and from certificates |
//! | [`sums`], [`sum_heuristic`] | what saturated cost partitionings prove, for any state |
//! | `average` | potential functions that are good in other states than the initial one |
//! | `potential`, `saturated` | potential heuristics, saturated cost partitionings |
//! | [`compute`] | from a spec to a heuristic |
//! | `search_task`, `samples` | the task that is searched, and a sample of its states |
//! | `symmetric` | the symmetries that a search may use |
//! | [`plan_check`] | plans are executed before anyone sees them |
//! | [`search`] | A* with a computed heuristic |
//! | [`solution`] | what solving a task gave |
//! | [`auto`] | the schedule of heuristics and searches behind `auto` |
//! | [`solve`] | the entry point: from a task and a spec to an optimal plan |
//! | [`anytime`] | the same with a plan early on |
//! | [`certificate`] | what a heuristic proves, for others to check |
//! | [`proof`] | what a heuristic and a search prove together |
//! | [`report`] | results as text and JSON |
//! | [`verdict`] | whether a plan is valid and a certificate holds, as text and JSON |

pub mod anytime;
pub mod auto;
pub mod certificate;
pub mod compute;
pub mod correspondence;
pub mod diagnostics;
pub mod events;
pub mod function_file;
pub mod heuristic;
pub mod input;
pub mod no_plan;
pub mod partitioning;
pub mod pattern_file;
pub mod plan_check;
pub mod potential_file;
pub mod proof;
pub mod report;
pub mod search;
pub mod settings;
pub mod solution;
pub mod solve;
pub mod spec;
pub mod sum_heuristic;
pub mod sums;
pub mod verdict;

mod average;
mod failure;
mod json_file;
mod machine;
mod potential;
mod samples;
mod saturated;
mod search_task;
mod symmetric;

pub use failure::{Failure, Status};
pub use machine::{available_memory, peak_memory};

/// The tutorial, compiled and run with the other documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorial.md")]
mod tutorial {}
