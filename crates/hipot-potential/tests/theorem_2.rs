//! Theorem 2 (`thm:intractability`): why dimension 3 is hard.
//!
//! In our own words: whether a potential heuristic of dimension 3 is
//! consistent is coNP-complete. The proof turns a graph into a task with a
//! variable for each vertex's color and a master switch M, and into a φ that
//! is |E| − 1 after the switch less the number of edges whose ends differ.
//! Switching costs nothing, so φ, which is 0 before, must not be negative
//! after; it is −1 just for proper colorings. So φ is consistent if and only
//! if the graph is not 3-colorable.
//!
//! The reduction is built here literally, and consistency is decided by exact
//! elimination for each operator: Δ_o^ind + Max(Ψ_o) ≤ cost(o). A transition
//! that shows inconsistency must start in a proper coloring.

mod common;

use common::transitions;
use hipot_potential::NormalForm;
use hipot_potential::consistency::{self, ExactPotential, Witness};
use hipot_potential::contexts::{Domains, maximize};
use hipot_potential::delta::{Delta, Term};
use hipot_potential::elimination::Integers;
use hipot_potential::feature::Features;
use hipot_task::{Effect, Fact, Operator, Rational, Task, TaskBuilder, Variable, VariableId};

const COLORS: u32 = 3;

struct Graph {
    name: String,
    vertices: usize,
    edges: Vec<(usize, usize)>,
}

/// M.
fn master() -> VariableId {
    VariableId::new(0)
}

/// C_v.
fn color_of(vertex: usize) -> VariableId {
    VariableId::new(vertex + 1)
}

/// The task Π of the reduction.
fn reduction(graph: &Graph) -> Task {
    let mut builder = TaskBuilder::new(true);
    builder.add_variable(Variable::new("M", ["0", "1"])).unwrap();
    for vertex in 0..graph.vertices {
        let variable = Variable::new(format!("C{vertex}"), ["red", "blue", "green"]);
        builder.add_variable(variable).unwrap();
    }
    builder.set_initial(vec![0; graph.vertices + 1]).unwrap();
    let red = (0..graph.vertices).map(|vertex| Fact::new(color_of(vertex), 0));
    builder.set_goal([Fact::new(master(), 1)].into_iter().chain(red).collect()).unwrap();
    for vertex in 0..graph.vertices {
        for (old, new) in pairs_of_colors() {
            builder.add_operator(paint(vertex, old, new)).unwrap();
        }
    }
    builder.add_operator(switch()).unwrap();
    builder.build()
}

fn pairs_of_colors() -> impl Iterator<Item = (u32, u32)> {
    let pairs = (0..COLORS).flat_map(|old| (0..COLORS).map(move |new| (old, new)));
    pairs.filter(|(old, new)| old != new)
}

/// o_{v,c,c'}.
fn paint(vertex: usize, old: u32, new: u32) -> Operator {
    Operator {
        name: format!("paint {vertex} {old} {new}"),
        preconditions: vec![Fact::new(master(), 0), Fact::new(color_of(vertex), old)],
        effects: vec![
            Effect::new(Fact::new(master(), 0)),
            Effect::new(Fact::new(color_of(vertex), new)),
        ],
        cost: 0,
    }
}

/// o_M.
fn switch() -> Operator {
    Operator {
        name: "switch".to_owned(),
        preconditions: vec![Fact::new(master(), 0)],
        effects: vec![Effect::new(Fact::new(master(), 1))],
        cost: 0,
    }
}

/// ℱ and w of the reduction, features of weight 0 over an edge included.
fn potential(graph: &Graph, task: &Task) -> (Features, Vec<i64>) {
    let mut lists = vec![vec![Fact::new(master(), 1)]];
    let mut weights = vec![graph.edges.len().cast_signed() as i64 - 1];
    for &(u, v) in &graph.edges {
        for switched in 0..2 {
            for (first, second) in (0..9).map(|pair| (pair / COLORS, pair % COLORS)) {
                let colors = [Fact::new(color_of(u), first), Fact::new(color_of(v), second)];
                lists.push([Fact::new(master(), switched)].into_iter().chain(colors).collect());
                weights.push(-i64::from(switched == 1 && first != second));
            }
        }
    }
    (common::features(task, &lists), weights)
}

/// Whether Δ_o^ind + Max(Ψ_o) ≤ cost(o) for every operator.
fn is_consistent(normal: &NormalForm, features: &Features, weights: &[i64]) -> bool {
    let domains = Domains::all(features.facts());
    let weight = |term: Term| i128::from(weights[term.feature.index()]) * i128::from(term.sign);
    normal.operator_ids().all(|operator| {
        let delta = Delta::new(normal, features, operator);
        let mut integers = Integers::default();
        let value = |_: &mut Integers, term| weight(term);
        let max = maximize(&delta, features.facts(), &domains, &mut integers, value).unwrap();
        let independent: i128 = delta.independent.iter().map(|&term| weight(term)).sum();
        assert!(!integers.overflowed);
        independent + max <= i128::from(normal.cost(operator))
    })
}

