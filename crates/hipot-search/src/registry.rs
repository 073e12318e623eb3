//! Every state seen, once, with the best known path to it.
//!
//! All records are in one arena. The record of a state has its packed words, its parent,
//! and the cost g of the path, with one bit that says whether the state was expanded. One
//! access fetches all of it. The operator that led to the state is not stored: it is found
//! again from parent and child when a plan is extracted. This saves four bytes per state
//! and a write for each improvement.
//!
//! With symmetries, a record begins with the representative of its state's orbit, by which it is
//! found, and ends with the state itself. Without, the state is its own representative.
//!
//! A hash table of ids finds a state's record. A slot holds id + 1 in the low bits and, in
//! the bits that ids of this table do not need, a tag from the hash: if the tag differs, the
//! record need not be read. Probing is linear. The table can be computed from the records,
//! so it grows by being dropped and filled again; old and new never exist at the same
//! time.

use hipot_task::{Limits, Stop};

use crate::memory::{Words, prefetch};

/// A state's place in the registry, from 0 in the order of generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StateId(u32);

impl StateId {
    /// The initial state.
    pub(crate) const FIRST: Self = Self(0);

    /// The state with this number.
    #[inline]
    pub(crate) fn nth(number: u32) -> Self {
        Self(number)
    }

    /// Its number.
    #[inline]
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// The layout of a record.
pub(crate) trait Layout: Copy + Send + Sync {
    /// The number of words of a packed state.
    fn width(self) -> usize;
    /// The number of words of a cost.
    const COST_WORDS: usize;
    /// The largest cost that fits.
    const MAX_COST: u64 = (1 << (32 * Self::COST_WORDS - 1)) - 1;
}

/// States of `WIDTH` words, known to the compiler, and costs below 2³¹.
#[derive(Clone, Copy)]
pub(crate) struct Fixed<const WIDTH: usize>;

impl<const WIDTH: usize> Layout for Fixed<WIDTH> {
    #[inline]
    fn width(self) -> usize {
        WIDTH
    }
    const COST_WORDS: usize = 1;
}

/// States of any width, and costs of `COST_WORDS` words.
#[derive(Clone, Copy)]
pub(crate) struct AnyWidth<const COST_WORDS: usize>(pub(crate) usize);

impl<const COST_WORDS: usize> Layout for AnyWidth<COST_WORDS> {
    #[inline]
    fn width(self) -> usize {
        self.0
    }
    const COST_WORDS: usize = COST_WORDS;
}

/// Segments of the arena have at most this many words: 16 MiB.
pub(crate) const SEGMENT_WORDS: usize = 4 << 20;

/// The table's first and maximum number of slots, as powers of two.
const FIRST_BITS: u32 = 10;
const MAX_BITS: u32 = 31;

pub(crate) struct Registry<L> {
    layout: L,
    /// Words in a record.
    stride: usize,
    /// Where the state is in a record.
    state: usize,
    segments: Vec<Words>,
    /// log₂ of the number of records in a segment.
    segment_bits: u32,
    len: u32,
    table: Words,
    table_bits: u32,
    /// The number of states at which the table should grow.
    grow_at: u32,
}

impl<L: Layout> Registry<L> {
    /// A registry of states, or of orbits.
    pub(crate) fn new(layout: L, has_orbits: bool) -> Result<Self, Stop> {
        Self::with_segments(layout, has_orbits, SEGMENT_WORDS)
    }

    /// A registry with segments of at most this many words, if records are not larger.
    pub(crate) fn with_segments(layout: L, has_orbits: bool, words: usize) -> Result<Self, Stop> {
        let stride = layout.width() + 1 + L::COST_WORDS;
        let (state, stride) =
            if has_orbits { (stride, stride + layout.width()) } else { (0, stride) };
        let segment_bits = (words / stride).max(1).ilog2();
        let table = Words::zeroed(1 << FIRST_BITS).ok_or(Stop::MemoryLimit)?;
        let mut registry = Self {
            layout,
            stride,
            state,
            segments: Vec::new(),
            segment_bits,
            len: 0,
            table,
            table_bits: FIRST_BITS,
            grow_at: 0,
        };
        registry.grow_at = registry.load(80);
        Ok(registry)
    }

    pub(crate) fn layout(&self) -> L {
        self.layout
    }

