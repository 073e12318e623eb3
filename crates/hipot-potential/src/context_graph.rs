//! The context-dependency graph of an operator, and orders for elimination.
//!
//! [PHB17, Theorem 6, Corollary 1.] Its vertices are the variables that the
//! contexts of an operator's features mention; two are joined if one context
//! mentions both. Eliminating variables in an order takes time and space
//! exponential in the order's *induced width*. The smallest possible width is the
//! graph's treewidth, which is hard to compute, so greedy orders are used. With
//! features of size 2 every context has one fact, the graph has no edges, and
//! the width is 0: that is Theorem 1.
//!
//! The paper joins variables for every feature that mentions a variable of the
//! operator, whether the operator changes it or not, and all variables that the
//! operator does not mention are vertices ([`ContextGraph::by_definition`]).
//! Features that it does not change are in none of its constraints, so the graph
//! that orders are chosen for ([`ContextGraph::new`]) leaves them out.

use std::collections::{BTreeMap, BTreeSet};

use hipot_task::{Facts, OperatorId};

use crate::delta::Delta;
use crate::feature::Features;
use crate::normal_form::NormalForm;

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

    /// The context-dependency graph as the paper defines it.
    pub fn by_definition(normal: &NormalForm, features: &Features, operator: OperatorId) -> Self {
        let facts = normal.facts();
        let mut is_own = vec![false; facts.variable_count()];
        for mention in normal.mentions(operator) {
            is_own[facts.variable(mention.before).index()] = true;
        }
        let mut graph = Self::default();
        for variable in (0..is_own.len()).filter(|&variable| !is_own[variable]) {
            graph.add_clique(&[variable]);
        }
        for feature in features.ids() {
            let variables = features.conjuncts(feature).iter();
            let variables = variables.map(|&fact| facts.variable(fact).index());
            let (own, others): (Vec<usize>, Vec<usize>) =
                variables.partition(|&variable| is_own[variable]);
            if !own.is_empty() {
                graph.add_clique(&others);
            }
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

    /// The vertices from the end of `order` to its beginning, each with its parents in the
    /// induced graph: its neighbors that come before it when it is eliminated.
    fn parents(&self, order: &[usize]) -> Vec<(usize, Vec<usize>)> {
        let mut graph = self.clone();
        let mut parents = Vec::with_capacity(order.len());
        for &vertex in order.iter().rev() {
            let neighbors = graph.remove(vertex);
            graph.add_clique(&neighbors);
            parents.push((vertex, neighbors));
        }
        parents
    }

    /// The induced graph along `order`, which contains every vertex, and its width.
    pub fn induced(&self, order: &[usize]) -> (Self, usize) {
        let mut graph = self.clone();
        let mut width = 0;
        for (_, parents) in self.parents(order) {
            width = width.max(parents.len());
            graph.add_clique(&parents);
        }
        (graph, width)
    }

    /// The number of alternatives that elimination in this order computes: the sum, over
    /// all variables, of the product of the domain sizes of the variable and of its
    /// remaining neighbors when it is eliminated.
    pub fn elimination_size(&self, order: &[usize], domains: &[usize]) -> u64 {
        let entries = |(vertex, parents): (usize, Vec<usize>)| {
            let scope = parents.iter().chain([&vertex]).map(|&variable| domains[variable] as u64);
            scope.fold(1, u64::saturating_mul)
        };
        self.parents(order).into_iter().map(entries).fold(0, u64::saturating_add)
    }
}
