//! The context-dependency graph of an operator, orders for it, and the paper's graph.
//!
//! *An order by the user* is the beginning of σ; the variables that it does not name follow
//! in the best order found, so they are eliminated first. Variables that are not in the
//! graph need not be eliminated and are skipped.
//!
//! *The paper's graph* G(Π, ℱ, o) has an edge for every feature that mentions a variable of
//! o. For `pot(dim=K)` the paper's ℱ has all features of size at most K: with K ≥ 3 all
//! variables outside of o are joined, and the width is their number minus 1; with K ≤ 2 none
//! are. Features from a file are taken as they are.

use hipot::heuristic::Potential;
use hipot::spec::FeatureChoice;
use hipot_potential::Certified;
use hipot_potential::context_graph::ContextGraph;
use hipot_potential::contexts::Domains;
use hipot_potential::feature::Features;
use hipot_task::{OperatorId, VariableId};

use super::super::names::title;
use super::{Graph, Order, PaperGraph, Partition, Vertex};
use crate::wording::counted;

/// With more vertices, edges that only the paper has are not listed.
const MAX_VERTICES: usize = 40;

/// The graph with what names are needed for.
pub(super) struct Contexts<'a> {
    pub(super) potential: &'a Potential,
    pub(super) function: &'a Certified,
    pub(super) operator: OperatorId,
    pub(super) graph: ContextGraph,
    /// The variables that the operator does not mention.
    others: Vec<usize>,
}

impl<'a> Contexts<'a> {
    pub(super) fn new(
        potential: &'a Potential,
        function: &'a Certified,
        operator: OperatorId,
        graph: ContextGraph,
    ) -> Self {
        let normal = function.normal_form();
        let facts = normal.facts();
        let is_own = |variable: VariableId| {
            let mut own = normal.mentions(operator).iter().map(|it| facts.variable(it.before));
            own.any(|other| other == variable)
        };
        let others = facts.variable_ids().filter(|&variable| !is_own(variable));
        let others = others.map(VariableId::index).collect();
        Self { potential, function, operator, graph, others }
    }

    fn name(&self, variable: usize) -> String {
        let task = self.function.normal_form().task();
        task.variable(VariableId::new(variable)).name.clone()
    }

    /// The index of a variable among the vertices.
    fn vertex(&self, variable: usize) -> usize {
        self.others.binary_search(&variable).expect("contexts mention other variables only")
    }

    fn pair(&self, (a, b): (usize, usize)) -> [usize; 2] {
        [self.vertex(a), self.vertex(b)]
    }

    /// An order of all vertices of `graph` that begins with the listed ones.
    pub(super) fn complete(listed: &[usize], graph: &ContextGraph) -> Vec<usize> {
        let best = graph.best_order().0;
        let mut order: Vec<usize> =
            listed.iter().copied().filter(|variable| best.contains(variable)).collect();
        order.extend(best.iter().filter(|variable| !listed.contains(variable)));
        order
    }

    /// What an order makes of the graph.
    pub(super) fn order(&self, order: &[usize], domains: Option<&Domains>) -> Order {
        let (induced, width) = self.graph.induced(order);
        let edges: Vec<(usize, usize)> = self.graph.edges().collect();
        let added = induced.edges().filter(|edge| edges.binary_search(edge).is_err());
        let all = Domains::all(self.function.features().facts());
        Order {
            variables: order.iter().map(|&variable| self.name(variable)).collect(),
            width,
            added: added.map(|edge| self.pair(edge)).collect(),
            entries: self.graph.elimination_size(order, domains.unwrap_or(&all).sizes()),
        }
    }

    /// The graph in words.
    pub(super) fn describe(&self, partition: &Partition, listed: Option<&[usize]>) -> Graph {
        let normal = self.function.normal_form();
        let vertex = |&index: &usize| {
            let id = VariableId::new(index);
            let variable = normal.task().variable(id);
            let known = variable.values.len() - usize::from(normal.unknown(id).is_some());
            let in_contexts = self.graph.vertices().any(|other| other == index);
            Vertex { name: variable.name.clone(), title: title(variable, known), in_contexts }
        };
        Graph {
            vertices: self.others.iter().map(vertex).collect(),
            edges: self.graph.edges().map(|edge| self.pair(edge)).collect(),
            paper: self.paper(partition, listed),
        }
    }

    fn paper(&self, partition: &Partition, listed: Option<&[usize]>) -> PaperGraph {
        let own = self.graph.edges().count();
        let dimension = match self.potential.spec.features {
            FeatureChoice::Dimension(dimension) => Some(dimension),
            FeatureChoice::File(_) => None,
        };
        let mut paper = match dimension {
            Some(dimension) => self.all_features(dimension, listed.is_some()),
            None => self.listed_features(listed),
        };
        if paper.edges > own {
            paper.reasons = self.reasons(partition, dimension);
        }
        paper
    }

    /// The graph for all features of size at most `dimension`.
    fn all_features(&self, dimension: usize, has_order: bool) -> PaperGraph {
        let count = self.others.len();
        let has_variables = count < self.function.features().facts().variable_count();
        let is_joined = dimension >= 3 && has_variables;
        let width = if is_joined { count.saturating_sub(1) } else { 0 };
        let listed = if is_joined && count <= MAX_VERTICES { count } else { 0 };
        let all = (0..listed).flat_map(|a| (a + 1..listed).map(move |b| [a, b]));
        let own: Vec<[usize; 2]> = self.graph.edges().map(|edge| self.pair(edge)).collect();
        PaperGraph {
            edges: if is_joined { count * count.saturating_sub(1) / 2 } else { 0 },
            additional: all.filter(|pair| !own.contains(pair)).collect(),
            chosen_width: has_order.then_some(width),
            width,
            reasons: Vec::new(),
        }
    }

    /// The graph for the features of the function.
    fn listed_features(&self, listed: Option<&[usize]>) -> PaperGraph {
        let features = self.function.features();
        let normal = self.function.normal_form();
        let graph = ContextGraph::by_definition(normal, features, self.operator);
        let own: Vec<(usize, usize)> = self.graph.edges().collect();
        let is_new = |edge: &(usize, usize)| own.binary_search(edge).is_err();
        let additional =
            graph.edges().filter(|edge| self.others.len() <= MAX_VERTICES && is_new(edge));
        let along = |listed| graph.induced(&Self::complete(listed, &graph)).1;
        PaperGraph {
            edges: graph.edges().count(),
            additional: additional.map(|edge| self.pair(edge)).collect(),
            chosen_width: listed.map(along),
            width: graph.best_order().1,
            reasons: Vec::new(),
        }
    }

    /// The features that the paper's graph has edges for and this one may not have.
    fn reasons(&self, partition: &Partition, dimension: Option<usize>) -> Vec<String> {
        let mut reasons = Vec::new();
        let mut add = |count: usize, what: &str| {
            if count > 0 {
                reasons.push(format!("{} {what}", counted(count, "feature")));
            }
        };
        add(partition.kept, "with prevailed variables of the operator only, which keeps them");
        add(partition.never, "in conflict with both precondition and effect");
        if let Some(dimension) = dimension {
            reasons.push("features with a reference value, which the others express".to_owned());
            let features = self.function.features();
            let all = Features::complete_count(features.facts(), dimension);
            let unused = all.saturating_sub(features.len() as u64);
            if unused > 0 {
                let what = "others, which the function does without";
                reasons.push(format!("{unused} of {all} {what}"));
            }
        }
        reasons
    }
}