    /// The number of states.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// The size of a segment in bytes.
    pub(crate) fn segment_bytes(&self) -> u64 {
        (self.stride << self.segment_bits) as u64 * 4
    }

    /// The number of states that fill `percent` of the table.
    fn load(&self, percent: u64) -> u32 {
        ((1_u64 << self.table_bits) * percent / 100) as u32
    }

    /// Where the record of `state` begins: segment and word.
    #[inline]
    fn place(&self, state: StateId) -> (usize, usize) {
        let in_segment = state.0 & ((1 << self.segment_bits) - 1);
        ((state.0 >> self.segment_bits) as usize, in_segment as usize * self.stride)
    }

    #[inline]
    fn record(&self, state: StateId) -> &[u32] {
        let (segment, begin) = self.place(state);
        &self.segments[segment][begin..begin + self.stride]
    }

    #[inline]
    fn record_mut(&mut self, state: StateId) -> &mut [u32] {
        let (segment, begin) = self.place(state);
        &mut self.segments[segment][begin..begin + self.stride]
    }

    /// All states.
    pub(crate) fn states(&self) -> impl Iterator<Item = StateId> + use<L> {
        (0..self.len).map(StateId)
    }

    /// The packed state.
    #[inline]
    pub(crate) fn words(&self, state: StateId) -> &[u32] {
        &self.record(state)[self.state..][..self.layout.width()]
    }

    /// The representative of its orbit, or the packed state if there are no symmetries.
    #[inline]
    fn representative(&self, state: StateId) -> &[u32] {
        &self.record(state)[..self.layout.width()]
    }

    /// Replaces the state by another one of its orbit.
    #[inline]
    pub(crate) fn set_words(&mut self, state: StateId, words: &[u32]) {
        let (begin, width) = (self.state, self.layout.width());
        self.record_mut(state)[begin..begin + width].copy_from_slice(words);
    }

    /// The state before this one on the best known path; the initial state is its own
    /// parent.
    pub(crate) fn parent(&self, state: StateId) -> StateId {
        StateId(self.record(state)[self.layout.width()])
    }

    /// The cost g of the best known path, and whether the state was expanded.
    #[inline]
    pub(crate) fn cost(&self, state: StateId) -> (u64, bool) {
        let words = &self.record(state)[self.layout.width() + 1..];
        let mut code = u64::from(words[0]);
        if L::COST_WORDS == 2 {
            code |= u64::from(words[1]) << 32;
        }
        (code >> 1, code & 1 == 1)
    }

    /// Sets what [`cost`](Self::cost) returns.
    #[inline]
    pub(crate) fn set_cost(&mut self, state: StateId, cost: u64, expanded: bool) {
        debug_assert!(cost <= L::MAX_COST);
        let code = cost << 1 | u64::from(expanded);
        let width = self.layout.width();
        let words = &mut self.record_mut(state)[width + 1..];
        words[0] = code as u32;
        if L::COST_WORDS == 2 {
            words[1] = (code >> 32) as u32;
        }
    }

    pub(crate) fn set_parent(&mut self, state: StateId, parent: StateId) {
        let width = self.layout.width();
        self.record_mut(state)[width] = parent.0;
    }

    #[inline]
    pub(crate) fn hash(&self, words: &[u32]) -> u64 {
        const SEED: u64 = 0x243f_6a88_85a3_08d3;
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let words = &words[..self.layout.width()];
        let mut hash = SEED;
        for pair in words.chunks(2) {
            let high = pair.get(1).copied().unwrap_or(0);
            let key = hash ^ (u64::from(pair[0]) | u64::from(high) << 32);
            let product = u128::from(key) * u128::from(FACTOR);
            hash = (product as u64) ^ (product >> 64) as u64;
        }
        // The table takes its index from the high bits: mix once more.
        let product = u128::from(hash) * u128::from(FACTOR.rotate_left(17) | 1);
        (product as u64) ^ (product >> 64) as u64
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        (hash >> (64 - self.table_bits)) as usize
    }

    /// The part of a slot that comes from the hash.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        (hash as u32) << self.table_bits
    }

    #[inline]
    fn id_mask(&self) -> u32 {
        (1 << self.table_bits) - 1
    }

    /// Prefetches the slot where the search for `hash` starts.
    #[inline]
    pub(crate) fn prefetch_slot(&self, hash: u64) {
        prefetch(&self.table[self.home(hash)]);
    }

