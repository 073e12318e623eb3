//! The blind heuristic: 0 at goals, the cheapest operator's cost elsewhere.

use hipot_task::{Estimate, Fact, Heuristic, Packing, StateView, Task};

use crate::word_tests::{Test, conjunction, holds};

/// The blind heuristic: 0 in goal states, the cheapest operator's cost elsewhere.
///
/// From a state that is not a goal, a plan needs at least one operator, so the estimate is
/// admissible. It is consistent, because it never falls by more than that cheapest cost.
#[derive(Clone, Debug)]
pub struct Blind {
    goal: Vec<Test>,
    elsewhere: Estimate,
}

impl Blind {
    /// The blind heuristic for states of `task`, packed by `packing`.
    pub fn new(task: &Task, packing: &Packing) -> Self {
        Self::with_cheapest(task, packing, task.min_cost())
    }

    /// The same, where the cheapest operator is taken to cost this much, at most what it does cost.
    pub fn with_cheapest(task: &Task, packing: &Packing, cost: u32) -> Self {
        let goal = conjunction(task.goal(), packing);
        Self { goal, elsewhere: Estimate::at_least(cost.into()) }
    }
}

impl Heuristic for Blind {
    #[inline]
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        if holds(&self.goal, state.words()) { Estimate::at_least(0) } else { self.elsewhere }
    }

    fn is_consistent(&self) -> bool {
        true
    }

    /// Goals are preserved.
    fn is_invariant_under(&self, _: &[(Fact, Fact)]) -> bool {
        true
    }
}