/// Whether no transition lowers φ by more than it costs, by enumeration.
fn is_consistent_by_enumeration(task: &Task, features: &Features, weights: &[i64]) -> bool {
    let potential = |state: &[u32]| -> i64 {
        let held = features.ids().filter(|&feature| features.holds(feature, state));
        held.map(|feature| weights[feature.index()]).sum()
    };
    let lowers_too_much = |(before, operator, after): &(Vec<u32>, _, Vec<u32>)| {
        potential(before) - potential(after) > i64::from(task.operator(*operator).cost)
    };
    !transitions(task).iter().any(lowers_too_much)
}

/// Whether a proper coloring exists, by trying the colors of one vertex after
/// another.
fn is_colorable(graph: &Graph, colors: &mut Vec<u32>) -> bool {
    let vertex = colors.len();
    if vertex == graph.vertices {
        return true;
    }
    (0..COLORS).any(|color| {
        let clashes = |&(u, v): &(usize, usize)| v == vertex && colors[u] == color;
        if graph.edges.iter().any(clashes) {
            return false;
        }
        colors.push(color);
        let found = is_colorable(graph, colors);
        colors.pop();
        found
    })
}

/// Checks the theorem on one graph; whether it is 3-colorable.
fn check(graph: &Graph) -> bool {
    assert!(graph.edges.iter().all(|&(u, v)| u < v && v < graph.vertices));
    let task = reduction(graph);
    let normal = NormalForm::plain(&task).unwrap();
    assert_eq!(normal.task().operators(), task.operators(), "the task is in TNF already");
    assert_eq!(normal.task().variables(), task.variables(), "the task is in TNF already");
    let (features, weights) = potential(graph, &task);
    assert_eq!(features.dimension(), if graph.edges.is_empty() { 1 } else { 3 });
    let colorable = is_colorable(graph, &mut Vec::new());
    let rational = |&weight: &i64| Rational { numerator: weight.into(), denominator: 1 };
    let exact: Vec<Rational> = weights.iter().map(rational).collect();
    let exact = ExactPotential::new(&features, &exact, rational(&0)).unwrap();
    let verdict = consistency::check(&normal, &exact).unwrap();
    assert_eq!(verdict.consistent(), !colorable, "{}", graph.name);
    if let Some(Witness { state, .. }) = verdict.witness {
        let differ = |&(u, v): &(usize, usize)| state[u + 1] != state[v + 1];
        assert!(graph.edges.iter().all(differ), "{}: {state:?} is not a coloring", graph.name);
    }
    let consistent = is_consistent(&normal, &features, &weights);
    assert_eq!(consistent, !colorable, "{}", graph.name);
    if graph.vertices <= 4 {
        let enumerated = is_consistent_by_enumeration(&task, &features, &weights);
        assert_eq!(enumerated, consistent, "{}", graph.name);
    }
    colorable
}

/// The graph on `vertices` vertices whose edges are the bits of `number`.
fn numbered(vertices: usize, number: usize) -> Graph {
    let pairs = (0..vertices).flat_map(|v| (0..v).map(move |u| (u, v)));
    let chosen = pairs.enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
    let edges = chosen.map(|(_, edge)| edge).collect();
    Graph { name: format!("graph {number} on {vertices} vertices"), vertices, edges }
}

#[test]
fn all_graphs_on_4_vertices() {
    let colorable = (0..1 << 6).filter(|&number| check(&numbered(4, number))).count();
    assert_eq!(colorable, 63, "all but the complete graph");
}

#[test]
fn all_graphs_on_5_vertices() {
    let colorable = (0..1 << 10).filter(|&number| check(&numbered(5, number))).count();
    // 66 graphs contain a K4: by inclusion and exclusion 5·2⁴ − 10·2 + 10 − 5 + 1.
    assert_eq!(colorable, 1024 - 66, "all but those with four vertices joined to each other");
}

fn cycle(length: usize) -> Graph {
    let mut edges: Vec<_> = (1..length).map(|vertex| (vertex - 1, vertex)).collect();
    edges.push((0, length - 1));
    Graph { name: format!("cycle of {length}"), vertices: length, edges }
}

/// A cycle and a hub that is joined to all of it.
fn wheel(length: usize) -> Graph {
    let mut graph = cycle(length);
    graph.edges.extend((0..length).map(|vertex| (vertex, length)));
    Graph { name: format!("wheel of {length}"), vertices: length + 1, ..graph }
}

#[test]
fn cycles_and_wheels() {
    for length in 3..=8 {
        assert!(check(&cycle(length)), "cycles are 3-colorable");
        assert_eq!(check(&wheel(length)), length % 2 == 0, "wheels only with an even rim");
    }
}

/// Mycielski's construction: the chromatic number grows by 1, no triangle
/// appears.
fn mycielskian(graph: &Graph) -> Graph {
    let count = graph.vertices;
    let mut edges = graph.edges.clone();
    for &(u, v) in &graph.edges {
        edges.extend([(u, count + v), (v, count + u)]);
    }
    edges.extend((0..count).map(|vertex| (count + vertex, 2 * count)));
    Graph { name: format!("Mycielskian of the {}", graph.name), vertices: 2 * count + 1, edges }
}

#[test]
fn the_groetzsch_graph_has_no_triangle_and_no_3_coloring() {
    let mut graph = mycielskian(&cycle(5));
    assert!(!check(&graph));
    // It is critical: without any one edge there is a coloring.
    let edge = graph.edges.pop();
    assert!(check(&graph), "without {edge:?}");
}
