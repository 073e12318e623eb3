//! From a task and a configuration to a record: fills in the command, runs it under
//! supervision, reads its output and validates its plan.
//!
//! **Limits.** Our own planner is given limits slightly inside the supervisor's: half a second
//! and 32 MB less. It checks its limits every ten milliseconds, asks its stages to stop, and
//! gives them a quarter of a second and 16 MB to do so. All that must be over before the
//! supervisor steps in, or the planner's report would be lost, and its statistics with it. Both
//! measure processor time, so a busy machine takes nothing away from a run, and elapsed time only
//! to end a planner that waits. Should the kernel's own limit come first (SIGXCPU), our planner
//! treats it in the same way.
//!
//! **Plans.** A plan counts if `hipot validate` accepts it and its cost is the one that the
//! planner claims, in its log or in the plan's last line. The validator is part of our program
//! but shares no code with the planner. It reads what strangers wrote, so it runs supervised
//! too.
//!
//! **Errors.** Whatever goes wrong with a planner is a record with its status. An error means
//! that nothing can be recorded: the run was stopped, or this machine cannot run anything.

mod command;
mod plan;
mod template;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::clock::now;
use crate::excerpt::both_ends;
use crate::model::{Configuration, Measures, Planner, Record, Status, Task};
use crate::read::{Claim, read};
use crate::scratch::Scratch;
use crate::supervise::{Error, Job, Outcome, run_supervised};
use command::planner_command;
use plan::Validator;

pub(crate) use template::check_template;

/// The bytes of each end of a stream that go into a record's log.
const KEPT_LOG_BYTES: usize = 64 << 10;

/// Executes runs.
#[derive(Clone, Debug)]
pub struct Executor {
    /// This program, which is also the supervisor and the validator.
    pub hipot: PathBuf,
    /// Its version and revision, for the records of its runs.
    pub revision: String,
    /// This machine's name.
    pub machine: String,
    /// The folder that contains the folders of runs; it is created if it is missing.
    pub scratch: PathBuf,
}

impl Executor {
    /// Runs `configuration` on `task`. An error means that there is nothing to record:
    /// `stop` became true, or this machine cannot run anything.
    ///
    /// The record's revision is ours for our planner and empty for others.
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

    /// A record of which nothing is known yet. If it stays like this, the run crashed.
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
    let [output, errors] =
        [&outcome.output, &outcome.errors].map(|text| shortened(text, KEPT_LOG_BYTES));
    match (output.is_empty(), errors.is_empty()) {
        (_, true) => output,
        (true, false) => errors,
        (false, false) => format!("{}\n\n[standard error]\n{errors}", output.trim_end()),
    }
}

/// The first and the last `kept` bytes of a text.
fn shortened(text: &str, kept: usize) -> String {
    match both_ends(text, kept) {
        Some((head, left_out, tail)) => format!("{head}\n[… {left_out} bytes …]\n{tail}"),
        None => text.to_owned(),
    }
}
