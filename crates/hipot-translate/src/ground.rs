//! Ground literals: what an instance of a lifted literal amounts to.
//!
//! Static literals and unreachable atoms are decided here, once and for all.
//! Only atoms of fluent and derived predicates that can be both true and false
//! are kept, and these are numbered.

use hipot_pddl::ast::{ObjectId, PredicateId, Term};

use crate::atoms::{AtomId, Atoms};
use crate::normal::{Literal, NormalTask};
use crate::reach::Reached;

/// A reachable atom of a fluent or derived predicate, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct GroundLiteral {
    pub(crate) atom: AtomId,
    pub(crate) negated: bool,
}

impl GroundLiteral {
    pub(crate) fn negate(self) -> Self {
        Self { negated: !self.negated, ..self }
    }
}

/// The truth of an instance of a literal over all reachable states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    Always,
    Never,
    Sometimes(GroundLiteral),
}

/// The reachable atoms of fluent and derived predicates, and an index from
/// predicates and objects to them.
pub(crate) struct GroundAtoms<'a> {
    pub(crate) atoms: Atoms,
    reached: &'a Reached,
    /// For each predicate, its atoms in the order of its relation.
    numbers: Vec<Vec<AtomId>>,
}

impl<'a> GroundAtoms<'a> {
    /// Numbers the atoms of `reached` in the order of their names;
    /// `object_ranks` tells where an object's name stands among all names.
    pub(crate) fn new(task: &NormalTask, reached: &'a Reached, object_ranks: &[u32]) -> Self {
        let mut atoms = Atoms::default();
        let mut numbers = vec![Vec::new(); task.predicates.len()];
        let mut fluents: Vec<usize> =
            (0..task.predicates.len()).filter(|&index| !reached.is_static[index]).collect();
        fluents.sort_by_key(|&index| &task.predicates[index].name);
        for index in fluents {
            let relation = reached.relations[index].tuples();
            let mut order: Vec<usize> = (0..relation.len()).collect();
            let ranks = |position: usize| {
                relation.get(position).iter().map(|&it| object_ranks[it as usize])
            };
            order.sort_unstable_by(|&one, &other| ranks(one).cmp(ranks(other)));
            numbers[index] = vec![AtomId::new(0); order.len()];
            for (rank, &position) in order.iter().enumerate() {
                numbers[index][position] = AtomId::new(atoms.len() + rank);
            }
            let objects = order.iter().flat_map(|&position| relation.get(position));
            let objects = objects.map(|&object| ObjectId::new(object as usize));
            let arity = task.predicates[index].arity;
            atoms.add_predicate(PredicateId::new(index), arity, order.len(), objects);
        }
        Self { atoms, reached, numbers }
    }

    pub(crate) fn find(&self, predicate: PredicateId, objects: &[u32]) -> Option<AtomId> {
        let position = self.reached.relations[predicate.index()].find(objects)?;
        Some(self.numbers[predicate.index()][position])
    }

    /// The truth of `literal` when its variables have these values.
    pub(crate) fn truth(&self, literal: &Literal, values: &[u32], scratch: &mut Vec<u32>) -> Truth {
        scratch.clear();
        scratch.extend(literal.terms.iter().map(|&term| value(term, values)));
        let always =
            |holds: bool| if holds == literal.negated { Truth::Never } else { Truth::Always };
        if literal.predicate == PredicateId::EQUALITY {
            return always(scratch[0] == scratch[1]);
        }
        if self.reached.is_static[literal.predicate.index()] {
            return always(
                self.reached.relations[literal.predicate.index()].find(scratch).is_some(),
            );
        }
        match self.find(literal.predicate, scratch) {
            None => always(false),
            Some(atom) => Truth::Sometimes(GroundLiteral { atom, negated: literal.negated }),
        }
    }
}

pub(crate) fn value(term: Term, values: &[u32]) -> u32 {
    match term {
        Term::Object(object) => object.index() as u32,
        Term::Variable(variable) => values[variable.index()],
    }
}
