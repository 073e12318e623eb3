//! The native part of the Python package `hipot`.
//!
//! Python's side (`python/hipot/`) has the classes that people see, their types and
//! their documentation; here are the few functions under them, which hand over
//! tuples, numbers and the reports as JSON. So every attribute of a result has the
//! name that the command line's JSON gives it, and there is one place that decides.
//!
//! | module | what |
//! |---|---|
//! | `supervise` | work in a thread of its own, that Python can interrupt |
//! | `errors` | failures as Python exceptions |
//! | `task` | tasks and their states |
//! | `planning` | solve, bound, validate, verify |
//! | `potential` | potential functions, evaluated for one state or many |

#![allow(clippy::needless_pass_by_value, reason = "PyO3 hands over what it has extracted")]

mod errors;
mod planning;
mod potential;
mod supervise;
mod task;

use std::ffi::OsString;

use pyo3::prelude::*;

/// The native part of the package `hipot`.
#[pymodule]
mod _hipot {
    #[pymodule_export]
    use super::planning::{bound, solve, validate, verify};
    #[pymodule_export]
    use super::potential::{Heuristic, Potential};
    #[pymodule_export]
    use super::run_command;
    #[pymodule_export]
    use super::task::Task;
}

/// Runs a command line and gives the exit code; `program` starts this program again.
#[pyfunction]
fn run_command(py: Python<'_>, program: OsString, arguments: Vec<OsString>) -> u8 {
    py.detach(|| hipot_cli::run_command(program, arguments))
}
