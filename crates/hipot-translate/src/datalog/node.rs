//! Nodes: the tests that tuples must pass, and where they are kept.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use hipot_pddl::ast::PredicateId;

use crate::tuples::{TupleSet, Tuples};

/// The number of a node in a [`Network`](super::Network).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodeId(pub(super) usize);

/// A term: an object, or what a tuple has at a position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    Constant(u32),
    Position(usize),
}

impl Slot {
    pub(crate) fn value(self, tuple: &[u32]) -> u32 {
        match self {
            Self::Constant(object) => object,
            Self::Position(position) => tuple[position],
        }
    }
}

/// A condition that a tuple must meet to enter a node.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    /// The two are the same object or, if the flag is false, different ones.
    Equal(Slot, Slot, bool),
    /// The object at this position is in the set.
    Member(usize, Arc<FixedBitSet>),
    /// This atom of a static predicate does not hold.
    Absent(PredicateId, Vec<Slot>),
}

/// The tests of a node, and the projection of what passes them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gate {
    pub(crate) tests: Vec<Test>,
    /// The positions of the tuple that are kept.
    pub(crate) output: Vec<usize>,
    /// Whether different tuples may be the same after the projection, so that
    /// duplicates must be dropped.
    pub(crate) distinct: bool,
}

impl Gate {
    /// Adapts the gate to tuples that have at `positions[i]` what was at
    /// position i.
    pub(crate) fn move_to(&mut self, positions: &[usize]) {
        self.tests.iter_mut().for_each(|test| test.move_to(positions));
        self.output.iter_mut().for_each(|position| *position = positions[*position]);
    }
}

/// A set or a list of tuples behind a gate.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) gate: Gate,
    pub(super) store: Store,
    /// The number of tuples to refuse before one is taken.
    pub(super) offers_to_skip: usize,
    /// The readers of its tuples.
    pub(super) readers: Vec<usize>,
}

#[derive(Debug)]
pub(super) enum Store {
    /// Tuples that cannot repeat.
    List(Tuples),
    /// Tuples that may be offered several times.
    Set(TupleSet),
}

impl Default for Store {
    fn default() -> Self {
        Self::List(Tuples::default())
    }
}

impl Store {
    pub(super) fn tuples(&self) -> &Tuples {
        match self {
            Self::List(tuples) => tuples,
            Self::Set(set) => set.tuples(),
        }
    }
}

impl Node {
    /// Offers a tuple to the node; whether it was taken. `kept` is memory.
    pub(super) fn accept(
        &mut self,
        tuple: &[u32],
        kept: &mut Vec<u32>,
        relations: &[TupleSet],
    ) -> bool {
        if self.offers_to_skip > 0 {
            self.offers_to_skip -= 1;
            return false;
        }
        if !self.gate.tests.iter().all(|test| test.holds(tuple, kept, relations)) {
            return false;
        }
        kept.clear();
        kept.extend(self.gate.output.iter().map(|&position| tuple[position]));
        match &mut self.store {
            Store::List(tuples) => {
                tuples.push(kept);
                true
            }
            Store::Set(set) => set.insert(kept).1,
        }
    }
}

impl Slot {
    fn move_to(&mut self, positions: &[usize]) {
        if let Self::Position(position) = self {
            *position = positions[*position];
        }
    }
}

impl Test {
    fn move_to(&mut self, positions: &[usize]) {
        match self {
            Self::Equal(left, right, _) => {
                left.move_to(positions);
                right.move_to(positions);
            }
            Self::Member(position, _) => *position = positions[*position],
            Self::Absent(_, terms) => terms.iter_mut().for_each(|term| term.move_to(positions)),
        }
    }

    fn holds(&self, tuple: &[u32], scratch: &mut Vec<u32>, relations: &[TupleSet]) -> bool {
        match self {
            Self::Equal(left, right, equal) => (left.value(tuple) == right.value(tuple)) == *equal,
            Self::Member(position, set) => set.contains(tuple[*position] as usize),
            Self::Absent(predicate, terms) => {
                scratch.clear();
                scratch.extend(terms.iter().map(|term| term.value(tuple)));
                relations[predicate.index()].find(scratch).is_none()
            }
        }
    }
}
