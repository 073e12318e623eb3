//! How many runs there are at once, and who waits: first come, first served.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time between two looks at whether somebody still waits.
const LOOK: Duration = Duration::from_millis(50);

/// Room for some runs, and a queue for it.
#[derive(Debug)]
pub(crate) struct Queue {
    runs: usize,
    waiting: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    running: usize,
    next: u64,
    tickets: VecDeque<u64>,
}

/// Why there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoRoom {
    /// Too many wait already.
    Full,
    /// Whoever asked has gone.
    Gone,
}

/// Room for one run, until it is dropped.
#[derive(Debug)]
pub(crate) struct Room<'a>(&'a Queue);

impl Queue {
    pub(crate) fn new(runs: usize, waiting: usize) -> Self {
        Self { runs: runs.max(1), waiting, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Waits for room. As long as it has to wait, it asks `is_over` again and again.
    pub(crate) fn enter(&self, mut is_over: impl FnMut() -> bool) -> Result<Room<'_>, NoRoom> {
        let mut state = self.lock();
        if state.running < self.runs && state.tickets.is_empty() {
            state.running += 1;
            return Ok(Room(self));
        }
        if state.tickets.len() >= self.waiting {
            return Err(NoRoom::Full);
        }
        let mine = state.next;
        state.next += 1;
        state.tickets.push_back(mine);
        drop(state);
        loop {
            let is_over = is_over();
            let mut state = self.lock();
            if is_over {
                state.tickets.retain(|&ticket| ticket != mine);
                self.changed.notify_all();
                return Err(NoRoom::Gone);
            }
            if state.running < self.runs && state.tickets.front() == Some(&mine) {
                state.tickets.pop_front();
                state.running += 1;
                return Ok(Room(self));
            }
            drop(self.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn there_are_never_more_runs_than_allowed() {
        let queue = Queue::new(2, 100);
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    let _room = queue.enter(|| false).unwrap();
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    thread::sleep(Duration::from_millis(5));
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!((now.into_inner(), most.into_inner()), (0, 2));
    }

    #[test]
    fn who_leaves_the_queue_makes_room_in_it() {
        let queue = Queue::new(1, 1);
        let first = queue.enter(|| false).unwrap();
        let (waits, leaves) = (AtomicBool::new(false), AtomicBool::new(false));
        thread::scope(|scope| {
            let second = scope.spawn(|| {
                let is_over = || {
                    waits.store(true, Ordering::SeqCst);
                    leaves.load(Ordering::SeqCst)
                };
                queue.enter(is_over).map(drop)
            });
            while !waits.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            assert_eq!(queue.enter(|| false).map(drop), Err(NoRoom::Full));
            leaves.store(true, Ordering::SeqCst);
            assert_eq!(second.join().unwrap(), Err(NoRoom::Gone));
        });
        drop(first);
        assert!(queue.enter(|| panic!("there is room")).is_ok());
    }
}
