//! Limits on time and memory, and requests to stop.
//!
//! Long computations hold a [`Limits`], ask [`check`](Limits::check) every
//! few milliseconds and [`reserve`](Limits::reserve) before they allocate
//! much, and return the [`Stop`] that they are given. Memory counts once it is resident. Threads
//! that allocate at the same time would all be told that there is room for one of them, so
//! large pieces are [`promise`](Limits::promise)d until they are filled.
//!
//! There are two clocks: elapsed time, and the processor time of all threads. Either may
//! be limited, or both. A stage that may use a part of the time gets limits of its own
//! ([`with_share`](Limits::with_share), [`within`](Limits::within)), in which the part is
//! measured by the clock whose limit is nearer: on a busy machine, a share of a processor
//! limit is processor time too. Libraries that know elapsed time only are given
//! [`time_left`](Limits::time_left). With one thread, elapsed time is never less than
//! processor time, so they end before the limit, perhaps earlier than they need to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::processor_time::{ProcessorLimit, processor_time};

/// Why a computation had to end early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The deadline has passed, or a stage has used its part of the time.
    #[error("the time limit is reached")]
    TimeLimit,
    /// The process would need more memory than it may use.
    #[error("the memory limit is reached")]
    MemoryLimit,
    /// Someone asked for it, for example by Ctrl-C.
    #[error("interrupted")]
    Interrupted,
    /// The process has used as much processor time as it may.
    #[error("the limit on processor time is reached")]
    ProcessorLimit,
}

impl Stop {
    const ALL: [Self; 4] =
        [Self::TimeLimit, Self::MemoryLimit, Self::Interrupted, Self::ProcessorLimit];

    /// The number for this reason in [`Limits::requested`].
    pub fn code(self) -> usize {
        self as usize + 1
    }
}

/// A deadline, limits on processor time and memory, and requests to stop. Clones share the
/// requests.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    deadline: Option<Instant>,
    /// The limit on the processor time of the process.
    processor: Option<Arc<ProcessorLimit>>,
    /// The part of its processor time that a stage may use; reached no later than that limit.
    part: Option<Arc<ProcessorLimit>>,
    memory: Option<u64>,
    /// The bytes that were promised and may not be resident yet.
    promised: Arc<AtomicU64>,
    requested: Arc<AtomicUsize>,
    /// Requests that count as well, but are made elsewhere.
    outer: Option<Arc<AtomicUsize>>,
}

impl Limits {
    /// No limits. Requests to stop still work.
    pub fn none() -> Self {
        Self::default()
    }

    /// Stop at `deadline`, and before the process has more than `memory`
    /// bytes of resident memory.
    pub fn new(deadline: Option<Instant>, memory: Option<u64>) -> Self {
        Self { deadline, memory, ..Self::default() }
    }

    /// These limits, which are also reached when the process has used `total` of processor
    /// time since it began.
    #[must_use]
    pub fn with_processor_limit(self, total: Option<Duration>) -> Self {
        Self { processor: total.map(|total| Arc::new(ProcessorLimit::new(total))), ..self }
    }

    /// These limits for a stage that may use this share of the remaining time, by either
    /// clock.
    #[must_use]
    pub fn with_share(&self, share: f64) -> Self {
        let mut limits = self.clone();
        if let Some(left) = self.elapsed_time_left() {
            limits = limits.with_earlier_deadline(Instant::now() + left.mul_f64(share));
        }
        if let Some(left) = self.processor_time_left() {
            limits = limits.with_part(left.mul_f64(share));
        }
        limits
    }

