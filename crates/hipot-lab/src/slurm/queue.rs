//! Slurm's commands: sbatch, squeue, scancel, scontrol.
//!
//! The engine sees them as a [`Queue`], so that its decisions can be tested without a
//! cluster. Accounting (sacct) is not used: many clusters have none, and squeue still shows a
//! job for some minutes after its end.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::error::Error;

/// What the engine needs from a cluster.
pub trait Queue {
    /// Submits an array job and returns its id.
    fn submit(&self, options: &[OsString], script: &Path) -> Result<String, SubmitError>;
    /// The state of all jobs of this user that the cluster still knows.
    fn states(&self) -> Result<Activity, Error>;
    /// Cancels jobs. Some of them may already have ended.
    fn cancel(&self, jobs: &[String]) -> Result<(), Error>;
    /// The most elements that an array may have.
    fn largest_array(&self) -> Result<usize, Error>;
}

/// Why a job was not submitted.
#[derive(Debug)]
pub enum SubmitError {
    /// The user has too many jobs. The same job may be accepted later, or with fewer
    /// elements.
    Full(String),
    /// The controller did not answer, but may have accepted the job.
    Unreachable(String),
    /// Anything else.
    Refused(Error),
}

/// The state of an array element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementState {
    /// Slurm's name for it, such as `RUNNING`.
    pub state: String,
    /// Why it is in that state, such as `Resources`.
    pub reason: String,
}

impl ElementState {
    /// Whether the state is final. Unknown states are not.
    pub(super) fn has_ended(&self) -> bool {
        const ENDED: [&str; 10] = [
            "BOOT_FAIL",
            "CANCELLED",
            "COMPLETED",
            "DEADLINE",
            "FAILED",
            "NODE_FAIL",
            "OUT_OF_MEMORY",
            "PREEMPTED",
            "REVOKED",
            "TIMEOUT",
        ];
        ENDED.contains(&self.state.as_str())
    }
}

/// The jobs of a user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// The states of array elements, by job id and index.
    pub elements: BTreeMap<(String, usize), ElementState>,
    /// Job ids by name.
    pub names: BTreeMap<String, String>,
}

impl Activity {
    /// Adds an array element.
    pub(super) fn add(&mut self, job: &str, name: &str, element: usize, state: ElementState) {
        self.names.insert(name.to_owned(), job.to_owned());
        self.elements.insert((job.to_owned(), element), state);
    }

    /// Reads what squeue prints in [`FORMAT`]. Other lines (`CLUSTER: …`, jobs that are not
    /// arrays) are skipped.
    fn parse(text: &str) -> Self {
        let mut activity = Self::default();
        for line in text.lines() {
            let fields: Vec<&str> = line.splitn(5, '|').collect();
            let &[job, element, state, reason, name] = fields.as_slice() else { continue };
            let Ok(element) = element.parse() else { continue };
            let state = ElementState { state: state.to_owned(), reason: reason.to_owned() };
            activity.add(job, name, element, state);
        }
        activity
    }
}

/// The format for squeue: array job, index, state, reason, name.
const FORMAT: &str = "%F|%K|%T|%r|%j";

/// Slurm's commands in the `PATH`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SlurmCommands;

impl SlurmCommands {
    fn run(
        program: &'static str,
        words: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Result<Output, Error> {
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            if is_harmful(&name) {
                command.env_remove(name);
            }
        }
        command.output().map_err(|source| Error::NoSlurm { program, source })
    }

    fn text(program: &'static str, words: &[&str]) -> Result<String, Error> {
        let output = Self::run(program, words)?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            Err(Error::Command { program, message: message(&output) })
        }
    }
}

/// Whether an environment variable would hide jobs from us, or make sbatch wait for the end of
/// the job.
fn is_harmful(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"SQUEUE_") || name == "SBATCH_WAIT"
}

/// What a failed command says.
fn message(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if text.is_empty() { output.status.to_string() } else { text }
}

