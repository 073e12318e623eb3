//! The set of listed states with their costs.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

/// Packed states with costs that never fall from one to the next.
pub(super) struct Listed {
    /// The number of words of a state.
    width: usize,
    /// The states, one after the other, so many in each piece.
    pieces: Vec<Vec<u32>>,
    len: u32,
    /// The numbers of the states.
    table: HashTable<u32>,
    /// Costs, and the number of the first state with each.
    costs: Vec<(u32, u64)>,
    /// Two random numbers, so that nobody can choose states that collide.
    keys: [u64; 2],
}

/// log₂ of the number of states in a piece. Pieces are never moved.
const PIECE_BITS: u32 = 14;

/// There are too many states for their numbers.
#[derive(Debug)]
pub(super) struct TooMany;

impl Listed {
    /// No states, of `width` words.
    pub(super) fn new(width: usize) -> Self {
        let random = RandomState::new();
        let keys = [random.hash_one(0), random.hash_one(1) | 1];
        let (pieces, costs) = (Vec::new(), Vec::new());
        Self { width, pieces, len: 0, table: HashTable::new(), costs, keys }
    }

    /// The number of states.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// The state with this number.
    pub(super) fn words(&self, number: u32) -> &[u32] {
        words(&self.pieces, self.width, number)
    }

    /// The cost of the state with this number.
    pub(super) fn cost(&self, number: u32) -> u64 {
        self.costs[self.costs.partition_point(|&(first, _)| first <= number) - 1].1
    }

    /// The number of a state.
    pub(super) fn find(&self, state: &[u32]) -> Option<u32> {
        let is_same = |&number: &u32| self.words(number) == state;
        self.table.find(hash(self.keys, state), is_same).copied()
    }

    /// Adds a state, whose cost is at least that of the last one; false if it is there already.
    pub(super) fn insert(&mut self, state: &[u32], cost: u64) -> Result<bool, TooMany> {
        if self.find(state).is_some() {
            return Ok(false);
        }
        let number = self.len;
        self.len = number.checked_add(1).ok_or(TooMany)?;
        if number & ((1 << PIECE_BITS) - 1) == 0 {
            self.pieces.push(Vec::with_capacity(self.width << PIECE_BITS));
        }
        self.pieces.last_mut().expect("there is a piece").extend_from_slice(state);
        if self.costs.last().is_none_or(|&(_, last)| last != cost) {
            self.costs.push((number, cost));
        }
        let (pieces, width, keys) = (&self.pieces, self.width, self.keys);
        let rehash = |&number: &u32| hash(keys, words(pieces, width, number));
        self.table.insert_unique(hash(keys, state), number, rehash);
        Ok(true)
    }
}

fn words(pieces: &[Vec<u32>], width: usize, number: u32) -> &[u32] {
    let place = (number & ((1 << PIECE_BITS) - 1)) as usize * width;
    &pieces[(number >> PIECE_BITS) as usize][place..place + width]
}

/// A hash that depends on random keys: folded products.
fn hash(keys: [u64; 2], state: &[u32]) -> u64 {
    let mut hash = keys[0];
    for pair in state.chunks(2) {
        let high = pair.get(1).copied().unwrap_or(0);
        let word = u64::from(pair[0]) | u64::from(high) << 32;
        hash = fold(hash ^ word, keys[1]);
    }
    fold(hash, keys[0] | 1)
}

fn fold(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    product as u64 ^ (product >> 64) as u64
}
