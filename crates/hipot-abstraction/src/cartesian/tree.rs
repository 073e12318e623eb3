//! The split tree of a Cartesian abstraction: from states to abstract states.
//!
//! An inner node looks at one variable: states with one of some values go on at one child,
//! the others at the other one. Each leaf is an abstract state.

use std::collections::BTreeSet;

use hipot_task::{Value, VariableId};

/// A binary tree of splits.
#[derive(Clone, Debug)]
pub struct SplitTree {
    nodes: Vec<Node>,
    /// The values of each split, as bits.
    bits: Vec<u64>,
}

/// A node of a split tree.
#[derive(Clone, Copy, Debug)]
enum Node {
    Leaf(u32),
    Split { variable: VariableId, bits: u32, inside: u32, outside: u32 },
}

/// A node as others see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeNode {
    /// An abstract state.
    Leaf(u32),
    /// A split by the value of a variable.
    Split {
        /// The variable.
        variable: VariableId,
        /// The values, in order, that lead to `inside`.
        values: Vec<Value>,
        /// The node for these values.
        inside: u32,
        /// The node for the other values.
        outside: u32,
    },
}

impl SplitTree {
    /// The tree with one leaf, state 0.
    pub(crate) fn new() -> Self {
        Self { nodes: vec![Node::Leaf(0)], bits: Vec::new() }
    }

    /// Splits a leaf: states with one of `values` go to the new state `inside`, others stay.
    /// Returns the leaves of the new state and of the old one.
    pub(crate) fn split(
        &mut self,
        leaf: u32,
        variable: VariableId,
        values: &[Value],
        new_state: u32,
    ) -> (u32, u32) {
        let Node::Leaf(old_state) = self.nodes[leaf as usize] else { panic!("it is a leaf") };
        let inside = self.nodes.len() as u32;
        let bits = self.bits.len() as u32;
        let largest = values.iter().copied().max().unwrap_or(0);
        self.bits.resize(self.bits.len() + largest as usize / 64 + 2, 0);
        // The first word of a split is its number of words.
        self.bits[bits as usize] = u64::from(largest / 64 + 1);
        for &value in values {
            self.bits[bits as usize + 1 + value as usize / 64] |= 1 << (value % 64);
        }
        self.nodes.extend([Node::Leaf(new_state), Node::Leaf(old_state)]);
        self.nodes[leaf as usize] = Node::Split { variable, bits, inside, outside: inside + 1 };
        (inside, inside + 1)
    }

    fn is_inside(&self, bits: u32, value: Value) -> bool {
        let word = value as usize / 64;
        word < self.bits[bits as usize] as usize
            && self.bits[bits as usize + 1 + word] >> (value % 64) & 1 == 1
    }

    /// The abstract state of a state.
    pub fn state(&self, state: &[Value]) -> u32 {
        let mut node = 0;
        loop {
            match self.nodes[node as usize] {
                Node::Leaf(found) => return found,
                Node::Split { variable, bits, inside, outside } => {
                    let is_inside = self.is_inside(bits, state[variable.index()]);
                    node = if is_inside { inside } else { outside };
                }
            }
        }
    }

    /// The number of splits that [`state`](Self::state) looks at, on average over the leaves.
    pub(crate) fn mean_depth(&self) -> usize {
        let (mut total, mut leaves) = (0, 0);
        let mut open = vec![(0, 0)];
        while let Some((node, depth)) = open.pop() {
            match self.nodes[node as usize] {
                Node::Leaf(_) => (total, leaves) = (total + depth, leaves + 1),
                Node::Split { inside, outside, .. } => {
                    open.extend([(inside, depth + 1), (outside, depth + 1)]);
                }
            }
        }
        total / leaves
    }

    /// The variables of all splits, in order.
    pub(crate) fn variables(&self) -> Vec<VariableId> {
        let split = |node: &Node| match *node {
            Node::Leaf(_) => None,
            Node::Split { variable, .. } => Some(variable),
        };
        let variables: BTreeSet<VariableId> = self.nodes.iter().filter_map(split).collect();
        variables.into_iter().collect()
    }

    /// Calls `found` with the abstract states that have a state whose value of each variable
    /// satisfies `accepts`, until it returns true. Returns whether it did.
    pub(crate) fn any(
        &self,
        accepts: &impl Fn(VariableId, &dyn Fn(Value) -> bool) -> bool,
        found: &mut impl FnMut(u32) -> bool,
    ) -> bool {
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            match self.nodes[node as usize] {
                Node::Leaf(state) if found(state) => return true,
                Node::Leaf(_) => {}
                Node::Split { variable, bits, inside, outside } => {
                    if accepts(variable, &|value| self.is_inside(bits, value)) {
                        open.push(inside);
                    }
                    if accepts(variable, &|value| !self.is_inside(bits, value)) {
                        open.push(outside);
                    }
                }
            }
        }
        false
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there is at least one leaf.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes; the first is the root, and children come after their parents.
    pub fn nodes(&self) -> impl Iterator<Item = TreeNode> {
        self.nodes.iter().map(|node| match *node {
            Node::Leaf(state) => TreeNode::Leaf(state),
            Node::Split { variable, bits, inside, outside } => {
                let words = self.bits[bits as usize] as u32;
                let values = (0..64 * words).filter(|&value| self.is_inside(bits, value)).collect();
                TreeNode::Split { variable, values, inside, outside }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_depth_is_that_of_the_leaves() {
        let mut tree = SplitTree::new();
        assert_eq!(tree.mean_depth(), 0);
        let mut leaf = 0;
        for state in 1..6 {
            (_, leaf) = tree.split(leaf, VariableId::new(0), &[state], state);
        }
        // A chain: its leaves are at depths 1, 2, 3, 4, 5 and 5.
        assert_eq!(tree.mean_depth(), 20 / 6);
    }
}
