//! The loop of one thread.

use hipot_task::{Heuristic, Limits, StateView};

use super::address::{Address, Distribution};
use super::batch::Batch;
use super::filter::Filter;
use super::mail::{Format, Message, Outbox};
use super::params::ParallelParams;
use super::rounds::{End, Pause, Rounds};
use super::share::{Origin, Share};
use crate::layer_search::Ending;
use crate::open_list::Entry;
use crate::progress::{Progress, StateBudget};
use crate::registry::Layout;
use crate::rules::Rules;
use crate::word_tests::holds;

/// The approximate number of successors that are processed together, of which a part is our own;
/// and the number of messages.
const BATCH: usize = 128;
const MESSAGES: usize = 64;

/// If so many buffers wait for a thread, those who send to it wait, too.
const MAX_WAITING: usize = 1 << 8;

/// The numbers of successors and messages between two looks at the clock and at the memory.
const CLOCK_INTERVAL: u64 = 1 << 11;
const MEMORY_INTERVAL: u64 = 1 << 16;

/// What all threads are given.
#[derive(Clone, Copy)]
pub(super) struct Common<'a, L> {
    pub(super) rounds: &'a Rounds,
    pub(super) distribution: Distribution,
    pub(super) format: Format<L>,
    pub(super) params: ParallelParams,
    pub(super) limits: &'a Limits,
}

/// One thread of a search.
pub(super) struct Worker<'a, L, H> {
    number: usize,
    common: Common<'a, L>,
    rules: Rules,
    heuristic: &'a mut H,
    share: Share<L>,
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
    /// The bound that was told last.
    told: Option<u64>,
}

/// The best successor of a dive that belongs to another thread: its h, its owner, and where its
/// message begins.
#[derive(Clone, Copy)]
struct Baton {
    h: u64,
    owner: usize,
    begin: usize,
}

