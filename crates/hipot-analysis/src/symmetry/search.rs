//! The search for generators, along a chain of stabilizers.
//!
//! *Down:* facts x₁, x₂, … are individualized one after the other, each time
//! one of a smallest cell, and the partition is refined, until all facts are
//! distinguished. *Up:* from the last xᵢ to the first, all generators known so far fix
//! x₁, …, xᵢ₋₁. For each y in the cell of xᵢ but not yet in its orbit, we search for
//! a symmetry that fixes x₁, …, xᵢ₋₁ and maps xᵢ to y. If each attempt succeeds or
//! correctly fails, the generators generate the full group (Schreier and Sims).
//! Each generator unites two orbits, so n interchangeable objects give n − 1 of
//! them. Failures, too, hold for all facts of an orbit.
//!
//! An attempt refines two partitions in the same way, one with xᵢ and one with
//! y alone ([`matching`](super::matching)).

use super::graph::Graph;
use super::matching::Matching;
use super::partition::Partition;
use super::permutation::Permutation;
use super::refine::{Refinement, Refiner, Trace};
use super::union_find::UnionFind;
use super::work::{Exhausted, Work};

/// Limits on the search for symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// Steps allowed for each fact, variable, operator and mention of a fact
    /// in an operator.
    pub steps_per_size: u64,
    /// Steps allowed regardless of size.
    pub steps: u64,
    /// The number of images of facts that may prove wrong within an attempt.
    pub wrong_images: u32,
    /// The number of attempts to map one fact elsewhere that may fail.
    pub failures_per_level: u32,
}

impl Default for Params {
    fn default() -> Self {
        Self { steps_per_size: 100, steps: 20_000_000, wrong_images: 16, failures_per_level: 64 }
    }
}

impl Params {
    /// Steps allowed for a graph of this size.
    pub(super) fn work(&self, size: u64) -> u64 {
        self.steps.saturating_add(self.steps_per_size.saturating_mul(size))
    }
}

/// A step down the chain.
#[derive(Debug)]
struct Level {
    /// xᵢ.
    fact: u32,
    /// The refinement after it was individualized.
    trace: Trace,
    /// The partition before.
    mark: usize,
}

/// What a search found.
pub(super) struct Found {
    /// The number of cells of facts that color refinement leaves.
    pub(super) cells: usize,
    pub(super) generators: Vec<Permutation>,
}

/// Generators of symmetries of the graph, as far as the work allows.
pub(super) fn search(graph: &Graph, params: &Params, work: &mut Work<'_>) -> Found {
    let mut partition = Partition::by_color(graph);
    let mut refiner = Refiner::new(graph);
    if refiner.refine_all(&mut partition, work).is_err() {
        return Found { cells: graph.facts(), generators: Vec::new() };
    }
    let cells = partition.cells(graph.facts()).count();
    Found { cells, generators: generators(graph, partition, refiner, params, work) }
}

/// The generators, given an equitable `partition`.
fn generators<'a>(
    graph: &'a Graph,
    mut partition: Partition,
    mut refiner: Refiner<'a>,
    params: &Params,
    work: &mut Work<'_>,
) -> Vec<Permutation> {
    let Ok(levels) = descend(graph, &mut partition, &mut refiner, params, work) else {
        return Vec::new();
    };
    if levels.is_empty() {
        return Vec::new();
    }
    let mut search = Search {
        matching: Matching::new(graph, refiner, partition, params.wrong_images),
        orbits: UnionFind::new(graph.facts()),
        generators: Vec::new(),
        failures: params.failures_per_level,
    };
    // Generators found before the work was used up are valid.
    let _ = search.ascend(&levels, work);
    search.generators
}

/// Individualizes facts until all are distinguished, or a third of the work is
/// used up. In the latter case, symmetries that fix all these facts are missed.
fn descend(
    graph: &Graph,
    partition: &mut Partition,
    refiner: &mut Refiner<'_>,
    params: &Params,
    work: &mut Work<'_>,
) -> Result<Vec<Level>, Exhausted> {
    let mut levels = Vec::new();
    let allowed = work.spent() + params.work(graph.size()) / 3;
    while work.spent() < allowed {
        work.spend(graph.facts() / 4)?;
        let several = partition.cells(graph.facts()).filter(|&cell| partition.len(cell) > 1);
        let Some(cell) = several.min_by_key(|&cell| partition.len(cell)) else { break };
        let Some(&fact) = partition.members(cell).iter().min() else { break };
        let (mark, mut trace) = (partition.mark(), Trace::default());
        let refined = refiner.individualize(partition, fact, trace.record(), work)?;
        debug_assert_eq!(refined, Refinement::Equitable);
        levels.push(Level { fact, trace, mark });
    }
    Ok(levels)
}

#[derive(Debug)]
struct Search<'g> {
    matching: Matching<'g>,
    /// The orbits of facts under the generators.
    orbits: UnionFind,
    generators: Vec<Permutation>,
    /// The number of attempts that may fail at one level.
    failures: u32,
}

impl Search<'_> {
    fn ascend(&mut self, levels: &[Level], work: &mut Work<'_>) -> Result<(), Exhausted> {
        for level in levels.iter().rev() {
            self.matching.right.undo_to(level.mark);
            self.connect(level, work)?;
            self.matching.left.undo_to(level.mark);
        }
        Ok(())
    }

    /// Unites the orbit of the level's fact with others of its cell.
    fn connect(&mut self, level: &Level, work: &mut Work<'_>) -> Result<(), Exhausted> {
        let cell = self.matching.right.cell(level.fact);
        let mut candidates = self.matching.right.members(cell).to_vec();
        candidates.sort_unstable();
        let mut failed: Vec<u32> = Vec::new();
        for fact in candidates {
            let orbit = self.orbits.find(fact);
            let known = orbit == self.orbits.find(level.fact)
                || failed.iter().any(|&other| self.orbits.find(other) == orbit);
            if known {
                continue;
            }
            if let Some(found) = self.matching.attempt(fact, &level.trace, work)? {
                for &(from, to) in found.moved() {
                    self.orbits.unite(from, to);
                }
                self.generators.push(found);
            } else {
                failed.push(fact);
                if failed.len() >= self.failures as usize {
                    break;
                }
            }
        }
        Ok(())
    }
}
