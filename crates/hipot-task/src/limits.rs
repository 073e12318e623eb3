//! Limits on time and memory, and requests to stop.
//!
//! Long computations hold a [`Limits`], ask [`check`](Limits::check) every
//! few milliseconds and [`reserve`](Limits::reserve) before they allocate
//! much, and return the [`Stop`] that they are given.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Why a computation had to end early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The deadline has passed.
    #[error("the time limit is reached")]
    TimeLimit,
    /// The process would need more memory than it may use.
    #[error("the memory limit is reached")]
    MemoryLimit,
    /// Someone asked for it, for example by Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Stop {
    const ALL: [Self; 3] = [Self::TimeLimit, Self::MemoryLimit, Self::Interrupted];

    /// The number for this reason in [`Limits::requested`].
    pub fn code(self) -> usize {
        self as usize + 1
    }
}

/// A deadline, a memory limit, and requests to stop. Clones share the requests.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    deadline: Option<Instant>,
    memory: Option<u64>,
    requested: Arc<AtomicUsize>,
}

impl Limits {
    /// No limits. Requests to stop still work.
    pub fn none() -> Self {
        Self::default()
    }

    /// Stop at `deadline`, and before the process has more than `memory`
    /// bytes of resident memory.
    pub fn new(deadline: Option<Instant>, memory: Option<u64>) -> Self {
        Self { deadline, memory, requested: Arc::default() }
    }

    /// These limits with an earlier deadline: after this share of the remaining time.
    #[must_use]
    pub fn with_share(&self, share: f64) -> Self {
        let Some(left) = self.time_left() else { return self.clone() };
        self.with_earlier_deadline(Instant::now() + left.mul_f64(share))
    }

    /// These limits with `deadline`, unless their own is earlier.
    #[must_use]
    pub fn with_earlier_deadline(&self, deadline: Instant) -> Self {
        let deadline = self.deadline.map_or(deadline, |own| own.min(deadline));
        Self { deadline: Some(deadline), ..self.clone() }
    }

    /// The limit on resident bytes.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// The deadline.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The time until the deadline.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Asks all holders to stop.
    pub fn request(&self, stop: Stop) {
        self.requested.store(stop.code(), Ordering::Relaxed);
    }

    /// The [`Stop::code`] of the last [`request`](Self::request), or 0. A signal
    /// handler can write to it.
    pub fn requested(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.requested)
    }

    /// Whether to go on; the error says why not.
    pub fn check(&self) -> Result<(), Stop> {
        let code = self.requested.load(Ordering::Relaxed);
        if let Some(stop) = Stop::ALL.into_iter().find(|stop| stop.code() == code) {
            return Err(stop);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::TimeLimit),
            _ => Ok(()),
        }
    }

    /// Whether `bytes` more fit into memory. Always succeeds on systems that do
    /// not report resident memory.
    pub fn reserve(&self, bytes: u64) -> Result<(), Stop> {
        match (self.memory, resident_bytes()) {
            (Some(limit), Some(used)) if used.saturating_add(bytes) > limit => {
                Err(Stop::MemoryLimit)
            }
            _ => Ok(()),
        }
    }
}

/// The resident memory of this process, if the system reports it.
pub fn resident_bytes() -> Option<u64> {
    const PAGE: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_reaches_every_clone() {
        let limits = Limits::none();
        let clone = limits.clone();
        assert_eq!(clone.check(), Ok(()));
        limits.request(Stop::Interrupted);
        assert_eq!(clone.check(), Err(Stop::Interrupted));
    }

    #[test]
    fn the_earlier_deadline_counts() {
        let now = Instant::now();
        let later = now + std::time::Duration::from_secs(60);
        let limits = Limits::new(Some(later), Some(7));
        assert_eq!(limits.with_earlier_deadline(now).deadline(), Some(now));
        assert_eq!(Limits::none().with_earlier_deadline(later).deadline(), Some(later));
        assert_eq!(Limits::new(Some(now), None).with_earlier_deadline(later).deadline(), Some(now));
        assert_eq!(limits.with_earlier_deadline(now).memory(), Some(7));
        assert!(Limits::new(Some(later), None).with_share(0.5).deadline() < Some(later));
        assert_eq!(Limits::none().with_share(0.5).deadline(), None);
    }

    #[test]
    fn a_deadline_passes() {
        let limits = Limits::new(Some(Instant::now()), None);
        assert_eq!(limits.check(), Err(Stop::TimeLimit));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_refused_beyond_the_limit() {
        let limits = Limits::new(None, Some(resident_bytes().unwrap() + (1 << 30)));
        assert_eq!(limits.reserve(1 << 20), Ok(()));
        assert_eq!(limits.reserve(2 << 30), Err(Stop::MemoryLimit));
    }
}
