//! Successors on their way to the threads that own them.
//!
//! A message is a few words: the packed state, the parent's address, the cost g of the path with
//! one bit that says whether a dive goes on there, and, if the sender evaluates states, the
//! estimate h. Messages for one thread are collected in a
//! buffer and handed over when it is full, so the lock of an inbox is taken once for some
//! hundred messages. Buffers that were read are used again by their reader, which sends about as
//! many as it receives.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use hipot_task::Estimate;

use super::address::Address;
use crate::registry::Layout;

/// The number of buffers that a thread keeps for later.
const MAX_SPARE: usize = 64;

/// The parts of a message.
#[derive(Clone, Copy)]
pub(super) struct Format<L> {
    pub(super) layout: L,
    pub(super) has_estimate: bool,
}

/// A message that was received.
pub(super) struct Message<'a> {
    pub(super) words: &'a [u32],
    pub(super) parent: Address,
    pub(super) cost: u64,
    pub(super) estimate: Option<Estimate>,
    /// Whether the state is the next one of a dive.
    pub(super) is_in_dive: bool,
}

impl<L: Layout> Format<L> {
    pub(super) fn new(layout: L, has_estimate: bool) -> Self {
        Self { layout, has_estimate }
    }

    /// The number of words of a message.
    pub(super) fn len(self) -> usize {
        self.layout.width() + 1 + L::COST_WORDS * (1 + usize::from(self.has_estimate))
    }

    /// Whether an estimate fits: with costs of one word, up to 2³² − 2.
    #[inline]
    pub(super) fn fits(estimate: Estimate) -> bool {
        L::COST_WORDS == 2 || estimate.cost().is_none_or(|h| h < u64::from(u32::MAX))
    }

    /// Writes a message to a place of its length.
    #[inline]
    fn write(self, place: &mut [u32], message: &Message<'_>) {
        let (words, rest) = place.split_at_mut(self.layout.width());
        words.copy_from_slice(message.words);
        rest[0] = message.parent.0;
        let (cost, estimate) = rest[1..].split_at_mut(L::COST_WORDS);
        write_cost(cost, message.cost << 1 | u64::from(message.is_in_dive));
        if let Some(written) = message.estimate {
            write_cost(estimate, written.cost().unwrap_or(u64::MAX));
        }
    }

    #[inline]
    pub(super) fn read(self, message: &[u32]) -> Message<'_> {
        let (words, rest) = message.split_at(self.layout.width());
        let (cost, estimate) = rest[1..].split_at(L::COST_WORDS);
        let estimate = self.has_estimate.then(|| read_estimate(estimate));
        let (parent, code) = (Address(rest[0]), read_cost(cost));
        Message { words, parent, cost: code >> 1, estimate, is_in_dive: code & 1 == 1 }
    }
}

#[inline]
fn read_estimate(words: &[u32]) -> Estimate {
    let is_dead_end = words.iter().all(|&word| word == u32::MAX);
    if is_dead_end { Estimate::DEAD_END } else { Estimate::at_least(read_cost(words)) }
}

#[inline]
fn write_cost(place: &mut [u32], cost: u64) {
    place[0] = cost as u32;
    if let [_, high] = place {
        *high = (cost >> 32) as u32;
    }
}

#[inline]
fn read_cost(words: &[u32]) -> u64 {
    let high = words.get(1).copied().unwrap_or(0);
    u64::from(words[0]) | u64::from(high) << 32
}

/// The full buffers for one thread.
#[derive(Default)]
pub(super) struct Inbox {
    buffers: Mutex<Vec<Vec<u32>>>,
    /// The number of buffers, to be read without the lock.
    count: AtomicUsize,
}

impl Inbox {
    /// The number of buffers.
    #[inline]
    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    fn put(&self, buffer: Vec<u32>) {
        let mut buffers = self.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        buffers.push(buffer);
        self.count.store(buffers.len(), Ordering::Release);
    }

