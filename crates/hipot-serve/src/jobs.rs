//! Runs that nobody waits for on a connection: the client comes back to ask.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A run ends, and its answer is forgotten, when nobody has asked for so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// The most jobs that are kept.
const MAX_JOBS: usize = 64;

/// All jobs, by name.
#[derive(Debug, Default)]
pub(crate) struct Jobs(Mutex<HashMap<String, Job>>);

#[derive(Debug)]
struct Job {
    answer: Option<Value>,
    is_over: Arc<AtomicBool>,
    asked: Instant,
}

/// What a client is told that asks for a job.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    Unknown,
    Pending,
    Done(Value),
}

impl Jobs {
    /// A new job: its name, and whether it is not wanted any more. `None` if there are too many.
    pub(crate) fn begin(&self) -> Option<(String, Arc<AtomicBool>)> {
        let mut jobs = self.lock();
        if jobs.len() >= MAX_JOBS {
            return None;
        }
        // Nobody can guess another one's.
        let part = || RandomState::new().build_hasher().finish();
        let name = format!("{:016x}{:016x}", part(), part());
        let is_over = Arc::<AtomicBool>::default();
        let job = Job { answer: None, is_over: Arc::clone(&is_over), asked: Instant::now() };
        jobs.insert(name.clone(), job);
        Some((name, is_over))
    }

    /// Notes the answer of a job.
    pub(crate) fn end(&self, name: &str, answer: Value) {
        if let Some(job) = self.lock().get_mut(name) {
            job.answer = Some(answer);
        }
    }

    /// What there is to say about a job, which is wanted.
    pub(crate) fn ask(&self, name: &str) -> Asked {
        let mut jobs = self.lock();
        let Some(job) = jobs.get_mut(name) else { return Asked::Unknown };
        job.asked = Instant::now();
        job.answer.clone().map_or(Asked::Pending, Asked::Done)
    }

    /// Ends jobs that nobody wants.
    pub(crate) fn tidy(&self, now: Instant) {
        self.lock().retain(|_, job| {
            let is_wanted = now.saturating_duration_since(job.asked) < PATIENCE;
            job.is_over.fetch_or(!is_wanted, Ordering::Relaxed);
            is_wanted
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Job>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_kept_while_somebody_asks() {
        let jobs = Jobs::default();
        let (name, is_over) = jobs.begin().unwrap();
        let (other, other_is_over) = jobs.begin().unwrap();
        assert_ne!(name, other);
        assert_eq!(jobs.ask(&name), Asked::Pending);
        jobs.end(&name, Value::from(7));
        assert_eq!(jobs.ask(&name), Asked::Done(Value::from(7)));
        jobs.tidy(Instant::now());
        assert!(!other_is_over.load(Ordering::Relaxed));
        jobs.tidy(Instant::now() + 2 * PATIENCE);
        assert!(is_over.load(Ordering::Relaxed) && other_is_over.load(Ordering::Relaxed));
        assert_eq!(jobs.ask(&name), Asked::Unknown);
    }

    #[test]
    fn there_are_not_too_many_jobs() {
        let jobs = Jobs::default();
        assert_eq!((0..1000).filter_map(|_| jobs.begin()).count(), MAX_JOBS);
    }
}
