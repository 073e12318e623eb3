//! Match trees: which moves lead to a state (Edelkamp, *Planning with pattern databases*; the
//! data structure is that of Fast Downward's).
//!
//! Each level of the tree looks at one digit. A move follows the branch of the value that it makes
//! true, or the branch for all values if it does not touch the digit. So a state finds its moves
//! by following two branches at each level. Levels that no move of a subtree looks at are skipped.

use super::digit::Digit;
use super::moves::Moves;

/// No node.
const NOWHERE: u32 = u32::MAX;

/// The moves by the states they lead to.
#[derive(Clone, Debug)]
pub(super) struct MatchTree {
    nodes: Vec<Node>,
    children: Vec<u32>,
    moves: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Node {
    /// The digit that it looks at: its step and size.
    step: u32,
    size: u32,
    /// Where the branches for its values begin.
    children: u32,
    /// The branch for all values.
    rest: u32,
    /// The moves that look at no further digit.
    moves: (u32, u32),
}

impl MatchTree {
    pub(super) fn new(digits: &[Digit], moves: &Moves) -> Self {
        let mut tree = Self { nodes: Vec::new(), children: Vec::new(), moves: Vec::new() };
        let all: Vec<u32> = (0..moves.all.len() as u32).collect();
        tree.add(digits, moves, 0, all);
        tree
    }

    /// Adds the tree for `own` moves, which agree on all digits before `place`.
    fn add(&mut self, digits: &[Digit], moves: &Moves, place: usize, own: Vec<u32>) -> u32 {
        let conditions = |index: u32| moves.conditions(&moves.all[index as usize]);
        let next = own.iter().flat_map(|&index| conditions(index));
        let next = next.map(|it| it.place as usize).filter(|&other| other >= place).min();
        let index = self.nodes.len();
        let begin = self.moves.len() as u32;
        self.nodes.push(Node {
            step: 1,
            size: 0,
            children: 0,
            rest: NOWHERE,
            moves: (begin, begin),
        });
        let Some(place) = next else {
            self.moves.extend(own);
            self.nodes[index].moves = (begin, self.moves.len() as u32);
            return index as u32;
        };
        let size = digits[place].values.len();
        let mut branches = vec![Vec::new(); size];
        let mut rest = Vec::new();
        for index in own {
            match conditions(index).iter().find(|it| it.place as usize == place) {
                Some(condition) => branches[condition.after as usize].push(index),
                None => rest.push(index),
            }
        }
        let children = self.children.len();
        self.children.resize(children + size, NOWHERE);
        for (rank, branch) in branches.into_iter().enumerate() {
            if !branch.is_empty() {
                self.children[children + rank] = self.add(digits, moves, place + 1, branch);
            }
        }
        let rest = if rest.is_empty() { NOWHERE } else { self.add(digits, moves, place + 1, rest) };
        let node = &mut self.nodes[index];
        (node.step, node.size) = (digits[place].step, size as u32);
        (node.children, node.rest) = (children as u32, rest);
        index as u32
    }

    /// Calls `found` with each move whose effects and unchanged conditions hold in `state`.
    pub(super) fn visit(&self, state: u32, found: &mut impl FnMut(u32)) {
        self.visit_from(0, state, found);
    }

    fn visit_from(&self, mut index: u32, state: u32, found: &mut impl FnMut(u32)) {
        while index != NOWHERE {
            let node = &self.nodes[index as usize];
            if node.size == 0 {
                self.moves[node.moves.0 as usize..node.moves.1 as usize]
                    .iter()
                    .for_each(|&m| found(m));
                return;
            }
            let child = self.children[(node.children + state / node.step % node.size) as usize];
            if child != NOWHERE {
                self.visit_from(child, state, found);
            }
            index = node.rest;
        }
    }
}