    /// Exchanges the buffers for `empty`, a list without elements.
    pub(super) fn take(&self, empty: &mut Vec<Vec<u32>>) {
        let mut buffers = self.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut *buffers, empty);
        self.count.store(0, Ordering::Release);
    }
}

/// The messages that a thread has not sent yet.
pub(super) struct Outbox<L> {
    format: Format<L>,
    /// The size of a buffer.
    full: usize,
    /// For each thread, a buffer and how much of it is written.
    buffers: Vec<(Vec<u32>, usize)>,
    spare: Vec<Vec<u32>>,
}

impl<L: Layout> Outbox<L> {
    /// An outbox for so many threads, which sends so many messages at a time.
    pub(super) fn new(format: Format<L>, threads: usize, messages: usize) -> Self {
        let full = messages.max(1) * format.len();
        let buffers = vec![(vec![0; full], 0); threads];
        Self { format, full, buffers, spare: Vec::new() }
    }

    /// Adds a message for `thread`; whether its buffer is full.
    #[inline]
    pub(super) fn add(&mut self, thread: usize, message: &Message<'_>) -> bool {
        let (buffer, end) = &mut self.buffers[thread];
        let begin = *end;
        *end += self.format.len();
        self.format.write(&mut buffer[begin..*end], message);
        *end == self.full
    }

    /// Where the next message for `thread` will be.
    pub(super) fn end(&self, thread: usize) -> usize {
        self.buffers[thread].1
    }

    /// Says that a dive goes on at the message for `thread` that begins there.
    pub(super) fn mark(&mut self, thread: usize, begin: usize) {
        let cost = begin + self.format.layout.width() + 1;
        self.buffers[thread].0[cost] |= 1;
    }

    /// Whether there is a message for `thread`.
    pub(super) fn has_mail(&self, thread: usize) -> bool {
        self.buffers[thread].1 > 0
    }

    /// Puts the buffer for `thread` into its inbox.
    pub(super) fn send(&mut self, thread: usize, inbox: &Inbox) {
        let next = self.spare.pop().unwrap_or_else(|| vec![0; self.full]);
        let (mut buffer, end) = std::mem::replace(&mut self.buffers[thread], (next, 0));
        buffer.truncate(end);
        inbox.put(buffer);
    }

    /// Keeps a buffer that was read, to be used again.
    pub(super) fn recycle(&mut self, mut buffer: Vec<u32>) {
        if self.spare.len() < MAX_SPARE {
            buffer.resize(self.full, 0);
            self.spare.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{AnyWidth, Fixed};

    fn check<L: Layout>(format: Format<L>, cost: u64, estimates: &[Option<Estimate>]) {
        for &estimate in estimates {
            let (words, parent) = ([1, 2, 3], Address(7));
            let mut buffer = vec![0; format.len()];
            let is_in_dive = cost.is_multiple_of(3);
            let message = Message { words: &words, parent, cost, estimate, is_in_dive };
            format.write(&mut buffer, &message);
            let read = format.read(&buffer);
            assert_eq!((read.words, read.parent), (&words[..], parent));
            assert_eq!((read.cost, read.estimate), (cost, estimate));
            assert_eq!(read.is_in_dive, is_in_dive);
        }
    }

    #[test]
    fn messages_arrive_as_they_were_sent() {
        let small = [Some(Estimate::DEAD_END), Some(Estimate::at_least(u64::from(u32::MAX) - 1))];
        let large = [Some(Estimate::DEAD_END), Some(Estimate::at_least(u64::MAX - 1))];
        check(Format::new(Fixed::<3>, true), 1 << 30, &small);
        check(Format::new(AnyWidth::<2>(3), true), 1 << 60, &large);
        check(Format::new(Fixed::<3>, false), 1 << 30, &[None]);
        check(Format::new(AnyWidth::<2>(3), false), 1 << 60, &[None]);
        assert!(!Format::<Fixed<3>>::fits(Estimate::at_least(u32::MAX.into())));
        assert!(Format::<Fixed<3>>::fits(Estimate::DEAD_END));
    }
}
