//! The best function for every state of a search.
//!
//! By Theorem 7 of the paper, its value is that of an optimal transition cost
//! partitioning over all projections to as many variables as features have
//! facts, in that state.

use hipot_task::{Estimate, Heuristic, StateView, Value};

use crate::function::PotentialFunction;
use crate::objective::Average;
use crate::optimize::Error;
use crate::reoptimize::{Reoptimized, Reoptimizer};

/// Solves the LP again in every state, starting from the last solution.
pub struct EveryState<'a> {
    reoptimizer: Reoptimizer<'a>,
    /// The function of the last state for which there was one.
    last: PotentialFunction,
    /// What proved the last dead end.
    dead_end: Option<PotentialFunction>,
}

impl<'a> EveryState<'a> {
    /// The heuristic; `initial` is a function for some state.
    pub fn new(reoptimizer: Reoptimizer<'a>, initial: PotentialFunction) -> Self {
        Self { reoptimizer, last: initial, dead_end: None }
    }

    /// The bound in a state; `None` for a dead end.
    pub fn bound(&mut self, state: &[Value]) -> Option<u64> {
        match self.optimize(state) {
            Ok(bound) => bound,
            // A limit: whoever searches will notice.
            Err(_) => Some(self.last.bound(state)),
        }
    }

    fn optimize(&mut self, state: &[Value]) -> Result<Option<u64>, Error> {
        let average = Average::States(vec![state.to_vec()]);
        let earlier = self.last.bound(state);
        match self.reoptimizer.maximize(&[(&average, 1.0)])? {
            Reoptimized::Function(function, _) => {
                self.last = *function;
                Ok(Some(self.last.bound(state).max(earlier)))
            }
            Reoptimized::Unbounded => {
                let is_proved = |function: &PotentialFunction| function.numerator(state) > 0;
                if !self.dead_end.as_ref().is_some_and(is_proved) {
                    self.dead_end =
                        self.reoptimizer.prove_dead_end(state)?.or(self.dead_end.take());
                }
                let is_dead_end = self.dead_end.as_ref().is_some_and(is_proved);
                Ok((!is_dead_end).then_some(earlier))
            }
            Reoptimized::Nothing => Ok(Some(earlier)),
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
