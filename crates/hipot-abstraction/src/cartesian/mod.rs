//! Cartesian abstractions (Seipp and Helmert, JAIR 2018).
//!
//! An abstract state is a set of values for each variable, and stands for their product. A
//! [split tree](SplitTree) maps states to abstract states. The abstraction begins with one state,
//! and is *refined* where its cheapest plan fails in the task (counterexample-guided abstraction
//! refinement).
//!
//! *Subtasks* ([`Subtask`]). One abstraction for the whole goal soon runs into many flaws. Several
//! abstractions of parts of the task add up: for each fact of the goal, and for each landmark ℓ.
//! A landmark need not be reached again. So in its abstraction, all states count as goals of
//! which it is not clear that ℓ is still ahead: those with a fact that the delete relaxation
//! does not reach without ℓ. Among them are all goal states.
//!
//! *Mutexes.* The values of an abstract state that are mutex with a fact that all its states share
//! are removed, until nothing changes. An abstract state without values is left out, and
//! transitions are left out where an operator's context excludes them (see
//! [`Frame`]).
//!
//! *Transitions* depend on all variables at once, so computing them would mean to compare pairs of
//! states. They are stored, but grouped: operators with transitions between the same two states
//! form a label, and equal labels are stored once.

mod abstraction;
mod closure;
mod flaw;
mod labels;
mod paths;
mod refine;
mod refined;
mod subtask;
mod tree;

use hipot_task::Limits;

pub use self::abstraction::Cartesian;
pub use self::refine::Params;
use self::refine::refine;
pub use self::subtask::{Subtask, subtasks};
pub use self::tree::{SplitTree, TreeNode};

use crate::error::Error;
use crate::frame::Frame;

/// The Cartesian abstractions of `subtasks`, which share the limits in `params`: each may use an
/// equal part of what those before leave. If `time` is up, there may be fewer.
pub fn abstractions(
    frame: &Frame<'_>,
    subtasks: &[Subtask],
    params: &Params,
    time: &Limits,
    limits: &Limits,
) -> Result<Vec<Cartesian>, Error> {
    let mut found: Vec<Cartesian> = Vec::new();
    let (mut transitions, mut states) = (params.max_transitions, params.max_states);
    for (index, subtask) in subtasks.iter().enumerate() {
        if time.check().is_err() {
            limits.check()?;
            break;
        }
        let left = subtasks.len() - index;
        let own = Params { max_transitions: transitions / left, max_states: states / left };
        let share = time.with_share(1.0 / left as f64);
        let cartesian = refine(frame, subtask, &own, &share, limits)?;
        transitions = transitions.saturating_sub(cartesian.transition_count());
        states = states.saturating_sub(cartesian.size());
        if cartesian.size() > 1 {
            found.push(cartesian);
        }
    }
    Ok(found)
}
