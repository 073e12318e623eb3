//! Mutex groups: instances of invariants, and which of them become variables.
//!
//! **Instances.** An instance of an [`Invariant`] puts objects in for its
//! parameters; its weight in a state is the number of its atoms that are true.
//! If the weight is 1 initially, it never exceeds 1, so at most one of its atoms
//! is true in every reachable state: they are a *mutex group*. (If the weight is
//! 0, it stays 0, because every added atom is balanced by a deleted one. Like
//! Fast Downward, [`instantiate`] leaves these instances out.)
//!
//! Fast Downward enumerates the objects at the counted position of each group.
//! Here each part goes once over the reachable atoms of its predicate, reads the
//! parameters off each atom, and looks up the instance that has them. That takes
//! time linear in the number of atoms.
//!
//! **Choice.** Every atom needs exactly one variable, but the groups overlap.
//! Fewest variables is set cover, which is NP-hard, so [`choose`] is greedy
//! (Helmert 2009, Section 6): the largest group becomes a variable, its atoms
//! are taken out of all others, and so on. Groups are kept in buckets by size,
//! and one that has shrunk moves to its new bucket only when it comes up; each
//! atom of each group is touched once.
//!
//! All groups stay mutex groups of the task, also those that do not become
//! variables.

use hipot_pddl::ast::{GroundAtom, ObjectId};
use rustc_hash::FxHashMap;

use crate::atoms::{AtomId, Atoms};
use crate::invariants::{Argument, Invariant, InvariantPart};
use crate::normal::NormalTask;

/// The mutex groups of reachable atoms that the invariants give: their
/// instances with weight 1 in the initial state. Each group is sorted, and so
/// is the list of groups. It repeats a group that several invariants give.
pub fn instantiate(task: &NormalTask, invariants: &[Invariant], atoms: &Atoms) -> Vec<Vec<AtomId>> {
    let mut initial: Vec<Vec<&GroundAtom>> = vec![Vec::new(); task.predicates.len()];
    for atom in &task.initial {
        initial[atom.predicate.index()].push(atom);
    }
    let mut groups: Vec<_> = invariants
        .iter()
        .flat_map(|invariant| Instances::new(invariant, &initial).groups(invariant, atoms))
        .filter(|group| !group.is_empty())
        .collect();
    groups.sort_unstable();
    groups
}

/// The numbers of the instances of an invariant that have weight 1 initially,
/// by the objects that stand for the parameters.
struct Instances(FxHashMap<Box<[ObjectId]>, usize>);

impl Instances {
    fn new(invariant: &Invariant, initial: &[Vec<&GroundAtom>]) -> Self {
        let mut weights: FxHashMap<Box<[ObjectId]>, usize> = FxHashMap::default();
        let mut order: Vec<Box<[ObjectId]>> = Vec::new();
        let mut values = vec![ObjectId::new(0); invariant.arity()];
        for part in &invariant.parts {
            for atom in &initial[part.predicate.index()] {
                read(part, &atom.objects, &mut values);
                if let Some(weight) = weights.get_mut(&values[..]) {
                    *weight += 1;
                } else {
                    weights.insert(Box::from(&values[..]), 1);
                    order.push(Box::from(&values[..]));
                }
            }
        }
        order.retain(|values| weights[values] == 1);
        Self(order.into_iter().enumerate().map(|(index, values)| (values, index)).collect())
    }

    fn groups(&self, invariant: &Invariant, atoms: &Atoms) -> Vec<Vec<AtomId>> {
        let mut groups = vec![Vec::new(); self.0.len()];
        let mut values = vec![ObjectId::new(0); invariant.arity()];
        let parts = if groups.is_empty() { &[] } else { &invariant.parts[..] };
        for part in parts {
            for atom in atoms.of_predicate(part.predicate).map(AtomId::new) {
                read(part, atoms.objects(atom), &mut values);
                if let Some(&index) = self.0.get(&values[..]) {
                    groups[index].push(atom);
                }
            }
        }
        for group in &mut groups {
            group.sort_unstable();
        }
        groups
    }
}

