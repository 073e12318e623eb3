//! h² mutexes, forward and backward to a fixpoint, and the operators that they rule out.
//!
//! Forward h² (Haslum & Geffner, AIPS 2000) reaches pairs of facts: those of
//! the initial state, and those that an operator can make true once all pairs of
//! its precondition are reached. A pair that is not reached is mutex. The same
//! computation backward, by regression from the goal, finds pairs that do not
//! occur in any state from which the goal can be reached. Each direction can use
//! what the other has found (Alcázar & Torralba, ICAPS 2015). This module
//! alternates the two until neither finds more.
//!
//! # What is proved
//!
//! A *plan* is any sequence of operators that leads from the initial state to
//! a goal state. The result is a sequence of [layers](Layer): sets of pairs,
//! each found by one pass under the assumption that no state of a plan has a
//! pair of an earlier layer. By induction over the layers, no state of a plan
//! has any pair. In layer k, let K be the pairs of the earlier layers and L
//! its own:
//!
//! - *Forward*: the initial state has no pair of L, and if a state without
//!   pairs of K ∪ L leads to a state without pairs of K, then the latter has
//!   no pair of L either. By induction from the first state of a plan, none of
//!   its states has a pair of L.
//! - *Backward*: no goal state without pairs of K has a pair of L, and if a
//!   state without pairs of K leads to a state without pairs of K ∪ L, then
//!   the former has no pair of L either. By induction backward from the last
//!   state of a plan, none of its states has a pair of L.
//!
//! The first layer is forward and assumes nothing: its pairs are mutex in
//! every reachable state. The layers cannot be merged into one set for each
//! direction: where a forward pair is excluded because the state before has
//! a backward pair, and the backward pair because the state after has the
//! forward pair, nothing is proved. `hipot_check::mutexes` checks layers, and
//! shares no code with this module.
//!
//! # How
//!
//! Before each pass, the mutexes so far are applied to every operator: its
//! precondition is *disambiguated* (closed under what it implies, see
//! `Disambiguator`), so is what holds after it, and what is implied of a
//! variable that the operator does not change is carried from either side to
//! the other. An operator that has no state left on one side is useless.
//! The others become rules of the pass (module `pass`), which does not know
//! its direction. Backward, a variable that an operator changes without
//! a precondition on it may have had every value that is compatible with the
//! precondition.
//!
//! A pass is skipped, and the fixpoint reached, if it would repeat the last
//! one in its direction: if the rules are the same and the other direction
//! has found nothing since. Then the only new mutexes are the pairs that the
//! pass itself did not reach, which it never uses. From pass to pass a rule can
//! only give fewer facts, need more facts, or disappear, so comparing sizes is enough.
//!
//! # What was tried and dropped
//!
//! A rule that needs everything that is implied before an operator, not only the
//! values of variables that it changes: this finds the same pairs on the nine
//! large tasks compared, and takes four times as long on airport tasks, where
//! hundreds of facts are implied.
//!
//! Starting from the task's mutex groups: the first pass finds all their pairs
//! anyway on 185 tasks of the archive's sample, and the result would rest on
//! something unproved.
//!
//! Tasks with axioms or conditional effects are not supported; their [plain tasks](crate::PlainTask)
//! are.

mod disambiguate;
mod layers;
mod pass;
mod search;
mod transition;

pub(crate) use disambiguate::Disambiguator;
pub use layers::{Direction, End, H2, Layer};

use std::time::Duration;

use hipot_task::{Limits, Stop, Task, Unsupported};
use search::Search;

/// Limits on the search for mutexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// After this time, the search ends with what the finished passes have found.
    pub time_limit: Duration,
    /// The maximum number of passes; 1 is forward h² alone.
    pub passes: usize,
}

impl Default for Params {
    fn default() -> Self {
        Self { time_limit: Duration::from_secs(30), passes: usize::MAX }
    }
}

/// Why there is no result at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum H2Error {
    /// The task has axioms or conditional effects.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// There is not enough memory for one bit per pair of facts.
    #[error(transparent)]
    Stop(#[from] Stop),
}

/// The h² mutexes of `task`.
///
/// ```
/// use hipot_analysis::h2;
/// use hipot_task::Limits;
///
/// let task = hipot_task::sas::read(include_bytes!("../../../../examples/blocks.sas"))?;
/// let found = h2::h2(&task, &h2::Params::default(), &Limits::none())?;
/// assert_eq!(found.end(), h2::End::Fixpoint);
/// assert!(found.forward().count() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn h2(task: &Task, params: &Params, limits: &Limits) -> Result<H2, H2Error> {
    const BY: &str = "h²";
    task.require_no_axioms(BY)?;
    task.require_no_conditional_effects(BY)?;
    let limits = limits.within(params.time_limit);
    Ok(Search::new(task, &limits)?.run(params.passes))
}
