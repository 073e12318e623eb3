//! Cheapest paths to the goal, kept up to date while states are split (Seipp, von Allmen and
//! Helmert, ICAPS 2020).
//!
//! Splitting a state only removes paths, so distances only grow. For each state that can reach the
//! goal, one transition is kept with which a cheapest path begins; together they form a forest.
//! After a split, states are visited by their old distance whose transition led into the split
//! state. If another transition is as good, nothing else changes; if not, the state becomes dirty,
//! and those that relied on it are visited as well. Finally, Dijkstra's algorithm runs over the
//! dirty states alone.
//!
//! Of operators that cost nothing, each counts as a tiny cost, so that a step always leads to a
//! smaller distance.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::refined::{Arc, Refined};
use crate::frame::Frame;

/// What a step costs besides its operator's cost, times this.
const SCALE: u64 = 1 << 24;

const UNREACHED: u64 = u64::MAX;

/// A cheapest path from each state to the goal.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    distances: Vec<u64>,
    next: Vec<Option<Arc>>,
    is_dirty: Vec<bool>,
    costs: Vec<u64>,
}

impl Paths {
    pub(super) fn new(refined: &Refined<'_, '_>) -> Self {
        let mut paths = Self {
            distances: Vec::new(),
            next: Vec::new(),
            is_dirty: Vec::new(),
            costs: costs(refined.frame),
        };
        paths.grow(refined, None);
        let all: Vec<u32> = (0..refined.states.len() as u32).collect();
        paths.is_dirty.fill(true);
        paths.settle(refined, &all);
        paths
    }

    /// The first transition of a cheapest path; `None` for goal states and dead ends.
    pub(super) fn next(&self, state: u32) -> Option<Arc> {
        self.next[state as usize]
    }

    /// Whether a path leads to the goal.
    pub(super) fn is_solvable(&self, state: u32) -> bool {
        self.distances[state as usize] != UNREACHED
    }

    /// Makes room for new states, which begin with what is known of the state they come from.
    fn grow(&mut self, refined: &Refined<'_, '_>, from: Option<u32>) {
        let count = refined.states.len();
        let known = from.map_or((UNREACHED, None), |state| {
            (self.distances[state as usize], self.next[state as usize])
        });
        self.distances.resize(count, known.0);
        self.next.resize(count, known.1);
        self.is_dirty.resize(count, false);
    }

    /// The states whose path begins with a transition to `state`.
    pub(super) fn relying_on(&self, refined: &Refined<'_, '_>, state: u32) -> Vec<u32> {
        let sources = refined.states[state as usize].incoming.iter().map(|&(_, source)| source);
        let relies =
            |&source: &u32| self.next[source as usize].is_some_and(|(_, target)| target == state);
        sources.filter(relies).collect()
    }

    /// Repairs the paths after `state` was split, of which the last state is a part. Before, some
    /// states `relied` on it.
    pub(super) fn repair(&mut self, refined: &Refined<'_, '_>, state: u32, relied: &[u32]) {
        self.grow(refined, Some(state));
        let new = refined.states.len() as u32 - 1;
        let mut candidates = BinaryHeap::new();
        for &candidate in [state, new].iter().chain(relied) {
            candidates.push((Reverse(self.distances[candidate as usize]), candidate));
        }
        let mut dirty = Vec::new();
        while let Some((_, candidate)) = candidates.pop() {
            if self.is_dirty[candidate as usize] || self.reconnect(refined, candidate) {
                continue;
            }
            self.is_dirty[candidate as usize] = true;
            dirty.push(candidate);
            for source in self.relying_on(refined, candidate) {
                candidates.push((Reverse(self.distances[source as usize]), source));
            }
        }
        self.settle(refined, &dirty);
    }

    /// Finds a transition that keeps the distance of a state as it is.
    fn reconnect(&mut self, refined: &Refined<'_, '_>, candidate: u32) -> bool {
        let (state, own) =
            (&refined.states[candidate as usize], self.distances[candidate as usize]);
        if own == UNREACHED || own == 0 {
            return own == UNREACHED || state.is_goal && !state.is_left_out;
        }
        let mut arcs = state.outgoing.iter();
        let found = arcs.find(|&&(operator, target)| {
            !self.is_dirty[target as usize]
                && self.distances[target as usize].saturating_add(self.costs[operator.index()])
                    == own
        });
        self.next[candidate as usize] = found.copied();
        found.is_some()
    }

    /// Computes the distances of dirty states from those of the others.
    fn settle(&mut self, refined: &Refined<'_, '_>, dirty: &[u32]) {
        let mut queue = BinaryHeap::new();
        for &state in dirty {
            let own = &refined.states[state as usize];
            let mut best = (if own.is_goal && !own.is_left_out { 0 } else { UNREACHED }, None);
            for &(operator, target) in &own.outgoing {
                if best.0 > 0 && !self.is_dirty[target as usize] {
                    let cost = self.costs[operator.index()];
                    let distance = self.distances[target as usize].saturating_add(cost);
                    if distance < best.0 {
                        best = (distance, Some((operator, target)));
                    }
                }
            }
            (self.distances[state as usize], self.next[state as usize]) = best;
            if best.0 != UNREACHED {
                queue.push((Reverse(best.0), state));
            }
        }
        while let Some((Reverse(distance), target)) = queue.pop() {
            if distance != self.distances[target as usize] || !self.is_dirty[target as usize] {
                continue;
            }
            self.is_dirty[target as usize] = false;
            for &(operator, source) in &refined.states[target as usize].incoming {
                let longer = distance.saturating_add(self.costs[operator.index()]);
                if self.is_dirty[source as usize] && longer < self.distances[source as usize] {
                    self.distances[source as usize] = longer;
                    self.next[source as usize] = Some((operator, target));
                    queue.push((Reverse(longer), source));
                }
            }
        }
        for &state in dirty {
            self.is_dirty[state as usize] = false;
        }
    }
}

fn costs(frame: &Frame<'_>) -> Vec<u64> {
    let operators = frame.task().operators().iter();
    operators.map(|operator| u64::from(operator.cost) * SCALE + 1).collect()
}
