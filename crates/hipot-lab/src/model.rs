//! What is run and what came out: the nouns of every other module.

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A task of a suite. `domain` and `problem` name it in tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The suite that it belongs to.
    pub suite: String,
    /// The folder's name.
    pub domain: String,
    /// The file's name.
    pub problem: String,
    /// Where it stands.
    pub files: TaskFiles,
}

/// The files of a task, as absolute paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskFiles {
    /// A domain and a problem.
    Pddl {
        /// The domain.
        domain: PathBuf,
        /// The problem.
        problem: PathBuf,
    },
    /// A task in Fast Downward's finite-domain format.
    Sas(PathBuf),
}

/// What a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Processor time of all its processes together; elapsed time is limited to a
    /// little more than twice that, for planners that wait.
    pub time: Duration,
    /// Memory of all its processes together, in bytes.
    pub memory: u64,
    /// How much it may write to standard output and standard error together, in bytes.
    pub output: u64,
}

/// A planner to be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Configuration {
    /// Its name in tables.
    pub name: String,
    /// What is run.
    pub planner: Planner,
    /// Inside these limits.
    pub limits: Limits,
}

/// What a configuration runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Planner {
    /// `hipot solve`.
    Hipot {
        /// The heuristic's spec.
        heuristic: String,
        /// Further options.
        options: Vec<String>,
    },
    /// Any other program: words with `{domain}`, `{problem}`, `{plan}`, `{seconds}` and
    /// `{megabytes}` to be filled in.
    Command(
        /// The words.
        Vec<String>,
    ),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// With a plan that our validator accepts, and the cost that the planner claims.
    Solved,
    /// With the word that there is no plan.
    Unsolvable,
    /// By its own account without a plan, and without a proof that there is none.
    Unsolved,
    /// At its time limit.
    TimeLimit,
    /// At its memory limit.
    MemoryLimit,
    /// At the limit of what it may write.
    OutputLimit,
    /// With the word that it does not support the task.
    Unsupported,
    /// With the word that the task is wrong.
    InputError,
    /// With a plan that our validator rejects, or another cost than it claims.
    InvalidPlan,
    /// In any other way: a signal, an unknown exit code, a program that is not there.
    Crashed,
}

impl Status {
    /// All of them, in the order of reports.
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

    /// The status with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

impl Display for Status {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// One run and all that is known of it.
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
    /// Version and revision of the planner, as far as it is known.
    pub revision: String,
    /// The machine that it ran on.
    pub machine: String,
    /// Whether it was run elsewhere: its plan was not validated here.
    #[serde(default)]
    pub imported: bool,
    /// The limits that it ran under; zero where they are not known.
    pub limits: Limits,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// How it ended.
    pub status: Status,
    /// Why, where the status does not say all: the validator's words, the signal.
    pub reason: Option<String>,
    /// The exit code; `None` where a signal ended it.
    pub exit_code: Option<i32>,
    /// The numbers.
    pub measures: Measures,
    /// Standard output and standard error, the middle left out where they are long.
    pub log: String,
}

/// The numbers of a run; those that a planner does not tell are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// The plan's cost, as the validator computed it.
    pub cost: Option<u64>,
    /// The plan's number of steps.
    pub plan_length: Option<u64>,
    /// A proven lower bound on the cost of every plan.
    pub lower_bound: Option<u64>,
    /// The initial state's estimate.
    pub initial_h: Option<u64>,
    /// The same before rounding, as a fraction.
    pub initial_exact: Option<String>,
    /// States evaluated.
    pub evaluated: Option<u64>,
    /// States expanded.
    pub expanded: Option<u64>,
    /// States expanded before the last f layer.
    pub expanded_until_last_jump: Option<u64>,
    /// States generated.
    pub generated: Option<u64>,
    /// States reopened.
    pub reopened: Option<u64>,
    /// Dead ends.
    pub dead_ends: Option<u64>,
    /// Seconds of search, as the planner tells.
    pub search_seconds: Option<f64>,
    /// Seconds in all, as the planner tells.
    pub total_seconds: Option<f64>,
    /// Seconds elapsed, as measured from outside.
    pub wall_seconds: f64,
    /// Seconds of processor time of all processes, as measured from outside.
    pub cpu_seconds: f64,
    /// The most memory that all processes had together, in bytes.
    pub peak_memory: u64,
    /// All that the planner reports as JSON, the plan left out.
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
