//! The states that one thread owns: its registry, its open list, and counters.

use hipot_task::{Estimate, Limits, Promise, Stop};

use super::address::Address;
use crate::open_list::{Entry, OpenList};
use crate::registry::{Layout, Registry, SEGMENT_WORDS, StateId};
use crate::statistics::Statistics;
use crate::ties::Ties;

/// Segments have at least this many words: a large page.
const MIN_SEGMENT_WORDS: usize = 512 << 10;

/// Which thread has generated a state.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    /// The owner.
    Own,
    /// Another one, perhaps in a dive.
    Other { is_in_dive: bool },
}

pub(super) struct Share<L> {
    pub(super) registry: Registry<L>,
    pub(super) open: OpenList,
    pub(super) statistics: Statistics,
    /// The maximum number of states.
    capacity: usize,
    /// Room for the rest of a segment, which other threads must not take.
    segment: Option<Promise>,
}

impl<L: Layout> Share<L> {
    /// The share of the thread with this number, one of `threads`.
    pub(super) fn new(
        layout: L,
        ties: Ties,
        number: usize,
        threads: usize,
        capacity: usize,
    ) -> Result<Self, Stop> {
        let words = (SEGMENT_WORDS / threads).max(MIN_SEGMENT_WORDS);
        Ok(Self {
            registry: Registry::with_segments(layout, false, words)?,
            open: OpenList::new(ties.in_thread(number)),
            statistics: Statistics::default(),
            capacity,
            segment: None,
        })
    }

    /// Makes room for `count` more states, if there is memory.
    pub(super) fn make_room(&mut self, count: usize, limits: &Limits) -> Result<(), Stop> {
        if self.registry.len() + count > self.capacity {
            return Err(Stop::MemoryLimit);
        }
        self.registry.make_room(count, limits)?;
        self.open.make_room(count)?;
        if self.segment.is_none() {
            self.segment = Some(limits.promise(self.registry.segment_bytes())?);
        }
        Ok(())
    }

    /// Enters a state that was reached at this cost. `None` if it was known at no higher cost;
    /// otherwise the state and whether it is new, to be [settled](Self::settle).
    #[inline]
    pub(super) fn enter(&mut self, words: &[u32], hash: u64, cost: u64) -> Option<(StateId, bool)> {
        let (state, is_new) = self.registry.insert(words, hash);
        if !is_new {
            let (known, expanded) = self.registry.cost(state);
            if cost >= known {
                return None;
            }
            self.statistics.reopened += u64::from(expanded);
        }
        Some((state, is_new))
    }

    /// Sets what is known of a state that was entered, and adds it to the open list.
    #[inline]
    pub(super) fn settle(
        &mut self,
        (state, is_new): (StateId, bool),
        parent: Address,
        cost: u64,
        estimate: Estimate,
        origin: Origin,
    ) {
        self.registry.set_parent(state, StateId::nth(parent.0));
        self.statistics.evaluated += u64::from(is_new);
        if let Some(h) = estimate.cost() {
            self.registry.set_cost(state, cost, false);
            match origin {
                Origin::Own => self.open.push(cost + h, h, state),
                Origin::Other { is_in_dive: false } => self.open.add(cost + h, h, state),
                Origin::Other { is_in_dive: true } => self.open.add_in_dive(cost + h, h, state),
            }
        } else {
            // No path is cheaper than 0: a dead end is never entered again.
            self.registry.set_cost(state, 0, true);
            self.statistics.dead_ends += 1;
        }
    }

    /// Whether an entry from before the heuristic changed may be expanded: whether its estimate is
    /// no lower than this one, which was computed now. Otherwise the state goes back to the open
    /// list.
    pub(super) fn confirm(&mut self, entry: Entry, estimate: Estimate) -> Result<bool, Stop> {
        self.statistics.reevaluated += 1;
        let Some(h) = estimate.cost() else {
            self.registry.set_cost(entry.state, 0, true);
            self.statistics.dead_ends += 1;
            return Ok(false);
        };
        if h > entry.h {
            self.open.make_room(1)?;
            self.open.push(entry.f - entry.h + h, h, entry.state);
        }
        Ok(h <= entry.h)
    }

    /// Whether the entry's state was not expanded and no cheaper path to it was found since.
    #[inline]
    pub(super) fn is_current(&self, entry: Entry) -> bool {
        self.registry.cost(entry.state) == (entry.f - entry.h, false)
    }

    /// The parent of a state.
    pub(super) fn parent(&self, state: StateId) -> Address {
        Address(self.registry.parent(state).number())
    }
}
