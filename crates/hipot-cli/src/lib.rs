//! The command line `hipot`.
//!
//! The planner itself is the library `hipot`; here is what people type and read.
//!
//! | module | what |
//! |---|---|
//! | `commands` | the commands and their options |
//! | `explain` | what a potential function is made of, for people |
//! | `generate` | scalable families of tasks with known optimal costs |
//! | `logs` | log lines |
//! | `progress` | the progress line |
//! | `reporter` | writes the one result of a run |
//! | `output` | standard output, for the result alone |
//! | `version` | the version, with its revision |
//! | `wording` | counts that agree with their noun |
//! | `watch` | enforces limits in stages that do not check them |

mod commands;
mod explain;
mod generate;
mod logs;
mod output;
mod progress;
mod reporter;
mod version;
mod watch;
mod wording;

pub use commands::{main, run_command};
pub use output::end_log;

/// Tests of what is private here, outside of the source folder because of their length.
#[cfg(test)]
#[path = "../tests/unit/mod.rs"]
mod unit;
