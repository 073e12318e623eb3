//! The operators that are applicable in a state, and what they change.
//!
//! Operators are sorted by their preconditions, so that those that begin with the same facts are
//! neighbors. A node of the tree stands for such operators: it lists those that have no further
//! precondition, asks for the value of a variable, and leads to the operators that
//! require this value next, and to those that do not ask for this variable (`rest`).

use std::ops::Range;

use hipot_task::{Fact, Operator, OperatorId, Task, Value};

use crate::semantics::satisfies;

/// No node.
const NONE: u32 = u32::MAX;

/// A tree of operators.
pub(super) struct Operators {
    nodes: Vec<Node>,
    /// The operators that nodes list.
    listed: Vec<OperatorId>,
    /// For the values that operators require, in order, the nodes that they lead to.
    children: Vec<(Value, u32)>,
    /// Nodes still to visit.
    stack: Vec<u32>,
}

#[derive(Clone)]
struct Node {
    listed: Range<u32>,
    variable: u32,
    children: Range<u32>,
    rest: u32,
}

/// An operator and its preconditions in the order of variables.
type Sorted = (Vec<Fact>, OperatorId);

impl Operators {
    /// The tree of these operators.
    pub(super) fn new(task: &Task, operators: impl Iterator<Item = OperatorId>) -> Self {
        let mut sorted: Vec<Sorted> = operators
            .map(|id| {
                let mut facts = task.operator(id).preconditions.clone();
                facts.sort_unstable();
                (facts, id)
            })
            .collect();
        sorted.sort_unstable();
        let (nodes, listed, children) = (Vec::new(), Vec::new(), Vec::new());
        let mut tree = Self { nodes, listed, children, stack: Vec::new() };
        let root = tree.add_node();
        let mut open = vec![(root, &sorted[..], 0)];
        while let Some((node, operators, depth)) = open.pop() {
            tree.split(node, operators, depth, &mut open);
        }
        tree
    }

    fn add_node(&mut self) -> u32 {
        self.nodes.push(Node { listed: 0..0, variable: 0, children: 0..0, rest: NONE });
        self.nodes.len() as u32 - 1
    }

    /// Fills a node for operators that agree on their first `depth` preconditions.
    fn split<'s>(
        &mut self,
        mut node: u32,
        operators: &'s [Sorted],
        depth: usize,
        open: &mut Vec<(u32, &'s [Sorted], usize)>,
    ) {
        let (done, asking) =
            operators.split_at(operators.partition_point(|it| it.0.len() == depth));
        let begin = self.listed.len() as u32;
        self.listed.extend(done.iter().map(|&(_, id)| id));
        self.nodes[node as usize].listed = begin..self.listed.len() as u32;
        let same_variable =
            |one: &Sorted, other: &Sorted| one.0[depth].variable == other.0[depth].variable;
        for (position, group) in asking.chunk_by(same_variable).enumerate() {
            if position > 0 {
                let rest = self.add_node();
                self.nodes[node as usize].rest = rest;
                node = rest;
            }
            self.nodes[node as usize].variable = group[0].0[depth].variable.index() as u32;
            let begin = self.children.len() as u32;
            for group in group.chunk_by(|one, other| one.0[depth] == other.0[depth]) {
                let child = self.add_node();
                self.children.push((group[0].0[depth].value, child));
                open.push((child, group, depth + 1));
            }
            self.nodes[node as usize].children = begin..self.children.len() as u32;
        }
    }

    /// Appends the operators that are applicable in a state.
    pub(super) fn collect(&mut self, state: &[Value], applicable: &mut Vec<OperatorId>) {
        self.stack.push(0);
        while let Some(index) = self.stack.pop() {
            let node = &self.nodes[index as usize];
            let listed = node.listed.start as usize..node.listed.end as usize;
            applicable.extend_from_slice(&self.listed[listed]);
            let children = node.children.start as usize..node.children.end as usize;
            let children = &self.children[children];
            if children.is_empty() {
                continue;
            }
            let value = state[node.variable as usize];
            if let Ok(place) = children.binary_search_by_key(&value, |&(value, _)| value) {
                self.stack.push(children[place].1);
            }
            if node.rest != NONE {
                self.stack.push(node.rest);
            }
        }
    }
}

/// A variable's index, its value before an operator and its value after it.
pub(super) type Changed = (usize, Value, Value);

/// Sets `changed` to what an operator changes in a state of a task without axioms.
pub(super) fn changes(operator: &Operator, state: &[Value], changed: &mut Vec<Changed>) {
    changed.clear();
    for effect in &operator.effects {
        if !effect.conditions.is_empty() && !satisfies(state, &effect.conditions) {
            continue;
        }
        let (variable, value) = (effect.fact.variable.index(), effect.fact.value);
        // Of several effects on a variable, the last one counts.
        changed.retain(|&(other, ..)| other != variable);
        if state[variable] != value {
            changed.push((variable, state[variable], value));
        }
    }
}
