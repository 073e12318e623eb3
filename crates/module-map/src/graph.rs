//! Directed graphs of a few dozen nodes: cycles, layers, transitive reduction.

use std::collections::{BTreeSet, VecDeque};

/// A directed graph. Nodes are numbered from 0.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    successors: Vec<BTreeSet<usize>>,
}

impl Graph {
    /// A graph without edges.
    pub(crate) fn new(nodes: usize) -> Self {
        Self { successors: vec![BTreeSet::new(); nodes] }
    }

    /// A graph with these edges. Loops from a node to itself are left out.
    pub(crate) fn with_edges(
        nodes: usize,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> Self {
        let mut graph = Self::new(nodes);
        for (from, to) in edges {
            if from != to {
                graph.successors[from].insert(to);
            }
        }
        graph
    }

    /// The number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.successors.len()
    }

    /// The nodes that edges lead to from a node.
    pub(crate) fn successors(&self, node: usize) -> &BTreeSet<usize> {
        &self.successors[node]
    }

    /// Removes an edge.
    pub(crate) fn remove(&mut self, from: usize, to: usize) {
        self.successors[from].remove(&to);
    }

    /// Whether a path leads from a node to another.
    pub(crate) fn reaches(&self, from: usize, to: usize) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            open.extend(self.successors(node).iter().filter(|&&next| seen.insert(next)));
        }
        seen.contains(&to)
    }

    /// The strongly connected components, by Tarjan's algorithm: each node is
    /// in one, and a component comes after all those that it leads to.
    pub(crate) fn components(&self) -> Vec<Vec<usize>> {
        let mut search = Tarjan {
            graph: self,
            index: vec![None; self.nodes()],
            low: vec![0; self.nodes()],
            on_stack: vec![false; self.nodes()],
            stack: Vec::new(),
            visited: 0,
            components: Vec::new(),
        };
        for node in 0..self.nodes() {
            if search.index[node].is_none() {
                search.visit(node);
            }
        }
        search.components
    }

    /// The components with a cycle in them, which are those of two nodes or
    /// more, by their first nodes.
    pub(crate) fn cyclic_components(&self) -> Vec<Vec<usize>> {
        let mut components = self.components();
        components.retain(|component| component.len() > 1);
        components.sort();
        components
    }

    /// A shortest cycle through nodes of a component: its nodes in order. The
    /// last leads back to the first.
    pub(crate) fn shortest_cycle(&self, component: &[usize]) -> Option<Vec<usize>> {
        component.iter().filter_map(|&node| self.cycle_through(node)).min_by_key(Vec::len)
    }

    fn cycle_through(&self, start: usize) -> Option<Vec<usize>> {
        let mut reached_from = vec![None; self.nodes()];
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for &next in &self.successors[node] {
                if next == start {
                    let mut cycle = vec![node];
                    while let Some(before) = reached_from[cycle[cycle.len() - 1]] {
                        cycle.push(before);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if reached_from[next].is_none() {
                    reached_from[next] = Some(node);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// The length of the longest path from each node in a graph without
    /// cycles. In one with cycles, the nodes of a component have the same
    /// height, and only edges between components count.
    pub(crate) fn heights(&self) -> Vec<usize> {
        let mut heights = vec![0; self.nodes()];
        for component in self.components() {
            let outside = |&&to: &&usize| !component.contains(&to);
            let below = component.iter().flat_map(|&node| self.successors(node).iter());
            let height = below.filter(outside).map(|&to| heights[to] + 1).max().unwrap_or(0);
            for &node in &component {
                heights[node] = height;
            }
        }
        heights
    }

    /// The graph without the edges that a longer path stands for. Edges inside
    /// of a component are kept.
    pub(crate) fn reduced(&self) -> Self {
        let components = self.components();
        let mut component_of = vec![0; self.nodes()];
        for (number, component) in components.iter().enumerate() {
            for &node in component {
                component_of[node] = number;
            }
        }
        // What each node reaches, itself included; the components come in an
        // order in which everything below is known.
        let mut reached: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.nodes()];
        for component in &components {
            let mut all: BTreeSet<usize> = component.iter().copied().collect();
            for &node in component {
                for &to in self.successors(node) {
                    all.extend(reached[to].clone());
                }
            }
            for &node in component {
                reached[node].clone_from(&all);
            }
        }
        let is_needed = |from: usize, to: usize| {
            component_of[from] == component_of[to]
                || !self.successors(from).iter().any(|&other| {
                    other != to
                        && component_of[other] != component_of[from]
                        && component_of[other] != component_of[to]
                        && reached[other].contains(&to)
                })
        };
        let edges = (0..self.nodes())
            .flat_map(|from| self.successors(from).iter().map(move |&to| (from, to)))
            .filter(|&(from, to)| is_needed(from, to));
        Self::with_edges(self.nodes(), edges)
    }
}

struct Tarjan<'a> {
    graph: &'a Graph,
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    visited: usize,
    components: Vec<Vec<usize>>,
}

impl Tarjan<'_> {
    fn visit(&mut self, node: usize) {
        let index = self.visited;
        self.visited += 1;
        self.index[node] = Some(index);
        self.low[node] = index;
        self.stack.push(node);
        self.on_stack[node] = true;
        for &next in self.graph.successors(node) {
            match self.index[next] {
                None => {
                    self.visit(next);
                    self.low[node] = self.low[node].min(self.low[next]);
                }
                Some(index) if self.on_stack[next] => {
                    self.low[node] = self.low[node].min(index);
                }
                Some(_) => {}
            }
        }
        if self.low[node] == index {
            let start = self.stack.iter().rposition(|&other| other == node).unwrap_or(0);
            let mut component = self.stack.split_off(start);
            for &member in &component {
                self.on_stack[member] = false;
            }
            component.sort_unstable();
            self.components.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    fn edges(graph: &Graph) -> Vec<(usize, usize)> {
        (0..graph.nodes())
            .flat_map(|from| graph.successors(from).iter().map(move |&to| (from, to)))
            .collect()
    }

    #[test]
    fn the_shortest_cycle_of_a_component_is_found() {
        // 0 → 1 → 2 → 3 → 0 with a shortcut 2 → 1, and 4 leading in.
        let graph = Graph::with_edges(5, [(0, 1), (1, 2), (2, 3), (3, 0), (2, 1), (4, 0)]);
        assert_eq!(graph.cyclic_components(), [[0, 1, 2, 3]]);
        assert_eq!(graph.shortest_cycle(&[0, 1, 2, 3]), Some(vec![1, 2]));
    }

    #[test]
    fn without_a_cycle_there_is_no_cyclic_component() {
        let graph = Graph::with_edges(4, [(0, 1), (0, 2), (1, 3), (2, 3), (2, 2)]);
        assert!(graph.cyclic_components().is_empty());
        assert_eq!(graph.shortest_cycle(&[0, 1, 2, 3]), None);
        assert_eq!(graph.heights(), [2, 1, 1, 0]);
    }

    #[test]
    fn the_reduction_drops_what_a_longer_path_says() {
        let graph = Graph::with_edges(4, [(0, 1), (1, 2), (0, 2), (2, 3), (0, 3), (1, 3)]);
        assert_eq!(edges(&graph.reduced()), [(0, 1), (1, 2), (2, 3)]);
    }

    #[test]
    fn the_reduction_keeps_cycles_and_what_leads_to_them() {
        let graph = Graph::with_edges(4, [(0, 1), (1, 2), (2, 1), (0, 2), (2, 3), (1, 3)]);
        assert_eq!(edges(&graph.reduced()), edges(&graph));
    }
}
