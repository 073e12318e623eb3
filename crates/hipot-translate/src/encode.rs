//! From atoms to finite-domain variables (Helmert 2009, Section 7).
//!
//! Each chosen mutex group is a variable: one value for each of its atoms,
//! and a last one for "none of those". Operators, axioms and the goal follow:
//!
//! * A conjunction that two atoms of one mutex group contradict is
//!   impossible, whether or not the group was chosen.
//! * ¬a, where a is one of many values, means one of the others; there is no
//!   such condition in a finite-domain task, so the condition is multiplied
//!   out, and one operator becomes several.
//! * Deleting an atom sets its variable to "none of those", provided that the
//!   atom is true and that the operator does not give the variable another
//!   value at the same time. So a delete effect is conditional on the atom,
//!   unless the precondition says it is true, and on the failure of the
//!   conditions of all add effects on the variable.
//!
//! An operator that adds two atoms of one group unconditionally is never
//! applicable in a reachable state, and is dropped.

use hipot_task::{Limits, Stop};

use crate::atoms::AtomId;
use crate::ground::GroundLiteral;

/// A variable and a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) variable: u32,
    pub(crate) value: u32,
}

/// A conjunction, ordered by variable, each at most once.
pub(crate) type Conjunction = Vec<Pair>;

/// An effect: the pair becomes true if the conjunction holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) condition: Conjunction,
    pub(crate) pair: Pair,
}

/// How atoms are encoded.
pub(crate) struct Encoding {
    /// The pair of each atom.
    pairs: Vec<Pair>,
    /// The number of values of each variable.
    pub(crate) sizes: Vec<u32>,
    /// The mutex groups of each atom: a slice of `groups`.
    begins: Vec<u32>,
    groups: Vec<u32>,
    /// For each group the atom of the conjunction at hand.
    owner: Vec<(u32, u32)>,
    epoch: u32,
}

impl Encoding {
    /// Variables for `chosen`, a partition of `atoms` atoms; `groups` are all
    /// known mutex groups.
    pub(crate) fn new(atoms: usize, chosen: &[Vec<AtomId>], groups: &[Vec<AtomId>]) -> Self {
        let mut pairs = vec![Pair { variable: 0, value: 0 }; atoms];
        for (variable, group) in (0..).zip(chosen) {
            for (value, atom) in (0..).zip(group) {
                pairs[atom.index()] = Pair { variable, value };
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

    pub(crate) fn pair(&self, atom: AtomId) -> Pair {
        self.pairs[atom.index()]
    }

    /// Whether the atom's negation is one value of its variable.
    pub(crate) fn is_binary(&self, atom: AtomId) -> bool {
        self.sizes[self.pair(atom).variable as usize] == 2
    }

    /// The value for "none of those".
    pub(crate) fn none_of_those(&self, variable: u32) -> u32 {
        self.sizes[variable as usize] - 1
    }

    /// Conjunctions of which one holds just where all literals do, in
    /// reachable states; none if they cannot.
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

    /// Adds the pairs of the positive literals; whether they can be true
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

    /// The conjunctions of `fixed` and, for each variable that `excluded`
    /// names, one of its other values.
    fn multiply_out(
        &self,
        fixed: Conjunction,
        excluded: &[Pair],
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
                insert(&mut conjunction, Pair { variable, value });
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

/// The value that a conjunction requires of a variable.
pub(crate) fn value_in(conjunction: &[Pair], variable: u32) -> Option<u32> {
    let found = conjunction.binary_search_by_key(&variable, |pair| pair.variable);
    found.ok().map(|index| conjunction[index].value)
}

fn insert(conjunction: &mut Conjunction, pair: Pair) {
    let position = conjunction.partition_point(|other| other.variable < pair.variable);
    conjunction.insert(position, pair);
}
