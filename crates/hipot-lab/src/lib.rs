//! Experiments: every task of some suites with every configuration, each run in a
//! process of its own under limits, results in one SQLite file, and a report.
//!
//! ```text
//! experiment.toml ─experiment─► Experiment ─suite─► tasks × configurations ─engine─► runs
//!    ─supervise─► Outcome ─read─► Measures ─execute─► Record ─store─► SQLite ─report─► HTML, CSV, …
//! ```
//!
//! This crate knows planners only from outside: their command lines, logs, plans and
//! exit codes. Ours is one of them, called as any other.

mod model;
pub mod slurm;

pub use model::{Configuration, Limits, Measures, Planner, Record, Status, Task, TaskFiles};
