//! The exact test whether a permutation of facts is a symmetry.
//!
//! The search uses hashes and guesses; this module makes sure that its result is
//! correct. It needs to check only moved facts and operators that mention one:
//!
//! - facts keep their colors (the sets to be preserved);
//! - all facts of a variable are mapped onto all facts of one variable;
//! - the image of each operator is an operator that occurs as often. A
//!   permutation maps different operators to different ones, and operators that
//!   mention a moved fact to operators that do. So the multiset of operators is
//!   mapped onto itself.

use super::graph::{Edge, Graph};
use super::refine::mix;
use super::work::{Exhausted, Work};
use hipot_task::{FactId, VariableId};

/// Finds operators by content.
#[derive(Debug)]
pub(super) struct OperatorTable {
    /// Hashes and operators (as vertices), in order.
    entries: Vec<(u64, u32)>,
    /// For each operator the first one of equal content.
    first_equal: Vec<u32>,
    /// For each operator that is the first of its equals, their number.
    copies: Vec<u32>,
}

impl OperatorTable {
    pub(super) fn new(graph: &Graph) -> Self {
        let (first, end) = (graph.first_operator() as u32, graph.vertices() as u32);
        let key = |operator| (hash(cost(graph, operator), graph.edges(operator)), operator);
        let mut entries: Vec<(u64, u32)> = (first..end).map(key).collect();
        entries.sort_unstable();
        let mut table = Self {
            entries: Vec::new(),
            first_equal: vec![0; (end - first) as usize],
            copies: vec![0; (end - first) as usize],
        };
        for (hash, operator) in entries {
            let found = table.find(graph, hash, cost(graph, operator), graph.edges(operator));
            if found.is_none() {
                table.entries.push((hash, operator));
            }
            let equal = found.unwrap_or(operator);
            table.first_equal[(operator - first) as usize] = equal;
            table.copies[(equal - first) as usize] += 1;
        }
        table
    }

    /// The first operator with this content.
    fn find(&self, graph: &Graph, hash: u64, cost: u32, edges: &[Edge]) -> Option<u32> {
        let begin = self.entries.partition_point(|&(other, _)| other < hash);
        let same_hash = self.entries[begin..].iter().take_while(|&&(other, _)| other == hash);
        same_hash
            .map(|&(_, operator)| operator)
            .find(|&operator| self::cost(graph, operator) == cost && graph.edges(operator) == edges)
    }

    /// The first operator equal to `operator`.
    pub(super) fn first_equal(&self, graph: &Graph, operator: u32) -> u32 {
        self.first_equal[operator as usize - graph.first_operator()]
    }

    /// The first operator equal to the image of `operator`, if any.
    pub(super) fn image(&self, graph: &Graph, operator: u32, images: &[u32]) -> Option<u32> {
        let moved = |edge: &Edge| edge.with_vertex(images[edge.vertex() as usize]);
        let mut edges: Vec<Edge> = graph.edges(operator).iter().map(moved).collect();
        edges.sort_unstable();
        let cost = cost(graph, operator);
        self.find(graph, hash(cost, &edges), cost, &edges)
    }

    fn copies(&self, graph: &Graph, operator: u32) -> u32 {
        let first = self.first_equal(graph, operator) as usize;
        self.copies[first - graph.first_operator()]
    }
}

fn cost(graph: &Graph, operator: u32) -> u32 {
    graph.colors[operator as usize]
}

fn hash(cost: u32, edges: &[Edge]) -> u64 {
    edges.iter().fold(cost.into(), |hash, edge| mix(hash, edge.code().into()))
}

/// Facts whose images do not fit together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Misfit(pub(super) Vec<u32>);

/// Tests permutations of the facts of one graph.
#[derive(Debug)]
pub(super) struct Verifier<'g> {
    graph: &'g Graph,
    table: OperatorTable,
    /// The number of the test in which each vertex was last checked.
    seen: Vec<u32>,
    test: u32,
}

