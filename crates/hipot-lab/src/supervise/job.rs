//! What the lab asks of a supervisor, and what it gets back.

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::model::Limits;

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// A folder made for this run, in which the program starts and keeps its temporary
    /// files. The supervisor removes it only if the run is interrupted.
    pub directory: PathBuf,
    /// The limits.
    pub limits: Limits,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// It ended by itself, with this exit code.
    Exited(i32),
    /// It was ended by this signal, which was not ours.
    Signaled(i32),
    /// It reached its time limit.
    TimeLimit,
    /// It reached its memory limit.
    MemoryLimit,
    /// It reached the limit on what it may write.
    OutputLimit,
    /// It could not be started, for this reason.
    NotStarted(String),
    /// The lab that wanted it is gone, or asked the supervisor to stop.
    Interrupted,
}

impl Display for End {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(out, "exit code {code}"),
            Self::Signaled(signal) => write!(out, "signal {signal}"),
            Self::TimeLimit => out.write_str("time limit"),
            Self::MemoryLimit => out.write_str("memory limit"),
            Self::OutputLimit => out.write_str("output limit"),
            Self::NotStarted(reason) => out.write_str(reason),
            Self::Interrupted => out.write_str("interrupted"),
        }
    }
}

/// The result of a run, as seen from outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// The exit code; also set if the planner exited after it was told to end.
    pub exit_code: Option<i32>,
    /// Seconds elapsed.
    pub wall_seconds: f64,
    /// Seconds of processor time of all processes.
    pub cpu_seconds: f64,
    /// The peak of the memory of all processes together, in bytes.
    pub peak_memory: u64,
    /// Standard output, without its middle if it is long.
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
