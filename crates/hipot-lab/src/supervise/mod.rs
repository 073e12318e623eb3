//! One run of a planner, inside its limits, of which nothing is left behind.
//!
//! Planners fork, ignore signals, write without end and take all the memory there is. So
//! each one is watched by a process of its own (`hipot lab supervise`), which starts it,
//! measures it, ends it and reports how it went: a [`Job`] arrives as JSON in the first line
//! of standard input, an [`Outcome`] leaves as JSON on standard output. Standard input stays
//! open as a lifeline: when it closes, the lab is gone, and the supervisor ends the run.
//!
//! Why a process, and not a thread of the lab? Only a process can adopt the orphans among its
//! descendants, wait for all of them, and ask the kernel what they used and nobody else.
//!
//! | limit | enforced by |
//! |---|---|
//! | processor time | of all processes together: us, every few milliseconds; of each one: the kernel (`RLIMIT_CPU`) |
//! | elapsed time, 2 × the limit + 10 s | us |
//! | memory | resident memory of all processes together: us; private memory of each one, twice the limit: the kernel (`RLIMIT_DATA`) |
//! | output to the standard streams | us |
//! | output to files, as much as the run may use memory | the contents of the run's folder: us, every second; the size of each file: the kernel (`RLIMIT_FSIZE`) |
//!
//! At a time limit the planner is told to end (SIGTERM to all its processes) and has one
//! second to report what it knows. After that, and at all other limits immediately, all its
//! processes are killed. [`system`] explains why none escapes.
//!
//! The kernel's memory limit is not `RLIMIT_AS`, which Fast Downward's driver sets: reserved
//! address space costs nothing, and Java, Go and Julia reserve a lot of it. `RLIMIT_DATA`
//! counts what is mapped writable. It is twice our limit because a table that grows by
//! doubling maps that much before it touches it. Its purpose is to catch a process that grows
//! faster than we look.

mod capture;
mod client;
mod end;
mod folder;
mod job;
mod start;
mod system;
mod tree;
mod watch;

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use crate::scratch::remove_folder;
use end::end_all;
use start::Started;
use watch::Watch;

pub use client::{Error, run_supervised};
pub use job::{End, Job, Outcome};

/// Runs a job to its end. This process must do nothing else, because every child of it is
/// assumed to be the planner's. When `lifeline` ends, or a signal asks this process to end,
/// the run is ended and its folder removed.
pub fn supervise(job: &Job, lifeline: impl Read + Send + 'static) -> Outcome {
    let begin = Instant::now();
    let started = interruption(lifeline).and_then(|interrupted| {
        system::adopt_orphans()?;
        Ok((Started::new(job)?, interrupted))
    });
    let (started, interrupted) = match started {
        Ok(started) => started,
        Err(error) => return Outcome::not_started(not_started(job, &error)),
    };
    let mut watch = Watch::new(job, begin, started, &interrupted);
    let ended = watch.run();
    let wall = begin.elapsed();
    end_all(ended.kill_first);
    let outcome = watch.outcome(ended, wall);
    if outcome.end == End::Interrupted {
        // Whoever wanted the run is gone, so nobody is left to report a failure to.
        let _ = remove_folder(&job.directory);
    }
    outcome
}

fn not_started(job: &Job, error: &io::Error) -> String {
    let program = job.command.first().map_or("", String::as_str);
    format!("cannot start '{program}': {error}")
}

/// A flag that becomes true when the lifeline ends, or on a signal.
fn interruption(mut lifeline: impl Read + Send + 'static) -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))?;
    }
    let flag = Arc::clone(&interrupted);
    let wait = move || {
        // Anything else that arrives is ignored.
        let _ = io::copy(&mut lifeline, &mut io::sink());
        flag.store(true, Ordering::Relaxed);
    };
    thread::Builder::new().name("lifeline".to_owned()).spawn(wait)?;
    Ok(interrupted)
}