    /// These limits for a stage that may use so much time, measured by the clock whose limit
    /// is nearer.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        match (self.elapsed_time_left(), self.processor_time_left()) {
            (elapsed, Some(left)) if elapsed.is_none_or(|elapsed| left < elapsed) => {
                if time < left { self.with_part(time) } else { self.clone() }
            }
            _ => Instant::now()
                .checked_add(time)
                .map_or_else(|| self.clone(), |deadline| self.with_earlier_deadline(deadline)),
        }
    }

    fn with_part(&self, time: Duration) -> Self {
        let part = ProcessorLimit::new(processor_time().saturating_add(time));
        Self { part: Some(Arc::new(part)), ..self.clone() }
    }

    /// These limits with requests to stop of their own: they do not share those of the original.
    #[must_use]
    pub fn with_own_requests(&self) -> Self {
        Self { requested: Arc::default(), outer: None, ..self.clone() }
    }

    /// These limits for a part of the run that can be ended by itself: requests to the original
    /// reach it, but not the other way round.
    #[must_use]
    pub fn for_part(&self) -> Self {
        let outer = Some(Arc::clone(&self.requested));
        Self { requested: Arc::default(), outer, ..self.clone() }
    }

    /// These limits with this share of the memory that is left.
    #[must_use]
    pub fn with_memory_share(&self, share: f64) -> Self {
        let used = resident_bytes().unwrap_or(0);
        #[expect(clippy::cast_sign_loss, reason = "shares are not negative")]
        let part = |limit: u64| used + (limit.saturating_sub(used) as f64 * share) as u64;
        Self { memory: self.memory.map(part), ..self.clone() }
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

    /// The time until the nearer limit, by its own clock. With one thread, neither limit is
    /// reached before so much time has elapsed.
    pub fn time_left(&self) -> Option<Duration> {
        self.elapsed_time_left().into_iter().chain(self.processor_time_left()).min()
    }

    fn elapsed_time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    fn processor_time_left(&self) -> Option<Duration> {
        Some(self.part.as_ref().or(self.processor.as_ref())?.left())
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
        for requested in [&self.requested].into_iter().chain(&self.outer) {
            let code = requested.load(Ordering::Relaxed);
            if let Some(stop) = Stop::ALL.into_iter().find(|stop| stop.code() == code) {
                return Err(stop);
            }
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::TimeLimit);
        }
        let is_reached = |limit: &Option<Arc<ProcessorLimit>>| {
            limit.as_ref().is_some_and(|limit| limit.is_reached())
        };
        if is_reached(&self.processor) {
            return Err(Stop::ProcessorLimit);
        }
        if is_reached(&self.part) { Err(Stop::TimeLimit) } else { Ok(()) }
    }

    /// Whether `bytes` more fit into memory, beside what is promised. Always succeeds on
    /// systems that do not report resident memory.
    pub fn reserve(&self, bytes: u64) -> Result<(), Stop> {
        let needed = bytes.saturating_add(self.promised.load(Ordering::SeqCst));
        match (self.memory, resident_bytes()) {
            (Some(limit), Some(used)) if used.saturating_add(needed) > limit => {
                Err(Stop::MemoryLimit)
            }
            _ => Ok(()),
        }
    }

    /// As [`reserve`](Self::reserve), and the bytes count as used until the promise is dropped,
    /// which should be when they are resident.
    pub fn promise(&self, bytes: u64) -> Result<Promise, Stop> {
        self.promised.fetch_add(bytes, Ordering::SeqCst);
        let promise = Promise { bytes, promised: Arc::clone(&self.promised) };
        self.reserve(0).map(|()| promise)
    }
}

/// Memory that is about to be used; see [`Limits::promise`].
#[derive(Debug)]
pub struct Promise {
    bytes: u64,
    promised: Arc<AtomicU64>,
}

impl Promise {
    /// Promises so much more without asking, because as much is about to be given back.
    pub fn extend(&mut self, bytes: u64) {
        self.bytes += bytes;
        self.promised.fetch_add(bytes, Ordering::SeqCst);
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        self.promised.fetch_sub(self.bytes, Ordering::SeqCst);
    }
}

/// Memory for collections that grow entry by entry: it is asked for in large pieces.
#[derive(Debug, Default)]
pub struct Growth {
    /// The bytes that were asked for and are not used yet.
    left: u64,
}

impl Growth {
    const PIECE: u64 = 1 << 21;

