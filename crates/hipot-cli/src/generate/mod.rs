//! Planning tasks of any size whose optimal cost is known by proof.
//!
//! A planner that claims optimality needs tasks whose answer does not come
//! from another planner. Each family here is a function from its parameters
//! to a task and its optimal cost; the essay at the head of its module proves
//! the cost and counts the reachable states, and the tests compare both with
//! a brute-force search where that is possible.
//!
//! | family | what it exercises | optimal cost |
//! |---|---|---|
//! | [`hanoi()`] | long plans, few operators | 2ⁿ − 1 |
//! | [`rings()`] | a state space that is one long path | ⌊2ⁿ⁺¹ / 3⌋ |
//! | [`shuttle()`] | symmetry, mutex groups | 2p + 2⌈p / c⌉ − 1 |
//! | [`odometer()`] | conditional effects | bⁿ − 1 |
//! | [`circuit()`] | axioms in two layers | n + 2 |
//! | [`toll()`] | costs beyond 32 bits, free cycles | n (2³¹ − 2) |
//! | [`parity()`] | unsolvability | none |
//! | [`coloring()`] | potential functions of dimension 3 (Theorem 2) | 0 |
//!
//! Everything is deterministic: the same parameters give the same task.

mod circuit;
mod coloring;
mod draft;
mod hanoi;
mod odometer;
mod parity;
mod rings;
mod shuttle;
mod toll;

#[cfg(test)]
mod tests;

pub(crate) use circuit::circuit;
pub(crate) use coloring::{Graph, coloring, coloring_potential};
pub(crate) use hanoi::hanoi;
pub(crate) use odometer::odometer;
pub(crate) use parity::parity;
pub(crate) use rings::rings;
pub(crate) use shuttle::shuttle;
pub(crate) use toll::toll;

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;

use hipot_task::Task;

/// A generated task and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Generated {
    /// The task.
    pub(crate) task: Task,
    /// The cost of its cheapest plan; `None` if there is no plan.
    pub(crate) optimal_cost: Option<u64>,
}

/// A parameter for which there is no task of a sensible size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GenerateError {
    /// The parameter's name.
    pub(crate) parameter: &'static str,
    /// The value given.
    pub(crate) value: u32,
    /// The values allowed, given the other parameters.
    pub(crate) allowed: RangeInclusive<u32>,
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { parameter, value, allowed } = self;
        let (first, last) = (allowed.start(), allowed.end());
        write!(f, "{parameter} is {value}, but must be from {first} to {last}")
    }
}

impl Error for GenerateError {}

/// Refuses a parameter outside of its range.
fn check_range(
    parameter: &'static str,
    value: u32,
    allowed: RangeInclusive<u32>,
) -> Result<(), GenerateError> {
    if allowed.contains(&value) { Ok(()) } else { Err(GenerateError { parameter, value, allowed }) }
}
