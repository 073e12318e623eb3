//! One run of a planner, inside its limits, of which nothing is left behind.
//!
//! Planners fork, ignore signals, write without end, take all memory there is. So each
//! one is watched by a process of its own (`hipot lab supervise`), which starts it,
//! measures it, ends it, and tells the lab how it went: a [`Job`] comes as JSON in the
//! first line of standard input, an [`Outcome`] goes as JSON to standard output.
//! Standard input stays open meanwhile, as a lifeline: when it closes, the lab is gone,
//! and so is the run. A process of its own and no thread of the lab, because only a
//! process can adopt the orphans of its descendants, wait for all of them, and be told
//! from the system what these took and no others.
//!
//! | limit | who keeps it |
//! |---|---|
//! | processor time | all processes together: we, every few milliseconds; each one: the kernel (`RLIMIT_CPU`) |
//! | elapsed time, 2 × the limit + 10 s | we |
//! | memory | resident memory of all together: we; private memory of each, twice the limit: the kernel (`RLIMIT_DATA`) |
//! | what is written to the standard streams | we |
//! | what is written to files | the folder's contents: we, every second; the size of each: the kernel (`RLIMIT_FSIZE`); as much as the run may have memory |
//!
//! At a time limit the planner is told (SIGTERM to all its processes), so that it can
//! report what it knows, and has a second for it; then, and at other limits at once, all
//! its processes are killed. [`system`] says how nothing escapes.
//!
//! The kernel's limit on memory is not `RLIMIT_AS`, which is what Fast Downward's driver
//! sets: address space that is only reserved costs nothing, and Java, Go and Julia
//! reserve much of it. `RLIMIT_DATA` counts what is mapped to be written. Twice the limit,
//! because tables that grow by doubling have as much mapped before it is touched; it
//! catches what grows faster than we look.

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

/// Runs a job to its end, in a process that does nothing else: every child of this
/// process is taken for the planner's. When `lifeline` ends, or a signal asks this
/// process to, the run is ended and its folder removed.
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
    end_all(ended.first);
    let outcome = watch.outcome(ended, wall);
    if outcome.end == End::Interrupted {
        // Whoever wanted it is gone: nobody is left to be told of a failure.
        let _ = remove_folder(&job.directory);
    }
    outcome
}

fn not_started(job: &Job, error: &io::Error) -> String {
    let program = job.command.first().map_or("", String::as_str);
    format!("cannot start '{program}': {error}")
}

/// Becomes true when the lifeline ends, or on a signal.
fn interruption(mut lifeline: impl Read + Send + 'static) -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))?;
    }
    let flag = Arc::clone(&interrupted);
    let wait = move || {
        // Whatever else is sent means nothing.
        let _ = io::copy(&mut lifeline, &mut io::sink());
        flag.store(true, Ordering::Relaxed);
    };
    thread::Builder::new().name("lifeline".to_owned()).spawn(wait)?;
    Ok(interrupted)
}
