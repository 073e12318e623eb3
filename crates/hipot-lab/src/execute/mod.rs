//! From a task and a configuration to a record: the command is filled in, run under
//! supervision, its output read, its plan validated.
//!
//! Our own planner is told limits a little inside those of the supervisor: half a second
//! and 32 MB. It looks at its limits every ten milliseconds, asks its stages to stop, and
//! gives them a quarter of a second and 16 MB to do so; all that has to be over when
//! the supervisor would step in, or its report with the statistics would be lost. It
//! measures elapsed time and the supervisor processor time, of which a single thread
//! has no more; the kernel's signal at the end of processor time (SIGXCPU) means a time
//! limit to it too.
//!
//! A plan counts if `hipot validate` accepts it, and has the cost that the planner claims
//! in its log or in the plan's last line. The validator is our program, but shares
//! nothing with the planner; it runs supervised too, being fed by strangers.

mod command;
mod plan;
mod template;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::clock::now;
use crate::model::{Configuration, Measures, Planner, Record, Status, Task};
use crate::read::{Claim, read};
use crate::scratch::Scratch;
use crate::supervise::{Error, Job, Outcome, run_supervised};
use command::planner_command;
use plan::Validator;

pub use template::check_template;

/// How much of each end of a stream goes into a record's log.
const LOG: usize = 64 << 10;
/// Executes runs.
#[derive(Clone, Debug)]
pub struct Executor {
    /// This program.
    pub hipot: PathBuf,
    /// Its version and revision, for the records of its runs.
    pub revision: String,
    /// This machine's name.
    pub machine: String,
    /// The folder for the folders of runs; it is created where it is missing.
    pub scratch: PathBuf,
}

impl Executor {
    /// Runs `configuration` on `task`. An error means that there is nothing to record:
    /// `stop` became true, or the machine does not allow to run anything.
    ///
    /// The record's revision is ours for our planner, and empty for others.
    pub fn execute(
        &self,
        task: &Task,
        configuration: &Configuration,
        stop: &AtomicBool,
    ) -> Result<Record, Error> {
        let scratch = Scratch::for_run(&self.scratch).map_err(|error| {
            let folder = self.scratch.display().to_string();
            Error::Scratch { folder, error }
        })?;
        let mut record = self.record(task, configuration);
        let command = match planner_command(&self.hipot, task, configuration, scratch.path()) {
            Ok(command) => command,
            Err(reason) => {
                (record.status, record.reason) = (Status::Unsupported, Some(reason));
                return Ok(record);
            }
        };
        let limits = configuration.limits;
        let job = Job { command, directory: scratch.path().to_owned(), limits };
        let outcome = match run_supervised(&self.hipot, &job, stop) {
            Err(error @ Error::Lost(_)) => {
                record.reason = Some(error.to_string());
                return Ok(record);
            }
            outcome => outcome?,
        };
        let mut claim = read(&configuration.planner, &outcome);
        if claim.status == Status::Solved {
            let validator = Validator { hipot: &self.hipot, task, job: &job, stop };
            validator.check(&outcome, &mut claim)?;
        }
        fill_in(&mut record, claim, &outcome);
        Ok(record)
    }

    /// A record of which nothing is known yet; should it stay so, the run crashed.
    fn record(&self, task: &Task, configuration: &Configuration) -> Record {
        let is_ours = matches!(configuration.planner, Planner::Hipot { .. });
        Record {
            suite: task.suite.clone(),
            domain: task.domain.clone(),
            problem: task.problem.clone(),
            configuration: configuration.name.clone(),
            revision: if is_ours { self.revision.clone() } else { String::new() },
            machine: self.machine.clone(),
            imported: false,
            limits: configuration.limits,
            started: now(),
            status: Status::Crashed,
            reason: None,
            exit_code: None,
            measures: Measures::default(),
            log: String::new(),
        }
    }
}

fn fill_in(record: &mut Record, claim: Claim, outcome: &Outcome) {
    record.status = claim.status;
    record.reason = claim.reason;
    record.exit_code = outcome.exit_code;
    record.measures = claim.measures;
    record.log = log(outcome);
}

/// Standard output, then standard error, each shortened.
fn log(outcome: &Outcome) -> String {
    let [output, errors] = [&outcome.output, &outcome.errors].map(|text| shortened(text, LOG));
    match (output.is_empty(), errors.is_empty()) {
        (_, true) => output,
        (true, false) => errors,
        (false, false) => format!("{}\n\n[standard error]\n{errors}", output.trim_end()),
    }
}

/// The beginning and the end of a text, `kept` bytes each.
fn shortened(text: &str, kept: usize) -> String {
    if text.len() <= 2 * kept {
        return text.to_owned();
    }
    let is_boundary = |&index: &usize| text.is_char_boundary(index);
    let head = &text[..(0..=kept).rev().find(is_boundary).unwrap_or(0)];
    let begin = (text.len() - kept..=text.len()).find(is_boundary);
    let tail = &text[begin.unwrap_or(text.len())..];
    let left_out = text.len() - head.len() - tail.len();
    format!("{head}\n[… {left_out} bytes …]\n{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_shortened_between_characters() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("aäöüß", 2), "a\n[… 6 bytes …]\nß");
    }
}
