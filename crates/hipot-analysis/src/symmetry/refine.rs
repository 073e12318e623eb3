//! Color refinement: the coarsest equitable partition finer than a given one.
//!
//! In an equitable partition, vertices of one cell have equally many
//! neighbors in each cell for each role. A *splitter* cell is taken from a
//! queue, each vertex counts its neighbors in the splitter (its signature), and
//! cells are cut by signature. The parts become splitters in turn, except for the
//! largest part of a cell that was not in the queue itself (Hopcroft's "all but
//! the largest", which bounds the time by O(edges · log vertices)).
//!
//! Nothing depends on the order of vertices within a cell. So two partitions that
//! a symmetry maps onto each other are refined in the same way, cell by cell at
//! the same places. A [`Trace`] has a hash for each splitter of what happened. A
//! second refinement that is to follow the first one stops at the first
//! difference. Equal hashes prove nothing; [`verify`](super::verify) does.

use std::collections::VecDeque;

use super::graph::{Edge, Graph};
use super::partition::Partition;
use super::work::{Exhausted, Work};

/// A summary of the steps of a refinement.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace(Vec<u64>);

/// Whether a refinement records a trace or follows one.
#[derive(Debug)]
pub(super) enum Tracing<'t> {
    Record(&'t mut Trace),
    Follow(std::slice::Iter<'t, u64>),
}

impl Trace {
    pub(super) fn record(&mut self) -> Tracing<'_> {
        self.0.clear();
        Tracing::Record(self)
    }

    pub(super) fn follow(&self) -> Tracing<'_> {
        Tracing::Follow(self.0.iter())
    }
}

impl Tracing<'_> {
    /// Whether `step` is allowed as the next step.
    fn accepts(&mut self, step: u64) -> bool {
        match self {
            Self::Record(trace) => {
                trace.0.push(step);
                true
            }
            Self::Follow(steps) => steps.next() == Some(&step),
        }
    }
}

/// How a refinement ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refinement {
    /// The partition is equitable.
    Equitable,
    /// The refinement left the trace; the partition is only partly refined.
    Differs,
}

/// Refines partitions of one graph.
#[derive(Debug)]
pub(super) struct Refiner<'g> {
    graph: &'g Graph,
    /// The edges of each vertex to the splitter: a counter for each role.
    signature: Vec<u64>,
    /// The number of vertices of each cell that have an edge to the splitter.
    touched: Vec<u32>,
    touched_cells: Vec<u32>,
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    cuts: Vec<u32>,
}

impl<'g> Refiner<'g> {
    /// The counters of a signature are adjacent bits. One that overflows adds to the
    /// next, which at worst makes cells coarser, in two refinements alike.
    const COUNTER_BITS: u32 = 21;

    pub(super) fn new(graph: &'g Graph) -> Self {
        let vertices = graph.vertices();
        Self {
            graph,
            signature: vec![0; vertices],
            touched: vec![0; vertices],
            touched_cells: Vec::new(),
            queue: VecDeque::new(),
            queued: vec![false; vertices],
            cuts: Vec::new(),
        }
    }

    /// Refines `partition`, all of whose cells are splitters.
    pub(super) fn refine_all(
        &mut self,
        partition: &mut Partition,
        work: &mut Work<'_>,
    ) -> Result<(), Exhausted> {
        for cell in partition.cells(self.graph.vertices()) {
            self.enqueue(cell);
        }
        self.run(partition, &mut Trace::default().record(), work).map(drop)
    }

    /// Gives `vertex` a cell of its own and refines.
    pub(super) fn individualize(
        &mut self,
        partition: &mut Partition,
        vertex: u32,
        mut tracing: Tracing<'_>,
        work: &mut Work<'_>,
    ) -> Result<Refinement, Exhausted> {
        let cell = partition.cell(vertex);
        if !tracing.accepts(mix(cell.into(), partition.len(cell).into())) {
            return Ok(Refinement::Differs);
        }
        if partition.len(cell) > 1 {
            let last = cell + partition.len(cell) - 1;
            partition.move_to(vertex, last);
            partition.split(cell, last);
            self.enqueue(last);
        }
        self.run(partition, &mut tracing, work)
    }