/// Writes down the objects that an atom gives the invariant's parameters.
fn read(part: &InvariantPart, objects: &[ObjectId], values: &mut [ObjectId]) {
    for (&argument, &object) in part.arguments.iter().zip(objects) {
        if let Argument::Parameter(parameter) = argument {
            values[parameter as usize] = object;
        }
    }
}

/// The groups that become variables: every one of the `atoms` is in exactly one
/// of them. The largest group is chosen first, and its atoms are taken out of
/// all others, until no group has two left. The remaining atoms are alone, and
/// so are those that `separate` marks. Each group is sorted, and so is the list
/// of groups.
///
/// Among groups of the same size the last one is taken, and a group that shrank
/// to a size comes after those that had it before.
pub fn choose(groups: &[Vec<AtomId>], atoms: usize, separate: &[bool]) -> Vec<Vec<AtomId>> {
    let mut cover = GreedyCover::new(groups, atoms, separate);
    let mut chosen = Vec::new();
    while let Some(group) = cover.pop() {
        chosen.push(group);
    }
    let mut is_alone = vec![true; atoms];
    for atom in chosen.iter().flatten() {
        is_alone[atom.index()] = false;
    }
    let alone = (0..atoms).filter(|&atom| is_alone[atom]);
    chosen.extend(alone.map(|atom| vec![AtomId::new(atom)]));
    chosen.sort_unstable();
    chosen
}

/// The state of the greedy algorithm.
struct GreedyCover<'a> {
    groups: &'a [Vec<AtomId>],
    /// The number of atoms that each group still has.
    sizes: Vec<usize>,
    /// The groups by size; one that shrank may still be listed at a larger
    /// size.
    by_size: Vec<Vec<usize>>,
    /// The groups of each atom.
    by_atom: Vec<Vec<u32>>,
    /// The atoms that have been taken out of all groups.
    is_taken: Vec<bool>,
}

impl<'a> GreedyCover<'a> {
    fn new(groups: &'a [Vec<AtomId>], atoms: usize, separate: &[bool]) -> Self {
        let mut is_taken = separate.to_vec();
        is_taken.resize(atoms, false);
        let mut by_atom = vec![Vec::new(); atoms];
        let mut sizes = vec![0; groups.len()];
        for (index, group) in groups.iter().enumerate() {
            for atom in group.iter().filter(|atom| !is_taken[atom.index()]) {
                by_atom[atom.index()].push(index as u32);
                sizes[index] += 1;
            }
        }
        let mut by_size = vec![Vec::new(); sizes.iter().max().map_or(0, |size| size + 1)];
        for (index, &size) in sizes.iter().enumerate() {
            by_size[size].push(index);
        }
        Self { groups, sizes, by_size, by_atom, is_taken }
    }

    /// The remaining atoms of the largest group, if they are more than one.
    fn pop(&mut self) -> Option<Vec<AtomId>> {
        while self.by_size.len() > 2 {
            let size = self.by_size.len() - 1;
            let Some(index) = self.by_size[size].pop() else {
                self.by_size.pop();
                continue;
            };
            if self.sizes[index] == size {
                return Some(self.take(index));
            }
            self.by_size[self.sizes[index]].push(index);
        }
        None
    }

