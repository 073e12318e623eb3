//! What `auto` does, in which order and with how much time.
//!
//! Most tasks need little: potentials from an LP that takes seconds at most, and a short
//! search. So that comes first. If it is not enough:
//!
//! 1. *More features*: the LP over all pairs of facts, or over as many as there is time
//!    for, if the first one had fewer. It gets half of the remaining time: a better bound is
//!    worth more than a longer search, which grows by a factor with each further layer.
//! 2. *Another objective*: a function that is best in the initial state may say little about
//!    others. From the states that the first search has expanded, a random sample is taken,
//!    and the function with the highest average over it is computed. It may have features on
//!    further pairs of variables, which do nothing for the initial state but something for
//!    others.
//!
//!    One function is enough if it may be: among those whose bound in the initial state is
//!    no lower, the one with the highest average. (Blocks 17-0 is at f = 34 when 2 GB are
//!    full with a first function, and at 42 with such a second one.) If the search has not
//!    come beyond the bound, it may be stuck on a plateau, and several functions help it out
//!    (`plateau`).
//! 3. *The search* begins again with the better heuristic.
//!
//! The length of the first search is counted in states, not in seconds, so that the same
//! task gives the same plan again.

mod improve;
mod params;
mod plateau;

use std::time::Instant;

use hipot_search::StateBudget;
use hipot_task::{Limits, Task};

use crate::compute::compute;
use crate::events::Event;
use crate::failure::Failure;
use crate::heuristic::{Computed, Potential};
use crate::samples::Samples;
use crate::search::{Searched, search, search_sampled};
use crate::settings::Settings;
use crate::solution::Solution;
use crate::spec::{PotentialSpec, Spec};

use improve::{Improver, log, with_share};
pub use params::Params;
use plateau::{Escape, leave_plateau};

/// The share of the remaining time for the first LP.
const SHARE_FOR_FIRST: f64 = 0.2;

/// Searches for an optimal plan with the heuristics that seem best. Each one is told as an
/// [`Event::Heuristic`] before it is used.
pub fn solve_automatically(
    task: &Task,
    params: Params,
    settings: &Settings,
    limits: &Limits,
) -> Result<Solution, Failure> {
    let begin = Instant::now();
    let first = compute_first(task, params, settings, limits)?;
    let events = &settings.events;
    events.tell(Event::Heuristic(&first));
    let heuristic_time = begin.elapsed();
    let Computed::Potential(potential) = &first else {
        let all = settings.search_params(StateBudget::default());
        let searched = search(task, &first, all, limits, events)?;
        return Ok(Solution::new(first, heuristic_time, searched));
    };
    let mut samples = Samples::new(params.samples, settings.seed);
    let short = settings.search_params(params.budget());
    let searched = search_sampled(task, &[potential], &mut samples, short, limits, events);
    if !searched.is_cut_short() {
        return Ok(Solution::new(first, heuristic_time, searched));
    }
    let improver = Improver { task, settings, limits, states: samples.states };
    let mut solution = search_again(improver, potential, params, searched)?;
    solution.heuristic_time += heuristic_time;
    Ok(solution)
}

/// The heuristic of the first search.
fn compute_first(
    task: &Task,
    params: Params,
    settings: &Settings,
    limits: &Limits,
) -> Result<Computed, Failure> {
    if !PotentialSpec::suits(task) {
        log("blind, because of axioms or conditional effects", limits);
        return Ok(Computed::Blind(Vec::new()));
    }
    let spec = Spec::Potential(PotentialSpec::strong(Some(params.first_nonzeros)));
    log(&format!("{spec} first"), limits);
    compute(task, &spec, &with_share(settings, SHARE_FOR_FIRST, limits), limits)
}

/// Searches with something better than `first`, after a search with it that was cut short.
fn search_again(
    mut improver: Improver<'_>,
    first: &Potential,
    params: Params,
    mut searched: Searched,
) -> Result<Solution, Failure> {
    let events = &improver.settings.events;
    let begin = Instant::now();
    let more = improver.with_more_features(first)?;
    let has_more = more.is_some();
    let mut functions = vec![more.unwrap_or_else(|| first.clone())];
    let mut heuristic_time = begin.elapsed();
    if functions[0].bound() >= Some(searched.result.lower_bound) {
        let first = functions.remove(0);
        let escape = leave_plateau(&mut improver, first, searched, params)?;
        heuristic_time += escape.heuristic_time;
        let is_over;
        Escape { functions, searched, is_over, .. } = escape;
        if is_over {
            return Ok(Solution::new(Computed::maximum(functions), heuristic_time, searched));
        }
    }
    if let [potential] = &functions[..] {
        let begin = Instant::now();
        let better = improver.with_higher_average(potential)?;
        heuristic_time += begin.elapsed();
        let is_new = better.is_some() || has_more;
        functions = better.map_or(functions, |better| vec![better]);
        if is_new {
            events.tell(Event::Heuristic(&Computed::maximum(functions.clone())));
        }
    }
    let heuristic = Computed::maximum(functions);
    let Improver { task, limits, settings, .. } = improver;
    let all = settings.search_params(StateBudget::default());
    let searched = search(task, &heuristic, all, limits, events)?.after(&searched);
    Ok(Solution::new(heuristic, heuristic_time, searched))
}

#[cfg(test)]
mod tests {
    use hipot_testing::{RandomTask, StateSpace};

    use super::*;
    use crate::events::Events;

    /// Samples are reachable states of the given task, even if the search ran in a smaller
    /// one.
    #[test]
    fn samples_are_states_of_the_given_task() {
        let spec: Spec = "pot(dim=1, mutexes=h2)".parse().unwrap();
        let (limits, mut kept) = (Limits::none(), 0);
        for seed in 0..300 {
            let task = RandomTask::default().generate(seed);
            let computed = compute(&task, &spec, &Settings::default(), &limits).unwrap();
            let Computed::Potential(potential) = computed else { panic!("seed {seed}") };
            let mut samples = Samples::new(5, seed);
            let (params, events) = (hipot_search::SearchParams::default(), Events::none());
            search_sampled(&task, &[&potential], &mut samples, params, &limits, &events);
            let space = StateSpace::explore(&task, 5000).unwrap();
            for state in &samples.states {
                assert!(space.states.contains(state), "seed {seed}, {state:?}");
                kept += usize::from(potential.normal_form().pruned().is_some());
            }
        }
        assert!(kept > 40, "{kept}");
    }
}
