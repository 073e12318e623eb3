//! Processor time: what all threads of this process have used together.
//!
//! Reading that clock is a system call, too slow for the inner loops that check limits.
//! Elapsed time costs next to nothing, and bounds it: on n processors, a process cannot use
//! more than n seconds of processor time in a second. So a limit that was last seen t away
//! need not be looked at again for t / n. With one busy thread on two processors each look
//! halves the distance, and a limit of an hour is kept to the millisecond by about twenty
//! looks.

// The only unsafe code of this crate: reading the clock.
#![allow(unsafe_code)]

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The processor time that this process has used since it began, in all of its threads. On
/// systems without such a clock, elapsed time stands in for it.
pub fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is ours, and the call writes nothing else.
        let answer = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
        assert_eq!(answer, 0, "every process has a clock of its processor time");
        #[expect(clippy::cast_sign_loss, reason = "the clock begins at 0")]
        return Duration::new(time.tv_sec as u64, time.tv_nsec as u32);
    }
    #[cfg(not(unix))]
    {
        static BEGIN: OnceLock<Instant> = OnceLock::new();
        BEGIN.get_or_init(Instant::now).elapsed()
    }
}

/// Two looks at the clock are at least this far apart, so a limit may be exceeded by so much
/// in each thread.
const SHORTEST: Duration = Duration::from_millis(1);

/// A limit on processor time that can be checked often.
#[derive(Debug)]
pub(crate) struct ProcessorLimit {
    /// The processor time at which it is reached.
    at: Duration,
    begin: Instant,
    /// It is not reached before this time, in nanoseconds after `begin`.
    not_before: AtomicU64,
}

impl ProcessorLimit {
    /// A limit that is reached when the process has used so much since it began.
    pub(crate) fn new(at: Duration) -> Self {
        Self { at, begin: Instant::now(), not_before: AtomicU64::new(0) }
    }

    /// The processor time until it is reached.
    pub(crate) fn left(&self) -> Duration {
        self.at.saturating_sub(processor_time())
    }

    /// Whether it is reached.
    pub(crate) fn is_reached(&self) -> bool {
        let now = self.begin.elapsed();
        if nanoseconds(now) < self.not_before.load(Ordering::Relaxed) {
            return false;
        }
        let left = self.left();
        let next = now.saturating_add((left / processors()).max(SHORTEST));
        self.not_before
            .store(if left.is_zero() { 0 } else { nanoseconds(next) }, Ordering::Relaxed);
        left.is_zero()
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// How many threads can run at once.
fn processors() -> u32 {
    static PROCESSORS: OnceLock<u32> = OnceLock::new();
    let count = || std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    *PROCESSORS.get_or_init(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn working_takes_processor_time_and_a_limit_on_it_is_reached_in_time() {
        let begin = processor_time();
        let limit = ProcessorLimit::new(begin + Duration::from_millis(40));
        let mut checks = 0_u64;
        while !limit.is_reached() {
            checks += 1;
        }
        let used = processor_time().saturating_sub(begin);
        assert!(used >= Duration::from_millis(40), "{used:?}");
        // Other tests run beside this one, and their time counts too.
        assert!(used < Duration::from_secs(2), "{used:?}");
        assert!(checks > 1000, "{checks}");
        assert!(limit.is_reached() && limit.left().is_zero());
    }

    #[cfg(unix)]
    #[test]
    fn all_threads_count_together() {
        let begin = processor_time();
        let work = || {
            let begin = Instant::now();
            while begin.elapsed() < Duration::from_millis(50) {
                std::hint::spin_loop();
            }
        };
        // How much of the machine the threads get is not ours to say.
        let mut sum = Duration::ZERO;
        for _ in 0..100 {
            std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
            sum = processor_time().saturating_sub(begin);
            if sum > Duration::from_millis(60) {
                return;
            }
        }
        panic!("two threads have used {sum:?}");
    }
}
