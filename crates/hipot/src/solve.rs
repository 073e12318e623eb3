//! From a task to an optimal plan: the entry point for every spec.

use std::time::Instant;

use hipot_search::StateBudget;
use hipot_task::{Limits, Task};

use crate::auto::{self, solve_automatically};
use crate::compute::compute;
use crate::events::Event;
use crate::failure::Failure;
use crate::search::{Searched, search};
use crate::settings::Settings;
use crate::solution::Solution;
use crate::spec::Spec;

/// Computes the heuristic that `spec` names, or those that `auto` chooses, and searches for
/// an optimal plan. Each heuristic is told as an [`Event::Heuristic`] before it is used.
/// Fails if a limit is reached before there is a heuristic; a limit after that is an outcome.
pub fn solve(
    task: &Task,
    spec: &Spec,
    settings: &Settings,
    limits: &Limits,
) -> Result<Solution, Failure> {
    if *spec == Spec::Auto {
        return solve_automatically(task, auto::Params::default(), settings, limits);
    }
    let begin = Instant::now();
    let heuristic = compute(task, spec, settings, limits)?;
    let heuristic_time = begin.elapsed();
    settings.events.tell(Event::Heuristic(&heuristic));
    let params = settings.search_params(StateBudget::default());
    let searched = match search(task, &heuristic, params, limits, &settings.events) {
        Err(Failure::Stopped(stop)) => Searched::not_begun(stop, heuristic.bound(task)),
        searched => searched?,
    };
    Ok(Solution::new(heuristic, heuristic_time, searched))
}