/// Whether sbatch failed for a reason that goes away as jobs end. The names of limits of
/// associations and of qualities of service contain `SubmitJob`.
fn is_full(message: &str) -> bool {
    ["SubmitJob", "submit limit", "temporarily unavailable"]
        .iter()
        .any(|words| message.contains(words))
}

/// Whether the controller did not answer: it is being restarted, or is overloaded.
fn is_unreachable(message: &str) -> bool {
    ["Unable to contact slurm controller", "timed out", "Connection refused", "Zero Bytes"]
        .iter()
        .any(|words| message.contains(words))
}

impl Queue for SlurmCommands {
    fn submit(&self, options: &[OsString], script: &Path) -> Result<String, SubmitError> {
        let words = options.iter().map(OsString::as_os_str).chain([script.as_os_str()]);
        let output = Self::run("sbatch", words).map_err(SubmitError::Refused)?;
        if !output.status.success() {
            let message = message(&output);
            return Err(match &message {
                full if is_full(full) => SubmitError::Full(message),
                silent if is_unreachable(silent) => SubmitError::Unreachable(message),
                _ => SubmitError::Refused(Error::Command { program: "sbatch", message }),
            });
        }
        // JOB or JOB;CLUSTER
        let text = String::from_utf8_lossy(&output.stdout);
        let job = text.trim().split(';').next().unwrap_or_default();
        if job.parse::<u64>().is_err() {
            let message = format!("expected a job id, found “{}”", text.trim());
            return Err(SubmitError::Refused(Error::Command { program: "sbatch", message }));
        }
        Ok(job.to_owned())
    }

    fn states(&self) -> Result<Activity, Error> {
        let format = format!("--format={FORMAT}");
        let words = ["--me", "--array", "--noheader", "--states=all", &format];
        Self::text("squeue", &words).map(|text| Activity::parse(&text))
    }

    fn cancel(&self, jobs: &[String]) -> Result<(), Error> {
        if jobs.is_empty() {
            return Ok(());
        }
        // --quiet: it is not an error if a job has ended meanwhile.
        let words = ["--quiet"].into_iter().chain(jobs.iter().map(String::as_str));
        Self::text("scancel", &words.collect::<Vec<_>>()).map(|_| ())
    }

    fn largest_array(&self) -> Result<usize, Error> {
        let text = Self::text("scontrol", &["show", "config"])?;
        let value = text.lines().find_map(|line| {
            let (name, value) = line.split_once('=')?;
            (name.trim() == "MaxArraySize").then(|| value.trim().parse::<usize>().ok())?
        });
        // Indices are below MaxArraySize; 0 means that arrays are disabled.
        match value {
            Some(0) => Err(Error::Command {
                program: "scontrol",
                message: "this cluster does not accept array jobs (MaxArraySize=0)".to_owned(),
            }),
            Some(size) => Ok(size),
            None => Ok(1001),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squeue_is_read() {
        let text = "CLUSTER: here\n7|0|RUNNING|None|hipot-a|b\n7|1|PENDING|Resources|hipot-a|b\n\
                    8|N/A|RUNNING|None|other\n\n9|12|NODE_FAIL|NodeDown|x\n";
        let activity = Activity::parse(text);
        assert_eq!(activity.elements.len(), 3);
        assert_eq!(activity.names["hipot-a|b"], "7");
        assert!(!activity.elements[&("7".to_owned(), 1)].has_ended());
        assert!(activity.elements[&("9".to_owned(), 12)].has_ended());
    }

    #[test]
    fn a_full_queue_is_told_from_a_wrong_option() {
        assert!(is_full("sbatch: error: AssocMaxSubmitJobLimit\nsbatch: error: Batch job …"));
        assert!(is_full("Job violates accounting/QOS policy (job submit limit, user's size …)"));
        assert!(!is_full("sbatch: error: invalid partition specified: nowhere"));
    }
}
