//! Threads that are there while nothing is to be done.
//!
//! A thread that is started for a job of some milliseconds often begins on the processor of the
//! one that started it, and is moved only when the job is over. So helpers stay.

use std::ops::Range;
use std::sync::OnceLock;

use rayon_core::{ThreadPool, ThreadPoolBuilder};

/// Fewer pieces of work are not shared.
const MIN_PIECES: usize = 256;

/// Threads beside the calling one.
#[derive(Debug, Default)]
pub(crate) struct Helpers(Option<ThreadPool>);

impl Helpers {
    /// Helpers for so many threads, the calling one among them; none if there can be none.
    pub(crate) fn new(threads: usize) -> Self {
        let pool = || ThreadPoolBuilder::new().num_threads(threads - 1).build();
        Self((threads > 1).then(pool).and_then(Result::ok))
    }

    /// The number of threads, the calling one among them.
    pub(crate) fn threads(&self) -> usize {
        1 + self.0.as_ref().map_or(0, ThreadPool::current_num_threads)
    }

    /// Calls `main` while each of the first `count` helpers calls `help` with its number, from 1 on.
    pub(crate) fn while_helped<T>(
        &self,
        count: usize,
        help: impl Fn(usize) + Sync,
        main: impl FnOnce() -> T,
    ) -> T {
        let Some(pool) = &self.0 else { return main() };
        let help = &help;
        pool.in_place_scope(|scope| {
            for number in 1..=count {
                scope.spawn(move |_| help(number));
            }
            main()
        })
    }

    /// Calls `work` for parts of so many pieces, side by side; returns the results in order.
    pub(crate) fn share<T: Send + Sync>(
        &self,
        pieces: usize,
        work: impl Fn(Range<usize>) -> T + Sync,
    ) -> Vec<T> {
        let parts = if pieces < MIN_PIECES { 1 } else { self.threads() };
        let range = |part: usize| pieces * part / parts..pieces * (part + 1) / parts;
        let results: Vec<OnceLock<T>> = (0..parts).map(|_| OnceLock::new()).collect();
        let help = |part: usize| drop(results[part].set(work(range(part))));
        self.while_helped(parts - 1, help, || help(0));
        results.into_iter().map(|it| it.into_inner().expect("each part has been done")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        for threads in 1..=4 {
            let helpers = Helpers::new(threads);
            assert_eq!(helpers.threads(), threads);
            for pieces in [0, 1, 1000, 1001] {
                let parts = helpers.share(pieces, Iterator::collect::<Vec<_>>);
                assert_eq!(parts.concat(), (0..pieces).collect::<Vec<_>>());
                assert_eq!(parts.len(), if pieces < MIN_PIECES { 1 } else { threads });
            }
        }
    }
}
