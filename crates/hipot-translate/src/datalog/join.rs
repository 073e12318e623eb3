//! The state of a join.

use super::node::NodeId;
use crate::tuples::TupleSet;

/// The end of a list of tuples.
pub(super) const NONE: u32 = u32::MAX;

/// A join of two nodes. For each key, the tuples of each side that have it are
/// a linked list, newest first: filing a tuple is one step, and allocates
/// nothing of its own.
#[derive(Debug, Default)]
pub(super) struct Join {
    /// The node that gets the joined tuples.
    pub(super) target: NodeId,
    pub(super) inputs: [NodeId; 2],
    /// Where the tuples of each side have the common variables.
    pub(super) key_positions: [Vec<usize>; 2],
    /// Where the right tuple has the variables that the left one lacks.
    pub(super) right_only: Vec<usize>,
    keys: TupleSet,
    /// For each side and key, the newest tuple.
    newest: [Vec<u32>; 2],
    /// For each side and tuple, the next older one with the same key.
    older: [Vec<u32>; 2],
    /// Memory for a key or a joined tuple.
    pub(super) buffer: Vec<u32>,
}

impl Join {
    pub(super) fn new(
        target: NodeId,
        inputs: [NodeId; 2],
        key_positions: [Vec<usize>; 2],
        right_only: Vec<usize>,
    ) -> Self {
        let keys = TupleSet::new(key_positions[0].len());
        Self { target, inputs, key_positions, right_only, keys, ..Self::default() }
    }

    /// Files the next tuple of a side under its key. Gives the newest tuple of
    /// the other side with that key, or [`NONE`].
    pub(super) fn add(&mut self, key: &[u32], side: usize) -> u32 {
        let (number, is_new) = self.keys.insert(key);
        if is_new {
            self.newest.iter_mut().for_each(|newest| newest.push(NONE));
        }
        let tuple = self.older[side].len() as u32;
        let newest = &mut self.newest[side][number];
        self.older[side].push(std::mem::replace(newest, tuple));
        self.newest[1 - side][number]
    }

    /// The next older tuple of a side with the same key, or [`NONE`].
    pub(super) fn older(&self, side: usize, tuple: u32) -> u32 {
        self.older[side][tuple as usize]
    }
}
