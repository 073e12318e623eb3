//! Graph coloring as a question about a potential function.
//!
//! [PHB17, Theorem 2, `thm:intractability`.] For a graph G = ⟨V, E⟩ this makes
//! a task in TNF and a potential function φ of dimension 3 that is consistent
//! iff G is *not* 3-colorable; so testing consistency is coNP-hard.
//!
//! *The task.* A variable C_v for each vertex says whether it is red, blue or
//! green; the master variable M is 0 or 1. While M = 0, each vertex can be
//! given another color; one operator changes M from 0 to 1, after which
//! nothing can happen any more. All operators are free. Initially M = 0, in
//! the goal M = 1, and all vertices are red in both: the optimal cost is 0.
//!
//! *The function.* M = 1 weighs |E| − 1, and for each edge {u, v} and each pair
//! of different colors the feature ⟨M = 1, C_u, C_v⟩ weighs −1. So φ(s) = 0
//! if M = 0; if M = 1, φ(s) is the number of edges whose ends have the same
//! color, minus 1. Only the master operator changes φ, and it lowers φ
//! (from 0 to −1) exactly in the states that encode a 3-coloring. The theorem is
//! about consistency alone; the function is not goal-aware: in the goal state
//! all edges have two red ends, and φ is |E| − 1.
//!
//! The task is in TNF: the operators that color a vertex mention M as
//! precondition and as effect.
//!
//! Graphs are read in the DIMACS format, strictly, because an edge that is
//! overlooked changes the answer: one line `p edge N M` (or `p col N M`), then
//! M lines `e U V` with vertices from 1 to N, each edge once and no loops;
//! lines that begin with `c` are comments, blank lines are skipped.

use std::collections::HashSet;
use std::fmt::Write;

use hipot_task::Variable;

use super::Generated;
use super::draft::{Draft, fact};

/// The largest number of vertices that a graph may have.
pub(crate) const MAX_VERTICES: u32 = 100_000;

const MASTER: &str = "master";
const MASTER_VALUES: [&str; 2] = ["NegatedAtom chosen()", "Atom chosen()"];
const COLORS: [&str; 3] = ["red", "blue", "green"];
const RED: u32 = 0;

/// An undirected graph without loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    vertices: u32,
    edges: Vec<(u32, u32)>,
}

/// What is wrong with the text of a graph, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub(crate) struct GraphError {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column in characters, from 1.
    pub(crate) column: usize,
    /// What is wrong.
    pub(crate) message: String,
}

impl Graph {
    /// Reads a graph in the DIMACS format.
    pub(crate) fn parse(text: &str) -> Result<Self, GraphError> {
        let mut reader = Reader::default();
        let mut lines = 0;
        for (number, line) in (1..).zip(text.lines()) {
            reader.line(&Line { number, text: line })?;
            lines = number;
        }
        reader.finish(&Line { number: lines.max(1), text: text.lines().last().unwrap_or("") })
    }

    /// The vertices, from 1 on.
    pub(crate) fn vertices(&self) -> impl Iterator<Item = u32> + use<> {
        1..=self.vertices
    }
}

/// A line of the file.
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    /// The words, each with its column.
    fn words(&self) -> Vec<(usize, &'a str)> {
        let words = self.text.split(char::is_whitespace).scan(1, |next, word| {
            let column = *next;
            *next += word.chars().count() + 1;
            Some((column, word))
        });
        words.filter(|(_, word)| !word.is_empty()).collect()
    }

    /// The column after the last word.
    fn end(&self) -> usize {
        self.text.trim_end().chars().count() + 1
    }

    fn error(&self, column: usize, message: impl Into<String>) -> GraphError {
        GraphError { line: self.number, column, message: message.into() }
    }

    /// The one number that `word` is.
    fn number(&self, (column, word): (usize, &str), what: &str) -> Result<u32, GraphError> {
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { word.parse().ok() } else { None };
        number.ok_or_else(|| self.error(column, format!("expected {what}, found '{word}'")))
    }
}

/// A graph that is being read.
#[derive(Default)]
struct Reader {
    /// The numbers of vertices and of edges that the file claims.
    claimed: Option<(u32, u32)>,
    edges: Vec<(u32, u32)>,
    seen: HashSet<(u32, u32)>,
}

impl Reader {
    fn line(&mut self, line: &Line<'_>) -> Result<(), GraphError> {
        let words = line.words();
        match words.as_slice() {
            [] | [(_, "c"), ..] => Ok(()),
            [(column, "p"), rest @ ..] => self.problem(line, *column, rest),
            [(column, "e"), rest @ ..] => self.edge(line, *column, rest),
            [(column, word), ..] => {
                let message = format!("expected 'c', 'p' or 'e', found '{word}'");
                Err(line.error(*column, message))
            }
        }
    }

