//! Experiments: every task of some suites with every configuration, each run in a process of
//! its own under limits, results in one SQLite file, and a report.
//!
//! ```text
//! experiment.toml ─experiment─► Experiment ─suite─► tasks × configurations ─local, slurm─► runs
//!    ─supervise─► Outcome ─read─► Measures ─execute─► Record ─store─► SQLite ─report─► HTML, CSV, …
//! ```
//!
//! This crate knows planners only from outside: their command lines, logs, plans and exit
//! codes. Our own planner is one of them and is called like any other.

mod clock;
mod error;
mod excerpt;
mod execute;
mod experiment;
mod local;
mod model;
mod name;
mod noun;
mod owner;
pub mod properties;
mod read;
pub mod report;
mod scratch;
pub mod slurm;
mod status;
mod store;
mod suite;
mod supervise;

pub use error::Error;
pub use execute::Executor;
pub use experiment::{EngineKind, EngineSettings, Experiment, SlurmSettings};
pub use local::{Event, run_local};
pub use model::{Configuration, Limits, Measures, Planner, Record, Status, Task, TaskFiles};
pub use owner::machine;
pub use scratch::Scratch;
pub use status::{Line, Overview, Running, human, plain};
pub use store::{ClaimedRun, Next, RunKey, Store};
pub use supervise::{End, Error as SuperviseError, Job, Outcome, run_supervised, supervise};
