//! Out of a plateau.
//!
//! If the bound is h*, A* has to look only at states with f = h*, but these can be too
//! many: an estimate that is too low by one puts a state among them, with all of its
//! successors. Tasks such as miconic's have a perfect bound and millions of such states. No
//! order among them helps, because the estimates themselves are too low. But such states
//! are easy to find: they are the ones that were expanded. The function with the highest
//! average over a sample of them, whatever it says about the initial state, is higher in
//! nearly all of them, and the maximum with it closes that way into the plateau. If the
//! search is stuck again, in other states, the same is done again.

use std::time::{Duration, Instant};

use hipot_task::Value;

use super::improve::{Improver, log};
use super::params::Params;
use crate::events::Event;
use crate::failure::Failure;
use crate::heuristic::{Computed, Potential};
use crate::samples::Samples;
use crate::search::{Searched, search_sampled};

/// The largest number of functions whose maximum is taken.
const MAX_FUNCTIONS: usize = 8;

/// A function is worth its time if it is higher in more than this share of the states.
const MIN_SHARE_HIGHER: f64 = 0.2;

/// What came of leaving a plateau.
pub(super) struct Escape {
    /// The functions whose maximum was taken.
    pub(super) functions: Vec<Potential>,
    /// What all searches found together.
    pub(super) searched: Searched,
    /// Whether the last search ended by itself or at a limit, and not at its budget.
    pub(super) is_over: bool,
    /// The time that computing the functions took.
    pub(super) heuristic_time: Duration,
}

/// Adds functions to the first one, with a short search after each, until a search ends,
/// goes beyond the bound, or no function helps.
pub(super) fn leave_plateau(
    improver: &mut Improver<'_>,
    first: Potential,
    searched: Searched,
    params: Params,
) -> Result<Escape, Failure> {
    let bound = first.bound();
    let mut escape =
        Escape { functions: vec![first], searched, is_over: false, heuristic_time: Duration::ZERO };
    while escape.functions.len() < MAX_FUNCTIONS
        && bound >= Some(escape.searched.result.lower_bound)
    {
        log("another function for the states expanded", improver.limits);
        let begin = Instant::now();
        let other = improver.best_on_average(&escape.functions[0], false)?;
        escape.heuristic_time += begin.elapsed();
        let is_worth_it = |other: &_| is_often_higher(other, &escape.functions, &improver.states);
        let Some(other) = other.filter(is_worth_it) else { break };
        escape.functions.push(other);
        let heuristic = Computed::maximum(escape.functions.clone());
        let events = &improver.settings.events;
        events.tell(Event::Heuristic(&heuristic));
        let mut samples = Samples::new(params.samples, improver.settings.seed);
        let functions: Vec<&Potential> = escape.functions.iter().collect();
        let (task, limits) = (improver.task, improver.limits);
        let short = improver.settings.search_params(params.budget());
        let next = search_sampled(task, &functions, &mut samples, short, limits, events);
        escape.is_over = !next.is_cut_short();
        escape.searched = next.after(&escape.searched);
        if escape.is_over {
            break;
        }
        improver.states = samples.states;
    }
    Ok(escape)
}

/// Whether `other` is higher than all of `functions` in enough of the states.
fn is_often_higher(other: &Potential, functions: &[Potential], states: &[Vec<Value>]) -> bool {
    let bound = |state: &[Value]| functions.iter().map(|it| it.function.bound(state)).max();
    let is_higher = |state: &&Vec<Value>| Some(other.function.bound(state)) > bound(state);
    let (higher, all) = (states.iter().filter(is_higher).count(), states.len());
    tracing::info!("auto: another function is higher in {higher} of {all} states");
    higher as f64 > MIN_SHARE_HIGHER * all as f64
}