    fn problem(
        &mut self,
        line: &Line<'_>,
        column: usize,
        words: &[(usize, &str)],
    ) -> Result<(), GraphError> {
        if self.claimed.is_some() {
            return Err(line.error(column, "there is a second line 'p'"));
        }
        let [format, vertices, edges] = exactly(line, words, "'p edge VERTICES EDGES'")?;
        if !["edge", "col"].contains(&format.1) {
            let message = format!("expected 'edge' or 'col', found '{}'", format.1);
            return Err(line.error(format.0, message));
        }
        let count = line.number(vertices, "the number of vertices")?;
        if count > MAX_VERTICES {
            let message = format!("{count} vertices are more than {MAX_VERTICES}");
            return Err(line.error(vertices.0, message));
        }
        self.claimed = Some((count, line.number(edges, "the number of edges")?));
        Ok(())
    }

    fn edge(
        &mut self,
        line: &Line<'_>,
        column: usize,
        words: &[(usize, &str)],
    ) -> Result<(), GraphError> {
        let Some((vertices, edges)) = self.claimed else {
            return Err(line.error(column, "expected a line 'p edge VERTICES EDGES' before edges"));
        };
        let ends: [(usize, &str); 2] = exactly(line, words, "'e VERTEX VERTEX'")?;
        let mut numbers = [0; 2];
        for (number, end) in numbers.iter_mut().zip(ends) {
            *number = line.number(end, "a vertex")?;
            if !(1..=vertices).contains(number) {
                let message = format!(
                    "there is no vertex {number}; vertices are numbered from 1 to {vertices}"
                );
                return Err(line.error(end.0, message));
            }
        }
        let [u, v] = numbers;
        if u == v {
            return Err(line.error(ends[1].0, format!("vertex {u} is joined to itself")));
        }
        if !self.seen.insert((u.min(v), u.max(v))) {
            return Err(line.error(column, format!("the edge between {u} and {v} is there twice")));
        }
        if self.edges.len() as u64 == u64::from(edges) {
            let message = format!("there are more edges than the line 'p' says: {edges}");
            return Err(line.error(column, message));
        }
        self.edges.push((u, v));
        Ok(())
    }

    fn finish(self, last: &Line<'_>) -> Result<Graph, GraphError> {
        let Some((vertices, edges)) = self.claimed else {
            return Err(last.error(last.end(), "expected a line 'p edge VERTICES EDGES'"));
        };
        if self.edges.len() as u64 != u64::from(edges) {
            let found = self.edges.len();
            let message = format!("the line 'p' says {edges} edges, but there are {found}");
            return Err(last.error(last.end(), message));
        }
        Ok(Graph { vertices, edges: self.edges })
    }
}