    /// Prefetches the record that this slot names.
    #[inline]
    pub(crate) fn prefetch_candidate(&self, hash: u64) {
        let slot = self.table[self.home(hash)];
        if slot != 0 && slot & !self.id_mask() == self.tag(hash) {
            self.prefetch_record(StateId((slot & self.id_mask()) - 1));
        }
    }

    /// Prefetches the record of `state`.
    #[inline]
    pub(crate) fn prefetch_record(&self, state: StateId) {
        let (segment, begin) = self.place(state);
        prefetch(&self.segments[segment][begin]);
        prefetch(&self.segments[segment][begin + self.stride - 1]);
    }

    /// Makes room for `count` more states, if there is memory.
    pub(crate) fn make_room(&mut self, count: usize, limits: &Limits) -> Result<(), Stop> {
        let needed = self.len as usize + count;
        while needed > self.segments.len() << self.segment_bits {
            let words = self.stride << self.segment_bits;
            limits.reserve(self.segment_bytes())?;
            self.segments.push(Words::zeroed(words).ok_or(Stop::MemoryLimit)?);
        }
        if needed > self.grow_at as usize {
            self.grow(needed, limits)?;
        }
        Ok(())
    }

    /// Doubles the table. If there is not enough memory, the table may fill up a little
    /// more first.
    fn grow(&mut self, needed: usize, limits: &Limits) -> Result<(), Stop> {
        let mut bits = self.table_bits;
        while (needed as u64) * 100 > (1_u64 << bits) * 80 {
            bits += 1;
        }
        let old = (1_u64 << self.table_bits) * 4;
        let more = (1_u64 << bits) * 4 - old;
        let Some(mut promise) = limits.promise(more).ok().filter(|_| bits <= MAX_BITS) else {
            let fuller = self.load(94);
            if needed > fuller as usize {
                return Err(Stop::MemoryLimit);
            }
            self.grow_at = fuller;
            return Ok(());
        };
        promise.extend(old);
        self.table = Words::zeroed(0).ok_or(Stop::MemoryLimit)?;
        self.table = Words::zeroed(1 << bits).ok_or(Stop::MemoryLimit)?;
        self.table_bits = bits;
        self.grow_at = self.load(80);
        self.fill();
        Ok(())
    }

    /// Enters all states into the empty table.
    fn fill(&mut self) {
        const AHEAD: usize = 16;
        let mut hashes = [0; AHEAD];
        for begin in (0..self.len).step_by(AHEAD) {
            let end = self.len.min(begin + AHEAD as u32);
            for id in begin..end {
                let hash = self.hash(self.representative(StateId(id)));
                self.prefetch_slot(hash);
                hashes[(id - begin) as usize] = hash;
            }
            for id in begin..end {
                let hash = hashes[(id - begin) as usize];
                let mut index = self.home(hash);
                while self.table[index] != 0 {
                    index = (index + 1) & (self.table.len() - 1);
                }
                self.table[index] = self.tag(hash) | (id + 1);
            }
        }
    }

    /// The state with these words, or the one whose orbit they represent, and whether it is new.
    /// Room must have been made; a new state's parent and cost are still to be set, and with
    /// symmetries its words.
    #[inline]
    pub(crate) fn insert(&mut self, words: &[u32], hash: u64) -> (StateId, bool) {
        let index = match self.find(words, hash) {
            Ok(state) => return (state, false),
            Err(index) => index,
        };
        let state = StateId(self.len);
        self.len += 1;
        self.table[index] = self.tag(hash) | self.len;
        let width = self.layout.width();
        self.record_mut(state)[..width].copy_from_slice(words);
        (state, true)
    }

    /// The state with these words, or the one whose orbit they represent; if there is none, the
    /// slot where it would be.
    #[inline]
    pub(crate) fn find(&self, words: &[u32], hash: u64) -> Result<StateId, usize> {
        let (tag, mask) = (self.tag(hash), self.id_mask());
        let mut index = self.home(hash);
        loop {
            let slot = self.table[index];
            if slot == 0 {
                return Err(index);
            }
            if slot & !mask == tag {
                let state = StateId((slot & mask) - 1);
                if self.representative(state) == words {
                    return Ok(state);
                }
            }
            index = (index + 1) & (self.table.len() - 1);
        }
    }
}
