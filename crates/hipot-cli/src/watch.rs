//! Enforces limits in every stage.
//!
//! Search and grounding check their [`Limits`] often and end cleanly. Stages that do not
//! (reading a huge file, a library call) are ended from outside: a thread watches the clocks
//! (elapsed and processor time) and memory, and asks all stages to stop. If the run has not ended after a grace period, the
//! thread writes the report itself and ends the process.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hipot_task::{Limits, Stop, resident_bytes};
use signal_hook::consts::{SIGINT, SIGTERM, SIGXCPU};

use crate::reporter::Reporter;

/// The time between two checks.
const INTERVAL: Duration = Duration::from_millis(10);
/// The grace period: how long a stage may take to end after it was asked to.
pub(crate) const GRACE: Duration = Duration::from_millis(250);
/// The grace period of a command that has to end other processes first.
pub(crate) const LONG_GRACE: Duration = Duration::from_secs(10);
/// How much more memory may be used in the grace period.
const MEMORY_GRACE: u64 = 16 << 20;

/// Starts the watch, which ends the process through `reporter` if need be.
pub(crate) fn start(limits: &Limits, reporter: &Arc<Reporter>, grace: Duration) {
    listen_to_signals(limits);
    let (limits, reporter) = (limits.clone(), Arc::clone(reporter));
    let watch = move || Watch { limits, reporter, grace, stopping: None }.run();
    let thread = thread::Builder::new().name("watch".to_owned()).spawn(watch);
    if let Err(error) = thread {
        tracing::warn!(
            "the watchdog could not be started; limits are checked by the search only: {error}"
        );
    }
}

fn listen_to_signals(limits: &Limits) {
    let requested = limits.requested();
    for (signal, stop) in
        [(SIGINT, Stop::Interrupted), (SIGTERM, Stop::Interrupted), (SIGXCPU, Stop::ProcessorLimit)]
    {
        let registered =
            signal_hook::flag::register_usize(signal, Arc::clone(&requested), stop.code());
        if let Err(error) = registered {
            tracing::warn!("signal {signal} will end the process without a report: {error}");
        }
    }
}

struct Watch {
    limits: Limits,
    reporter: Arc<Reporter>,
    grace: Duration,
    /// Why the stages were asked to stop, and when.
    stopping: Option<(Stop, Instant)>,
}

impl Watch {
    fn run(mut self) {
        loop {
            self.look();
            thread::sleep(self.next_look());
        }
    }

    fn next_look(&self) -> Duration {
        let left = self.limits.time_left();
        left.filter(|left| !left.is_zero()).map_or(INTERVAL, |left| left.min(INTERVAL))
    }

    fn look(&mut self) {
        let resident = resident_bytes().unwrap_or(0);
        let limit = self.limits.memory().unwrap_or(u64::MAX);
        if resident > limit.saturating_add(MEMORY_GRACE) {
            self.reporter.end_process(Stop::MemoryLimit);
        }
        if self.stopping.is_none() {
            let memory = if resident > limit { Err(Stop::MemoryLimit) } else { Ok(()) };
            let Err(stop) = self.limits.check().and(memory) else { return };
            self.limits.request(stop);
            self.stopping = Some((stop, Instant::now()));
        }
        if let Some((stop, since)) = self.stopping
            && since.elapsed() > self.grace
        {
            self.reporter.end_process(stop);
        }
    }
}
