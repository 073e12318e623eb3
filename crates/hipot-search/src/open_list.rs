//! The states to expand, in order: least f, then least h, then the newest, with the exceptions
//! that `ties` makes among states with the same f.
//!
//! Entries stay when a cheaper path to their state is found. The search drops them when
//! they come up, because their cost f − h is no longer that of the state.
//!
//! There is a bucket for each pair ⟨f, h⟩. If the heuristic changes, a new epoch begins, with
//! buckets of its own, so that entries need not say how old their estimates are. The buckets
//! hang in an ordered map: with small costs it has a handful of keys, and most accesses go to
//! the least, which is kept apart.
//!
//! Tried and dropped: a binary heap where costs are large. On tasks such as
//! parcprinter (costs to 10⁵, but many states for each f) it took more than
//! twice the time of the map, and even on tasks in which hardly two states have
//! the same f the map was no slower, if half as large again in memory.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Place;

use hipot_task::{OperatorId, Stop};

use crate::bucket::{Blocks, Bucket, End};
use crate::registry::StateId;
use crate::ties::{Source, TieBreaker, Ties};

/// A state to expand, with the f and h values it was pushed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) f: u64,
    pub(crate) h: u64,
    pub(crate) state: StateId,
    /// Whether it was pushed in this epoch.
    pub(crate) is_new: bool,
}

/// The maximum number of dives that wait.
const MAX_DIVES: usize = 1 << 10;

/// f, h and the epoch, the last one first.
type Key = (u64, u64, Reverse<u32>);

/// The key before all others with these values.
fn first_key(f: u64, h: u64) -> Key {
    (f, h, Reverse(u32::MAX))
}

/// One bucket for each ⟨f, h⟩ and epoch.
pub(crate) struct OpenList {
    /// The least bucket, kept apart because most accesses go there.
    least: Option<(Key, Bucket)>,
    others: BTreeMap<Key, Bucket>,
    blocks: Blocks,
    ties: TieBreaker,
    /// Entries where dives of other lists can go on.
    dives: Vec<Entry>,
    epoch: Reverse<u32>,
}

impl OpenList {
    pub(crate) fn new(ties: Ties) -> Self {
        Self {
            least: None,
            others: BTreeMap::new(),
            blocks: Blocks::default(),
            ties: TieBreaker::new(ties),
            dives: Vec::new(),
            epoch: Reverse(0),
        }
    }

    /// From now on, entries are told apart from those pushed before.
    pub(crate) fn begin_epoch(&mut self) {
        self.epoch.0 += 1;
        // These say that they are new. Each has an entry in a bucket as well.
        self.dives.clear();
    }