impl<'g> Verifier<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        let table = OperatorTable::new(graph);
        Self { graph, table, seen: vec![0; graph.vertices()], test: 0 }
    }

    /// Whether `images` is a symmetry. It moves exactly the facts in `moved`.
    pub(super) fn verify(
        &mut self,
        images: &[u32],
        moved: &[u32],
        work: &mut Work<'_>,
    ) -> Result<Result<(), Misfit>, Exhausted> {
        self.test += 1;
        let mut moved_images: Vec<u32> = moved.iter().map(|&fact| images[fact as usize]).collect();
        moved_images.sort_unstable();
        let color = |fact: u32| self.graph.colors[fact as usize];
        if moved_images != moved || moved.iter().any(|&f| color(f) != color(images[f as usize])) {
            return Ok(Err(Misfit(moved.to_vec())));
        }
        for &fact in moved {
            let variable = self.graph.numbering.variable(FactId::new(fact));
            if self.is_new(self.graph.facts() + variable.index())
                && !self.maps_variable(variable, images)
            {
                return Ok(Err(Misfit(self.graph.numbering.numbers(variable).collect())));
            }
        }
        self.verify_operators(images, moved, work)
    }

    fn verify_operators(
        &mut self,
        images: &[u32],
        moved: &[u32],
        work: &mut Work<'_>,
    ) -> Result<Result<(), Misfit>, Exhausted> {
        let graph = self.graph;
        for &fact in moved {
            for operator in graph.operators_of(fact) {
                if !self.is_new(operator as usize) {
                    continue;
                }
                work.spend(4 * graph.edges(operator).len())?;
                let image = self.table.image(graph, operator, images);
                let copies = self.table.copies(graph, operator);
                if image.is_none_or(|image| self.table.copies(graph, image) != copies) {
                    let facts = graph.edges(operator).iter().map(|edge| edge.vertex());
                    return Ok(Err(Misfit(facts.collect())));
                }
            }
        }
        Ok(Ok(()))
    }

    /// Whether a vertex was not yet checked in this test.
    fn is_new(&mut self, vertex: usize) -> bool {
        std::mem::replace(&mut self.seen[vertex], self.test) != self.test
    }

    fn maps_variable(&self, variable: VariableId, images: &[u32]) -> bool {
        let numbering = &self.graph.numbering;
        let facts = numbering.numbers(variable);
        let target = numbering.variable(FactId::new(images[facts.start as usize]));
        let len = facts.len();
        let mut targets = facts.map(|fact| numbering.variable(FactId::new(images[fact as usize])));
        targets.all(|other| other == target) && numbering.numbers(target).len() == len
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hipot_task::{Effect, Fact, Limits, Operator, Task, TaskBuilder, Variable};

    /// Two switches; each number is an operator that turns on this one.
    fn switches(operators: &[usize]) -> Task {
        let mut builder = TaskBuilder::new(false);
        for _ in 0..2 {
            builder.add_variable(Variable::new("switch", ["off", "on"])).unwrap();
        }
        builder.set_initial(vec![0; 2]).unwrap();
        for &switch in operators {
            let [off, on] = [0, 1].map(|value| Fact::new(VariableId::new(switch), value));
            builder
                .add_operator(Operator {
                    name: "turn-on".into(),
                    preconditions: vec![off],
                    effects: vec![Effect::new(on)],
                    cost: 1,
                })
                .unwrap();
        }
        builder.build()
    }

    /// All maps of the four facts (off, on, off, on) that are accepted.
    fn accepted(operators: &[usize], preserved: &[&[Fact]]) -> Vec<[u32; 4]> {
        let graph = Graph::new(&switches(operators), preserved);
        let mut verifier = Verifier::new(&graph);
        let limits = Limits::none();
        let mut work = Work::new(u64::MAX, &limits);
        let maps = (0..256).map(|code: u32| [0, 2, 4, 6].map(|shift| code >> shift & 3));
        let is_accepted = |map: &[u32; 4]| {
            let moved: Vec<u32> = (0..4).filter(|&fact| map[fact as usize] != fact).collect();
            verifier.verify(map, &moved, &mut work) == Ok(Ok(()))
        };
        maps.filter(is_accepted).collect()
    }

    const IDENTITY: [u32; 4] = [0, 1, 2, 3];
    const EXCHANGE: [u32; 4] = [2, 3, 0, 1];

    fn sorted(mut maps: Vec<[u32; 4]>) -> Vec<[u32; 4]> {
        maps.sort_unstable();
        maps
    }

    #[test]
    fn variables_stay_together() {
        let inverted = [[0, 1, 3, 2], [1, 0, 2, 3], [1, 0, 3, 2]];
        let exchanged = [[2, 3, 1, 0], [3, 2, 0, 1], [3, 2, 1, 0]];
        let all = [&[IDENTITY, EXCHANGE], &inverted[..], &exchanged[..]].concat();
        assert_eq!(sorted(accepted(&[], &[])), sorted(all));
    }

    #[test]
    fn operators_go_to_operators_that_occur_as_often() {
        assert_eq!(sorted(accepted(&[0, 1], &[])), [IDENTITY, EXCHANGE]);
        assert_eq!(sorted(accepted(&[0, 1, 1, 0], &[])), [IDENTITY, EXCHANGE]);
        assert_eq!(sorted(accepted(&[0, 1, 1], &[])), [IDENTITY]);
        assert_eq!(sorted(accepted(&[1], &[])), [IDENTITY, [1, 0, 2, 3]]);
    }

    #[test]
    fn sets_are_preserved() {
        let on = Fact::new(VariableId::new(1), 1);
        assert_eq!(accepted(&[0, 1], &[&[on]]), [IDENTITY]);
    }
}
