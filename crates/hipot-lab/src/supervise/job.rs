//! What the lab asks of a supervisor, and what it gets back.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::model::Limits;

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// A folder made for this run, in which the program starts and has its temporary
    /// files. It is removed where the lifeline closes.
    pub directory: PathBuf,
    /// The limits.
    pub limits: Limits,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By itself, with this exit code.
    Exited(i32),
    /// By a signal that was not ours.
    Signaled(i32),
    /// At its time limit.
    TimeLimit,
    /// At its memory limit.
    MemoryLimit,
    /// At the limit of what it may write.
    OutputLimit,
    /// Before it began.
    NotStarted(String),
    /// With the lab that wanted it.
    Interrupted,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// The exit code, also of a planner that ended by itself when it was told to.
    pub exit_code: Option<i32>,
    /// Seconds elapsed.
    pub wall_seconds: f64,
    /// Seconds of processor time of all processes.
    pub cpu_seconds: f64,
    /// The most memory that all processes had together, in bytes.
    pub peak_memory: u64,
    /// Standard output, its middle left out where it is long.
    pub output: String,
    /// Standard error, likewise.
    pub errors: String,
}

impl Outcome {
    pub(super) fn not_started(reason: String) -> Self {
        Self {
            end: End::NotStarted(reason),
            exit_code: None,
            wall_seconds: 0.0,
            cpu_seconds: 0.0,
            peak_memory: 0,
            output: String::new(),
            errors: String::new(),
        }
    }
}
