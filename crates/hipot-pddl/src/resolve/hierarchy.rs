//! Which types are subtypes of which.
//!
//! If no type has several parents, the hierarchy is a tree. The types below a
//! type are then an interval in the order of a depth-first walk, and a question
//! is answered by comparing numbers. Otherwise each question walks the graph,
//! once.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use crate::ast::{Type, TypeId};

/// The graph of the types, which has no cycles.
pub(super) struct Hierarchy {
    is_known: bool,
    parents: Vec<Vec<TypeId>>,
    children: Vec<Vec<TypeId>>,
    /// Each type's interval of the walk, if no type has several parents.
    intervals: Option<Vec<(usize, usize)>>,
    /// The answers found by walking so far.
    known: RefCell<HashMap<(TypeId, TypeId), bool>>,
}

impl Hierarchy {
    pub(super) fn new(types: &[Type]) -> Self {
        let parents: Vec<_> = types.iter().map(|of_type| of_type.parents.clone()).collect();
        let children = children(types);
        let is_tree = parents.iter().all(|parents| parents.len() <= 1);
        let intervals = is_tree.then(|| intervals(&children));
        Self { is_known: true, parents, children, intervals, known: RefCell::default() }
    }

    /// From now on every type counts as a subtype of every other. This is for
    /// hierarchies with mistakes, of which nothing is known.
    pub(super) fn forget(&mut self) {
        self.is_known = false;
    }

    /// Whether every object of the type `lower` also has the type `upper`.
    pub(super) fn is_below(&self, lower: TypeId, upper: TypeId) -> bool {
        if !self.is_known || upper == TypeId::OBJECT || lower == upper {
            return true;
        }
        if let Some(intervals) = &self.intervals {
            let (begin, end) = intervals[upper.index()];
            return (begin..end).contains(&intervals[lower.index()].0);
        }
        let walk = || reachable(lower, &self.parents).contains(&upper);
        *self.known.borrow_mut().entry((lower, upper)).or_insert_with(walk)
    }

    /// Whether some type is a subtype of both.
    pub(super) fn meet(&self, left: TypeId, right: TypeId) -> bool {
        if self.is_below(left, right) || self.is_below(right, left) {
            return true;
        }
        let may_meet = self.intervals.is_none();
        may_meet && reachable(left, &self.children).iter().any(|&id| self.is_below(id, right))
    }
}

/// The types directly below each.
pub(super) fn children(types: &[Type]) -> Vec<Vec<TypeId>> {
    let mut children = vec![Vec::new(); types.len()];
    for (index, of_type) in types.iter().enumerate() {
        for parent in &of_type.parents {
            children[parent.index()].push(TypeId::new(index));
        }
    }
    children
}

/// For each type, its number in a depth-first walk from `object`, and the
/// first number after those of the types below it.
fn intervals(children: &[Vec<TypeId>]) -> Vec<(usize, usize)> {
    let mut intervals = vec![(0, 0); children.len()];
    let mut begun = 0;
    let mut open = vec![(TypeId::OBJECT, false)];
    while let Some((id, is_done)) = open.pop() {
        if is_done {
            intervals[id.index()].1 = begun;
            continue;
        }
        intervals[id.index()].0 = begun;
        begun += 1;
        open.push((id, true));
        open.extend(children[id.index()].iter().map(|&child| (child, false)));
    }
    intervals
}

/// `start` and everything that can be reached from it.
fn reachable(start: TypeId, next: &[Vec<TypeId>]) -> HashSet<TypeId> {
    let mut found = HashSet::from([start]);
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        open.extend(next[id.index()].iter().copied().filter(|&id| found.insert(id)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hierarchy(parents: &[&[usize]]) -> Hierarchy {
        let ids = |parents: &&[usize]| parents.iter().map(|&id| TypeId::new(id)).collect();
        let types: Vec<_> = parents
            .iter()
            .map(|parents| Type { name: String::new(), parents: ids(parents) })
            .collect();
        Hierarchy::new(&types)
    }

    fn holds(relation: impl Fn(TypeId, TypeId) -> bool, left: usize, right: usize) -> bool {
        relation(TypeId::new(left), TypeId::new(right))
    }

    #[test]
    fn trees() {
        // 0 is above 1 and 2, 1 is above 3, 3 is above 4.
        let tree = hierarchy(&[&[], &[0], &[0], &[1], &[3]]);
        for (lower, upper) in [(4, 3), (4, 1), (3, 1), (2, 0), (4, 4)] {
            assert!(holds(|l, u| tree.is_below(l, u), lower, upper), "{lower} {upper}");
            assert!(holds(|l, r| tree.meet(l, r), upper, lower), "{lower} {upper}");
        }
        for (lower, upper) in [(1, 3), (2, 1), (4, 2), (0, 1)] {
            assert!(!holds(|l, u| tree.is_below(l, u), lower, upper), "{lower} {upper}");
        }
        assert!(!holds(|l, r| tree.meet(l, r), 2, 4));
    }

    #[test]
    fn several_parents() {
        // 3 is below 1 and 2; 4 is below 1 only.
        let graph = hierarchy(&[&[], &[0], &[0], &[1, 2], &[1]]);
        assert!(holds(|l, r| graph.meet(l, r), 1, 2));
        assert!(holds(|l, u| graph.is_below(l, u), 3, 2));
        assert!(!holds(|l, r| graph.meet(l, r), 4, 2));
        assert!(!holds(|l, u| graph.is_below(l, u), 1, 2));
    }
}
