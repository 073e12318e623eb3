//! Ground atoms, numbered in the order of their names.

use std::ops::Range;

use hipot_pddl::ast::{ObjectId, PredicateId};

/// The number of a ground atom in [`Atoms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtomId(u32);

impl AtomId {
    /// The id with this index.
    pub const fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The reachable atoms of fluent and derived predicates, each once. The atoms
/// of a predicate are consecutive. Predicates, and then objects, are ordered by
/// name, so the numbers do not depend on the order in which atoms were found.
#[derive(Clone, Debug, Default)]
pub struct Atoms {
    predicates: Vec<Section>,
    objects: Vec<ObjectId>,
    len: usize,
}

/// The atoms of one predicate.
#[derive(Clone, Debug)]
struct Section {
    predicate: PredicateId,
    arity: usize,
    /// The number of its first atom.
    atoms: usize,
    /// Where the objects of its first atom begin.
    objects: usize,
}

impl Atoms {
    /// Adds the atoms of one predicate: `count` atoms of `arity` objects each,
    /// listed one after the other in `objects`.
    pub fn add_predicate(
        &mut self,
        predicate: PredicateId,
        arity: usize,
        count: usize,
        objects: impl IntoIterator<Item = ObjectId>,
    ) {
        let begin = self.objects.len();
        self.objects.extend(objects);
        debug_assert_eq!(self.objects.len() - begin, count * arity);
        self.predicates.push(Section { predicate, arity, atoms: self.len, objects: begin });
        self.len += count;
    }

    /// The number of atoms.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no atoms.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The predicates that have atoms, in the order of their atoms.
    pub fn predicates(&self) -> impl Iterator<Item = PredicateId> {
        self.predicates.iter().map(|section| section.predicate)
    }

    /// The numbers of the atoms of a predicate.
    pub fn of_predicate(&self, predicate: PredicateId) -> Range<usize> {
        let found = self.predicates.iter().position(|section| section.predicate == predicate);
        found.map_or(0..0, |index| {
            let end = self.predicates.get(index + 1).map_or(self.len, |next| next.atoms);
            self.predicates[index].atoms..end
        })
    }

    /// The predicate of an atom.
    pub fn predicate(&self, atom: AtomId) -> PredicateId {
        self.section(atom).predicate
    }

    /// The objects of an atom.
    pub fn objects(&self, atom: AtomId) -> &[ObjectId] {
        let section = self.section(atom);
        let begin = section.objects + (atom.index() - section.atoms) * section.arity;
        &self.objects[begin..begin + section.arity]
    }

    fn section(&self, atom: AtomId) -> &Section {
        let after = self.predicates.partition_point(|section| section.atoms <= atom.index());
        &self.predicates[after - 1]
    }
}
