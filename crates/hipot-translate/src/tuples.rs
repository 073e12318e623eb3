//! Lists and sets of tuples of objects, stored flat: one allocation for all of
//! them, because a task has millions.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// A list of tuples of the same length, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tuples {
    arity: usize,
    len: usize,
    values: Vec<u32>,
}

impl Tuples {
    pub(crate) fn new(arity: usize) -> Self {
        Self { arity, len: 0, values: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn get(&self, index: usize) -> &[u32] {
        &self.values[index * self.arity..][..self.arity]
    }

    pub(crate) fn push(&mut self, tuple: &[u32]) {
        debug_assert_eq!(tuple.len(), self.arity);
        self.values.extend_from_slice(tuple);
        self.len += 1;
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len).map(|index| self.get(index))
    }
}

/// A list of distinct tuples that can find the position of a given one.
#[derive(Clone, Debug, Default)]
pub(crate) struct TupleSet {
    tuples: Tuples,
    positions: HashTable<u32>,
}

impl TupleSet {
    pub(crate) fn new(arity: usize) -> Self {
        Self { tuples: Tuples::new(arity), positions: HashTable::new() }
    }

    pub(crate) fn tuples(&self) -> &Tuples {
        &self.tuples
    }

    pub(crate) fn len(&self) -> usize {
        self.tuples.len
    }

    pub(crate) fn find(&self, tuple: &[u32]) -> Option<usize> {
        let equal = |&position: &u32| self.tuples.get(position as usize) == tuple;
        self.positions.find(hash(tuple), equal).map(|&position| position as usize)
    }

    /// The position of `tuple`, and whether it is new.
    pub(crate) fn insert(&mut self, tuple: &[u32]) -> (usize, bool) {
        let Self { tuples, positions } = self;
        let equal = |&position: &u32| tuples.get(position as usize) == tuple;
        let rehash = |&position: &u32| hash(tuples.get(position as usize));
        match positions.entry(hash(tuple), equal, rehash) {
            hashbrown::hash_table::Entry::Occupied(entry) => (*entry.get() as usize, false),
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let position = tuples.len;
                entry.insert(position as u32);
                tuples.push(tuple);
                (position, true)
            }
        }
    }
}

fn hash(tuple: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for &value in tuple {
        hasher.write_u32(value);
    }
    hasher.finish()
}
