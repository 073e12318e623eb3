//! Theorem 6 and Corollary 1: the context-dependency graph.
//!
//! In our own words: the context-dependency graph of an operator joins two
//! variables that the operator does not mention if some feature mentions both
//! and also a variable of the operator. For an order of induced width w on
//! this graph, n variables and at most d values each, P_LP(Ψ_o, σ_o) has at
//! most n d^(w+1) constraints and n d^w columns besides the weights. The least
//! width of any order is the graph's treewidth; bounded treewidth makes the
//! whole LP polynomial (Corollary 1). In dimension 2 the graph has no edges.
//!
//! Orders are greedy here, so their width is compared with the treewidth that
//! trying all orders finds; and the predicted cost of elimination with what an
//! elimination really does.

mod common;

use std::collections::BTreeSet;

use common::{MANY_VARIABLES, TINY, all_features, complete_features, orders, plain, random_normal};
use hipot_potential::context_graph::{ContextGraph, Ordering};
use hipot_potential::contexts::{Domains, maximize};
use hipot_potential::delta::Delta;
use hipot_potential::elimination::ValueSet;
use hipot_potential::feature::Features;
use hipot_potential::textbook;
use hipot_task::{Effect, Fact, Operator, OperatorId, Task, TaskBuilder, Variable, VariableId};
use hipot_testing::Rng;

type Edges = BTreeSet<(usize, usize)>;

/// The definition, with the features that the operator does not change too.
fn edges_by_definition(task: &Task, features: &Features, operator: OperatorId) -> Edges {
    let of_operator: Vec<usize> =
        task.operator(operator).preconditions.iter().map(|fact| fact.variable.index()).collect();
    let mut edges = Edges::new();
    for feature in features.ids() {
        let variable = |&fact| features.facts().variable(fact).index();
        let variables: Vec<usize> = features.conjuncts(feature).iter().map(variable).collect();
        let is_own = |variable: &&usize| of_operator.contains(variable);
        if variables.iter().any(|variable| is_own(&variable)) {
            let others: Vec<usize> = variables.iter().filter(|v| !is_own(v)).copied().collect();
            let pairs = others.iter().flat_map(|&a| others.iter().map(move |&b| (a, b)));
            edges.extend(pairs.filter(|(a, b)| a < b));
        }
    }
    edges
}

#[test]
fn the_graph_is_the_one_of_the_definition() {
    let mut joined = 0;
    for seed in 0..100 {
        let normal = random_normal(MANY_VARIABLES, seed);
        let task = normal.task();
        let features = all_features(task, 3);
        for operator in task.operator_ids() {
            let delta = Delta::new(&normal, &features, operator);
            let graph = ContextGraph::new(&delta, features.facts());
            let definition = edges_by_definition(task, &features, operator);
            let paper = ContextGraph::by_definition(&normal, &features, operator);
            assert_eq!(paper.edges().collect::<Edges>(), definition, "seed {seed}");
            let others = task.variables().len() - task.operator(operator).preconditions.len();
            assert_eq!(paper.vertices().count(), others, "seed {seed}, operator {operator}");
            // Operators that change nothing need no constraint.
            let changes = !delta.independent.is_empty();
            let expected = if changes { definition } else { Edges::new() };
            let edges: Edges = graph.edges().collect();
            assert_eq!(edges, expected, "seed {seed}, operator {operator}");
            joined += usize::from(edges.len() > 2);
        }
    }
    assert!(joined > 100, "{joined}");
}

#[test]
fn dimension_2_has_no_edges_and_width_0() {
    let mut vertices = 0;
    for seed in 0..100 {
        let normal = random_normal(TINY, seed);
        let task = normal.task();
        let features = all_features(task, 2);
        for operator in task.operator_ids() {
            let delta = Delta::new(&normal, &features, operator);
            let graph = ContextGraph::new(&delta, features.facts());
            assert_eq!(graph.edges().count(), 0, "seed {seed}, operator {operator}");
            for ordering in [Ordering::MinFill, Ordering::MinDegree] {
                assert_eq!(graph.order(ordering).1, 0, "seed {seed}, operator {operator}");
            }
            assert_eq!(graph.best_order().1, 0, "seed {seed}, operator {operator}");
            vertices += graph.vertices().count();
        }
    }
    assert!(vertices > 100, "{vertices}");
}