/// `words`, if there are as many as there should be.
fn exactly<'a, const N: usize>(
    line: &Line<'_>,
    words: &[(usize, &'a str)],
    expected: &str,
) -> Result<[(usize, &'a str); N], GraphError> {
    words.try_into().map_err(|_| {
        let column = words.get(N).map_or(line.end(), |&(column, _)| column);
        line.error(column, format!("expected {expected}"))
    })
}

/// The task of Theorem 2; its optimal cost is 0.
pub(crate) fn coloring(graph: &Graph) -> Generated {
    let colors = graph.vertices().map(|vertex| (color_variable(vertex), RED));
    let master = (Variable::new(MASTER, MASTER_VALUES), 0);
    let mut draft = Draft::new(true, [master].into_iter().chain(colors));
    for vertex in graph.vertices() {
        add_recoloring(&mut draft, vertex);
    }
    draft.costly_operator("choose".to_owned(), vec![fact(0, 0)], &[fact(0, 1)], 0);
    let red = graph.vertices().map(|vertex| fact(vertex, RED));
    let goal = [fact(0, 1)].into_iter().chain(red).collect();
    Generated { task: draft.build(goal), optimal_cost: Some(0) }
}

/// The variable of vertex v has index v; the master variable has index 0.
fn color_variable(vertex: u32) -> Variable {
    let values = COLORS.map(|color| color_atom(vertex, color));
    Variable::new(color_name(vertex), values)
}

fn color_name(vertex: u32) -> String {
    format!("color-v{vertex}")
}

fn color_atom(vertex: u32, color: &str) -> String {
    format!("Atom color(v{vertex}, {color})")
}

fn add_recoloring(draft: &mut Draft, vertex: u32) {
    for (from, to) in color_pairs() {
        let name = format!("recolor v{vertex} {} {}", COLORS[from], COLORS[to]);
        let before = vec![fact(0, 0), fact(vertex, from as u32)];
        draft.costly_operator(name, before, &[fact(0, 0), fact(vertex, to as u32)], 0);
    }
}

/// All pairs of different colors.
fn color_pairs() -> impl Iterator<Item = (usize, usize)> {
    let all =
        (0..COLORS.len()).flat_map(|first| (0..COLORS.len()).map(move |second| (first, second)));
    all.filter(|(first, second)| first != second)
}

/// The potential function of Theorem 2, as the text of a JSON file.
pub(crate) fn coloring_potential(graph: &Graph) -> String {
    const WRITTEN: &str = "text can be written";
    let chosen = format!(r#"["{MASTER}", "{}"]"#, MASTER_VALUES[1]);
    let weight = graph.edges.len().cast_signed() - 1;
    let mut text = String::from("{\"constant\": 0,\n \"features\": [\n");
    write!(text, r#"  {{"facts": [{chosen}], "weight": {weight}}}"#).expect(WRITTEN);
    for &(u, v) in &graph.edges {
        for (first, second) in color_pairs() {
            let [u, v] = [(u, first), (v, second)].map(|(vertex, color)| {
                let atom = color_atom(vertex, COLORS[color]);
                format!(r#"["{}", "{atom}"]"#, color_name(vertex))
            });
            let feature = format!(r#"{{"facts": [{chosen}, {u}, {v}], "weight": -1}}"#);
            write!(text, ",\n  {feature}").expect(WRITTEN);
        }
    }
    text + "\n ]}\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use hipot_analysis::TnfTask;
    use hipot_testing::StateSpace;

    fn refusal(text: &str) -> String {
        Graph::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn graphs_are_read() {
        let text = "c a path\nc\n\np edge 3 2\r\ne 1 2\n  e  3\t2 \n";
        let graph = Graph::parse(text).unwrap();
        assert_eq!((graph.vertices, graph.edges.as_slice()), (3, &[(1, 2), (3, 2)][..]));
        assert_eq!(Graph::parse("p col 0 0").unwrap(), Graph { vertices: 0, edges: Vec::new() });
    }

    #[test]
    fn wrong_graphs_are_refused_with_their_place() {
        for (text, message) in [
            ("", "1:1: expected a line 'p edge VERTICES EDGES'"),
            ("c only\nc this", "2:7: expected a line 'p edge VERTICES EDGES'"),
            ("e 1 2", "1:1: expected a line 'p edge VERTICES EDGES' before edges"),
            ("p edge 2 1\nq 1 2", "2:1: expected 'c', 'p' or 'e', found 'q'"),
            ("p edge 2 0\np edge 2 0", "2:1: there is a second line 'p'"),
            ("p tree 2 1", "1:3: expected 'edge' or 'col', found 'tree'"),
            ("p edge 2", "1:9: expected 'p edge VERTICES EDGES'"),
            ("p edge 2 1 7", "1:12: expected 'p edge VERTICES EDGES'"),
            ("p edge -2 1", "1:8: expected the number of vertices, found '-2'"),
            ("p edge 2 +1", "1:10: expected the number of edges, found '+1'"),
            ("p edge 100001 1", "1:8: 100001 vertices are more than 100000"),
            ("p edge 99999999999 1", "1:8: expected the number of vertices, found '99999999999'"),
            ("p edge 2 1\ne 1 1", "2:5: vertex 1 is joined to itself"),
            ("p edge 2 1\ne 1 3", "2:5: there is no vertex 3; vertices are numbered from 1 to 2"),
            ("p edge 2 1\ne 0 1", "2:3: there is no vertex 0; vertices are numbered from 1 to 2"),
            ("p edge 2 1\ne 1 x", "2:5: expected a vertex, found 'x'"),
            ("p edge 2 1\ne 1", "2:4: expected 'e VERTEX VERTEX'"),
            ("p edge 2 1\ne 1 2 3", "2:7: expected 'e VERTEX VERTEX'"),
            ("p edge 2 2\ne 1 2\ne 2 1", "3:1: the edge between 2 and 1 is there twice"),
            ("p edge 3 1\ne 1 2\ne 2 3", "3:1: there are more edges than the line 'p' says: 1"),
            (
                "p edge 3 4000000000\ne 1 2\n",
                "2:6: the line 'p' says 4000000000 edges, but there are 1",
            ),
        ] {
            assert_eq!(refusal(text), message, "{text:?}");
        }
    }

    #[test]
    fn the_task_is_in_transition_normal_form_as_it_stands() {
        let graph = Graph::parse("p edge 4 3\ne 1 2\ne 2 3\ne 3 4").unwrap();
        let Generated { task, optimal_cost } = coloring(&graph);
        assert_eq!(TnfTask::new(&task).unwrap().task(), &task);
        let space = StateSpace::explore(&task, 1000).unwrap();
        assert_eq!((space.optimal_cost(), space.states.len()), (optimal_cost, 2 * 81));
        let mut text = Vec::new();
        hipot_task::sas::write(&task, &mut text).unwrap();
        assert_eq!(hipot_task::sas::read(&text).unwrap(), task);
    }
}