    fn enqueue(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.queued[cell as usize], true) {
            self.queue.push_back(cell);
        }
    }

    fn run(
        &mut self,
        partition: &mut Partition,
        tracing: &mut Tracing<'_>,
        work: &mut Work<'_>,
    ) -> Result<Refinement, Exhausted> {
        let mut outcome = Ok(Refinement::Equitable);
        while let Some(splitter) = self.queue.pop_front() {
            self.queued[splitter as usize] = false;
            if outcome != Ok(Refinement::Equitable) {
                continue;
            }
            let steps = self.touch_neighbors(partition, splitter);
            if !tracing.accepts(self.split_touched(partition, splitter)) {
                outcome = Ok(Refinement::Differs);
            } else if let Err(exhausted) = work.spend(steps) {
                outcome = Err(exhausted);
            }
        }
        outcome
    }

    /// Computes signatures, and moves vertices with an edge to the splitter to the end
    /// of their cell. Returns the number of steps.
    fn touch_neighbors(&mut self, partition: &mut Partition, splitter: u32) -> usize {
        let mut steps = 1;
        // Neighbors are of another kind, thus never in the splitter itself.
        for place in splitter..splitter + partition.len(splitter) {
            let edges = self.graph.edges(partition.element(place));
            steps += edges.len();
            for &edge in edges {
                self.touch(partition, edge);
            }
        }
        steps
    }

    fn touch(&mut self, partition: &mut Partition, edge: Edge) {
        let vertex = edge.vertex();
        if self.signature[vertex as usize] == 0 {
            let cell = partition.cell(vertex);
            let touched = &mut self.touched[cell as usize];
            if *touched == 0 {
                self.touched_cells.push(cell);
            }
            *touched += 1;
            partition.move_to(vertex, cell + partition.len(cell) - *touched);
        }
        self.signature[vertex as usize] += 1 << (Self::COUNTER_BITS * edge.role());
    }

    /// Cuts all cells by signature. Returns a hash of signatures and cuts.
    fn split_touched(&mut self, partition: &mut Partition, splitter: u32) -> u64 {
        let mut step = mix(u64::MAX, splitter.into());
        let mut cells = std::mem::take(&mut self.touched_cells);
        cells.sort_unstable();
        for cell in cells.drain(..) {
            step = mix(step, cell.into());
            step = mix(step, self.split_cell(partition, cell));
        }
        self.touched_cells = cells;
        step
    }

    fn split_cell(&mut self, partition: &mut Partition, cell: u32) -> u64 {
        let end = cell + partition.len(cell);
        let begin = end - std::mem::take(&mut self.touched[cell as usize]);
        let signature = &mut self.signature;
        let of = |partition: &Partition, place| partition.element(place) as usize;
        let any = signature[of(partition, begin)];
        if (begin..end).any(|place| signature[of(partition, place)] != any) {
            partition.sort_by_key(begin..end, |vertex| signature[vertex as usize]);
        }
        let first = signature[of(partition, begin)];
        let mut step = mix(begin.into(), first);
        let mut previous = if begin == cell { first } else { 0 };
        for place in begin..end {
            let own = std::mem::take(&mut signature[of(partition, place)]);
            if own != previous {
                self.cuts.push(place);
                step = mix(mix(step, place.into()), own);
                previous = own;
            }
        }
        if !self.cuts.is_empty() {
            self.cut(partition, cell);
        }
        step
    }

    /// Cuts one cell and queues the parts.
    fn cut(&mut self, partition: &mut Partition, cell: u32) {
        let cuts = std::mem::take(&mut self.cuts);
        for &cut in cuts.iter().rev() {
            partition.split(cell, cut);
        }
        let mut spared = cell;
        if !self.queued[cell as usize] {
            for &cut in &cuts {
                if partition.len(cut) > partition.len(spared) {
                    spared = cut;
                }
            }
            if spared != cell {
                self.enqueue(cell);
            }
        }
        for &cut in cuts.iter().filter(|&&cut| cut != spared) {
            self.enqueue(cut);
        }
        self.cuts = cuts;
        self.cuts.clear();
    }
}

/// A hash of two numbers.
pub(super) fn mix(left: u64, right: u64) -> u64 {
    let mixed = (left.rotate_left(23) ^ right).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}
