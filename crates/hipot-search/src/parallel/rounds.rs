//! What the threads of a search share: rounds, the best plan so far, and the end.
//!
//! A search is a sequence of rounds. In a round, each thread expands those of its states whose f
//! is at most the round's `limit`. A thread without such states *rests*. `work` is the number of
//! threads that do not rest plus the number of buffers on their way. When it falls to 0, the round
//! is over, and the thread that has seen this begins the next one, alone. If the search is to
//! pause, no more states are expanded, and the end of the round is that of the advance. See the
//! head of the module for why nothing is overlooked.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use hipot_task::Limits;

use super::address::Address;
use super::mail::Inbox;
use crate::layer_search::Ending;
use crate::statistics::Statistics;

/// What one thread shows to the others, in cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Desk {
    pub(super) inbox: Inbox,
    /// The least f of its open states when it began to rest; `u64::MAX` if there is none.
    least_f: AtomicU64,
    counters: Mutex<Statistics>,
}

/// How a search has ended.
pub(super) enum End {
    /// The best plan so far is optimal, or there is no plan.
    Answer,
    /// Something else came first.
    Early(Ending),
}

/// What an advance leaves to the next one, beside the states.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// Every plan costs at least this much.
    pub(super) lower_bound: u64,
    /// The best plan's cost and its goal state.
    pub(super) best: Option<(u64, Address)>,
    /// The counters when the lower bound last rose.
    pub(super) at_last_jump: Statistics,
}

/// What is known at the beginning of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Round {
    pub(super) number: usize,
    /// Every plan costs at least this much.
    pub(super) lower_bound: u64,
}

pub(super) struct Rounds {
    pub(super) desks: Vec<Desk>,
    /// The number of threads that do not rest plus the number of buffers on their way.
    work: AtomicUsize,
    /// The number of threads that rest.
    resting: AtomicUsize,
    number: AtomicUsize,
    lower_bound: AtomicU64,
    /// States with a larger f are not expanded in this round.
    limit: AtomicU64,
    /// The cost of the best plan so far; `u64::MAX` without one.
    best_cost: AtomicU64,
    goal: Mutex<Option<Address>>,
    /// The counters when the lower bound last rose.
    at_last_jump: Mutex<Statistics>,
    /// Whether no more states are to be expanded, and why not.
    is_pausing: AtomicBool,
    pause: Mutex<Option<Ending>>,
    is_over: AtomicBool,
    end: Mutex<Option<End>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Rounds {
    /// The first round of an advance; a thread for each of these counters.
    pub(super) fn new(known: &Known, counters: impl Iterator<Item = Statistics>) -> Self {
        let desk = |counters| Desk { counters: Mutex::new(counters), ..Desk::default() };
        let desks: Vec<Desk> = counters.map(desk).collect();
        Self {
            work: AtomicUsize::new(desks.len()),
            desks,
            resting: AtomicUsize::new(0),
            number: AtomicUsize::new(0),
            lower_bound: AtomicU64::new(known.lower_bound),
            limit: AtomicU64::new(u64::MAX),
            best_cost: AtomicU64::new(known.best.map_or(u64::MAX, |(cost, _)| cost)),
            goal: Mutex::new(known.best.map(|(_, goal)| goal)),
            at_last_jump: Mutex::new(known.at_last_jump),
            is_pausing: AtomicBool::new(false),
            pause: Mutex::new(None),
            is_over: AtomicBool::new(false),
            end: Mutex::new(None),
        }
    }

    /// The present round.
    pub(super) fn round(&self) -> Round {
        let number = self.number.load(Acquire);
        Round { number, lower_bound: self.lower_bound.load(Relaxed) }
    }

    /// Whether a state with this f is to be expanded now.
    #[inline]
    pub(super) fn admits(&self, f: u64) -> bool {
        f <= self.limit.load(Relaxed) && f < self.best_cost.load(Relaxed) && !self.is_pausing()
    }

    /// Lets all threads come to rest, and ends the advance then; the first reason counts.
    pub(super) fn pause(&self, ending: Ending) {
        lock(&self.pause).get_or_insert(ending);
        self.is_pausing.store(true, Relaxed);
    }

    #[inline]
    fn is_pausing(&self) -> bool {
        self.is_pausing.load(Relaxed)
    }

    /// From now on, states with a larger f have to wait for the next round.
    pub(super) fn close(&self, f: u64) {
        self.limit.fetch_min(f, Relaxed);
    }

    /// Whether a thread has nothing to do.
    #[inline]
    pub(super) fn has_idle_threads(&self) -> bool {
        self.resting.load(Relaxed) > 0
    }

    /// Announces a buffer, before it is sent.
    pub(super) fn announce(&self) {
        self.work.fetch_add(1, AcqRel);
    }

    /// Takes the buffers in the inbox of `thread`, which does not rest.
    pub(super) fn collect(&self, thread: usize, buffers: &mut Vec<Vec<u32>>) {
        self.desks[thread].inbox.take(buffers);
        self.work.fetch_sub(buffers.len(), AcqRel);
    }

    /// Shows the counters of a thread to the others.
    pub(super) fn publish(&self, thread: usize, statistics: &Statistics) {
        *lock(&self.desks[thread].counters) = *statistics;
    }

    /// The counters of all threads, as they were shown last.
    pub(super) fn statistics(&self) -> Statistics {
        let sum = |sum: Statistics, desk: &Desk| sum.plus(&lock(&desk.counters));
        self.desks.iter().fold(Statistics::default(), sum).with_jump(&self.at_last_jump())
    }

    /// The counters when the lower bound last rose.
    pub(super) fn at_last_jump(&self) -> Statistics {
        *lock(&self.at_last_jump)
    }

    /// A thread has expanded a goal state at this cost.
    pub(super) fn reach_goal(&self, cost: u64, goal: Address) {
        let mut best = lock(&self.goal);
        if cost < self.best_cost.load(Relaxed) {
            self.best_cost.store(cost, Relaxed);
            *best = Some(goal);
        }
        if cost <= self.lower_bound.load(Relaxed) {
            self.finish(End::Answer);
        }
    }

    /// Ends the advance at once; the first reason counts.
    pub(super) fn finish(&self, end: End) {
        lock(&self.end).get_or_insert(end);
        self.is_over.store(true, Release);
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Acquire)
    }

