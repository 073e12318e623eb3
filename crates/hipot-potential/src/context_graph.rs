//! The context-dependency graph of an operator, and orders for elimination.
//!
//! [PHB17, Theorem 6, Corollary 1.] Its vertices are the variables that the
//! contexts of an operator's features mention; two are joined if one context
//! mentions both. Eliminating variables in an order takes time and space
//! exponential in the order's *induced width*. The smallest possible width is the
//! graph's treewidth, which is hard to compute, so greedy orders are used. With
//! features of size 2 every context has one fact, the graph has no edges, and
//! the width is 0: that is Theorem 1.

use std::collections::{BTreeMap, BTreeSet};

use hipot_task::Facts;

use crate::delta::Delta;

/// The criterion by which the next variable to eliminate is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ordering {
    /// The variable whose elimination adds the fewest edges.
    #[default]
    MinFill,
    /// The variable with the fewest neighbors.
    MinDegree,
}

/// A graph on variables.
#[derive(Clone, Debug, Default)]
pub struct ContextGraph {
    neighbors: BTreeMap<usize, BTreeSet<usize>>,
}

impl ContextGraph {
    /// The context-dependency graph of an operator.
    pub fn new(delta: &Delta, facts: &Facts) -> Self {
        let mut graph = Self::default();
        for (_, context) in delta.dependent() {
            let variables: Vec<usize> =
                context.iter().map(|&fact| facts.variable(fact).index()).collect();
            graph.add_clique(&variables);
        }
        graph
    }

    /// Joins all of these variables with each other.
    pub(crate) fn add_clique(&mut self, variables: &[usize]) {
        for &variable in variables {
            let neighbors = self.neighbors.entry(variable).or_default();
            neighbors.extend(variables.iter().filter(|&&other| other != variable));
        }
    }

    /// Whether a variable is a vertex.
    pub(crate) fn contains(&self, variable: usize) -> bool {
        self.neighbors.contains_key(&variable)
    }

    /// The vertices, in order.
    pub fn vertices(&self) -> impl Iterator<Item = usize> + '_ {
        self.neighbors.keys().copied()
    }

    /// The edges, smaller vertex first.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = |(&vertex, neighbors): (&usize, &BTreeSet<usize>)| {
            neighbors
                .range(vertex + 1..)
                .map(move |&neighbor| (vertex, neighbor))
                .collect::<Vec<_>>()
        };
        self.neighbors.iter().flat_map(pairs)
    }

    /// An elimination order and its induced width. Variables are eliminated from the
    /// end of the order.
    pub fn order(&self, ordering: Ordering) -> (Vec<usize>, usize) {
        let mut graph = self.clone();
        let mut order = Vec::with_capacity(graph.neighbors.len());
        let mut width = 0;
        while let Some(vertex) = graph.next_vertex(ordering) {
            let neighbors = graph.remove(vertex);
            width = width.max(neighbors.len());
            graph.add_clique(&neighbors);
            order.push(vertex);
        }
        order.reverse();
        (order, width)
    }

    /// The better of the two greedy orders.
    pub fn best_order(&self) -> (Vec<usize>, usize) {
        let fill = self.order(Ordering::MinFill);
        if fill.1 == 0 {
            return fill;
        }
        let degree = self.order(Ordering::MinDegree);
        if degree.1 < fill.1 { degree } else { fill }
    }

    fn next_vertex(&self, ordering: Ordering) -> Option<usize> {
        let cost = |&(_, neighbors): &(&usize, &BTreeSet<usize>)| match ordering {
            Ordering::MinFill => self.missing_edges(neighbors),
            Ordering::MinDegree => neighbors.len(),
        };
        self.neighbors.iter().min_by_key(cost).map(|(&vertex, _)| vertex)
    }

    /// The number of pairs of these vertices that are not joined.
    fn missing_edges(&self, vertices: &BTreeSet<usize>) -> usize {
        let unjoined = |vertex: &usize| {
            let neighbors = &self.neighbors[vertex];
            vertices.range(vertex + 1..).filter(|&other| !neighbors.contains(other)).count()
        };
        vertices.iter().map(unjoined).sum()
    }

    fn remove(&mut self, vertex: usize) -> Vec<usize> {
        let neighbors = self.neighbors.remove(&vertex).unwrap_or_default();
        for neighbor in &neighbors {
            self.neighbors.get_mut(neighbor).expect("edges go both ways").remove(&vertex);
        }
        neighbors.into_iter().collect()
    }

    /// The number of alternatives that elimination in this order computes: the sum, over
    /// all variables, of the product of the domain sizes of the variable and of its
    /// remaining neighbors when it is eliminated.
    pub fn elimination_size(&self, order: &[usize], domains: &[usize]) -> u64 {
        let mut graph = self.clone();
        let mut size = 0_u64;
        for &vertex in order.iter().rev() {
            let neighbors = graph.remove(vertex);
            let scope = neighbors.iter().chain([&vertex]).map(|&variable| domains[variable] as u64);
            size = size.saturating_add(scope.fold(1, u64::saturating_mul));
            graph.add_clique(&neighbors);
        }
        size
    }
}
