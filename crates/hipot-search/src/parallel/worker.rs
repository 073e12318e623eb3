//! The loop of one thread.
//!
//! `expansion` is about the thread's own states, `exchange` about messages.

mod exchange;
mod expansion;

use hipot_task::{Heuristic, Limits};

use super::address::Distribution;
use super::batch::Batch;
use super::filter::Filter;
use super::mail::{Format, Outbox};
use super::params::ParallelParams;
use super::rounds::{End, Rounds};
use super::share::Share;
use crate::layer_search::Ending;
use crate::progress::{Progress, StateBudget};
use crate::registry::Layout;
use crate::rules::Rules;

/// The number of successors and messages between two looks at the memory.
const MEMORY_INTERVAL: u64 = 1 << 16;

/// What all threads are given.
#[derive(Clone, Copy)]
pub(super) struct Common<'a, L> {
    pub(super) rounds: &'a Rounds,
    pub(super) distribution: Distribution,
    pub(super) format: Format<L>,
    pub(super) params: ParallelParams,
    pub(super) budget: StateBudget,
    pub(super) limits: &'a Limits,
}

/// One thread of a search.
pub(super) struct Worker<'a, L, H> {
    number: usize,
    common: Common<'a, L>,
    rules: &'a mut Rules,
    heuristic: &'a mut H,
    share: &'a mut Share<L>,
    batch: Batch,
    /// Used if senders evaluate states.
    filter: Option<Filter<L>>,
    outbox: Outbox<L>,
    /// Buffers that were received, while they are read.
    received: Vec<Vec<u32>>,
    /// A thread that is slow to read its mail.
    slow_reader: Option<usize>,
    /// The layer of the last entry, the lowest h that we know of there, and whether another thread
    /// is about to be sent that state.
    layer: u64,
    lowest_h: u64,
    is_urgent: bool,
    baton: Option<Baton>,
    /// The number of messages read.
    messages: u64,
    clock: u64,
    memory: u64,
    /// The number of the round, and the number of expanded states that closes it.
    round: usize,
    close_at: u64,
}

/// The best successor of a dive that belongs to another thread: its h, its owner, and where its
/// message begins.
#[derive(Clone, Copy)]
struct Baton {
    h: u64,
    owner: usize,
    begin: usize,
}

/// What one thread tells the progress to, and the bound that was told last.
pub(super) type Tell<'a> = Option<(&'a mut dyn FnMut(Progress<'_>), &'a mut Option<u64>)>;

impl<'a, L: Layout, H: Heuristic> Worker<'a, L, H> {
    pub(super) fn new(
        number: usize,
        common: Common<'a, L>,
        rules: &'a mut Rules,
        heuristic: &'a mut H,
        share: &'a mut Share<L>,
    ) -> Self {
        let width = rules.packing.width();
        let threads = common.rounds.desks.len();
        Self {
            batch: Batch::new(width),
            filter: common.format.has_estimate.then(|| Filter::new(common.format.layout)),
            outbox: Outbox::new(common.format, threads, common.params.messages),
            received: Vec::new(),
            slow_reader: None,
            layer: u64::MAX,
            lowest_h: u64::MAX,
            is_urgent: false,
            baton: None,
            messages: 0,
            clock: 0,
            memory: 0,
            round: usize::MAX,
            close_at: 0,
            number,
            common,
            rules,
            heuristic,
            share,
        }
    }

    /// Searches until the advance is over. `tell` is called with the progress of all threads.
    pub(super) fn run(mut self, mut tell: Tell<'_>) {
        if let Err(ending) = self.search(&mut tell) {
            self.common.rounds.finish(End::Early(ending));
        }
    }

    fn search(&mut self, tell: &mut Tell<'_>) -> Result<(), Ending> {
        let rounds = self.common.rounds;
        self.clock = self.work() + self.common.params.clock;
        self.memory = self.work() + MEMORY_INTERVAL;
        while !rounds.is_over() {
            self.begin_round(tell);
            self.receive()?;
            match self.share.open.least_f() {
                Some(f) if rounds.admits(f) => self.step()?,
                least_f => self.rest(least_f),
            }
            if self.work() >= self.clock {
                self.look_at_clock(tell)?;
            }
        }
        Ok(())
    }

    /// Notices that another round has begun.
    #[inline]
    fn begin_round(&mut self, tell: &mut Tell<'_>) {
        let round = self.common.rounds.round();
        if round.number == self.round {
            return;
        }
        self.round = round.number;
        self.close_at = self.share.statistics.expanded + self.common.params.round;
        if let Some((tell, told)) = tell
            && **told < Some(round.lower_bound)
        {
            **told = Some(round.lower_bound);
            let statistics = &self.common.rounds.at_last_jump();
            tell(Progress { f: round.lower_bound, is_new_layer: true, statistics });
        }
    }

    /// What the clock is checked by.
    fn work(&self) -> u64 {
        let statistics = &self.share.statistics;
        statistics.generated + statistics.reevaluated + self.messages
    }

    #[cold]
    fn look_at_clock(&mut self, tell: &mut Tell<'_>) -> Result<(), Ending> {
        let Common { rounds, params, budget, limits, .. } = self.common;
        self.clock = self.work() + params.clock;
        rounds.check(limits);
        rounds.publish(self.number, &self.share.statistics);
        if budget != StateBudget::default() && budget.is_spent(&rounds.statistics()) {
            rounds.pause(Ending::BudgetSpent);
        }
        if self.work() >= self.memory {
            self.memory = self.work() + MEMORY_INTERVAL;
            limits.reserve(0)?;
            if let Some((tell, Some(f))) = tell {
                tell(Progress { f: *f, is_new_layer: false, statistics: &rounds.statistics() });
            }
        }
        Ok(())
    }

    /// Expands the next states.
    fn step(&mut self) -> Result<(), Ending> {
        let Some(entry) = self.share.open.pop() else { return Ok(()) };
        if !self.share.is_current(entry) {
            return Ok(());
        }
        self.collect(entry)?;
        if !self.batch.parents.is_empty() {
            let lowest_h = if entry.f == self.layer { self.lowest_h } else { u64::MAX };
            (self.layer, self.lowest_h) = (entry.f, entry.h.min(lowest_h));
        }
        self.expand(entry.f - entry.h)?;
        self.pass_baton();
        if self.is_urgent || self.common.rounds.has_idle_threads() {
            self.is_urgent = false;
            self.send_all();
        }
        if self.share.statistics.expanded >= self.close_at {
            self.close_at = u64::MAX;
            self.common.rounds.close(entry.f);
        }
        self.wait_for_slow_reader()
    }

    fn rest(&mut self, least_f: Option<u64>) {
        self.send_all();
        self.common.rounds.publish(self.number, &self.share.statistics);
        self.common.rounds.rest(self.number, least_f, self.common.limits);
    }
}
