//! The loop of `lab run` on a cluster, until every run has a record.
//!
//! Each turn merges the records that have arrived, decides about elements that ended without
//! one, asks squeue for the state of all elements, and submits what waits. Looking into the
//! spool is cheap and happens in every turn. Asking squeue is work for the controller that all
//! users share, so the longer the experiment takes, the less often we ask.
//!
//! When elements fail before any has produced a record, the setup is probably wrong (a missing
//! module, a path that the nodes do not see). Then the engine stops with the output of an
//! element, instead of recording thousands of crashes.

use std::collections::BTreeSet;
use std::error::Error as StdError;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use super::error::Error;
use super::ledger::Ledger;
use super::queue::Queue;
use super::script::Params;
use super::spool::{Attempt, FinishedRun, Key, Run, Spool};
use super::submit::{Submitter, Throttle};
use crate::clock::now;
use crate::noun::counted;
use crate::{Measures, Record, Status};

/// Where the records go.
pub trait Sink {
    /// Takes a record. It may already be there.
    fn insert(&mut self, record: &Record) -> Result<(), Box<dyn StdError + Send + Sync>>;
    /// Is called with the progress now and then.
    fn progress(&mut self, progress: &Progress);
}

/// The progress of an experiment on a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The number of runs without a record.
    pub left: usize,
    /// The number of runs that wait to be submitted.
    pub unsubmitted: usize,
    /// The numbers of array elements in the queue, by state and reason.
    pub elements: Vec<(String, usize)>,
}

/// How the engine ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every run has a record.
    Done,
    /// It was asked to stop. The jobs continue.
    Interrupted,
    /// Somebody canceled the jobs.
    Canceled,
}

/// How often the engine does what.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The time between two looks into the spool.
    pub spool: Duration,
    /// The time between two questions to squeue, at first.
    pub queue: Duration,
    /// The time between two questions to squeue, in the long run.
    pub queue_at_most: Duration,
    /// How long a record may take to appear after its element has ended.
    pub settle: Duration,
    /// How long to wait when Slurm accepts no more jobs.
    pub full: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            spool: Duration::from_millis(500),
            queue: Duration::from_secs(1),
            queue_at_most: Duration::from_secs(15),
            settle: Duration::from_secs(2),
            full: Duration::from_secs(30),
        }
    }
}

/// The Slurm engine.
pub struct Engine<'a> {
    /// The experiment's name.
    pub experiment: String,
    /// This program, where the nodes find it.
    pub hipot: PathBuf,
    /// How runs are submitted to Slurm.
    pub params: Params,
    /// The folder of runs and records.
    pub spool: Spool,
    /// The cluster.
    pub queue: &'a dyn Queue,
    /// How often the engine does what.
    pub pace: Pace,
    /// Whether an array element has produced a record before. Until then, elements that fail
    /// point to a wrong setup rather than to failing runs.
    pub proven: bool,
}

/// The state of the loop.
struct State<'a> {
    ledger: Ledger,
    submitter: Submitter<'a>,
    sink: &'a mut dyn Sink,
    /// Record files of runs that we do not want.
    ignored: BTreeSet<PathBuf>,
    proven: bool,
    progress: Progress,
    begin: Instant,
    asked: Option<Instant>,
    /// Whether squeue failed the last time.
    silent: bool,
}

