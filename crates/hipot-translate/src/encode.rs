//! From atoms to finite-domain variables (Helmert 2009, Section 7).
//!
//! Each chosen mutex group becomes a variable, with one value for each of its
//! atoms and a last one for "none of those". At most one atom of a group is true
//! in a reachable state, so each reachable state gives each variable exactly one
//! value, and nothing is lost. Operators, axioms and the goal follow:
//!
//! * A conjunction with two atoms of one mutex group is impossible, whether or
//!   not that group became a variable.
//! * ¬a, where a is one of several values, means one of the others. A
//!   finite-domain task cannot say that in a condition, so the condition is
//!   multiplied out and one operator becomes several. The goal would become
//!   several goals; that is why atoms that the goal negates get variables of
//!   their own (see [`mutex_groups`](crate::mutex_groups)).
//! * Deleting an atom sets its variable to "none of those", if the atom is true
//!   and the operator does not give the variable another value at the same time.
//!   So a delete effect depends on the atom, unless the precondition implies it,
//!   and on no add effect on the same variable happening
//!   ([`changes`](crate::changes)).
//!
//! An operator that unconditionally adds two atoms of one group can never be
//! applicable in a reachable state, and is dropped.
//!
//! Multiplying out can explode, so it checks the limits before it allocates.

use hipot_task::{Limits, Stop};

use crate::atoms::AtomId;
use crate::ground::GroundLiteral;

/// A fact: a variable and one of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FactPair {
    pub(crate) variable: u32,
    pub(crate) value: u32,
}

/// A conjunction of facts, ordered by variable, each variable at most once.
pub(crate) type Conjunction = Vec<FactPair>;

/// An effect: the fact becomes true if the condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) condition: Conjunction,
    pub(crate) pair: FactPair,
}

/// The encoding of atoms as facts.
pub(crate) struct Encoding {
    /// The fact of each atom.
    pairs: Vec<FactPair>,
    /// The number of values of each variable.
    pub(crate) sizes: Vec<u32>,
    /// Where the mutex groups of each atom begin in `groups`.
    begins: Vec<u32>,
    groups: Vec<u32>,
    /// For each group, the last conjunction that had one of its atoms, and
    /// that atom.
    owner: Vec<(u32, u32)>,
    /// The number of the current conjunction.
    epoch: u32,
}

impl Encoding {
    /// Makes a variable of each group in `chosen`, which partition the atoms;
    /// `groups` are all known mutex groups.
    pub(crate) fn new(atoms: usize, chosen: &[Vec<AtomId>], groups: &[Vec<AtomId>]) -> Self {
        let mut pairs = vec![FactPair { variable: 0, value: 0 }; atoms];
        for (variable, group) in (0..).zip(chosen) {
            for (value, atom) in (0..).zip(group) {
                pairs[atom.index()] = FactPair { variable, value };
            }
        }
        let mut begins = vec![0; atoms + 1];
        groups.iter().flatten().for_each(|atom| begins[atom.index() + 1] += 1);
        for atom in 0..atoms {
            begins[atom + 1] += begins[atom];
        }
        let mut fill = begins.clone();
        let mut of_atoms = vec![0; begins[atoms] as usize];
        for (index, group) in (0..).zip(groups) {
            for atom in group {
                of_atoms[fill[atom.index()] as usize] = index;
                fill[atom.index()] += 1;
            }
        }
        let sizes = chosen.iter().map(|group| group.len() as u32 + 1).collect();
        Self { pairs, sizes, begins, groups: of_atoms, owner: vec![(0, 0); groups.len()], epoch: 0 }
    }

    pub(crate) fn pair(&self, atom: AtomId) -> FactPair {
        self.pairs[atom.index()]
    }

    /// Whether the negation of the atom is a single value of its variable.
    pub(crate) fn is_binary(&self, atom: AtomId) -> bool {
        self.sizes[self.pair(atom).variable as usize] == 2
    }

    /// The value "none of those" of a variable.
    pub(crate) fn none_of_those(&self, variable: u32) -> u32 {
        self.sizes[variable as usize] - 1
    }

    /// Conjunctions such that, in every reachable state, one of them holds if
    /// and only if all literals do. None if that is impossible.
    pub(crate) fn conditions(
        &mut self,
        literals: &[GroundLiteral],
        limits: &Limits,
    ) -> Result<Vec<Conjunction>, Stop> {
        let mut fixed = Conjunction::new();
        if !self.positive(literals, &mut fixed) {
            return Ok(Vec::new());
        }
        let mut excluded = Conjunction::new();
        for literal in literals.iter().filter(|literal| literal.negated) {
            let pair = self.pair(literal.atom);
            match value_in(&fixed, pair.variable) {
                Some(value) if value == pair.value => return Ok(Vec::new()),
                Some(_) => {}
                None => excluded.push(pair),
            }
        }
        excluded.sort_unstable();
        excluded.dedup();
        self.multiply_out(fixed, &excluded, limits)
    }

    /// Adds the facts of the positive literals; whether they can be true
    /// together.
    fn positive(&mut self, literals: &[GroundLiteral], fixed: &mut Conjunction) -> bool {
        self.epoch += 1;
        for literal in literals.iter().filter(|literal| !literal.negated) {
            let atom = literal.atom.index();
            for &group in &self.groups[self.begins[atom] as usize..self.begins[atom + 1] as usize] {
                let owner = &mut self.owner[group as usize];
                if owner.0 == self.epoch && owner.1 != atom as u32 {
                    return false;
                }
                *owner = (self.epoch, atom as u32);
            }
            fixed.push(self.pairs[atom]);
        }
        fixed.sort_unstable();
        fixed.dedup();
        fixed.windows(2).all(|pair| pair[0].variable != pair[1].variable)
    }

    /// All conjunctions of `fixed` with, for each variable in `excluded`, one
    /// of its values that are not excluded.
    fn multiply_out(
        &self,
        fixed: Conjunction,
        excluded: &[FactPair],
        limits: &Limits,
    ) -> Result<Vec<Conjunction>, Stop> {
        let mut all = vec![fixed];
        for of_variable in excluded.chunk_by(|one, other| one.variable == other.variable) {
            let variable = of_variable[0].variable;
            let values = (0..self.sizes[variable as usize])
                .filter(|&value| of_variable.iter().all(|pair| pair.value != value));
            let values: Vec<u32> = values.collect();
            if values.len() * all.len() > 1000 {
                limits.check()?;
                limits.reserve((values.len() * all.len() * (all[0].len() + 4) * 8) as u64)?;
            }
            let with = |conjunction: &Conjunction, value: u32| {
                let mut conjunction = conjunction.clone();
                insert(&mut conjunction, FactPair { variable, value });
                conjunction
            };
            all = all
                .iter()
                .flat_map(|it| values.iter().map(move |&value| with(it, value)))
                .collect();
        }
        Ok(all)
    }
}

/// The value that a conjunction requires of a variable, if any.
pub(crate) fn value_in(conjunction: &[FactPair], variable: u32) -> Option<u32> {
    let found = conjunction.binary_search_by_key(&variable, |pair| pair.variable);
    found.ok().map(|index| conjunction[index].value)
}

fn insert(conjunction: &mut Conjunction, pair: FactPair) {
    let position = conjunction.partition_point(|other| other.variable < pair.variable);
    conjunction.insert(position, pair);
}
