//! Compares two configurations, task by task.
//!
//! Ratios are geometric means, so that it does not matter which of the two is the first, and no
//! single task dominates.

use std::cmp::Ordering;

use serde::Serialize;

use super::Report;
use crate::Record;

/// The comparison of two configurations over all tasks on which both were run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// The first configuration, an index into [`Report::columns`].
    pub first: usize,
    /// The second configuration.
    pub second: usize,
    /// The number of tasks that only the first solved.
    pub only_first: usize,
    /// The number of tasks that only the second solved.
    pub only_second: usize,
    /// The number of tasks that both solved.
    pub both: usize,
    /// The numbers of tasks for which the second's initial value is higher, equal, lower.
    pub initial_h: [usize; 3],
    /// The numbers of tasks, of those that both solved, for which the second expanded fewer,
    /// equally many, more states before the last f layer.
    pub expansions: [usize; 3],
    /// The geometric mean of the ratio of expansions, second / first, over tasks that both
    /// solved. 0 expansions count as 1.
    pub expansions_ratio: Option<f64>,
    /// The geometric mean of the ratio of processor time, second / first, over tasks that both
    /// solved. Less than 0.01 s counts as 0.01 s.
    pub time_ratio: Option<f64>,
}

/// The most pairs that are compared if no baseline is given.
const MAX_PAIRS: usize = 15;

impl Report {
    /// The pairs of configurations to compare: each one with the baseline; without a baseline
    /// all pairs, or if these are too many, each one with the first.
    pub(super) fn pairs(&self) -> Vec<(usize, usize)> {
        let width = self.columns.len();
        let all =
            (0..width).flat_map(|first| (first + 1..width).map(move |second| (first, second)));
        match self.baseline {
            Some(baseline) => (0..width)
                .filter(|&other| other != baseline)
                .map(|other| (baseline, other))
                .collect(),
            None if width * width.saturating_sub(1) / 2 <= MAX_PAIRS => all.collect(),
            None => (1..width).map(|other| (0, other)).collect(),
        }
    }

    /// Compares two configurations.
    pub fn compare(&self, first: usize, second: usize) -> Comparison {
        let mut comparison = Comparison { first, second, ..Comparison::default() };
        let (mut expansions, mut times) = (Ratios::default(), Ratios::default());
        for row in 0..self.rows.len() {
            let (a, b) = (self.record(row, first), self.record(row, second));
            // A run that was not made says nothing about either.
            if a.is_none() || b.is_none() {
                continue;
            }
            let initial = |record: Option<&Record>| record?.measures.initial_h;
            if let (Some(a), Some(b)) = (initial(a), initial(b)) {
                comparison.initial_h[order_index(b, a)] += 1;
            }
            let solved = (self.is_solved(row, first), self.is_solved(row, second));
            comparison.only_first += usize::from(solved == (true, false));
            comparison.only_second += usize::from(solved == (false, true));
            let (Some(a), Some(b), (true, true)) = (a, b, solved) else { continue };
            comparison.both += 1;
            times.add(a.measures.cpu_seconds.max(0.01), b.measures.cpu_seconds.max(0.01));
            let expanded = |record: &Record| record.measures.expanded_until_last_jump;
            if let (Some(a), Some(b)) = (expanded(a), expanded(b)) {
                comparison.expansions[2 - order_index(b, a)] += 1;
                expansions.add(a.max(1) as f64, b.max(1) as f64);
            }
        }
        comparison.expansions_ratio = expansions.geometric_mean();
        comparison.time_ratio = times.geometric_mean();
        comparison
    }
}

/// 0, 1, 2 for higher, equal, lower.
fn order_index(value: u64, than: u64) -> usize {
    match value.cmp(&than) {
        Ordering::Greater => 0,
        Ordering::Equal => 1,
        Ordering::Less => 2,
    }
}

/// Sums up the logarithms of ratios, for their geometric mean.
#[derive(Default)]
struct Ratios {
    logarithms: f64,
    count: usize,
}

impl Ratios {
    fn add(&mut self, first: f64, second: f64) {
        self.logarithms += (second / first).ln();
        self.count += 1;
    }

    fn geometric_mean(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.logarithms / self.count as f64).exp())
    }
}
