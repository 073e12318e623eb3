//! Threads that do the same job side by side, thousands of times a second.
//!
//! An iteration of the engine takes a millisecond or less, and to wake a sleeping thread takes a
//! tenth of that. So between two jobs the threads do not sleep: they spin, and after a while
//! let others run. (With a thread pool for single jobs, which has these pauses, two threads were no
//! faster than one.) Between two runs of the engine they sleep ([`Helpers`]).

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::helpers::Helpers;

/// The number of looks before a waiting thread lets others run.
const SPINS: usize = 20_000;

/// Threads that wait for jobs.
pub(super) struct Crew<'a, J> {
    work: &'a (dyn Fn(usize, J) + Sync),
    job: Mutex<Option<J>>,
    /// The number of jobs so far.
    jobs: AtomicUsize,
    /// The number of threads that have not done the last job.
    busy: AtomicUsize,
    has_panicked: AtomicBool,
    helpers: usize,
}

impl<J: Copy + Send + Sync> Crew<'_, J> {
    /// Calls `main` with a crew of the calling thread and all helpers. For each job,
    /// each thread calls `work` with its number.
    pub(super) fn with<T>(
        helpers: &Helpers,
        work: &(dyn Fn(usize, J) + Sync),
        main: impl FnOnce(&Crew<'_, J>) -> T,
    ) -> T {
        let crew = Crew {
            work,
            job: Mutex::new(None),
            jobs: AtomicUsize::new(0),
            busy: AtomicUsize::new(0),
            has_panicked: AtomicBool::new(false),
            helpers: helpers.threads() - 1,
        };
        let help = |number: usize| crew.help(number);
        helpers.while_helped(crew.helpers, help, || {
            // Also if `main` panics: otherwise the others would wait forever.
            let _end = End(&crew);
            main(&crew)
        })
    }

    /// Has all threads do a job, and waits for the last one.
    pub(super) fn run(&self, job: J) {
        self.publish(Some(job));
        (self.work)(0, job);
        wait_until(|| self.busy.load(Ordering::Acquire) == 0);
        assert!(!self.has_panicked.load(Ordering::Relaxed), "a thread of the engine panicked");
    }

    /// `None` is the end.
    fn publish(&self, job: Option<J>) {
        *self.job.lock().unwrap_or_else(PoisonError::into_inner) = job;
        self.busy.store(self.helpers, Ordering::Relaxed);
        self.jobs.fetch_add(1, Ordering::Release);
    }

    fn help(&self, number: usize) {
        for done in 0.. {
            wait_until(|| self.jobs.load(Ordering::Acquire) > done);
            let job = *self.job.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(job) = job else { return };
            let _done = Done(self);
            (self.work)(number, job);
        }
    }
}

/// Ends the threads when it is dropped.
struct End<'a, 'b, J: Copy + Send + Sync>(&'a Crew<'b, J>);

impl<J: Copy + Send + Sync> Drop for End<'_, '_, J> {
    fn drop(&mut self) {
        self.0.publish(None);
    }
}

/// Notes that a thread has done its job when it is dropped.
struct Done<'a, 'b, J>(&'a Crew<'b, J>);

impl<J> Drop for Done<'_, '_, J> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.has_panicked.store(true, Ordering::Relaxed);
        }
        self.0.busy.fetch_sub(1, Ordering::Release);
    }
}

fn wait_until(is_done: impl Fn() -> bool) {
    let mut looks = 0_usize;
    while !is_done() {
        looks += 1;
        if looks < SPINS { std::hint::spin_loop() } else { thread::yield_now() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threads_do_each_job_before_the_next_begins() {
        for threads in 1..=4 {
            let done: Vec<AtomicUsize> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
            let work = |number: usize, job: usize| {
                let before = done[number].fetch_add(1, Ordering::Relaxed);
                assert_eq!(before, job);
            };
            Crew::with(&Helpers::new(threads), &work, |crew| {
                for job in 0..200 {
                    crew.run(job);
                    assert!(done.iter().all(|it| it.load(Ordering::Relaxed) == job + 1));
                }
            });
        }
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let work = |number: usize, (): ()| assert_eq!(number, 0, "as it should be");
        let helpers = Helpers::new(2);
        let run = || Crew::with(&helpers, &work, |crew| crew.run(()));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    }
}
