//! Out of a plateau.
//!
//! Where the bound is h*, the states with f = h* are all that A* has to look at, and
//! they can be too many: an estimate that is too low by one puts a state among them,
//! with all that follows. Tasks such as miconic's have a perfect bound and millions of
//! them. No order among them helps, because the search is lost where estimates are too
//! low. But such states can be told: they are those that were expanded. The function
//! with the highest average over some of them, whatever it says about the initial
//! state, is higher in nearly all of them, and the maximum with it closes that way into
//! the plateau. Where the search is stuck again, in others, the same is done again.

use std::time::{Duration, Instant};

use hipot_search::Observer;
use hipot_task::Value;

use super::{Params, Samples, Second, Until, log, together};
use crate::failure::Failure;
use crate::heuristic::{Computed, Potential};
use crate::pipeline::{Solution, solve_sampled};

/// The most functions of which the maximum is taken.
const MOST_FUNCTIONS: usize = 8;

/// A function is worth its time where it is higher in more than this share of the states.
const SHARE_RAISED: f64 = 0.2;

/// A search that is stuck.
pub(super) struct Plateau<'a, 'b> {
    /// With the states that it has expanded.
    pub(super) second: &'a mut Second<'b>,
    pub(super) params: Params,
}

/// How it was left.
pub(super) struct Left {
    /// The functions of which the maximum was taken.
    pub(super) functions: Vec<Potential>,
    /// What the searches found, all together.
    pub(super) solution: Solution,
    /// Whether the last one has ended by itself, or at a limit.
    pub(super) is_over: bool,
    /// The time that the functions took.
    pub(super) heuristic_time: Duration,
}

impl Plateau<'_, '_> {
    /// Adds functions, with a short search after each, until there is a plan or the
    /// search comes beyond the bound or nothing helps.
    pub(super) fn leave(
        self,
        functions: Vec<Potential>,
        solution: Solution,
        observer: &mut dyn Observer,
        found: &mut dyn FnMut(&Computed) -> Result<(), Failure>,
    ) -> Result<Left, Failure> {
        let Self { second, params } = self;
        let mut left = Left { functions, solution, is_over: false, heuristic_time: Duration::ZERO };
        let bound = left.functions[0].bound();
        while left.functions.len() < MOST_FUNCTIONS
            && bound >= Some(left.solution.result.lower_bound)
        {
            log("another function for the states expanded", second.limits);
            let begin = Instant::now();
            let other = second.raised(&left.functions[0], false)?;
            left.heuristic_time += begin.elapsed();
            let Some(other) = other.filter(|it| raises_enough(it, &left.functions, &second.states))
            else {
                break;
            };
            left.functions.push(other);
            found(&together(left.functions.clone()))?;
            let mut until =
                Until { inner: &mut *observer, evaluated: params.first_evaluated, is_over: false };
            let mut samples = Samples::new(params.samples, second.lp.seed);
            let functions: Vec<&Potential> = left.functions.iter().collect();
            let next =
                solve_sampled(second.task, &functions, &mut samples, second.limits, &mut until);
            left.is_over = !until.is_over;
            left.solution = next.after(&left.solution);
            if left.is_over {
                break;
            }
            second.states = samples.states;
        }
        Ok(left)
    }
}

/// Whether `other` is higher than all of `functions` in enough of the states.
fn raises_enough(other: &Potential, functions: &[Potential], states: &[Vec<Value>]) -> bool {
    let bound = |state: &[Value]| functions.iter().map(|it| it.function.bound(state)).max();
    let is_raised = |state: &&Vec<Value>| Some(other.function.bound(state)) > bound(state);
    let (raised, all) = (states.iter().filter(is_raised).count(), states.len());
    tracing::info!("auto: another function is higher in {raised} of {all} states");
    raised as f64 > SHARE_RAISED * all as f64
}
