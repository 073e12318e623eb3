//! The applicable operators of a state: a decision tree over the preconditions.
//!
//! An inner node tests the value of one variable. It leads to the operators that require
//! that value, and on to the operators that do not mention the variable (`rest`).
//! Variables are tested in a fixed order. If few operators remain, or if the table of
//! children would be mostly empty, the node lists the operators with their remaining
//! preconditions, tested as whole words: one or two comparisons instead of many levels.

use std::cmp::Reverse;

use hipot_task::{Fact, OperatorId, Packing, Slot, Task, VariableId};

use crate::word_tests::{Test, conjunction, holds};

/// Sets of operators up to this size are listed instead of split.
const MAX_LISTED: usize = 2;

/// A table of children may have at most this many entries per operator below it.
const MAX_ENTRIES_PER_OPERATOR: usize = 8;

const NONE: u32 = u32::MAX;

#[derive(Clone)]
pub(crate) struct SuccessorGenerator {
    nodes: Vec<Node>,
    /// For each node that tests a variable, a node or `NONE` for each value.
    children: Vec<u32>,
    leaves: Vec<Leaf>,
    tests: Vec<Test>,
    /// Nodes still to visit.
    stack: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Node {
    /// The listed operators: `leaves[leaves_begin..leaves_end]`.
    leaves_begin: u32,
    leaves_end: u32,
    /// The variable tested, if `children` is not `NONE`.
    slot: Slot,
    children: u32,
    rest: u32,
}

/// An operator, applicable if `tests[begin..end]` hold.
#[derive(Clone, Copy)]
struct Leaf {
    operator: OperatorId,
    begin: u32,
    end: u32,
}

impl SuccessorGenerator {
    pub(crate) fn new(task: &Task, packing: &Packing) -> Self {
        let generator = Self {
            nodes: Vec::new(),
            children: Vec::new(),
            leaves: Vec::new(),
            tests: Vec::new(),
            stack: Vec::new(),
        };
        let order = TestOrder::new(task);
        Builder { task, packing, order: &order, generator }.build()
    }

    /// Appends the operators applicable in `words` to `applicable`.
    #[inline]
    pub(crate) fn collect(&mut self, words: &[u32], applicable: &mut Vec<OperatorId>) {
        self.stack.push(0);
        while let Some(mut index) = self.stack.pop() {
            while index != NONE {
                let node = self.nodes[index as usize];
                for leaf in &self.leaves[node.leaves_begin as usize..node.leaves_end as usize] {
                    if holds(&self.tests[leaf.begin as usize..leaf.end as usize], words) {
                        applicable.push(leaf.operator);
                    }
                }
                if node.children == NONE {
                    break;
                }
                let slot = node.slot;
                let value = (words[slot.word as usize] >> slot.shift) & slot.mask;
                if node.rest != NONE {
                    self.stack.push(node.rest);
                }
                index = self.children[(node.children + value) as usize];
            }
        }
    }
}

/// The order of tests: variables that more operators mention come first.
struct TestOrder {
    /// All facts in this order. The place of a fact in it is its *key*.
    facts: Vec<Fact>,
    /// The key of the first fact of each variable.
    first_keys: Vec<u32>,
}

impl TestOrder {
    fn new(task: &Task) -> Self {
        let mut mentions = vec![0_u32; task.variables().len()];
        for fact in task.operators().iter().flat_map(|operator| &operator.preconditions) {
            mentions[fact.variable.index()] += 1;
        }
        let mut variables: Vec<VariableId> = task.variable_ids().collect();
        variables.sort_by_key(|id| Reverse(mentions[id.index()]));
        let mut order = Self { facts: Vec::new(), first_keys: vec![0; variables.len()] };
        for id in variables {
            order.first_keys[id.index()] = order.facts.len() as u32;
            let values = 0..task.variable(id).domain_size();
            order.facts.extend(values.map(|value| Fact::new(id, value)));
        }
        order
    }

    fn key(&self, fact: Fact) -> u32 {
        self.first_keys[fact.variable.index()] + fact.value
    }

    fn fact(&self, key: u32) -> Fact {
        self.facts[key as usize]
    }
}

/// An operator and the keys of its preconditions in the order of tests.
#[derive(Clone, Copy)]
struct Conditions<'a> {
    operator: OperatorId,
    keys: &'a [u32],
}

/// Operators that agree on their first `depth` tests, and the node that will lead to
/// them.
struct Branch<'a> {
    node: u32,
    operators: &'a [Conditions<'a>],
    depth: usize,
}

