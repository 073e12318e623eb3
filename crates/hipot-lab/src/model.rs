//! What is run, and what came out: the types that all other modules share.

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A task of a suite. In tables it is called by `domain` and `problem`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The name of its suite.
    pub suite: String,
    /// The name of its folder.
    pub domain: String,
    /// The name of its file.
    pub problem: String,
    /// Its files.
    pub files: TaskFiles,
}

/// The files of a task, as absolute paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskFiles {
    /// A task in PDDL.
    Pddl {
        /// The domain file.
        domain: PathBuf,
        /// The problem file.
        problem: PathBuf,
    },
    /// A task in Fast Downward's finite-domain format.
    Sas(PathBuf),
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Processor time of all its processes together. Elapsed time is limited to a little more
    /// than twice that, for planners that wait.
    pub time: Duration,
    /// Memory of all its processes together, in bytes.
    pub memory: u64,
    /// Output to standard output and standard error together, in bytes.
    pub output: u64,
}

impl Limits {
    /// The limit on elapsed time.
    pub(crate) fn elapsed(&self) -> Duration {
        self.time.saturating_mul(2).saturating_add(Duration::from_secs(10))
    }
}

/// A planner, with its options and limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Configuration {
    /// Its name in tables.
    pub name: String,
    /// The planner.
    pub planner: Planner,
    /// The limits of each of its runs.
    pub limits: Limits,
}

/// The planner that a configuration runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Planner {
    /// `hipot solve`.
    Hipot {
        /// The heuristic's spec.
        heuristic: String,
        /// Further options of `hipot solve`.
        options: Vec<String>,
    },
    /// Any other program, as the words of its command line, in which `{domain}`,
    /// `{problem}`, `{plan}`, `{seconds}` and `{megabytes}` are filled in.
    Command(Vec<String>),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It found a plan that our validator accepts, with the cost that the planner claims.
    Solved,
    /// It says that there is no plan.
    Unsolvable,
    /// It ended by itself, without a plan and without saying that there is none.
    Unsolved,
    /// It reached its time limit.
    TimeLimit,
    /// It reached its memory limit.
    MemoryLimit,
    /// It reached the limit on what it may write.
    OutputLimit,
    /// It says that it does not support the task.
    Unsupported,
    /// It says that the task is malformed.
    InputError,
    /// Our validator rejects its plan, or the plan's cost is not the one it claims.
    InvalidPlan,
    /// Anything else: a signal, an unknown exit code, a program that does not exist.
    Crashed,
}

impl Status {
    /// All statuses, in the order of reports.
    pub const ALL: [Self; 10] = [
        Self::Solved,
        Self::Unsolvable,
        Self::Unsolved,
        Self::TimeLimit,
        Self::MemoryLimit,
        Self::OutputLimit,
        Self::Unsupported,
        Self::InputError,
        Self::InvalidPlan,
        Self::Crashed,
    ];

    /// Its name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Unsolved => "unsolved",
            Self::TimeLimit => "time-limit",
            Self::MemoryLimit => "memory-limit",
            Self::OutputLimit => "output-limit",
            Self::Unsupported => "unsupported",
            Self::InputError => "input-error",
            Self::InvalidPlan => "invalid-plan",
            Self::Crashed => "crashed",
        }
    }

    /// Whether the task is solved: with a plan, or by saying that there is none.
    pub fn is_solved(self) -> bool {
        matches!(self, Self::Solved | Self::Unsolvable)
    }

    /// Whether something is wrong with the planner, so that its other results are in doubt too.
    pub(crate) fn is_alarming(self) -> bool {
        matches!(self, Self::InvalidPlan | Self::Crashed)
    }

    /// The status with this name, if any.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

impl Display for Status {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The task's suite.
    pub suite: String,
    /// The task's domain.
    pub domain: String,
    /// The task's problem.
    pub problem: String,
    /// The configuration's name.
    pub configuration: String,
    /// Version and revision of the planner, as far as they are known.
    pub revision: String,
    /// The machine on which it ran.
    pub machine: String,
    /// Whether it was run elsewhere, so that its plan was not validated here.
    #[serde(default)]
    pub imported: bool,
    /// The limits under which it ran; unknown ones are zero.
    pub limits: Limits,
    /// When it started, in seconds since 1970.
    pub started: u64,
    /// How it ended.
    pub status: Status,
    /// The reason, if the status does not say everything: the validator's words, the signal.
    pub reason: Option<String>,
    /// The exit code; `None` if the planner was ended by a signal.
    pub exit_code: Option<i32>,
    /// The numbers.
    pub measures: Measures,
    /// Standard output and standard error, without their middle if they are long.
    pub log: String,
}

/// The numbers of a run. Those that the planner does not report are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// The plan's cost, as the validator computed it.
    pub cost: Option<u64>,
    /// The number of steps of the plan.
    pub plan_length: Option<u64>,
    /// A proven lower bound on the cost of every plan.
    pub lower_bound: Option<u64>,
    /// The heuristic value of the initial state.
    pub initial_h: Option<u64>,
    /// The heuristic value of the initial state before rounding, as a fraction.
    pub initial_exact: Option<String>,
    /// The number of states evaluated.
    pub evaluated: Option<u64>,
    /// The number of states expanded.
    pub expanded: Option<u64>,
    /// The number of states expanded before the last f layer.
    pub expanded_until_last_jump: Option<u64>,
    /// The number of states generated.
    pub generated: Option<u64>,
    /// The number of states reopened.
    pub reopened: Option<u64>,
    /// The number of dead ends.
    pub dead_ends: Option<u64>,
    /// Seconds of search, according to the planner.
    pub search_seconds: Option<f64>,
    /// Seconds in total, according to the planner.
    pub total_seconds: Option<f64>,
    /// Seconds elapsed, measured from outside.
    pub wall_seconds: f64,
    /// Seconds of processor time of all processes, measured from outside.
    pub cpu_seconds: f64,
    /// The peak of the memory of all processes together, in bytes.
    pub peak_memory: u64,
    /// The planner's JSON report without the plan.
    pub statistics: Option<serde_json::Value>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_have_one_name() {
        for status in Status::ALL {
            let json = serde_json::to_string(&status).expect("a name");
            assert_eq!(json, format!("\"{status}\""));
            assert_eq!(Status::from_name(status.name()), Some(status));
        }
    }
}
