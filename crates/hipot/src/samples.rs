//! A random choice of the states that a search expands.
//!
//! How many states a search will expand is not known beforehand, so the sample is a
//! reservoir: each state expanded so far is in it with the same probability.

use hipot_task::{Estimate, Fact, Heuristic, OperatorId, Rng, StateView, Value};

use crate::search_task::SearchTask;

/// A reservoir of states, as states of the given task.
pub(crate) struct Samples {
    pub(crate) states: Vec<Vec<Value>>,
    capacity: usize,
    /// The number of states offered so far.
    seen: u64,
    rng: Rng,
}

impl Samples {
    pub(crate) fn new(capacity: usize, seed: u64) -> Self {
        Self { states: Vec::new(), capacity, seen: 0, rng: Rng::new(seed) }
    }

    /// Offers a state; it is built only if it is kept.
    fn offer(&mut self, state: impl FnOnce() -> Vec<Value>) {
        self.seen += 1;
        if self.states.len() < self.capacity {
            self.states.push(state());
        } else if let Ok(place) = usize::try_from(self.rng.next_u64() % self.seen)
            && place < self.capacity
        {
            self.states[place] = state();
        }
    }
}

/// A heuristic that samples the states that a search with it expands.
pub(crate) struct Sampled<'a, H> {
    pub(crate) heuristic: H,
    pub(crate) samples: &'a mut Samples,
    pub(crate) search_task: &'a SearchTask<'a>,
}

impl<H: Heuristic> Heuristic for Sampled<'_, H> {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.heuristic.estimate(state)
    }

    fn enter(&mut self, parent: StateView<'_>) {
        self.samples.offer(|| self.search_task.original_state(parent.unpack()));
        self.heuristic.enter(parent);
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        self.heuristic.estimate_successor(operator, successor)
    }

    fn is_consistent(&self) -> bool {
        self.heuristic.is_consistent()
    }

    fn is_invariant_under(&self, moved: &[(Fact, Fact)]) -> bool {
        self.heuristic.is_invariant_under(moved)
    }
}