struct Builder<'a> {
    task: &'a Task,
    packing: &'a Packing,
    order: &'a TestOrder,
    generator: SuccessorGenerator,
}

impl Builder<'_> {
    fn build(mut self) -> SuccessorGenerator {
        let (mut keys, mut ends) = (Vec::new(), Vec::new());
        for operator in self.task.operators() {
            let begin = keys.len();
            keys.extend(operator.preconditions.iter().map(|&fact| self.order.key(fact)));
            keys[begin..].sort_unstable();
            ends.push(keys.len());
        }
        let operators = sorted(&keys, &ends);
        let root = self.add_node();
        let mut branches = vec![Branch { node: root, operators: &operators, depth: 0 }];
        while let Some(branch) = branches.pop() {
            self.split(&branch, &mut branches);
        }
        self.generator
    }

    fn add_node(&mut self) -> u32 {
        let slot = Slot { word: 0, shift: 0, mask: 0 };
        self.generator.nodes.push(Node {
            leaves_begin: 0,
            leaves_end: 0,
            slot,
            children: NONE,
            rest: NONE,
        });
        self.generator.nodes.len() as u32 - 1
    }

    fn split<'b>(&mut self, branch: &Branch<'b>, branches: &mut Vec<Branch<'b>>) {
        let Branch { mut node, operators, depth } = *branch;
        let order = self.order;
        let variable = |operator: &Conditions<'_>| {
            operator.keys.get(depth).map(|&key| order.fact(key).variable)
        };
        let is_listed = |same: &[Conditions<'_>]| match variable(&same[0]) {
            Some(variable) => {
                let domain_size = self.task.variable(variable).domain_size() as usize;
                same.len() <= MAX_LISTED || domain_size > MAX_ENTRIES_PER_OPERATOR * same.len()
            }
            None => true,
        };
        let groups = operators.chunk_by(|a, b| variable(a) == variable(b));
        let (listed, tested): (Vec<_>, Vec<_>) = groups.partition(|same| is_listed(same));

        let begin = self.generator.leaves.len() as u32;
        for operator in listed.into_iter().flatten() {
            self.add_leaf(operator, depth);
        }
        let listing = &mut self.generator.nodes[node as usize];
        (listing.leaves_begin, listing.leaves_end) = (begin, self.generator.leaves.len() as u32);

        for (index, group) in tested.into_iter().enumerate() {
            if index > 0 {
                let rest = self.add_node();
                self.generator.nodes[node as usize].rest = rest;
                node = rest;
            }
            self.test(node, group, depth, branches);
        }
    }

    fn add_leaf(&mut self, conditions: &Conditions<'_>, depth: usize) {
        let begin = self.generator.tests.len() as u32;
        let left = conditions.keys[depth..].iter();
        let facts: Vec<Fact> = left.map(|&key| self.order.fact(key)).collect();
        self.generator.tests.extend(conjunction(&facts, self.packing));
        let end = self.generator.tests.len() as u32;
        self.generator.leaves.push(Leaf { operator: conditions.operator, begin, end });
    }

    /// Makes `node` test the next variable of all operators in `group`.
    fn test<'b>(
        &mut self,
        node: u32,
        group: &'b [Conditions<'b>],
        depth: usize,
        branches: &mut Vec<Branch<'b>>,
    ) {
        let variable = self.order.fact(group[0].keys[depth]).variable;
        let first_child = self.generator.children.len();
        let domain_size = self.task.variable(variable).domain_size() as usize;
        self.generator.children.resize(first_child + domain_size, NONE);
        self.generator.nodes[node as usize].slot = self.packing.slot(variable);
        self.generator.nodes[node as usize].children = first_child as u32;
        for operators in group.chunk_by(|a, b| a.keys[depth] == b.keys[depth]) {
            let child = self.add_node();
            let value = self.order.fact(operators[0].keys[depth]).value as usize;
            self.generator.children[first_child + value] = child;
            branches.push(Branch { node: child, operators, depth: depth + 1 });
        }
    }
}

/// All operators, those with the same first tests next to each other. The keys of each end where
/// those of the next one begin.
fn sorted<'a>(keys: &'a [u32], ends: &[usize]) -> Vec<Conditions<'a>> {
    let begins = std::iter::once(&0).chain(ends);
    let ranges = begins.zip(ends).map(|(&begin, &end)| &keys[begin..end]);
    let number = |(index, keys)| Conditions { operator: OperatorId::new(index), keys };
    let mut all: Vec<Conditions<'_>> = ranges.enumerate().map(number).collect();
    all.sort_unstable_by_key(|operator| (operator.keys, operator.operator));
    all
}