/// An operator on a variable of its own, and features that put it together
/// with the given sets of other variables.
struct Star {
    features: Features,
    delta: Delta,
    domains: Domains,
}

impl Star {
    fn new(sizes: &[u32], scopes: &[Vec<usize>]) -> Self {
        let mut builder = TaskBuilder::new(true);
        for (index, size) in [2].iter().chain(sizes).enumerate() {
            let values = (0..*size).map(|value| value.to_string());
            builder.add_variable(Variable::new(index.to_string(), values)).unwrap();
        }
        builder.set_initial(vec![0; sizes.len() + 1]).unwrap();
        let variables = (0..=sizes.len()).map(VariableId::new);
        builder.set_goal(variables.map(|variable| Fact::new(variable, 0)).collect()).unwrap();
        let own = VariableId::new(0);
        let switch = Operator {
            name: "switch".to_owned(),
            preconditions: vec![Fact::new(own, 0)],
            effects: vec![Effect::new(Fact::new(own, 1))],
            cost: 0,
        };
        let operator = builder.add_operator(switch).unwrap();
        let task = builder.build();
        let normal = plain(&task);
        assert_eq!(normal.task().operators(), task.operators(), "the task is in TNF already");
        assert_eq!(normal.task().variables(), task.variables(), "the task is in TNF already");
        let list = |scope: &Vec<usize>| {
            let others = scope.iter().map(|&other| Fact::new(VariableId::new(other + 1), 0));
            [Fact::new(own, 1)].into_iter().chain(others).collect()
        };
        let lists: BTreeSet<Vec<Fact>> = scopes.iter().map(list).collect();
        let features = common::features(&task, &lists.into_iter().collect::<Vec<_>>());
        let delta = Delta::new(&normal, &features, operator);
        let domains = Domains::all(features.facts());
        Self { features, delta, domains }
    }

    /// Scopes of 2 or 3 among up to 7 other variables.
    fn random(rng: &mut Rng) -> Self {
        let count = 3 + rng.below(5);
        let sizes: Vec<u32> = (0..count).map(|_| 1 + rng.below(3)).collect();
        let mut scopes = Vec::new();
        for _ in 0..2 + rng.below(2 * count) {
            let mut scope: Vec<usize> = (0..count as usize).collect();
            while scope.len() > 2 + usize::from(rng.chance(30)) {
                scope.remove(rng.below(scope.len() as u32) as usize);
            }
            scopes.push(scope);
        }
        Self::new(&sizes, &scopes)
    }

    fn graph(&self) -> ContextGraph {
        ContextGraph::new(&self.delta, self.features.facts())
    }
}

/// The induced width of an order, by the definition.
fn width(graph: &ContextGraph, order: &[usize]) -> usize {
    let mut edges: Edges = graph.edges().collect();
    let mut width = 0;
    for (position, &vertex) in order.iter().enumerate().rev() {
        let is_joined = |&&a: &&usize| edges.contains(&(a.min(vertex), a.max(vertex)));
        let parents: Vec<usize> = order[..position].iter().filter(is_joined).copied().collect();
        width = width.max(parents.len());
        let pairs = parents.iter().flat_map(|&a| parents.iter().map(move |&b| (a, b)));
        edges.extend(pairs.filter(|(a, b)| a < b));
    }
    width
}

/// The least width of all orders.
fn treewidth(graph: &ContextGraph) -> usize {
    let vertices: Vec<usize> = graph.vertices().collect();
    let named = |order: Vec<usize>| order.iter().map(|&i| vertices[i]).collect::<Vec<_>>();
    orders(vertices.len()).into_iter().map(|order| width(graph, &named(order))).min().unwrap()
}

