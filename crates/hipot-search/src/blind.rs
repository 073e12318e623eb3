//! The heuristic that knows only whether it is there.

use hipot_task::{Estimate, Heuristic, Packing, StateView, Task};

use crate::transitions::{Test, conjunction, holds};

/// 0 in goal states, the cheapest operator's cost elsewhere.
///
/// A state that is no goal has at least one operator before it, so the
/// estimate is admissible; it is consistent because it never falls by more
/// than that cheapest cost.
#[derive(Clone, Debug)]
pub struct Blind {
    goal: Vec<Test>,
    elsewhere: Estimate,
}

impl Blind {
    /// The blind heuristic for states of `task`, packed by `packing`.
    pub fn new(task: &Task, packing: &Packing) -> Self {
        let goal = conjunction(task.goal(), packing);
        Self { goal, elsewhere: Estimate::at_least(task.min_cost().into()) }
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
}
