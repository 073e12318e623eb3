//! The best function for every state of a search.
//!
//! By Theorem 7 of the paper, its value in that state is the value of an optimal
//! transition cost partitioning over all projections to as many variables as
//! features have facts.

use hipot_task::{Estimate, Heuristic, StateView, Value};

use crate::certify::Certified;
use crate::objective::Objective;
use crate::optimizer::{Found, Optimizer};
use crate::report::Error;

/// A heuristic that solves the LP again in every state, starting from the last solution.
pub struct EveryState<'a> {
    optimizer: Optimizer<'a>,
    /// The last function found.
    last: Certified,
    /// The function that proved the last dead end.
    dead_end: Option<Certified>,
}

impl<'a> EveryState<'a> {
    /// The heuristic; `initial` is a function for some state.
    pub fn new(optimizer: Optimizer<'a>, initial: Certified) -> Self {
        Self { optimizer, last: initial, dead_end: None }
    }

    /// The bound in a state; `None` for a dead end.
    pub fn bound(&mut self, state: &[Value]) -> Option<u64> {
        match self.optimize(state) {
            Ok(bound) => bound,
            // A limit was reached; the search will notice.
            Err(_) => Some(self.last.bound(state)),
        }
    }

    fn optimize(&mut self, state: &[Value]) -> Result<Option<u64>, Error> {
        let earlier = self.last.bound(state);
        match self.optimizer.maximize(&Objective::state(state))? {
            Found::Function(function, _) => {
                self.last = *function;
                Ok(Some(self.last.bound(state).max(earlier)))
            }
            Found::Unbounded => {
                let is_proved = |function: &Certified| function.numerator(state) > 0;
                if !self.dead_end.as_ref().is_some_and(is_proved) {
                    self.dead_end = self.optimizer.prove_dead_end(state)?.or(self.dead_end.take());
                }
                let is_dead_end = self.dead_end.as_ref().is_some_and(is_proved);
                Ok((!is_dead_end).then_some(earlier))
            }
            Found::Nothing => Ok(Some(earlier)),
        }
    }
}

impl Heuristic for EveryState<'_> {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        let bound = self.bound(&state.unpack());
        bound.map_or(Estimate::DEAD_END, Estimate::at_least)
    }

    /// Estimates of neighboring states come from different functions.
    fn is_consistent(&self) -> bool {
        false
    }
}