    /// How the advance has ended, and what is known then.
    pub(super) fn into_end(self) -> (End, Known) {
        let at_last_jump = self.at_last_jump();
        let cost = self.best_cost.into_inner();
        let goal = self.goal.into_inner().unwrap_or_else(PoisonError::into_inner);
        let lower_bound = self.lower_bound.into_inner();
        let known = Known { lower_bound, best: goal.map(|goal| (cost, goal)), at_last_jump };
        let end = self.end.into_inner().unwrap_or_else(PoisonError::into_inner);
        (end.expect("threads stop when the search is over"), known)
    }

    /// Rests: waits until there is mail, or another round begins, or the search is over. The
    /// thread has sent all its messages, and its least open f is `least_f`.
    pub(super) fn rest(&self, thread: usize, least_f: Option<u64>, limits: &Limits) {
        let desk = &self.desks[thread];
        desk.least_f.store(least_f.unwrap_or(u64::MAX), Relaxed);
        let round = self.number.load(Acquire);
        self.resting.fetch_add(1, Relaxed);
        if self.work.fetch_sub(1, AcqRel) == 1 {
            self.end_round();
        }
        let mut pause = Pause::default();
        while !self.is_over() {
            // In this order: mail of the next round is there only if the round is.
            let has_mail = desk.inbox.count() > 0;
            if self.number.load(Acquire) != round {
                break;
            }
            if has_mail {
                self.work.fetch_add(1, AcqRel);
                break;
            }
            if pause.wait() {
                self.check(limits);
            }
        }
        self.resting.fetch_sub(1, Relaxed);
    }

    /// Lets the search pause if a limit is reached.
    pub(super) fn check(&self, limits: &Limits) {
        if let Err(stop) = limits.check() {
            self.pause(stop.into());
        }
    }

    /// Ends a round, while all threads rest and no message is on its way. Begins the next one, if
    /// there is one.
    fn end_round(&self) {
        let least = |desk: &Desk| desk.least_f.load(Relaxed);
        let least_f = self.desks.iter().map(least).min().unwrap_or(u64::MAX);
        if least_f == u64::MAX || self.best_cost.load(Relaxed) <= least_f {
            return self.finish(End::Answer);
        }
        if least_f > self.lower_bound.load(Relaxed) {
            let mut statistics = self.statistics();
            statistics.begin_layer();
            *lock(&self.at_last_jump) = statistics;
            self.lower_bound.store(least_f, Relaxed);
        }
        if let Some(reason) = lock(&self.pause).take() {
            return self.finish(End::Early(reason));
        }
        self.limit.store(u64::MAX, Relaxed);
        self.work.store(self.desks.len(), Relaxed);
        self.number.fetch_add(1, Release);
    }
}

/// Waits a little longer each time: first the thread spins, then it lets others run, then it
/// sleeps. Most pauses are over before it comes to that.
#[derive(Default)]
pub(super) struct Pause(u32);

impl Pause {
    const SPINS: u32 = 100;
    const YIELDS: u32 = 50;
    const SLEEP: Duration = Duration::from_micros(50);

    /// Waits; whether it was long enough for a look at the limits.
    pub(super) fn wait(&mut self) -> bool {
        self.0 = self.0.saturating_add(1);
        if self.0 <= Self::SPINS {
            std::hint::spin_loop();
            return false;
        }
        if self.0 <= Self::SPINS + Self::YIELDS {
            thread::yield_now();
        } else {
            thread::sleep(Self::SLEEP);
        }
        true
    }
}
