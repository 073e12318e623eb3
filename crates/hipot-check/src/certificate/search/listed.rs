//! The set of listed states with their costs.
//!
//! Almost all of the time of a check goes into finding states, and almost all of that into waiting for
//! memory. So states are looked up many at once ([`Listed::find_all`]): no step of a lookup waits for that
//! of another state, and the processor waits for many at the same time. The table is as simple as can be: a slot
//! is a number and a part of the hash, and if it is taken, the next one is tried.

use std::hash::{BuildHasher, RandomState};

/// Packed states with costs that never fall from one to the next.
pub(super) struct Listed {
    /// The number of words of a state.
    width: usize,
    /// The states, one after the other, so many in each piece.
    pieces: Vec<Vec<u32>>,
    len: u32,
    /// The slots: 0, or the upper half of a state's hash above its number plus 1. Their number is a power of 2.
    slots: Vec<u64>,
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

/// Lookups of several states at once: what is kept between their steps.
#[derive(Default)]
pub(super) struct Lookup {
    hashes: Vec<u64>,
    slots: Vec<u64>,
    first_words: Vec<u32>,
}

impl Listed {
    /// No states, of `width` words.
    pub(super) fn new(width: usize) -> Self {
        let random = RandomState::new();
        let keys = [random.hash_one(0), random.hash_one(1) | 1];
        let (pieces, costs, slots) = (Vec::new(), Vec::new(), vec![0; 16]);
        Self { width, pieces, len: 0, slots, costs, keys }
    }

    /// The number of states.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// The state with this number.
    pub(super) fn words(&self, number: u32) -> &[u32] {
        let place = (number & ((1 << PIECE_BITS) - 1)) as usize * self.width;
        &self.pieces[(number >> PIECE_BITS) as usize][place..place + self.width]
    }

    /// The cost of the state with this number.
    pub(super) fn cost(&self, number: u32) -> u64 {
        self.costs[self.costs.partition_point(|&(first, _)| first <= number) - 1].1
    }

    /// The number of a state.
    pub(super) fn find(&self, state: &[u32]) -> Option<u32> {
        self.place(hash(self.keys, state), state).ok()
    }

    /// The numbers of some states, one after the other in `states`.
    pub(super) fn find_all(
        &self,
        states: &[u32],
        lookup: &mut Lookup,
        found: &mut Vec<Option<u32>>,
    ) {
        let Lookup { hashes, slots, first_words } = lookup;
        hashes.clear();
        hashes.extend(states.chunks_exact(self.width).map(|state| hash(self.keys, state)));
        slots.clear();
        slots.extend(hashes.iter().map(|&hash| self.slots[self.begin(hash)]));
        first_words.clear();
        first_words
            .extend(slots.iter().map(|&slot| number(slot).map_or(0, |it| self.words(it)[0])));
        found.clear();
        let rest = hashes.iter().zip(slots.iter().zip(&*first_words));
        for (state, (&hash, (&slot, &first_word))) in states.chunks_exact(self.width).zip(rest) {
            let is_first = is_tagged(slot, hash) && first_word == state[0];
            let first = number(slot).filter(|&it| is_first && self.words(it) == state);
            found.push(match first {
                None if slot != 0 => self.place(hash, state).ok(),
                first => first,
            });
        }
    }

    /// Where the search for a state with this hash begins.
    fn begin(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    /// The number of a state with this hash, or the empty slot where it belongs.
    fn place(&self, hash: u64, state: &[u32]) -> Result<u32, usize> {
        let mut place = self.begin(hash);
        loop {
            let slot = self.slots[place];
            let Some(number) = number(slot) else { return Err(place) };
            if is_tagged(slot, hash) && self.words(number) == state {
                return Ok(number);
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds a state, whose cost is at least that of the last one; false if it is there already.
    pub(super) fn insert(&mut self, state: &[u32], cost: u64) -> Result<bool, TooMany> {
        let hash = hash(self.keys, state);
        let Err(place) = self.place(hash, state) else { return Ok(false) };
        let number = self.len;
        self.len = number.checked_add(1).ok_or(TooMany)?;
        if number & ((1 << PIECE_BITS) - 1) == 0 {
            self.pieces.push(Vec::with_capacity(self.width << PIECE_BITS));
        }
        self.pieces.last_mut().expect("there is a piece").extend_from_slice(state);
        if self.costs.last().is_none_or(|&(_, last)| last != cost) {
            self.costs.push((number, cost));
        }
        self.slots[place] = slot(hash, number);
        if self.len as usize > self.slots.len() / 4 * 3 {
            self.grow();
        }
        Ok(true)
    }

    /// Doubles the number of slots.
    fn grow(&mut self) {
        let len = 2 * self.slots.len();
        // Both at once would take half as much again.
        self.slots = Vec::new();
        self.slots.resize(len, 0);
        for number in 0..self.len {
            let hash = hash(self.keys, self.words(number));
            let mut place = self.begin(hash);
            while self.slots[place] != 0 {
                place = (place + 1) & (len - 1);
            }
            self.slots[place] = slot(hash, number);
        }
    }
}

/// The slot of a state with this hash and number.
fn slot(hash: u64, number: u32) -> u64 {
    hash & TAG | (u64::from(number) + 1)
}

/// The part of a hash that a slot has.
const TAG: u64 = !0 << 32;

fn is_tagged(slot: u64, hash: u64) -> bool {
    (slot ^ hash) & TAG == 0
}

/// The number in a slot, if it is not empty.
fn number(slot: u64) -> Option<u32> {
    (slot as u32).checked_sub(1)
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use hipot_task::Rng;

    use super::*;

    #[test]
    fn states_are_found_one_by_one_and_together() {
        for width in [1, 2, 5] {
            let mut rng = Rng::new(width as u64);
            let mut listed = Listed::new(width);
            let mut numbers: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
            let random =
                |rng: &mut Rng| -> Vec<u32> { (0..width).map(|_| rng.below(200)).collect() };
            for cost in 0..60_000 {
                let state = random(&mut rng);
                let is_new = listed.insert(&state, cost / 1000).unwrap();
                assert_eq!(is_new, !numbers.contains_key(&state));
                let next = numbers.len() as u32;
                numbers.entry(state).or_insert(next);
            }
            assert_eq!(listed.len() as usize, numbers.len());
            let some = numbers.keys().step_by(7).cloned();
            let states: Vec<Vec<u32>> = some.chain((0..2000).map(|_| random(&mut rng))).collect();
            let (mut lookup, mut found) = (Lookup::default(), Vec::new());
            for states in states.chunks(50) {
                listed.find_all(&states.concat(), &mut lookup, &mut found);
                for (state, &found) in states.iter().zip(&found) {
                    assert_eq!(found, numbers.get(state).copied());
                    assert_eq!(found, listed.find(state));
                    assert!(found.is_none_or(|number| listed.words(number) == state));
                }
            }
        }
    }
}
