//! What Slurm is given: the batch script and the options of sbatch.
//!
//! Everything that comes from the experiment goes to sbatch as words of its command line, never
//! through a shell or an `#SBATCH` line. The script contains only quoted paths, and the setup
//! lines that are meant for the shell. It redirects its own output: a name given to `--output`
//! is a pattern, even in its folders, and Slurm cannot be given a name that contains both `%`
//! and `\`.
//!
//! The time and memory that we request are slightly above the limits of the runs. Our own
//! supervisor enforces those, in the same way on every machine; Slurm's limits only free the
//! node if everything else fails.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::error::Error;
use super::spool::Attempt;
use crate::{Limits, SlurmSettings};

/// How runs are submitted to Slurm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// The partition; `None`: the cluster's default.
    pub partition: Option<String>,
    /// The quality of service.
    pub qos: Option<String>,
    /// The account.
    pub account: Option<String>,
    /// The number of runs that an array element makes, one after the other.
    pub chunk: usize,
    /// The most elements of an array that run at once.
    pub array_limit: Option<u32>,
    /// Shell commands before the runs, such as `module load …`. The element ends if one fails.
    pub setup: Vec<String>,
    /// The environment variables for the jobs, as in `--export`; `None`: all.
    pub export: Option<String>,
    /// Further options of sbatch, which override ours.
    pub options: Vec<String>,
    /// How often a run is submitted again if its array element ended without a record.
    pub retries: u32,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            partition: None,
            qos: None,
            account: None,
            chunk: 1,
            array_limit: None,
            setup: Vec::new(),
            export: None,
            options: Vec::new(),
            retries: 2,
        }
    }
}

impl From<&SlurmSettings> for Params {
    fn from(settings: &SlurmSettings) -> Self {
        let default = Self::default();
        Self {
            partition: settings.partition.clone(),
            qos: settings.qos.clone(),
            account: settings.account.clone(),
            chunk: settings.chunk.map_or(default.chunk, |chunk| chunk as usize),
            array_limit: settings.array_limit,
            setup: settings.setup.clone(),
            export: settings.export.clone(),
            options: settings.options.clone(),
            retries: settings.retries.unwrap_or(default.retries),
        }
    }
}

/// Options with which we could not find the jobs again, with the reason. Short options also
/// match with their value attached.
const REFUSED: [(&str, &str); 9] = [
    ("--array", "the runs are the array"),
    ("-a", "the runs are the array"),
    ("--clusters", "squeue would not see the jobs; set SLURM_CLUSTERS instead"),
    ("-M", "squeue would not see the jobs; set SLURM_CLUSTERS instead"),
    ("--job-name", "jobs are found again by their name"),
    ("-J", "jobs are found again by their name"),
    ("--wait", "several arrays are submitted"),
    ("-W", "several arrays are submitted"),
    ("--wrap", "the script is ours"),
];

impl Params {
    /// Refuses options with which we could not find the jobs again.
    pub(super) fn check(&self) -> Result<(), Error> {
        for option in &self.options {
            let name = option.split('=').next().unwrap_or_default();
            for (refused, reason) in REFUSED {
                let short = refused.len() == 2 && name.starts_with(refused);
                if name == refused || short && !name.starts_with("--") {
                    return Err(Error::Option { option: option.clone(), reason });
                }
            }
        }
        Ok(())
    }

    /// The arguments of sbatch for an array of `elements`, all with the same limits.
    pub(super) fn arguments(&self, name: &str, elements: &[Vec<Attempt>]) -> Vec<OsString> {
        let limit = self.array_limit.map(|limit| format!("%{limit}")).unwrap_or_default();
        let mut words: Vec<OsString> = vec![
            "--parsable".into(),
            "--no-requeue".into(),
            "--nodes=1".into(),
            "--ntasks=1".into(),
            "--cpus-per-task=1".into(),
            format!("--array=0-{}{limit}", elements.len().max(1) - 1).into(),
            format!("--job-name={name}").into(),
            format!("--time={}", minutes(elements)).into(),
            format!("--mem={}M", megabytes(elements)).into(),
            "--output=/dev/null".into(),
            "--chdir=/".into(),
        ];
        let named = [
            ("partition", &self.partition),
            ("qos", &self.qos),
            ("account", &self.account),
            ("export", &self.export),
        ];
        for (option, value) in named {
            words.extend(value.iter().map(|value| format!("--{option}={value}").into()));
        }
        words.extend(self.options.iter().map(Into::into));
        words
    }
}

/// The elapsed time that a run may take: what the supervisor allows (twice the processor time
/// and ten seconds), and generous time to validate the plan.
fn elapsed(limits: &Limits) -> Duration {
    limits.time * 2 + Duration::from_secs(10) + VALIDATION
}

const VALIDATION: Duration = Duration::from_secs(120);
/// Memory for the supervisor, and for `lab work` with a log.
const MEMORY_SLACK: u64 = 256 << 20;

/// The time to request, in Slurm's unit of minutes.
fn minutes(elements: &[Vec<Attempt>]) -> u64 {
    let element = |runs: &Vec<Attempt>| {
        runs.iter().map(|attempt| elapsed(&attempt.run.configuration.limits)).sum::<Duration>()
    };
    let longest = elements.iter().map(element).max().unwrap_or_default();
    longest.as_secs().div_ceil(60) + 1
}

/// The memory to request, in Slurm's `M`, which are mebibytes.
fn megabytes(elements: &[Vec<Attempt>]) -> u64 {
    let runs = elements.iter().flatten();
    let largest = runs.map(|attempt| attempt.run.configuration.limits.memory).max();
    largest.unwrap_or_default().saturating_add(MEMORY_SLACK).div_ceil(1 << 20)
}

/// The batch script. Its last command replaces the shell, so that signals reach it.
pub(super) fn batch_script(
    params: &Params,
    hipot: &Path,
    spool: &Path,
    submission: u64,
) -> Vec<u8> {
    let mut script = b"#!/bin/bash\nset -e\n".to_vec();
    let log = quoted(&spool.join(submission.to_string()).join("log-"));
    let log = [log.as_slice(), b"\"$SLURM_ARRAY_TASK_ID.txt\""].concat();
    append_command(&mut script, &[b"exec >>", &log, b"2>&1"]);
    let home = spool.parent().unwrap_or(spool);
    append_command(&mut script, &[b"cd", b"--", &quoted(home)]);
    for line in &params.setup {
        append_command(&mut script, &[line.as_bytes()]);
    }
    let number = submission.to_string();
    append_command(
        &mut script,
        &[
            b"exec",
            &quoted(hipot),
            b"lab work --",
            &quoted(spool),
            number.as_bytes(),
            b"\"$SLURM_ARRAY_TASK_ID\"",
        ],
    );
    script
}

fn append_command(script: &mut Vec<u8>, words: &[&[u8]]) {
    script.extend(words.join(&b' '));
    script.push(b'\n');
}

/// A path, quoted as one word for the shell.
fn quoted(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    let mut word = vec![b'\''];
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'\'' => word.extend(b"'\\''"),
            _ => word.push(byte),
        }
    }
    word.push(b'\'');
    word
}

/// A unique name for the job of a submission, of characters without a meaning for Slurm.
pub(super) fn job_name(experiment: &str, nonce: u128) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = experiment.chars().map(plain).take(40).collect();
    format!("hipot-{name}-{nonce:x}")
}