/// Called with the progress, by one thread.
pub(super) type Tell<'a> = Option<&'a mut dyn FnMut(Progress<'_>)>;

impl<'a, L: Layout, H: Heuristic> Worker<'a, L, H> {
    pub(super) fn new(
        number: usize,
        common: Common<'a, L>,
        rules: Rules,
        heuristic: &'a mut H,
        share: Share<L>,
    ) -> Self {
        let width = rules.packing.width();
        let threads = common.rounds.desks.len();
        Self {
            number,
            common,
            rules,
            heuristic,
            share,
            batch: Batch::new(BATCH * width),
            filter: common.format.has_estimate.then(|| Filter::new(common.format.layout)),
            outbox: Outbox::new(common.format, threads, common.params.messages),
            received: Vec::new(),
            slow_reader: None,
            layer: u64::MAX,
            lowest_h: u64::MAX,
            is_urgent: false,
            baton: None,
            messages: 0,
            clock: CLOCK_INTERVAL,
            memory: MEMORY_INTERVAL,
            round: usize::MAX,
            close_at: 0,
            told: None,
        }
    }

    /// Searches until the search is over, and gives its states back. `tell` is called with the
    /// progress of all threads.
    pub(super) fn run(mut self, mut tell: Tell<'_>) -> Share<L> {
        if let Err(ending) = self.search(&mut tell) {
            self.common.rounds.finish(End::Early(ending));
        }
        self.common.rounds.publish(self.number, &self.share.statistics);
        self.share
    }

    fn search(&mut self, tell: &mut Tell<'_>) -> Result<(), Ending> {
        let rounds = self.common.rounds;
        while !rounds.is_over() {
            self.begin_round(tell);
            self.receive()?;
            match self.share.open.least_f() {
                Some(f) if rounds.admits(f) => self.step()?,
                least_f => self.rest(least_f)?,
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
        if let Some(tell) = tell
            && self.told < Some(round.lower_bound)
        {
            self.told = Some(round.lower_bound);
            let statistics = &self.common.rounds.at_last_jump();
            tell(Progress { f: round.lower_bound, is_new_layer: true, statistics });
        }
    }

    /// What the clock is checked by.
    fn work(&self) -> u64 {
        self.share.statistics.generated + self.messages
    }

    #[cold]
    fn look_at_clock(&mut self, tell: &mut Tell<'_>) -> Result<(), Ending> {
        let Common { rounds, params, limits, .. } = self.common;
        let budget = params.search.budget;
        self.clock = self.work() + CLOCK_INTERVAL;
        limits.check()?;
        rounds.publish(self.number, &self.share.statistics);
        if budget != StateBudget::default() && budget.is_spent(&rounds.statistics()) {
            return Err(Ending::BudgetSpent);
        }
        if self.work() >= self.memory {
            self.memory = self.work() + MEMORY_INTERVAL;
            limits.reserve(0)?;
            if let (Some(tell), Some(f)) = (tell, self.told) {
                tell(Progress { f, is_new_layer: false, statistics: &rounds.statistics() });
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
        let lowest_h = if entry.f == self.layer { self.lowest_h } else { u64::MAX };
        (self.layer, self.lowest_h) = (entry.f, entry.h.min(lowest_h));
        self.collect(entry);
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

    /// Starts a batch with `first` and fills it with other entries like it. Goal states are not
    /// expanded.
    fn collect(&mut self, first: Entry) {
        let Self { share, batch, rules, .. } = self;
        batch.clear();
        let mut next = Some(first);
        while let Some(entry) = next {
            if share.is_current(entry) {
                share.statistics.expanded += 1;
                let cost = entry.f - entry.h;
                share.registry.set_cost(entry.state, cost, true);
                let words = share.registry.words(entry.state);
                if holds(&rules.goal, words) {
                    let goal = self.common.distribution.address(self.number, entry.state);
                    self.common.rounds.reach_goal(cost, goal);
                } else {
                    let origin = batch.parents.len() as u32;
                    rules.generator.collect(words, &mut batch.operators);
                    batch.origins.resize(batch.operators.len(), origin);
                    batch.parent_words.extend_from_slice(words);
                    batch.parents.push(entry.state);
                }
            }
            let is_full = batch.operators.len() >= BATCH;
            next = if is_full { None } else { share.open.pop_like(first) };
        }
        share.open.end_batch(batch.parents.len() as u32, &mut batch.operators);
        share.statistics.generated += batch.operators.len() as u64;
    }

    /// Generates the successors of the batch, whose states have been reached at cost `g`, and
    /// keeps or sends them.
    fn expand(&mut self, g: u64) -> Result<(), Ending> {
        for begin in (0..self.batch.operators.len()).step_by(BATCH) {
            let end = self.batch.operators.len().min(begin + BATCH);
            self.share.make_room(end - begin, self.common.limits)?;
            self.generate(begin, end);
            for (&hash, &owner) in self.batch.hashes.iter().zip(&self.batch.owners) {
                if owner as usize == self.number {
                    self.share.registry.prefetch_candidate(hash);
                }
            }
            for &next in self.share.open.upcoming() {
                self.share.registry.prefetch_record(next);
            }
            for index in begin..end {
                self.process(g, index, index - begin)?;
            }
        }
        Ok(())
    }

    /// Computes the successors by `operators[begin..end]`, their hashes and owners.
    fn generate(&mut self, begin: usize, end: usize) {
        let width = self.rules.packing.width();
        let Self { share, rules, common, filter, .. } = self;
        let Batch { parent_words, operators, origins, successors, hashes, owners, .. } =
            &mut self.batch;
        hashes.clear();
        owners.clear();
        let batch = successors.chunks_exact_mut(width);
        let steps = operators[begin..end].iter().zip(&origins[begin..end]);
        for ((&operator, &origin), successor) in steps.zip(batch) {
            let parent = &parent_words[origin as usize * width..][..width];
            successor.copy_from_slice(parent);
            rules.transitions.apply(operator, parent, successor);
            let hash = share.registry.hash(successor);
            let owner = common.distribution.owner(hash);
            if owner == self.number {
                share.registry.prefetch_slot(hash);
            } else if let Some(filter) = filter {
                filter.prefetch(hash);
            }
            hashes.push(hash);
            owners.push(owner as u32);
        }
    }

    /// Enters a successor if it is our own; otherwise writes it into a message. It is reached by
    /// `operators[index]` and is at `place` among those computed.
    #[inline]
    fn process(&mut self, g: u64, index: usize, place: usize) -> Result<(), Ending> {
        let Self { share, batch, rules, heuristic, .. } = self;
        let cost = g + u64::from(rules.costs[batch.operators[index].index()]);
        if cost > L::MAX_COST {
            return Err(Ending::CostTooLarge);
        }
        let packing = &rules.packing;
        let words = place * packing.width()..(place + 1) * packing.width();
        let parent = batch.parents[batch.origins[index] as usize];
        let parent = self.common.distribution.address(self.number, parent);
        let owner = batch.owners[place] as usize;
        if owner == self.number {
            let entered = share.enter(&batch.successors[words], batch.hashes[place], cost);
            if let Some(entered) = entered {
                let estimate = batch.estimate(index, place, packing, &mut **heuristic);
                share.settle(entered, parent, cost, estimate, Origin::Own);
            }
            return Ok(());
        }
        self.post(cost, index, place, parent)
    }

    /// Writes a successor into a message for its owner.
    #[inline]
    fn post(
        &mut self,
        cost: u64,
        index: usize,
        place: usize,
        parent: Address,
    ) -> Result<(), Ending> {
        let Self { batch, rules, heuristic, .. } = self;
        let (packing, owner) = (&rules.packing, batch.owners[place] as usize);
        let words = place * packing.width()..(place + 1) * packing.width();
        if let Some(filter) = &mut self.filter
            && filter.was_sent(&batch.successors[words.clone()], batch.hashes[place], cost)
        {
            return Ok(());
        }
        let mut estimate = None;
        if self.common.format.has_estimate {
            let computed = batch.estimate(index, place, packing, &mut **heuristic);
            if !Format::<L>::fits(computed) {
                return Err(Ending::CostTooLarge);
            }
            estimate = Some(computed);
            if let Some(h) = computed.cost()
                && cost + h == self.layer
            {
                self.note_in_layer(h, owner);
            }
        }
        let words = &self.batch.successors[words];
        let message = Message { words, parent, cost, estimate, is_in_dive: false };
        if self.outbox.add(owner, &message) {
            self.send(owner);
        }
        Ok(())
    }

    /// Notes that the next message for `owner` is about a state of this layer.
    #[inline]
    fn note_in_layer(&mut self, h: u64, owner: usize) {
        if h < self.lowest_h {
            (self.lowest_h, self.is_urgent) = (h, true);
        }
        if self.share.open.is_diving() && self.baton.is_none_or(|baton| h < baton.h) {
            self.baton = Some(Baton { h, owner, begin: self.outbox.end(owner) });
        }
    }

    /// Lets the owner of the best successor go on with a dive.
    fn pass_baton(&mut self) {
        if let Some(Baton { h, owner, begin }) = self.baton.take()
            && self.share.open.hand_over_dive(h)
        {
            self.outbox.mark(owner, begin);
            self.send(owner);
        }
    }

    fn send(&mut self, thread: usize) {
        let inbox = &self.common.rounds.desks[thread].inbox;
        self.baton = self.baton.filter(|baton| baton.owner != thread);
        self.common.rounds.announce();
        self.outbox.send(thread, inbox);
        if inbox.count() > MAX_WAITING {
            self.slow_reader = Some(thread);
        }
    }

    fn send_all(&mut self) {
        for thread in 0..self.common.rounds.desks.len() {
            if self.outbox.has_mail(thread) {
                self.send(thread);
            }
        }
    }

    /// Waits for a thread that has too much to read. Meanwhile we read our own mail, so two
    /// threads never wait for each other.
    fn wait_for_slow_reader(&mut self) -> Result<(), Ending> {
        let Some(thread) = self.slow_reader.take() else { return Ok(()) };
        let Common { rounds, limits, .. } = self.common;
        let mut pause = Pause::default();
        while rounds.desks[thread].inbox.count() > MAX_WAITING && !rounds.is_over() {
            self.receive()?;
            if pause.wait() {
                limits.check()?;
            }
        }
        Ok(())
    }

    fn rest(&mut self, least_f: Option<u64>) -> Result<(), Ending> {
        self.send_all();
        self.common.rounds.publish(self.number, &self.share.statistics);
        self.common.rounds.rest(self.number, least_f, self.common.limits)?;
        Ok(())
    }

    /// Reads the messages that have arrived.
    #[inline]
    fn receive(&mut self) -> Result<(), Ending> {
        if self.common.rounds.desks[self.number].inbox.count() > 0 {
            self.read_mail()?;
        }
        Ok(())
    }

    fn read_mail(&mut self) -> Result<(), Ending> {
        let mut buffers = std::mem::take(&mut self.received);
        self.common.rounds.collect(self.number, &mut buffers);
        for buffer in buffers.drain(..) {
            for messages in buffer.chunks(MESSAGES * self.common.format.len()) {
                self.admit(messages)?;
            }
            self.outbox.recycle(buffer);
        }
        self.received = buffers;
        Ok(())
    }

    /// Enters the states of some messages.
    fn admit(&mut self, messages: &[u32]) -> Result<(), Ending> {
        let Self { share, batch, rules, heuristic, .. } = self;
        let format = self.common.format;
        let count = messages.len() / format.len();
        share.make_room(count, self.common.limits)?;
        batch.hashes.clear();
        for message in messages.chunks_exact(format.len()) {
            let hash = share.registry.hash(message);
            share.registry.prefetch_slot(hash);
            batch.hashes.push(hash);
        }
        for &hash in &batch.hashes {
            share.registry.prefetch_candidate(hash);
        }
        for (message, &hash) in messages.chunks_exact(format.len()).zip(&batch.hashes) {
            let Message { words, parent, cost, estimate, is_in_dive } = format.read(message);
            if let Some(entered) = share.enter(words, hash, cost) {
                let view = StateView::new(&rules.packing, words);
                let estimate = estimate.unwrap_or_else(|| heuristic.estimate(view));
                share.settle(entered, parent, cost, estimate, Origin::Other { is_in_dive });
            }
        }
        self.messages += count as u64;
        Ok(())
    }
}
