//! Watches a planner until it ends or reaches a limit.
//!
//! Short runs must not wait for us, and long ones must not pay for being watched: the
//! interval between two looks starts at a millisecond and grows with the run. A look costs
//! most when there are many processes; then the interval grows further, so that watching
//! takes at most one part in [`SHARE`] of a processor.

use std::io::{PipeReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::capture::Capture;
use super::end::terminate_all;
use super::folder::bytes_in;
use super::job::{End, Job, Outcome};
use super::start::{Started, files_limit};
use super::system::{reap, usage_of_self};
use super::tree::Meter;

/// The interval between looks: the shortest, and the longest as long as looks are cheap.
const INTERVALS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(20)];
/// How often to look at the run's folder.
const FOLDER_INTERVAL: Duration = Duration::from_secs(1);
/// Watching may take one part in so many of a processor, unless the interval would exceed
/// [`MAX_INTERVAL`].
const SHARE: u32 = 20;
/// The longest interval, however much looks cost.
const MAX_INTERVAL: Duration = Duration::from_millis(500);
/// How long a planner may take to end after it was told to.
const GRACE: Duration = Duration::from_secs(1);

/// How watching came to its end.
pub(super) struct Ended {
    /// The wait status of the planner's first process; `None` if it is still running.
    status: Option<ExitStatus>,
    /// Why we ended the run, if we did.
    stopped: Option<End>,
    /// The process or group to kill first; see [`end_all`](super::end::end_all).
    pub(super) kill_first: Option<i32>,
}

/// A planner that is being watched.
pub(super) struct Watch<'a> {
    job: &'a Job,
    begin: Instant,
    pid: i32,
    status: Option<PipeReader>,
    capture: Capture,
    interrupted: &'a AtomicBool,
    meter: Meter,
    /// The number of processes between us and the planner that are ours.
    own_processes: usize,
    next_folder_look: Instant,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        job: &'a Job,
        begin: Instant,
        started: Started,
        interrupted: &'a AtomicBool,
    ) -> Self {
        let Started { pid, status, capture } = started;
        let own_processes = if status.is_some() { 2 } else { 0 };
        let meter = Meter::new(own_processes);
        let next_folder_look = begin + FOLDER_INTERVAL;
        Self {
            job,
            begin,
            pid,
            status,
            capture,
            interrupted,
            meter,
            own_processes,
            next_folder_look,
        }
    }

    /// Waits until the planner ends, or until a limit is reached and the grace period is over.
    pub(super) fn run(&mut self) -> Ended {
        let mut told: Option<Instant> = None;
        loop {
            let stopped = told.map(|_| End::TimeLimit);
            if let Some(status) = self.status() {
                return self.ended(Some(status), stopped);
            }
            if self.interrupted.load(Ordering::Relaxed) {
                return self.ended(None, Some(End::Interrupted));
            }
            if told.is_some_and(|told| told.elapsed() > GRACE) {
                return self.ended(None, stopped);
            }
            let before = usage_of_self().cpu;
            match self.exceeded() {
                Some(End::TimeLimit) if told.is_none() => {
                    terminate_all(self.own_processes);
                    told = Some(Instant::now());
                }
                None | Some(End::TimeLimit) => {}
                limit => return self.ended(None, stopped.or(limit)),
            }
            thread::sleep(self.interval(usage_of_self().cpu.saturating_sub(before)));
        }
    }

    fn ended(&self, status: Option<ExitStatus>, stopped: Option<End>) -> Ended {
        let kill_first = match (&self.status, status) {
            (None, _) => Some(-self.pid),
            (Some(_), None) => Some(self.pid),
            (Some(_), Some(_)) => None,
        };
        Ended { status, stopped, kill_first }
    }

    /// The planner's wait status, once it has ended. Orphans that ended are reaped on the way.
    fn status(&mut self) -> Option<ExitStatus> {
        loop {
            match reap() {
                Ok(None) => return None,
                Ok(Some((pid, status))) if pid == self.pid => return Some(self.inner(status)),
                Ok(Some(_)) => {}
                // We always have a child, unless somebody else waited for it.
                Err(_) => return Some(ExitStatus::from_raw(libc::SIGKILL)),
            }
        }
    }

    /// The planner's own status, if our child is the relay. The namespace's init sends it,
    /// or nothing if it was killed.
    fn inner(&mut self, status: ExitStatus) -> ExitStatus {
        let Some(reader) = &mut self.status else { return status };
        let mut bytes = [0; 4];
        let raw = reader.read_exact(&mut bytes).map(|()| i32::from_ne_bytes(bytes));
        ExitStatus::from_raw(raw.unwrap_or(libc::SIGKILL))
    }

    /// The limit that is exceeded now, if any.
    fn exceeded(&mut self) -> Option<End> {
        let limits = &self.job.limits;
        let usage = self.meter.measure();
        if usage.peak_memory > limits.memory {
            Some(End::MemoryLimit)
        } else if self.capture.written() > limits.output || self.folder_is_full() {
            Some(End::OutputLimit)
        } else if usage.cpu > limits.time || self.begin.elapsed() > limits.elapsed() {
            Some(End::TimeLimit)
        } else {
            None
        }
    }

    fn folder_is_full(&mut self) -> bool {
        let look = Instant::now();
        if look < self.next_folder_look {
            return false;
        }
        let bytes = bytes_in(&self.job.directory);
        self.next_folder_look = Instant::now() + FOLDER_INTERVAL.max(look.elapsed() * SHARE);
        bytes > files_limit(&self.job.limits)
    }

    /// The time until the next look, after one that took `cost` of processor time. Elapsed
    /// time would be the wrong measure: it is long just when many processes keep us waiting.
    fn interval(&self, cost: Duration) -> Duration {
        let [shortest, longest] = INTERVALS;
        let interval = (self.begin.elapsed() / SHARE).clamp(shortest, longest);
        interval.max((cost * SHARE).min(MAX_INTERVAL))
    }

    /// The outcome, once all processes are dead. A limit that was exceeded between two looks
    /// counts too.
    pub(super) fn outcome(&mut self, ended: Ended, wall: Duration) -> Outcome {
        let usage = self.meter.finish();
        let [output, errors] = self.capture.finish();
        let limits = &self.job.limits;
        let end = if let Some(stopped) = ended.stopped {
            stopped
        } else if usage.peak_memory > limits.memory {
            End::MemoryLimit
        } else if self.capture.written() > limits.output {
            End::OutputLimit
        } else if usage.cpu > limits.time {
            End::TimeLimit
        } else {
            own_end(ended.status)
        };
        Outcome {
            end,
            exit_code: ended.status.and_then(|status| status.code()),
            wall_seconds: wall.as_secs_f64(),
            cpu_seconds: usage.cpu.as_secs_f64(),
            peak_memory: usage.peak_memory,
            output,
            errors,
        }
    }
}

/// How a planner ended that we did not end: by itself, or at a limit of the kernel.
fn own_end(status: Option<ExitStatus>) -> End {
    let signal = status.map_or(Some(libc::SIGKILL), |status| status.signal());
    match (status.and_then(|status| status.code()), signal) {
        (Some(code), _) => End::Exited(code),
        (None, Some(libc::SIGXCPU)) => End::TimeLimit,
        (None, Some(libc::SIGXFSZ)) => End::OutputLimit,
        (None, signal) => End::Signaled(signal.unwrap_or(libc::SIGKILL)),
    }
}