    /// Takes the atoms of a group out of all groups.
    fn take(&mut self, index: usize) -> Vec<AtomId> {
        let left = self.groups[index].iter().filter(|atom| !self.is_taken[atom.index()]);
        let left: Vec<_> = left.copied().collect();
        for atom in &left {
            self.is_taken[atom.index()] = true;
            for &group in &self.by_atom[atom.index()] {
                self.sizes[group as usize] -= 1;
            }
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use hipot_pddl::ast::PredicateId;
    use hipot_task::Limits;

    use super::*;
    use crate::invariants::test_tasks::{blocks, gripper};
    use crate::invariants::{Params, synthesize};

    /// All atoms of predicates with these numbers, over all objects.
    fn all_atoms(task: &NormalTask, predicates: &[usize]) -> Atoms {
        let mut atoms = Atoms::default();
        let all = || (0..task.objects).map(ObjectId::new);
        for &index in predicates {
            let objects: Vec<_> = match task.predicates[index].arity {
                0 => Vec::new(),
                1 => all().collect(),
                _ => {
                    all().flat_map(|first| all().flat_map(move |second| [first, second])).collect()
                }
            };
            let arity = task.predicates[index].arity;
            let count = objects.len().checked_div(arity).unwrap_or(1);
            atoms.add_predicate(PredicateId::new(index), arity, count, objects);
        }
        atoms
    }

    fn groups(task: &NormalTask, atoms: &Atoms) -> Vec<Vec<AtomId>> {
        let unequal = vec![Vec::new(); task.schemas.len()];
        let found = synthesize(task, &unequal, &Params::default(), &Limits::none()).unwrap();
        instantiate(task, &found, atoms)
    }

    fn ids(groups: &[&[usize]]) -> Vec<Vec<AtomId>> {
        groups.iter().map(|group| group.iter().copied().map(AtomId::new).collect()).collect()
    }

    #[test]
    fn only_instances_of_weight_one_are_groups() {
        let task = gripper();
        // at, at-robby, carry, free: 25 + 5 + 25 + 5 atoms. Balls are 0 and 1,
        // and only object 4 is a free gripper.
        let atoms = all_atoms(&task, &[2, 1, 4, 3]);
        let ball = |ball: usize| -> Vec<_> {
            (0..5).flat_map(|o| [5 * ball + o, 30 + 5 * ball + o]).collect()
        };
        let sorted = |mut group: Vec<usize>| {
            group.sort_unstable();
            group
        };
        let gripper = [34, 39, 44, 49, 54, 59];
        let expected = ids(&[&sorted(ball(0)), &sorted(ball(1)), &[25, 26, 27, 28, 29], &gripper]);
        assert_eq!(groups(&task, &atoms), expected);
    }

    #[test]
    fn unreachable_atoms_are_left_out() {
        let mut task = blocks();
        let atoms = all_atoms(&task, &[3, 4, 5]);
        // clear a, clear b, handempty, holding a, holding b; `on` is absent.
        let expected = ids(&[&[0, 3], &[1, 4], &[2, 3, 4], &[3], &[4]]);
        assert_eq!(groups(&task, &atoms), expected);
        task.initial.retain(|atom| atom.predicate != PredicateId::new(4));
        assert_eq!(groups(&task, &atoms), ids(&[&[0, 3], &[1, 4], &[3], &[4]]));
    }

    #[test]
    fn the_largest_group_comes_first_and_the_last_of_its_size() {
        let overlapping = ids(&[&[0, 1], &[1, 2, 3], &[3, 4, 5]]);
        assert_eq!(choose(&overlapping, 7, &[false; 7]), ids(&[&[0], &[1, 2], &[3, 4, 5], &[6]]));
    }

    #[test]
    fn a_group_that_shrank_goes_last() {
        // After {0, 1, 2, 3}, what is left of the second, {4, 5}, is taken
        // before {5, 6}.
        let shrinking = ids(&[&[0, 1, 2, 3], &[3, 4, 5], &[5, 6]]);
        assert_eq!(choose(&shrinking, 7, &[false; 7]), ids(&[&[0, 1, 2, 3], &[4, 5], &[6]]));
    }

    #[test]
    fn separate_atoms_stay_alone() {
        let separate = [false, true, false];
        assert_eq!(choose(&ids(&[&[0, 1, 2]]), 3, &separate), ids(&[&[0, 2], &[1]]));
        assert_eq!(choose(&ids(&[&[0, 1]]), 3, &separate), ids(&[&[0], &[1], &[2]]));
        assert_eq!(choose(&[], 2, &[false; 2]), ids(&[&[0], &[1]]));
    }
}
