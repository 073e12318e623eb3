//! h² mutexes, forward and backward to a fixpoint, and what they make useless.
//!
//! Forward h² (Haslum & Geffner, AIPS 2000) reaches pairs of facts: those of
//! the initial state, and those that an operator can make true all of whose
//! precondition's pairs are reached. A pair that is not reached is mutex. The
//! same computation backward, from the goal by regression, finds pairs that no
//! state has from which the goal can be reached; and each direction can use
//! what the other has found (Alcázar & Torralba, ICAPS 2015). This module
//! alternates the two until nothing is new.
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
//!   no pair of L either. So none of a plan's states has, from the first on.
//! - *Backward*: no goal state without pairs of K has a pair of L, and if a
//!   state without pairs of K leads to a state without pairs of K ∪ L, then
//!   the former has no pair of L either. So none of a plan's states has, from
//!   the last back.
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
//! Before each pass the mutexes so far are used on every operator: its
//! precondition is *disambiguated* (closed under what it implies, see
//! [`Disambiguator`]), so is what holds after it, and what is implied of a
//! variable that the operator does not change is carried from either side to
//! the other. An operator for which no state is left on one side is useless.
//! The others become rules of the pass (module `pass`), which does not know
//! its direction. Backward, a variable that an operator changes without
//! asking for its value may have had every value that goes with the
//! precondition.
//!
//! A pass is skipped, and the fixpoint reached, if it would repeat the last
//! one in its direction: if the rules are the same and the other direction
//! has found nothing since. Then the only new mutexes are the pairs that the
//! pass itself did not reach, which it never uses. Rules only ever lose values
//! given, gain facts needed, or go, so comparing their sizes is enough.
//!
//! # What was tried and dropped
//!
//! Needing all that is implied before an operator, not only of the variables
//! that it changes: the same pairs in the end on the nine large tasks compared,
//! and four times the time on those of the airport domain, where hundreds of
//! facts are implied.
//!
//! Starting from the task's mutex groups: the first pass finds all their pairs
//! on 185 tasks of the archive's sample, and would rest on something unproved.
//!
//! Axioms and conditional effects are refused: nothing wrong is derived.

mod disambiguate;
mod pass;
mod search;
mod transition;

pub use disambiguate::Disambiguator;

use std::time::{Duration, Instant};

use crate::ids::OperatorId;
use crate::limits::{Limits, Stop};
use crate::mutex::Mutexes;
use crate::task::{Task, Unsupported};
use search::Search;

/// How long to look for mutexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// When to end with what the finished passes have found.
    pub time_limit: Duration,
    /// How many passes at most; 1 is forward h² alone.
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
    /// There is no memory for a bit for each pair of facts.
    #[error(transparent)]
    Stop(#[from] Stop),
}

/// The way in which a pass goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the initial state.
    Forward,
    /// From the goal.
    Backward,
}

impl Direction {
    /// The other one.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

/// What one pass has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The pass's direction.
    pub direction: Direction,
    /// The pairs, without those of earlier layers.
    pub mutexes: Mutexes,
}

/// Why the search for mutexes ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Neither direction finds more.
    Fixpoint,
    /// All passes that the parameters allow were made.
    Passes,
    /// No state satisfies the mutexes and is initial, or is a goal state.
    Unsolvable,
    /// A limit was reached; the pass that it met is dropped.
    Stopped(Stop),
}

/// Mutexes, and what they make useless.
#[derive(Clone, Debug)]
pub struct H2 {
    layers: Vec<Layer>,
    mutexes: Mutexes,
    useless: Vec<OperatorId>,
    end: End,
}

impl H2 {
    /// What each pass has found, as far as it found anything; the first one
    /// is forward.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Pairs that no reachable state has.
    pub fn forward(&self) -> &Mutexes {
        &self.layers[0].mutexes
    }

    /// Pairs that no state of a plan has: those of all layers.
    pub fn mutexes(&self) -> &Mutexes {
        &self.mutexes
    }

    /// The operators that no plan has, in order.
    pub fn useless(&self) -> &[OperatorId] {
        &self.useless
    }

    /// Why the search for mutexes ended.
    pub fn end(&self) -> End {
        self.end
    }

    /// Whether it is proved that there is no plan.
    pub fn is_unsolvable(&self) -> bool {
        self.end == End::Unsolvable
    }
}

/// The h² mutexes of `task`.
///
/// ```
/// use hipot_task::{Limits, h2};
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
    let limits = Instant::now()
        .checked_add(params.time_limit)
        .map_or_else(|| limits.clone(), |deadline| limits.with_earlier_deadline(deadline));
    Ok(Search::new(task, &limits)?.run(params.passes))
}
