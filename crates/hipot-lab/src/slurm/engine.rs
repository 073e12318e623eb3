//! The loop of `lab run` on a cluster: submit, look, merge, conclude, until every run has
//! a record.

use std::collections::BTreeSet;
use std::error::Error as StdError;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use super::error::Error;
use super::ledger::Ledger;
use super::queue::Queue;
use super::script::Params;
use super::spool::{Attempt, Finished, Key, Run, Spool};
use super::submit::{Submitter, Throttle};
use crate::clock::now;
use crate::{Measures, Record, Status};

/// Where the records go.
pub trait Sink {
    /// Takes a record; one that is there already does not matter.
    fn insert(&mut self, record: &Record) -> Result<(), Box<dyn StdError + Send + Sync>>;
    /// Is told how far it has come.
    fn progress(&mut self, progress: &Progress);
}

/// How far an experiment on a cluster has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Runs without a record.
    pub left: usize,
    /// Those of them that are not submitted.
    pub unsubmitted: usize,
    /// Array elements in the queue, by what Slurm says of them.
    pub elements: Vec<(String, usize)>,
}

/// How the engine ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every run has a record.
    Done,
    /// It was asked to stop; the jobs go on.
    Interrupted,
    /// Somebody has canceled the jobs.
    Canceled,
}

/// How often to do what.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Between looks into the spool, which costs little.
    pub spool: Duration,
    /// Between questions to squeue, which is work for the controller: first.
    pub queue: Duration,
    /// And in the long run.
    pub queue_at_most: Duration,
    /// How long a record may take to appear after its element has ended.
    pub settle: Duration,
    /// How long to wait when Slurm takes no more jobs.
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
    /// How the runs are given to Slurm.
    pub params: Params,
    /// Where the runs and records lie.
    pub spool: Spool,
    /// The cluster.
    pub queue: &'a dyn Queue,
    /// How often to do what.
    pub pace: Pace,
    /// Whether array elements are known to work: a record has come from one before. As
    /// long as none has, elements that fail point to a wrong setup, not to wrong runs.
    pub proven: bool,
}

/// What the loop keeps.
struct State<'a> {
    ledger: Ledger,
    submitter: Submitter<'a>,
    sink: &'a mut dyn Sink,
    /// Records that are not ours to merge.
    ignored: BTreeSet<PathBuf>,
    proven: bool,
    progress: Progress,
    begin: Instant,
    asked: Option<Instant>,
    /// squeue did not answer the last time.
    silent: bool,
}

impl Engine<'_> {
    /// Sees to it that every run gets a record, until `should_stop`.
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
            // Only now: until it was submitted again, the folder tells how often a run
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

    /// Takes the records that have come.
    fn merge(&self, state: &mut State<'_>) -> Result<(), Error> {
        for path in self.spool.record_files()? {
            if state.ignored.contains(&path) {
                continue;
            }
            let finished = match Finished::read(&path) {
                Ok(Some(finished)) => finished,
                Ok(None) => continue,
                Err(error) => {
                    tracing::warn!("a record is put aside: {error}");
                    self.spool.put_aside(&path)?;
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

    /// Asks squeue, unless it was asked just now: the more seldom, the longer it takes.
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

    /// Looks after elements that have ended, and whose records would be there by now.
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

    /// A run's element ended without its record: it is submitted again, or given up.
    fn fail(
        &self,
        state: &mut State<'_>,
        (number, element): (u64, usize),
        key: &Key,
        attempt: Attempt,
        how: &str,
    ) -> Result<(), Error> {
        let words = self.spool.last_words(number, element);
        if attempt.before < self.params.retries {
            tracing::warn!("{}: {how}; submitted again", attempt.run.key_text());
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

    /// Cancels what was submitted.
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

/// The record of a run that never came to its end.
fn crashed(attempt: &Attempt, how: &str, log: String) -> Record {
    let Run { task, configuration } = &attempt.run;
    let reason =
        format!("its array element ended {} times without a record: {how}", attempt.before + 1);
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