    /// Asks for memory for entries of so many bytes in all, unless there is enough left.
    pub fn add(&mut self, bytes: u64, limits: &Limits) -> Result<(), Stop> {
        if bytes > self.left {
            limits.reserve(bytes + Self::PIECE)?;
            self.left = bytes + Self::PIECE;
        }
        self.left -= bytes;
        Ok(())
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
    fn growth_is_asked_for_in_pieces() {
        // Other tests use memory at the same time.
        let limits = Limits::new(None, resident_bytes().map(|used| used + (1 << 30)));
        let mut growth = Growth::default();
        assert_eq!(growth.add(100, &limits), Ok(()));
        assert_eq!(growth.left, Growth::PIECE);
        assert_eq!(growth.add(Growth::PIECE, &limits), Ok(()));
        assert_eq!(growth.left, 0, "it was asked for");
        assert_eq!(growth.add(1 << 40, &limits), Err(Stop::MemoryLimit));
    }

    #[test]
    fn a_request_reaches_every_clone() {
        let limits = Limits::none();
        let clone = limits.clone();
        assert_eq!(clone.check(), Ok(()));
        limits.request(Stop::Interrupted);
        assert_eq!(clone.check(), Err(Stop::Interrupted));
    }

    #[test]
    fn a_part_can_be_ended_alone() {
        let limits = Limits::none();
        let part = limits.for_part();
        part.request(Stop::Interrupted);
        assert_eq!((part.check(), limits.check()), (Err(Stop::Interrupted), Ok(())));
        let part = limits.for_part();
        limits.request(Stop::TimeLimit);
        assert_eq!(part.check(), Err(Stop::TimeLimit));
        assert_eq!(part.with_own_requests().check(), Ok(()));
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

    #[test]
    fn a_limit_on_processor_time_is_kept_and_named() {
        let limits = Limits::none().with_processor_limit(Some(Duration::ZERO));
        assert_eq!(limits.check(), Err(Stop::ProcessorLimit));
        assert_eq!(limits.time_left(), Some(Duration::ZERO));
        let begin = processor_time();
        let limits = Limits::none().with_processor_limit(Some(begin + Duration::from_millis(20)));
        while limits.check().is_ok() {}
        assert_eq!(limits.clone().check(), Err(Stop::ProcessorLimit));
        let used = processor_time().saturating_sub(begin);
        assert!(used >= Duration::from_millis(20), "{used:?}");
    }

    #[test]
    fn parts_are_measured_by_the_nearer_clock() {
        let (second, hour) = (Duration::from_secs(1), Duration::from_secs(3600));
        let far = Some(Instant::now() + 2 * hour);
        let limits = Limits::new(far, None).with_processor_limit(Some(processor_time() + hour));
        for part in [limits.within(second), limits.with_share(1.0 / 3600.0)] {
            let left = part.time_left().expect("limited");
            assert!(left <= second && left > second / 2, "{left:?}");
            assert_eq!(part.check(), Ok(()));
            assert!(part.within(hour).time_left() <= Some(second));
        }
        assert_eq!(limits.within(second).deadline(), far);
        assert_eq!(limits.within(Duration::ZERO).check(), Err(Stop::TimeLimit));
        assert_eq!(limits.with_share(0.0).check(), Err(Stop::TimeLimit));
        assert_eq!(limits.check(), Ok(()));

        let near = Some(Instant::now() + hour / 2);
        let limits = Limits::new(near, None).with_processor_limit(Some(processor_time() + hour));
        assert!(limits.within(second).deadline() < near);
        assert_eq!(Limits::none().within(Duration::MAX).deadline(), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_refused_beyond_the_limit() {
        let limits = Limits::new(None, Some(resident_bytes().unwrap() + (1 << 30)));
        assert_eq!(limits.reserve(1 << 20), Ok(()));
        assert_eq!(limits.reserve(2 << 30), Err(Stop::MemoryLimit));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_promised_counts_until_it_is_there() {
        let limits = Limits::new(None, Some(resident_bytes().unwrap() + (4 << 30)));
        let promise = limits.promise(3 << 30).unwrap();
        assert!(limits.clone().promise(2 << 30).is_err());
        assert_eq!(limits.reserve(2 << 30), Err(Stop::MemoryLimit));
        drop(promise);
        assert!(limits.promise(2 << 30).is_ok());
    }
}
