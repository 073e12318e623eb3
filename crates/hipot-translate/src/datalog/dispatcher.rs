//! Who wants which tuples of a relation.

use hipot_pddl::ast::PredicateId;

use super::node::NodeId;
use crate::tuples::TupleSet;

/// The tuples of a relation, grouped by the objects at some positions, and the
/// nodes that want those with given objects there. Domains written for a single
/// instance have thousands of schemas full of constants, and not each of them
/// can read the whole relation.
#[derive(Debug)]
pub(super) struct Dispatcher {
    pub(super) predicate: PredicateId,
    pub(super) positions: Vec<usize>,
    /// The reader that feeds it.
    pub(super) reader: usize,
    keys: TupleSet,
    /// The tuples with each key.
    pub(super) tuples: Vec<Vec<u32>>,
    /// The nodes that want the tuples with each key.
    pub(super) targets: Vec<Vec<NodeId>>,
}

impl Dispatcher {
    pub(super) fn new(predicate: PredicateId, positions: Vec<usize>, reader: usize) -> Self {
        let keys = TupleSet::new(positions.len());
        Self { predicate, positions, reader, keys, tuples: Vec::new(), targets: Vec::new() }
    }

    /// The number of a key.
    pub(super) fn key(&mut self, key: &[u32]) -> usize {
        let (number, is_new) = self.keys.insert(key);
        if is_new {
            self.tuples.push(Vec::new());
            self.targets.push(Vec::new());
        }
        number
    }
}