    /// All entries: for each f, h and epoch the oldest first.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry> {
        let least = self.least.iter().map(|(key, bucket)| (key, bucket));
        least.chain(&self.others).flat_map(|(&(f, h, epoch), bucket)| {
            let is_new = epoch == self.epoch;
            let entry = move |state| Entry { f, h, state, is_new };
            self.blocks.states(bucket).into_iter().map(entry)
        })
    }

    /// Makes room for `count` more entries, if there is memory.
    pub(crate) fn make_room(&mut self, count: usize) -> Result<(), Stop> {
        self.blocks.make_room(count)
    }

    /// Adds an entry.
    #[inline]
    pub(crate) fn push(&mut self, f: u64, h: u64, state: StateId) {
        self.ties.see(f, h);
        self.add(f, h, state);
    }

    /// Adds an entry that is not a successor of the state expanded last.
    #[inline]
    pub(crate) fn add(&mut self, f: u64, h: u64, state: StateId) {
        let key = (f, h, self.epoch);
        match &mut self.least {
            Some((least, bucket)) if *least == key => self.blocks.push(bucket, state),
            Some((least, _)) if *least < key => match self.others.entry(key) {
                Place::Occupied(mut bucket) => self.blocks.push(bucket.get_mut(), state),
                Place::Vacant(place) => drop(place.insert(self.blocks.bucket(state))),
            },
            least => {
                let bucket = self.blocks.bucket(state);
                if let Some((key, bucket)) = least.replace((key, bucket)) {
                    self.others.insert(key, bucket);
                }
            }
        }
    }

    /// The least f of an entry.
    #[inline]
    pub(crate) fn least_f(&self) -> Option<u64> {
        self.least.as_ref().map(|&((f, ..), _)| f)
    }

    /// Takes the entry that comes next.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        let &((f, h, _), _) = self.least.as_ref()?;
        match self.ties.choose(f, h) {
            Source::Least(end) => self.pop_least(end),
            Source::NewDive => self.begin_dive(f, h),
            Source::Next(h) => self.pop_from_h(h, End::Newest),
        }
    }

    fn begin_dive(&mut self, f: u64, lowest: u64) -> Option<Entry> {
        while let Some(entry) = self.dives.pop() {
            if entry.f == f {
                self.ties.take_over_dive();
                return Some(entry);
            }
        }
        let mut layer = self.others.range(..first_key(f + 1, 0));
        let highest = layer.next_back().map_or(lowest, |(&(_, h, _), _)| h);
        match self.ties.begin_dive(lowest, highest) {
            Some((h, end)) => self.pop_from_h(h, end),
            None => self.pop_least(End::Newest),
        }
    }

    /// Takes an entry of the least bucket.
    #[inline]
    fn pop_least(&mut self, end: End) -> Option<Entry> {
        let &mut ((f, h, epoch), ref mut bucket) = self.least.as_mut()?;
        let (state, is_empty) = self.blocks.pop(bucket, end);
        if is_empty {
            self.least = self.others.pop_first();
        }
        Some(Entry { f, h, state, is_new: epoch == self.epoch })
    }

    /// Takes an entry with the least f and an h from this one on.
    fn pop_from_h(&mut self, from: u64, end: End) -> Option<Entry> {
        let &((f, least, _), _) = self.least.as_ref()?;
        let layer = first_key(f, from)..first_key(f + 1, 0);
        let found = self.others.range_mut(layer).next();
        let Some((&(_, h, epoch), bucket)) = found.filter(|_| least < from) else {
            return self.pop_least(end);
        };
        let (state, is_empty) = self.blocks.pop(bucket, end);
        if is_empty {
            self.others.remove(&(f, h, epoch));
        }
        Some(Entry { f, h, state, is_new: epoch == self.epoch })
    }

    /// Takes another entry with the same f and h as `entry`, which was taken last, if the two may
    /// be expanded together.
    #[inline]
    pub(crate) fn pop_like(&mut self, entry: Entry) -> Option<Entry> {
        match &self.least {
            Some(((f, h, _), _)) if (*f, *h) == (entry.f, entry.h) => {
                let end = self.ties.end_of_batch()?;
                self.pop_least(end)
            }
            _ => None,
        }
    }

    /// Ends a batch of `count` entries: puts the operators applicable in them into the order in
    /// which the successors are to be added.
    #[inline]
    pub(crate) fn end_batch(&mut self, count: u32, operators: &mut [OperatorId]) {
        self.ties.end_batch(count, operators);
    }

    /// Whether the state expanded last was one of a dive.
    #[inline]
    pub(crate) fn is_diving(&self) -> bool {
        self.ties.end_of_batch().is_none()
    }

    /// Ends a dive if it could go on in another list, at this h, and nowhere better here. Returns
    /// whether it was ended.
    pub(crate) fn hand_over_dive(&mut self, h: u64) -> bool {
        self.ties.hand_over_dive(h)
    }

    /// Adds an entry where a dive of another list can go on. It may come up twice.
    pub(crate) fn add_in_dive(&mut self, f: u64, h: u64, state: StateId) {
        self.add(f, h, state);
        if self.dives.len() < MAX_DIVES {
            self.dives.push(Entry { f, h, state, is_new: true });
        }
    }

    /// Some of the states that `pop` gives next, the first one last.
    #[inline]
    pub(crate) fn upcoming(&self) -> &[StateId] {
        self.least.as_ref().map_or(&[], |(_, bucket)| self.blocks.newest(bucket))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, VecDeque};

    use hipot_task::Rng;

    use super::*;

    type Model = BTreeMap<Key, VecDeque<StateId>>;

    fn all_ties(seed: u64) -> [Ties; 5] {
        let patience = seed % 20;
        [
            Ties::Newest,
            Ties::Oldest,
            Ties::EitherEnd { seed },
            Ties::AnyH { seed, patience },
            Ties::Dives { seed, patience },
        ]
    }

    /// All entries of a model, in order.
    fn entries(model: &Model, epoch: u32) -> impl Iterator<Item = Entry> {
        model.iter().flat_map(move |(&(f, h, key), states)| {
            let is_new = key.0 == epoch;
            states.iter().map(move |&state| Entry { f, h, state, is_new })
        })
    }

    /// Removes an entry from the model: one with the least f and at an end of its bucket, and
    /// exactly which one if the order says so.
    fn remove(model: &mut Model, entry: Entry, epoch: u32, ties: Ties) {
        let (&least, _) = model.first_key_value().unwrap();
        assert_eq!(entry.f, least.0);
        let mut of_pair =
            model.range_mut(first_key(entry.f, entry.h)..first_key(entry.f, entry.h + 1));
        // The new ones first.
        let (&key, bucket) = of_pair.next().unwrap();
        assert_eq!(entry.is_new, key.2.0 == epoch);
        let (oldest, newest) = (bucket[0], bucket[bucket.len() - 1]);
        if newest == entry.state {
            bucket.pop_back();
        } else {
            assert_eq!(oldest, entry.state);
            bucket.pop_front();
        }
        match ties {
            Ties::Newest => assert_eq!((least, newest), (key, entry.state)),
            Ties::Oldest => assert_eq!((least, oldest), (key, entry.state)),
            Ties::EitherEnd { .. } => assert_eq!(least, key),
            Ties::AnyH { .. } | Ties::Dives { .. } => {}
        }
        if bucket.is_empty() {
            model.remove(&key);
        }
    }

    /// The list against one deque for each f and h.
    #[test]
    fn entries_come_from_the_ends_of_buckets_with_the_least_f() {
        let mut other_h = 0;
        for seed in 0..60 {
            for ties in all_ties(seed) {
                let (mut open, mut model) = (OpenList::new(ties), Model::new());
                let (mut rng, mut next, mut len, mut epoch) = (Rng::new(seed), 0, 0_u32, 0);
                for _ in 0..2000 {
                    if rng.chance(1) {
                        epoch += 1;
                        open.begin_epoch();
                    }
                    if rng.chance(1) {
                        assert!(open.entries().eq(entries(&model, epoch)));
                    }
                    if rng.chance(52) || model.is_empty() {
                        let (f, h) = (10 + u64::from(rng.below(3)), rng.below(4).into());
                        open.make_room(1).unwrap();
                        open.push(f, h, StateId::nth(next));
                        model
                            .entry((f, h, Reverse(epoch)))
                            .or_default()
                            .push_back(StateId::nth(next));
                        (next, len) = (next + 1, len + 1);
                        continue;
                    }
                    let least = *model.first_key_value().unwrap().0;
                    let entry = open.pop().unwrap();
                    other_h += u32::from(entry.h != least.1);
                    remove(&mut model, entry, epoch, ties);
                    len -= 1;
                    let like = open.pop_like(entry);
                    open.end_batch(1 + u32::from(like.is_some()), &mut []);
                    if let Some(like) = like {
                        assert_eq!((like.f, like.h), (entry.f, entry.h));
                        remove(&mut model, like, epoch, ties);
                        len -= 1;
                    }
                    let upcoming = open.upcoming();
                    assert_eq!(upcoming.is_empty(), model.is_empty());
                    assert!(
                        upcoming.iter().all(|it| model.first_key_value().unwrap().1.contains(it))
                    );
                }
                let rest = std::iter::from_fn(|| open.pop())
                    .inspect(|it| remove(&mut model, *it, epoch, ties));
                assert_eq!(rest.count(), len as usize);
                // Blocks are used again, so there are hardly more than the states need.
                assert!(open.blocks.len() < 400, "{}", open.blocks.len());
            }
        }
        assert!(other_h > 500, "{other_h}");
    }
}
