//! Splitting classes until no class splits another.
//!
//! # What is computed
//!
//! Give each coefficient a weight, a number modulo 2⁶⁴. A class S *splits* a
//! class K if the members of K do not all have the same sum of weights of
//! edges to S. [`Refiner::run`] takes a *splitter* S off a queue (used as a
//! stack), sums up the weights at the neighbors of its members, and divides the
//! classes of those neighbors by the sums. The parts may then split others.
//!
//! # Why it is right
//!
//! *Nothing is split in vain:* two vertices of one class of the coarsest
//! equitable partition have equal multisets of coefficients to every class of
//! any coarser partition, so their sums are the same and they stay together.
//!
//! *Nothing is missed, though not all parts are queued.* Call a set of vertices
//! *settled* if the members of each class have the same sum to it; it stays
//! settled however classes are split later. The invariant: every class K that is
//! not in the queue forms, together with some classes that are, a settled set U.
//! A splitter that has been processed is settled alone, and can be removed from
//! every other U, because sums to the rest are differences of sums. If a queued
//! class is split, all its parts replace it in the queue and in every U. If a
//! class K outside the queue is split, all parts but one are queued, and U
//! serves for that one. At the end the queue is empty, so K alone is settled.
//!
//! *It is fast* because the part left out is the largest (Hopcroft 1971): each
//! time a vertex is in a splitter, the splitter has at most half the size of
//! that vertex's last, so each edge is read at most 1 + log₂ n times from
//! either end, O(m log n) in all (Cardon and Crochemore 1982, Paige and Tarjan
//! 1987). The neighbors reached are sorted by class and sum, which in theory
//! is another logarithm, on vertices instead of edges.
//!
//! A vertex whose weights sum to zero is treated as if it had not been
//! reached, consistently: only sums count here.

use super::classes::Classes;
use super::graph::Graph;

/// A vertex that a splitter reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Reached {
    class: u32,
    /// The sum of the weights between it and the splitter.
    sum: u64,
    vertex: u32,
}

/// Classes, and the queue of those that must still be tried as splitters.
pub(super) struct Refiner<'c> {
    classes: &'c mut Classes,
    queue: Vec<u32>,
    queued: Vec<bool>,
    /// The sum of the weights between each vertex and the splitter.
    sums: Vec<u64>,
    reached: Vec<Reached>,
}

impl<'c> Refiner<'c> {
    /// Queues all classes.
    pub(super) fn new(classes: &'c mut Classes) -> Self {
        let count = classes.count();
        let sums = vec![0; classes.num_vertices()];
        let queue = (0..count as u32).rev().collect();
        Self { classes, queue, queued: vec![true; count], sums, reached: Vec::new() }
    }

    /// Refines the classes until none splits another.
    pub(super) fn run(mut self, graph: &Graph<'_>, weight: impl Fn(f64) -> u64) {
        while let Some(splitter) = self.queue.pop() {
            if self.classes.count() == self.classes.num_vertices() {
                return;
            }
            self.queued[splitter as usize] = false;
            self.reach(graph, splitter, &weight);
            let reached = std::mem::take(&mut self.reached);
            for members in reached.chunk_by(|one, other| one.class == other.class) {
                self.split(members);
            }
            self.reached = reached;
        }
    }

    /// Finds the neighbors of a class and their sums, sorted. All `sums` are zero
    /// before and after.
    fn reach(&mut self, graph: &Graph<'_>, splitter: u32, weight: impl Fn(f64) -> u64) {
        let Self { classes, sums, reached, .. } = self;
        reached.clear();
        for &member in classes.members(splitter) {
            graph.visit(member, |vertex, value| {
                let sum = &mut sums[vertex as usize];
                if *sum == 0 {
                    reached.push(Reached { class: classes.class(vertex), sum: 0, vertex });
                }
                *sum = sum.wrapping_add(weight(value));
            });
        }
        // A vertex is in the list twice if its sum was zero in between. The
        // first entry takes the sum; entries with the sum zero are dropped.
        reached.retain_mut(|entry| {
            entry.sum = std::mem::take(&mut sums[entry.vertex as usize]);
            entry.sum != 0
        });
        reached.sort_unstable();
    }

    /// Divides a class by the sums of those of its members that were reached.
    fn split(&mut self, reached: &[Reached]) {
        let class = reached[0].class;
        let first = self.classes.count() as u32;
        let mut parts = reached.chunk_by(|one, other| one.sum == other.sum);
        if reached.len() == self.classes.len(class) {
            parts.next();
        }
        for part in parts {
            self.classes.detach(class, part.iter().map(|entry| entry.vertex));
        }
        if (first as usize) < self.classes.count() {
            self.enqueue(class, first);
        }
    }

    /// Queues the parts of a class that was split: the class itself and all
    /// classes from `first` on. If the class was queued, it still is; otherwise
    /// the largest part is left out.
    fn enqueue(&mut self, class: u32, first: u32) {
        self.queued.resize(self.classes.count(), false);
        let parts = || std::iter::once(class).chain(first..self.classes.count() as u32);
        let left_out = if self.queued[class as usize] {
            Some(class)
        } else {
            parts().max_by_key(|&part| self.classes.len(part))
        };
        for part in parts().filter(|&part| Some(part) != left_out) {
            self.queued[part as usize] = true;
            self.queue.push(part);
        }
    }
}
