//! Turns waiting runs into array jobs.
//!
//! All elements of an array have the same time and memory, so runs are grouped by their limits.
//! How many jobs a user may have is hard to find out, because the user, the account, the
//! quality of service and the partition all have limits. So we try: large arrays first, half
//! the size whenever sbatch says that there are too many, twice the size after every success.
//! When not even one element is accepted, we wait for jobs to end.

use std::mem;
use std::path::Path;
use std::time::{Duration, Instant};

use super::error::Error;
use super::files::nonce;
use super::ledger::Ledger;
use super::queue::{Queue, SubmitError};
use super::script::{Params, batch_script, job_name};
use super::spool::{Attempt, Spool, Submission};
use crate::noun::counted;

/// What sbatch did with an array.
enum Submitted {
    Accepted,
    Full(String),
    Unreachable(String),
}

/// Takes the elements of the next array out of `waiting`, at most `max_elements`: runs with
/// the same limits, `chunk` of them per element. Runs that failed before get an element of
/// their own.
fn next_array(waiting: &mut Vec<Attempt>, chunk: usize, max_elements: usize) -> Vec<Vec<Attempt>> {
    let mut elements: Vec<Vec<Attempt>> = Vec::new();
    for attempt in mem::take(waiting) {
        let limits = attempt.run.configuration.limits;
        let same = elements.first().is_none_or(|e| e[0].run.configuration.limits == limits);
        let has_room = elements.len() < max_elements;
        match elements.last_mut() {
            Some(last)
                if same && attempt.before == 0 && last[0].before == 0 && last.len() < chunk =>
            {
                last.push(attempt);
            }
            _ if same && has_room => elements.push(vec![attempt]),
            _ => waiting.push(attempt),
        }
    }
    elements
}

/// How much to submit at once, and when.
#[derive(Debug)]
pub(super) struct Throttle {
    /// The most elements that an array may have.
    max_elements: usize,
    /// The number of elements to try next.
    next_size: usize,
    /// Nothing is submitted before this time.
    not_before: Option<Instant>,
}

impl Throttle {
    /// Starts with arrays of `max_elements`.
    pub(super) fn new(max_elements: usize) -> Self {
        Self { max_elements, next_size: max_elements, not_before: None }
    }

    fn grow(&mut self) {
        self.next_size = (self.next_size * 2).min(self.max_elements);
    }
}

/// Submits runs as far as Slurm accepts them.
pub(super) struct Submitter<'a> {
    /// The experiment's name.
    pub(super) experiment: &'a str,
    /// This program, where the nodes find it.
    pub(super) hipot: &'a Path,
    pub(super) params: &'a Params,
    pub(super) spool: &'a Spool,
    pub(super) queue: &'a dyn Queue,
    /// How long to wait when Slurm accepts no more jobs.
    pub(super) pause: Duration,
    pub(super) throttle: Throttle,
}

impl Submitter<'_> {
    /// Submits what waits, as far as Slurm accepts it now.
    pub(super) fn submit(&mut self, ledger: &mut Ledger) -> Result<(), Error> {
        if self.throttle.not_before.is_some_and(|time| Instant::now() < time) {
            return Ok(());
        }
        self.throttle.not_before = None;
        while !ledger.waiting.is_empty() {
            let elements = next_array(
                &mut ledger.waiting,
                self.params.chunk.max(1),
                self.throttle.next_size.max(1),
            );
            let size = elements.len();
            match self.submit_array(ledger, elements)? {
                Submitted::Accepted => self.throttle.grow(),
                Submitted::Full(_) if size > 1 => self.throttle.next_size = size / 2,
                Submitted::Full(message) if ledger.submissions.is_empty() => {
                    return Err(Error::Command { program: "sbatch", message });
                }
                Submitted::Full(message) | Submitted::Unreachable(message) => {
                    let runs = counted(ledger.waiting.len() as u64, "run");
                    tracing::info!("{runs} waiting for sbatch: {message}");
                    self.throttle.not_before = Some(Instant::now() + self.pause);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Submits one array. If that fails, its runs wait again, ahead of the others.
    fn submit_array(
        &self,
        ledger: &mut Ledger,
        elements: Vec<Vec<Attempt>>,
    ) -> Result<Submitted, Error> {
        let number = self.spool.reserve()?;
        let name = job_name(self.experiment, nonce());
        let script = batch_script(self.params, self.hipot, self.spool.path(), number);
        let script = self.spool.write_submission(number, &name, &elements, &script)?;
        let options = self.params.arguments(&name, &elements);
        let submitted = match self.queue.submit(&options, &script) {
            Ok(job) => {
                self.spool.write_job(number, &job)?;
                let count = counted(elements.len() as u64, "array element");
                tracing::info!("{count} submitted as job {job}");
                let submission = Submission { name, elements: elements.len() };
                ledger.enter(number, &submission, Some(job), elements);
                return Ok(Submitted::Accepted);
            }
            Err(SubmitError::Full(message)) => {
                self.spool.remove_submission(number);
                Submitted::Full(message)
            }
            Err(SubmitError::Unreachable(message)) => {
                self.spool.void(number)?;
                Submitted::Unreachable(message)
            }
            Err(SubmitError::Refused(error)) => {
                self.spool.void(number)?;
                return Err(error);
            }
        };
        ledger.waiting.splice(0..0, elements.into_iter().flatten());
        Ok(submitted)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;
    use super::*;

    fn attempt(problem: &str, seconds: u64, before: u32) -> Attempt {
        Attempt { run: run(problem, seconds), before }
    }

    #[test]
    fn arrays_have_one_limit_and_repeat_runs_alone() {
        let mut waiting = vec![
            attempt("p1", 1, 0),
            attempt("p2", 9, 0),
            attempt("p3", 1, 0),
            attempt("p4", 1, 0),
            attempt("p5", 1, 1),
            attempt("p6", 1, 0),
            attempt("p7", 1, 0),
        ];
        let names = |elements: &[Vec<Attempt>]| -> Vec<String> {
            let name = |e: &Vec<Attempt>| {
                e.iter().map(|a| a.run.task.problem.clone()).collect::<Vec<_>>().join(" ")
            };
            elements.iter().map(name).collect()
        };
        let first = next_array(&mut waiting, 2, 4);
        assert_eq!(names(&first), ["p1 p3", "p4", "p5", "p6 p7"]);
        assert_eq!(names(&next_array(&mut waiting, 2, 4)), ["p2"]);
        assert!(waiting.is_empty());
    }
}
