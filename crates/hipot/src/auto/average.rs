//! How much functions say about the states that a search has expanded.

use hipot_task::{Task, Value};

use crate::heuristic::Potential;

/// The average bound of a potential over some states.
fn average(potential: &Potential, states: &[Vec<Value>]) -> f64 {
    mean(states.iter().map(|it| potential.function.bound(it)))
}

/// The mean of some bounds; 0 if there are none.
pub(super) fn mean(bounds: impl ExactSizeIterator<Item = u64>) -> f64 {
    let count = bounds.len().max(1) as f64;
    bounds.map(|bound| bound as f64).sum::<f64>() / count
}

/// Whether a potential says about as little as the blind heuristic: its bound is not above the
/// layer of f that a search has reached, and its average not above `step`, the cost of a
/// [cheap step](cheap_step).
pub(super) fn says_little(
    potential: &Potential,
    states: &[Vec<Value>],
    layer: u64,
    step: u32,
) -> bool {
    let is_passed = potential.bound().is_some_and(|bound| bound <= layer);
    is_passed && !states.is_empty() && average(potential, states) <= f64::from(step)
}

/// The lowest cost of an operator that is not free; 0 if all are.
pub(super) fn cheap_step(task: &Task) -> u32 {
    let costs = task.operators().iter().map(|operator| operator.cost);
    costs.filter(|&cost| cost > 0).min().unwrap_or(0)
}
