//! Drops abstract states that are on no path from the initial state to the goal,
//! and operators that are on no plan.
//!
//! Two steps alternate until nothing changes. Within each projection, the states that
//! are reachable from the initial state, and those that reach the goal, are computed
//! along the remaining transitions; the others lose their transitions. An operator
//! that has lost all transitions of one of its labels is then removed from all its
//! labels. Each pass removes at least one operator, so this ends. The parent module
//! says why dropping them is right.

use hipot_task::{Limits, Stop, Task};

use super::Projections;
use super::single::{AbstractState, Standing};

impl Projections {
    pub(super) fn prune(&mut self, task: &Task, limits: &Limits) -> Result<(), Stop> {
        loop {
            for index in 0..self.all.len() {
                limits.check()?;
                self.classify(index, task);
            }
            let standings = &self.standings;
            let kept = |state: AbstractState| standings[state.index()] == Standing::Kept;
            for label in &mut self.labels {
                label.transitions.retain(|&(from, to)| kept(from) && kept(to));
            }
            if !self.remove_dead_operators() {
                return Ok(());
            }
        }
    }

    /// Removes operators that have lost all transitions of one of their labels from
    /// the other labels as well; returns whether there were any.
    fn remove_dead_operators(&mut self) -> bool {
        let mut found = false;
        for label in self.labels.iter().filter(|label| label.transitions.is_empty()) {
            for operator in &label.operators {
                found |= self.of_operator[operator.index()].take().is_some();
            }
        }
        for label in &mut self.labels {
            label.operators.retain(|id| self.of_operator[id.index()].is_some());
            if label.operators.is_empty() {
                label.transitions.clear();
            }
        }
        found
    }

    /// Determines which states of a projection are reachable, and which reach the goal.
    fn classify(&mut self, index: usize, task: &Task) {
        let projection = &self.all[index];
        let labels = &self.labels[self.label_begins[index]..self.label_begins[index + 1]];
        let transitions = || labels.iter().flat_map(|label| label.transitions.iter().copied());
        let begin = projection.begin;
        let local = |state: AbstractState| state.index() - begin;
        let forward = transitions().map(|(from, to)| (local(from), local(to)));
        let backward = transitions().map(|(from, to)| (local(to), local(from)));
        let initial = local(projection.state(task.initial()));
        let reached = closure(projection.size, initial, forward);
        let reaching = closure(projection.size, local(projection.goal()), backward);
        for (place, standing) in self.standings[begin..][..projection.size].iter_mut().enumerate() {
            // The others have lost their transitions and do not change.
            if *standing == Standing::Kept {
                *standing = match (reached[place], reaching[place]) {
                    (_, false) => Standing::DeadEnd,
                    (false, true) => Standing::Unreachable,
                    (true, true) => Standing::Kept,
                };
            }
        }
    }
}

/// Which vertices are reachable from `start` along `edges`.
fn closure(size: usize, start: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<bool> {
    let mut successors = vec![Vec::new(); size];
    for (from, to) in edges {
        successors[from].push(to);
    }
    let mut reached = vec![false; size];
    reached[start] = true;
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        for &next in &successors[state] {
            if !std::mem::replace(&mut reached[next], true) {
                open.push(next);
            }
        }
    }
    reached
}
