//! Why a goal is out of reach, and why an action is never applied, in words.
//!
//! Relaxed reachability (`reach`) leaves out what can never happen. Here it is asked
//! why. An action is never applied because some object, precondition or cost is missing: the one that
//! is named is the first that fails on its own, or else the first that fails together with those
//! before it. A goal is never reached because no action makes it true, or because the actions that
//! would are never applied; their missing preconditions are explained in the same way, down to a
//! [`Root`] that no action can change.
//!
//! The search for the precondition that fails takes a limited number of steps. Beyond them the answer
//! is only less precise.

mod by;
mod conflicts;
mod explain;
mod pattern;
mod probe;
mod warnings;
mod words;

pub use explain::{Obstacle, Obstacles, Root, obstacles};
pub use warnings::warn;
