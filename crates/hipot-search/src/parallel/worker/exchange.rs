//! Messages: what a thread sends, and what it reads.

use hipot_task::{Heuristic, StateView};

use super::super::address::Address;
use super::super::mail::{Format, Message};
use super::super::rounds::Pause;
use super::super::share::Origin;
use super::{Baton, Common, Worker};
use crate::layer_search::Ending;
use crate::registry::Layout;

/// The number of messages that are processed together.
const MESSAGES: usize = 64;

/// If so many buffers wait for a thread, those who send to it wait, too.
const MAX_WAITING: usize = 1 << 8;

impl<L: Layout, H: Heuristic> Worker<'_, L, H> {
    /// Writes a successor into a message for its owner.
    #[inline]
    pub(super) fn post(
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
    pub(super) fn pass_baton(&mut self) {
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

    pub(super) fn send_all(&mut self) {
        for thread in 0..self.common.rounds.desks.len() {
            if self.outbox.has_mail(thread) {
                self.send(thread);
            }
        }
    }

    /// Waits for a thread that has too much to read. Meanwhile we read our own mail, so two
    /// threads never wait for each other.
    pub(super) fn wait_for_slow_reader(&mut self) -> Result<(), Ending> {
        let Some(thread) = self.slow_reader.take() else { return Ok(()) };
        let Common { rounds, limits, .. } = self.common;
        let mut pause = Pause::default();
        while rounds.desks[thread].inbox.count() > MAX_WAITING && !rounds.is_over() {
            self.receive()?;
            if pause.wait() {
                rounds.check(limits);
            }
        }
        Ok(())
    }

    /// Reads the messages that have arrived.
    #[inline]
    pub(super) fn receive(&mut self) -> Result<(), Ending> {
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
