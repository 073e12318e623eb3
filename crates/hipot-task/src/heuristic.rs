//! What a search asks of a heuristic.

use crate::ids::{Fact, OperatorId};
use crate::state::StateView;

/// A lower bound on the cost of reaching the goal: an exact integer, or the
/// statement that the goal cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Estimate(u64);

impl Estimate {
    /// No plan starts in this state.
    pub const DEAD_END: Self = Self(u64::MAX);

    /// Every plan from this state costs at least `cost`, which is below
    /// `u64::MAX`.
    pub const fn at_least(cost: u64) -> Self {
        debug_assert!(cost < u64::MAX);
        Self(cost)
    }

    /// The bound; `None` for a dead end.
    pub const fn cost(self) -> Option<u64> {
        if self.0 == u64::MAX { None } else { Some(self.0) }
    }
}

/// An admissible heuristic.
///
/// A potential heuristic knows the value of a successor from that of its
/// parent and the few facts that the operator changes. So the search says
/// which state it is in ([`enter`](Self::enter)) before it asks for the
/// successors that it has not seen before
/// ([`estimate_successor`](Self::estimate_successor)). Nothing is stored with
/// the states: one full evaluation for each expanded state costs less than
/// eight bytes for each generated one.
pub trait Heuristic {
    /// The estimate for a state, computed from scratch.
    fn estimate(&mut self, state: StateView<'_>) -> Estimate;

    /// Announces that the search is in `parent` and will ask for its successors.
    fn enter(&mut self, parent: StateView<'_>) {
        let _ = parent;
    }

    /// The estimate for `successor`, the result of `operator` in the state
    /// that was entered last.
    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        let _ = operator;
        self.estimate(successor)
    }

    /// Whether [`estimate_successor`](Self::estimate_successor) is much cheaper than
    /// [`estimate`](Self::estimate).
    fn is_incremental(&self) -> bool {
        false
    }

    /// Whether h(s) ≤ cost(o) + h(s⟦o⟧) always holds. A* then never reopens
    /// a state, and asserts it.
    fn is_consistent(&self) -> bool;

    /// Whether every state has the same estimate as its image under a symmetry of the task that
    /// preserves the goal. The symmetry is given by the facts that it moves, in order, with their
    /// images. `false` if it is not known.
    fn is_invariant_under(&self, moved: &[(Fact, Fact)]) -> bool {
        let _ = moved;
        false
    }
}

impl<H: Heuristic + ?Sized> Heuristic for Box<H> {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        (**self).estimate(state)
    }

    fn enter(&mut self, parent: StateView<'_>) {
        (**self).enter(parent);
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        (**self).estimate_successor(operator, successor)
    }

    fn is_incremental(&self) -> bool {
        (**self).is_incremental()
    }

    fn is_consistent(&self) -> bool {
        (**self).is_consistent()
    }
}