impl Engine<'_> {
    /// Gets a record for every run, until `should_stop` is true.
    pub fn run(
        mut self,
        runs: Vec<Run>,
        sink: &mut dyn Sink,
        should_stop: impl Fn() -> bool,
    ) -> Result<Ended, Error> {
        self.params.check()?;
        self.spool.create()?;
        let mut state = State {
            ledger: Ledger::new(runs),
            submitter: self.submitter()?,
            sink,
            ignored: BTreeSet::new(),
            proven: self.proven,
            progress: Progress::default(),
            begin: Instant::now(),
            asked: None,
            silent: false,
        };
        state.ledger.adopt(&self.spool)?;
        loop {
            self.merge(&mut state)?;
            if let Some(ended) = self.conclude(&mut state)? {
                return Ok(ended);
            }
            if state.ledger.left() == 0 {
                return Ok(Ended::Done);
            }
            if should_stop() {
                return Ok(Ended::Interrupted);
            }
            self.look(&mut state)?;
            state.submitter.submit(&mut state.ledger)?;
            // Only now: until a run is submitted again, only the old folder says how often it
            // was submitted.
            if state.ledger.waiting.is_empty() {
                self.clean(&mut state);
            }
            state.report();
            thread::sleep(self.pace.spool);
        }
    }

    fn submitter(&self) -> Result<Submitter<'_>, Error> {
        Ok(Submitter {
            experiment: &self.experiment,
            hipot: &self.hipot,
            params: &self.params,
            spool: &self.spool,
            queue: self.queue,
            pause: self.pace.full,
            throttle: Throttle::new(self.queue.largest_array()?),
        })
    }

    /// Merges the records that have arrived.
    fn merge(&self, state: &mut State<'_>) -> Result<(), Error> {
        for path in self.spool.record_files()? {
            if state.ignored.contains(&path) {
                continue;
            }
            let finished = match FinishedRun::read(&path) {
                Ok(Some(finished)) => finished,
                Ok(None) => continue,
                Err(error) => {
                    tracing::warn!("a record is set aside: {error}");
                    self.spool.set_aside(&path)?;
                    continue;
                }
            };
            if !state.ledger.wants(&finished.run) {
                state.ignored.insert(path);
                continue;
            }
            state.sink.insert(&finished.record).map_err(Error::Sink)?;
            state.ledger.finish(&finished.run.key());
            state.proven = true;
            std::fs::remove_file(&path).map_err(Error::file(&path))?;
        }
        Ok(())
    }

    /// Asks squeue for the state of the elements, unless it was asked recently.
    fn look(&self, state: &mut State<'_>) -> Result<(), Error> {
        let now = Instant::now();
        let patience = now.duration_since(state.begin) / 20;
        let interval = patience.max(self.pace.queue).min(self.pace.queue_at_most);
        if state.asked.is_some_and(|asked| now.duration_since(asked) < interval) {
            return Ok(());
        }
        state.asked = Some(now);
        let activity = match self.queue.states() {
            Ok(activity) => activity,
            Err(Error::Command { program, message }) => {
                if !state.silent {
                    tracing::warn!("{program}: {message}; waiting");
                }
                state.silent = true;
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        state.silent = false;
        state.ledger.resolve(&self.spool, &activity)?;
        let counts = state.ledger.look(&activity, now);
        state.progress.elements = counts.into_iter().collect();
        Ok(())
    }

    /// Decides about elements that ended so long ago that their records should be here.
    fn conclude(&self, state: &mut State<'_>) -> Result<Option<Ended>, Error> {
        let mut failed: Vec<(u64, usize, Key, Attempt, String)> = Vec::new();
        for (&number, open) in &state.ledger.submissions {
            for (index, element) in open.elements.iter().enumerate() {
                let Some((since, how)) = &element.ended else { continue };
                if element.open.is_empty() || since.elapsed() < self.pace.settle {
                    continue;
                }
                if self.spool.is_void(number) {
                    return Ok(Some(Ended::Canceled));
                }
                for (key, attempt) in &element.open {
                    failed.push((number, index, key.clone(), attempt.clone(), how.clone()));
                }
            }
        }
        for (number, element, key, attempt, how) in failed {
            self.fail(state, (number, element), &key, attempt, &how)?;
        }
        Ok(None)
    }

    /// Submits a run again whose element ended without its record, or gives it up.
    fn fail(
        &self,
        state: &mut State<'_>,
        (number, element): (u64, usize),
        key: &Key,
        attempt: Attempt,
        how: &str,
    ) -> Result<(), Error> {
        let words = self.spool.end_of_log(number, element);
        if attempt.before < self.params.retries {
            tracing::warn!("{}: {how}; submitting it again", attempt.run.key_text());
            state.ledger.forget(key);
            state.ledger.waiting.push(Attempt { before: attempt.before + 1, ..attempt });
            return Ok(());
        }
        if !state.proven && how == "FAILED" {
            self.give_up(state)?;
            return Err(Error::NoRecords { state: how.to_owned(), words });
        }
        let record = crashed(&attempt, how, words);
        tracing::warn!("{}: {}", attempt.run.key_text(), record.reason.as_deref().unwrap_or(how));
        state.sink.insert(&record).map_err(Error::Sink)?;
        state.ledger.finish(key);
        Ok(())
    }

    /// Cancels everything that was submitted.
    fn give_up(&self, state: &mut State<'_>) -> Result<(), Error> {
        for &number in state.ledger.submissions.keys() {
            self.spool.void(number)?;
        }
        let jobs: Vec<String> =
            state.ledger.submissions.values().filter_map(|open| open.job.clone()).collect();
        self.queue.cancel(&jobs)
    }

    fn clean(&self, state: &mut State<'_>) {
        for number in state.ledger.remove_finished() {
            self.spool.remove_submission(number);
        }
    }
}

impl State<'_> {
    fn report(&mut self) {
        self.progress.left = self.ledger.left();
        self.progress.unsubmitted = self.ledger.waiting.len();
        self.sink.progress(&self.progress);
    }
}

/// The record of a run whose array elements never produced one.
fn crashed(attempt: &Attempt, how: &str, log: String) -> Record {
    let Run { task, configuration } = &attempt.run;
    let times = counted(u64::from(attempt.before) + 1, "time");
    let reason = format!("its array element ended {times} without a record: {how}");
    Record {
        suite: task.suite.clone(),
        domain: task.domain.clone(),
        problem: task.problem.clone(),
        configuration: configuration.name.clone(),
        revision: String::new(),
        machine: String::new(),
        limits: configuration.limits,
        started: now(),
        status: Status::Crashed,
        reason: Some(reason),
        exit_code: None,
        imported: false,
        measures: Measures::default(),
        log,
    }
}
