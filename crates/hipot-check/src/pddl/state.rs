//! States: sets of ground atoms.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hipot_pddl::ast::{GroundAtom, ObjectId, PredicateId};

/// The objects of a ground atom.
pub(super) type Tuple = Box<[ObjectId]>;

/// A set of ground atoms. All other atoms are false.
///
/// It includes the atoms of derived predicates that the rules derive from the others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(Vec<Arc<Relation>>);

/// The atoms of one predicate, with an index from each object at each position.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Relation {
    tuples: BTreeSet<Tuple>,
    index: BTreeMap<(usize, ObjectId), BTreeSet<Tuple>>,
}

static NONE: BTreeSet<Tuple> = BTreeSet::new();

impl State {
    /// The state without atoms.
    pub(super) fn empty(predicates: usize) -> Self {
        Self((0..predicates).map(|_| Arc::default()).collect())
    }

    /// Whether the atom holds.
    pub fn contains(&self, predicate: PredicateId, objects: &[ObjectId]) -> bool {
        self.relation(predicate).tuples.contains(objects)
    }

    /// The atoms that hold, in the order of predicates and objects.
    pub fn atoms(&self) -> impl Iterator<Item = GroundAtom> + '_ {
        let relations = self.0.iter().enumerate();
        relations.flat_map(|(predicate, relation)| {
            let predicate = PredicateId::new(predicate);
            relation
                .tuples
                .iter()
                .map(move |tuple| GroundAtom { predicate, objects: tuple.to_vec() })
        })
    }

    pub(super) fn relation(&self, predicate: PredicateId) -> &Relation {
        &self.0[predicate.index()]
    }

    /// Makes the atom true; returns whether it was false.
    pub(super) fn add(&mut self, predicate: PredicateId, tuple: Tuple) -> bool {
        if self.contains(predicate, &tuple) {
            return false;
        }
        Arc::make_mut(&mut self.0[predicate.index()]).insert(tuple);
        true
    }

    /// Makes the atom false; returns whether it was true.
    pub(super) fn delete(&mut self, predicate: PredicateId, tuple: &Tuple) -> bool {
        if !self.contains(predicate, tuple) {
            return false;
        }
        Arc::make_mut(&mut self.0[predicate.index()]).remove(tuple);
        true
    }

    /// Makes all atoms of the predicate false.
    pub(super) fn clear(&mut self, predicate: PredicateId) {
        self.0[predicate.index()] = Arc::default();
    }
}

impl Relation {
    fn insert(&mut self, tuple: Tuple) {
        if tuple.len() > 1 {
            for (position, &object) in tuple.iter().enumerate() {
                self.index.entry((position, object)).or_default().insert(tuple.clone());
            }
        }
        self.tuples.insert(tuple);
    }

    fn remove(&mut self, tuple: &Tuple) {
        self.tuples.remove(tuple);
        for (position, &object) in tuple.iter().enumerate() {
            if let Some(tuples) = self.index.get_mut(&(position, object)) {
                tuples.remove(tuple);
                if tuples.is_empty() {
                    self.index.remove(&(position, object));
                }
            }
        }
    }

    /// A set of tuples that contains all tuples that match the pattern, as small as the
    /// index allows; `None` matches every object.
    pub(super) fn candidates(&self, pattern: &[Option<ObjectId>]) -> &BTreeSet<Tuple> {
        let mut smallest = &self.tuples;
        if pattern.len() > 1 {
            for (position, object) in pattern.iter().enumerate() {
                let Some(object) = object else { continue };
                let tuples = self.index.get(&(position, *object)).unwrap_or(&NONE);
                if tuples.len() < smallest.len() {
                    smallest = tuples;
                }
            }
        }
        smallest
    }
}

/// Whether the tuple matches the pattern.
pub(super) fn matches(tuple: &Tuple, pattern: &[Option<ObjectId>]) -> bool {
    tuple.iter().zip(pattern).all(|(object, wanted)| wanted.is_none_or(|wanted| wanted == *object))
}