#[test]
fn greedy_orders_are_no_better_than_the_treewidth() {
    let mut widths = BTreeSet::new();
    let mut best = 0;
    let seeds = 100;
    for seed in 0..seeds {
        let graph = Star::random(&mut Rng::new(seed)).graph();
        let least = treewidth(&graph);
        for ordering in [Ordering::MinFill, Ordering::MinDegree] {
            let (order, claimed) = graph.order(ordering);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(graph.vertices()), "seed {seed}: {order:?}");
            assert_eq!(claimed, width(&graph, &order), "seed {seed}, {ordering:?}");
            assert!(claimed >= least, "seed {seed}, {ordering:?}: {claimed} below {least}");
            assert!(claimed >= graph.best_order().1, "seed {seed}, {ordering:?}");
        }
        best += usize::from(graph.best_order().1 == least);
        widths.insert(least);
    }
    assert!(widths.len() >= 3, "treewidths {widths:?}");
    assert!(best * 10 >= 9 * seeds as usize, "optimal on {best} of {seeds} tiny graphs");
}

/// Greedy orders find the treewidth of these.
#[test]
fn known_treewidths() {
    let path = [vec![0, 1], vec![1, 2], vec![2, 3]].to_vec();
    let cycle = [path.clone(), vec![vec![0, 3]]].concat();
    let clique = [cycle.clone(), vec![vec![0, 2], vec![1, 3]]].concat();
    for (scopes, expected) in [(path, 1), (cycle, 2), (clique, 3), (vec![vec![0, 1, 2, 3]], 3)] {
        let graph = Star::new(&[2; 4], &scopes).graph();
        assert_eq!(treewidth(&graph), expected, "{scopes:?}");
        assert_eq!(graph.best_order().1, expected, "{scopes:?}");
    }
}

/// Counts what elimination computes.
#[derive(Default)]
struct Count {
    entries: u64,
    alternatives: u64,
}

impl ValueSet for Count {
    type Value = ();

    fn zero(&mut self) {}

    fn add(&mut self, _sum: &mut (), _value: &()) {}

    fn max(&mut self, _variable: usize, alternatives: Vec<()>) {
        self.entries += 1;
        self.alternatives += alternatives.len() as u64;
    }
}

#[test]
fn the_predicted_size_is_what_elimination_computes() {
    let mut wide = 0;
    for seed in 0..300 {
        let star = Star::random(&mut Rng::new(seed));
        let graph = star.graph();
        let (order, width) = graph.best_order();
        let mut count = Count::default();
        let facts = star.features.facts();
        maximize(&star.delta, facts, &star.domains, &mut count, |_, _| ()).unwrap();
        let predicted = graph.elimination_size(&order, star.domains.sizes());
        assert_eq!(predicted, count.alternatives, "seed {seed}");
        let largest = *star.domains.sizes().iter().max().unwrap() as u64;
        let entries = order.len() as u64 * largest.pow(width as u32);
        assert!(count.entries <= entries, "seed {seed}: {} of {entries}", count.entries);
        assert!(predicted <= entries * largest, "seed {seed}: {predicted}");
        wide += usize::from(width >= 3);
    }
    assert!(wide > 20, "{wide}");
}

/// Rows and columns of each operator of real LPs are within the bound, hence
/// their sum: Corollary 1.
#[test]
fn the_lp_of_every_operator_is_within_the_bound() {
    for seed in 0..60 {
        let normal = random_normal(MANY_VARIABLES, seed);
        for dimension in 1..=4 {
            let features = complete_features(&normal, dimension);
            let model = textbook::model(&normal, &features).unwrap();
            let largest = *Domains::all(features.facts()).sizes().iter().max().unwrap();
            let mut columns = features.len();
            for operator in normal.operator_ids() {
                let delta = Delta::new(&normal, &features, operator);
                let (order, width) = ContextGraph::new(&delta, features.facts()).best_order();
                let auxiliaries = order.len() * largest.pow(width as u32);
                let rows = model.rows(operator).count();
                assert!(rows <= 1 + auxiliaries * largest, "seed {seed}, operator {operator}");
                columns += auxiliaries;
            }
            let found = model.problem().num_columns();
            assert!(found <= columns, "seed {seed}: {found} columns, more than {columns}");
        }
    }
}
