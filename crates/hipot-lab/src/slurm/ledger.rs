//! The runs that the engine waits for, and where each was last submitted.
//!
//! A wanted run is in exactly one place: it waits to be submitted, or it is open in one element
//! of one submission. It leaves the ledger when its record arrives. A submission may contain
//! runs that nobody wants any more (they were finished by somebody else, or their configuration
//! has changed); these are not entered.

use std::collections::BTreeMap;
use std::time::Instant;

use super::error::Error;
use super::queue::{Activity, ElementState};
use super::spool::{Attempt, Key, Run, Spool, Submission};

/// A submission with runs that have no record yet.
#[derive(Debug)]
pub(super) struct OpenSubmission {
    pub(super) name: String,
    /// Its id in Slurm. `None`: it was read from the spool, and not yet found in the queue.
    pub(super) job: Option<String>,
    pub(super) elements: Vec<Element>,
}

/// An array element.
#[derive(Debug, Default)]
pub(super) struct Element {
    /// Its runs without a record.
    pub(super) open: BTreeMap<Key, Attempt>,
    /// When it was first seen to have ended, and in which state.
    pub(super) ended: Option<(Instant, String)>,
}

/// A run without a record.
#[derive(Debug)]
struct Wanted {
    run: Run,
    /// The submission and the element in which it is open; `None`: it waits.
    place: Option<(u64, usize)>,
}

/// All runs that the engine waits for.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    wanted: BTreeMap<Key, Wanted>,
    pub(super) submissions: BTreeMap<u64, OpenSubmission>,
    /// The runs to submit, in this order.
    pub(super) waiting: Vec<Attempt>,
}

impl Ledger {
    /// A ledger in which none of the runs is submitted.
    pub(super) fn new(runs: Vec<Run>) -> Self {
        let mut ledger = Self::default();
        for run in runs {
            let wanted = Wanted { run: run.clone(), place: None };
            if ledger.wanted.insert(run.key(), wanted).is_none() {
                ledger.waiting.push(Attempt { run, before: 0 });
            }
        }
        ledger
    }

    /// The number of runs without a record.
    pub(super) fn left(&self) -> usize {
        self.wanted.len()
    }

    /// Whether exactly this run is wanted, with the same files, command and limits.
    pub(super) fn wants(&self, run: &Run) -> bool {
        self.wanted.get(&run.key()).is_some_and(|wanted| wanted.run == *run)
    }

    /// Removes a run whose record has arrived.
    pub(super) fn finish(&mut self, key: &Key) {
        if let Some(Wanted { place: Some((number, element)), .. }) = self.wanted.remove(key) {
            self.open_of(number, element).remove(key);
        } else {
            self.waiting.retain(|attempt| attempt.run.key() != *key);
        }
    }

    /// Takes a run out of its element, which ended without a record. The run stays wanted.
    pub(super) fn forget(&mut self, key: &Key) {
        let Some(wanted) = self.wanted.get_mut(key) else { return };
        if let Some((number, element)) = wanted.place.take() {
            self.open_of(number, element).remove(key);
        }
    }

    /// Enters a submission that was made or found in the spool. Its runs leave the places
    /// where they were before.
    pub(super) fn enter(
        &mut self,
        number: u64,
        submission: &Submission,
        job: Option<String>,
        elements: Vec<Vec<Attempt>>,
    ) {
        let empty = (0..elements.len()).map(|_| Element::default()).collect();
        let open = OpenSubmission { name: submission.name.clone(), job, elements: empty };
        self.submissions.insert(number, open);
        for (element, attempts) in elements.into_iter().enumerate() {
            for attempt in attempts {
                if !self.wants(&attempt.run) {
                    continue;
                }
                let key = attempt.run.key();
                self.forget(&key);
                self.open_of(number, element).insert(key.clone(), attempt);
                if let Some(wanted) = self.wanted.get_mut(&key) {
                    wanted.place = Some((number, element));
                }
            }
        }
    }

    fn open_of(&mut self, number: u64, element: usize) -> &mut BTreeMap<Key, Attempt> {
        let open = self.submissions.get_mut(&number).expect("runs are only in open submissions");
        &mut open.elements[element].open
    }

    /// Enters the submissions that another process left in the spool.
    pub(super) fn adopt(&mut self, spool: &Spool) -> Result<(), Error> {
        for number in spool.numbers()? {
            let Some(submission) = spool.read_submission(number)? else { continue };
            if spool.is_void(number) {
                spool.remove_submission(number);
                continue;
            }
            let read = |element| Ok(spool.read_element(number, element)?.unwrap_or_default());
            let elements = (0..submission.elements).map(read).collect::<Result<_, _>>()?;
            self.enter(number, &submission, spool.read_job(number)?, elements);
        }
        self.submissions
            .retain(|_, open| open.elements.iter().any(|element| !element.open.is_empty()));
        let wanted = &self.wanted;
        self.waiting.retain(|attempt| wanted[&attempt.run.key()].place.is_none());
        Ok(())
    }

    /// Looks up submissions without an id in the queue. One that is not there is declared
    /// void, and its runs wait again; see the head of [`super`].
    pub(super) fn resolve(&mut self, spool: &Spool, activity: &Activity) -> Result<(), Error> {
        let mut lost = Vec::new();
        for (&number, open) in self.submissions.iter_mut().filter(|(_, open)| open.job.is_none()) {
            match activity.names.get(&open.name) {
                Some(job) => {
                    spool.write_job(number, job)?;
                    open.job = Some(job.clone());
                }
                None => lost.push(number),
            }
        }
        for number in lost {
            spool.void(number)?;
            let open = self.submissions.remove(&number).expect("just seen");
            for (key, attempt) in open.elements.into_iter().flat_map(|element| element.open) {
                if let Some(wanted) = self.wanted.get_mut(&key) {
                    wanted.place = None;
                }
                self.waiting.push(attempt);
            }
        }
        Ok(())
    }

    /// Notes which elements have ended, and counts the others by state and reason.
    pub(super) fn look(&mut self, activity: &Activity, now: Instant) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for open in self.submissions.values_mut() {
            let Some(job) = &open.job else { continue };
            for (index, element) in open.elements.iter_mut().enumerate() {
                if element.open.is_empty() {
                    continue;
                }
                let state = activity.elements.get(&(job.clone(), index));
                match state.filter(|state| !state.has_ended()) {
                    Some(state) => {
                        element.ended = None;
                        *counts.entry(describe(state)).or_default() += 1;
                    }
                    None => {
                        let state = state.map_or("no longer known to Slurm", |state| &state.state);
                        element.ended.get_or_insert((now, state.to_owned()));
                    }
                }
            }
        }
        counts
    }

    /// Removes the submissions without open runs, and returns their numbers.
    pub(super) fn remove_finished(&mut self) -> Vec<u64> {
        let finished =
            |open: &OpenSubmission| open.elements.iter().all(|element| element.open.is_empty());
        let done: Vec<u64> = self
            .submissions
            .iter()
            .filter(|(_, open)| finished(open))
            .map(|(&number, _)| number)
            .collect();
        self.submissions.retain(|number, _| !done.contains(number));
        done
    }
}

/// A state in words: `running`, `pending (Resources)`.
fn describe(state: &ElementState) -> String {
    let name = state.state.to_lowercase();
    match state.reason.as_str() {
        "" | "None" => name,
        reason => format!("{name} ({reason})"),
    }
}
