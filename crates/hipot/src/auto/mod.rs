//! What `auto` does, in which order and with how much time.
//!
//! Most tasks need little: potentials of an LP that takes seconds at most, and a
//! short search. So that comes first. Where it is not enough:
//!
//! 1. *More features*: the LP over all pairs of facts, or as many as there is time
//!    for, if the first one had fewer. It gets half of the time that is left: a
//!    better bound is worth more than a longer search, which grows by a factor
//!    with each further layer.
//! 2. *Another objective*: a function that is best in the initial state may say
//!    little about others. Of the states that the first search has expanded,
//!    some are chosen at random, and the function with the highest average over
//!    them is computed. It may have features on further pairs of variables, which
//!    do nothing for the initial state but something for others.
//!
//!    One function has to do, if it may: of those whose bound in the initial state
//!    is no lower, the one with the highest average. (Blocks 17-0 is at f = 34 when
//!    2 GB are full with a first function, and at 42 with such a second one.) Where
//!    the search has not come beyond the bound, it may be stuck on a plateau, and
//!    several functions help it out (`plateau`).
//! 3. *The search* begins again, with what is better.
//!
//! How long the first search goes on is counted in states, not in seconds, so
//! that the same task gives the same plan again.

mod plateau;

use std::time::{Duration, Instant};

use hipot_potential::Extent;
use hipot_search::{Observer, Statistics};
use hipot_task::{Estimate, Heuristic, Limits, OperatorId, Rng, StateView, Stop, Task, Value};

use crate::failure::Failure;
use crate::heuristic::{
    Computed, FeatureChoice, LpSettings, Potential, PotentialSpec, Spec, compute, potential_in,
};
use crate::pipeline::{Solution, solve, solve_sampled};
use crate::reduced::Reduced;

use plateau::Plateau;

/// How much comes before what.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// The most nonzeros of the first LP.
    pub first_nonzeros: u64,
    /// The first search ends after so many estimates.
    pub first_evaluated: u64,
    /// How many states the other objective is about.
    pub samples: usize,
}

impl Default for Params {
    fn default() -> Self {
        Self { first_nonzeros: 100_000, first_evaluated: 500_000, samples: 1000 }
    }
}

/// The shares of the time that is left for the first LP, for more features, and
/// for another objective.
const SHARE_FOR_FIRST: f64 = 0.2;
const SHARE_FOR_FEATURES: f64 = 0.5;
const SHARE_FOR_OBJECTIVE: f64 = 0.25;

/// For another objective, other pairs of variables may matter: the LP may grow by
/// so many nonzeros, and by so many for each second that there is for it.
const ROOM: u64 = 1_000_000;
const ROOM_PER_SECOND: u64 = 15_000;

/// What came of it.
#[derive(Debug)]
pub struct Automatic {
    /// The heuristic of the last search.
    pub heuristic: Computed,
    /// What the searches found.
    pub solution: Solution,
    /// The time that the heuristics took.
    pub heuristic_time: Duration,
}

/// Searches an optimal plan with the heuristics that seem best. Each one is told
/// to `found` before it is used.
pub fn solve_automatically(
    task: &Task,
    params: Params,
    limits: &Limits,
    lp: LpSettings,
    observer: &mut dyn Observer,
    mut found: impl FnMut(&Computed) -> Result<(), Failure>,
) -> Result<Automatic, Failure> {
    let begin = Instant::now();
    let first = if PotentialSpec::suits(task) {
        let spec = Spec::Potential(PotentialSpec::strong(Some(params.first_nonzeros)));
        log(&format!("{spec} first"), limits);
        compute(task, &spec, limits, with_share(lp, SHARE_FOR_FIRST, limits))?
    } else {
        log("blind, because of axioms or conditional effects", limits);
        Computed::Blind
    };
    found(&first)?;
    let heuristic_time = begin.elapsed();
    let Computed::Potential(potential) = &first else {
        let solution = solve(task, &first, limits, observer)?;
        return Ok(Automatic { heuristic: first, solution, heuristic_time });
    };
    let mut until = Until { inner: observer, evaluated: params.first_evaluated, is_over: false };
    let mut samples = Samples::new(params.samples, lp.seed);
    let solution = solve_sampled(task, &[potential], &mut samples, limits, &mut until);
    if !until.is_over {
        return Ok(Automatic { heuristic: first, solution, heuristic_time });
    }
    let second = Second { task, limits, lp, states: samples.states };
    let mut all = second.search(potential, params, solution, observer, &mut found)?;
    all.heuristic_time += heuristic_time;
    Ok(all)
}

/// The maximum of potential functions.
fn together(mut functions: Vec<Potential>) -> Computed {
    match functions.len() {
        1 => functions.remove(0).into(),
        _ => Computed::Max(functions.into_iter().map(Computed::from).collect()),
    }
}

/// The one line about what was decided.
fn log(what: &str, limits: &Limits) {
    let left = limits.time_left();
    match left {
        Some(left) => tracing::info!("auto: {what}; {:.0} s are left", left.as_secs_f64()),
        None => tracing::info!("auto: {what}; there is no time limit"),
    }
}

fn with_share(lp: LpSettings, share: f64, limits: &Limits) -> LpSettings {
    let left = limits.time_left();
    let share = left.map(|left| left.mul_f64(share));
    let time_limit = match (lp.time_limit, share) {
        (Some(given), Some(share)) => Some(given.min(share)),
        (given, share) => given.or(share),
    };
    LpSettings { time_limit, is_strict: false, ..lp }
}

/// By how many nonzeros the LP for another objective may be larger.
fn room(limits: &Limits) -> u64 {
    let left = limits.time_left();
    left.map_or(ROOM, |left| ROOM_PER_SECOND.saturating_mul(left.as_secs()).min(ROOM))
}

/// What comes after a first search that was not enough.
struct Second<'a> {
    task: &'a Task,
    limits: &'a Limits,
    lp: LpSettings,
    /// States that were expanded.
    states: Vec<Vec<Value>>,
}

impl Second<'_> {
    /// Searches with something better than `first`, after a search with that one that
    /// was cut short.
    fn search(
        mut self,
        first: &Potential,
        params: Params,
        mut solution: Solution,
        observer: &mut dyn Observer,
        found: &mut dyn FnMut(&Computed) -> Result<(), Failure>,
    ) -> Result<Automatic, Failure> {
        let begin = Instant::now();
        let (potential, has_more) = self.with_features(first)?;
        let mut heuristic_time = begin.elapsed();
        let mut functions = vec![potential];
        if functions[0].bound() >= Some(solution.result.lower_bound) {
            let plateau = Plateau { second: &mut self, params };
            let left = plateau.leave(functions, solution, observer, found)?;
            heuristic_time += left.heuristic_time;
            (functions, solution) = (left.functions, left.solution);
            if left.is_over {
                return Ok(Automatic { heuristic: together(functions), solution, heuristic_time });
            }
        }
        if let [potential] = &functions[..] {
            let begin = Instant::now();
            let raised = self.improved(potential)?;
            heuristic_time += begin.elapsed();
            let is_new = raised.is_some() || has_more;
            functions = raised.map_or(functions, |raised| vec![raised]);
            if is_new {
                found(&together(functions.clone()))?;
            }
        }
        let heuristic = together(functions);
        let solution = solve(self.task, &heuristic, self.limits, observer)?.after(&solution);
        Ok(Automatic { heuristic, solution, heuristic_time })
    }

    /// A function over more features, or the same; whether it is new.
    fn with_features(&self, first: &Potential) -> Result<(Potential, bool), Failure> {
        let more = self.with_more_features(first)?;
        let has_more = more.is_some();
        Ok((more.unwrap_or_else(|| first.clone()), has_more))
    }

    /// A function with the same bound that says more about the states, if there is one.
    fn improved(&self, potential: &Potential) -> Result<Option<Potential>, Failure> {
        if potential.proves_unsolvable {
            return Ok(None);
        }
        log("another objective", self.limits);
        let raised = self.raised(potential, true)?;
        Ok(raised.filter(|raised| self.average(raised) > self.average(potential)))
    }

    /// The function with the highest average over the states, among all or among those
    /// with the same bound in the initial state.
    fn raised(
        &self,
        potential: &Potential,
        keeps_initial: bool,
    ) -> Result<Option<Potential>, Failure> {
        let limits = self.limits.with_share(SHARE_FOR_OBJECTIVE);
        let what = (self.states.clone(), keeps_initial);
        potential.raised(self.task, what, room(&limits), &limits, self.lp)
    }

    /// A function over more features, if it has a higher bound or says more
    /// about the states.
    fn with_more_features(&self, first: &Potential) -> Result<Option<Potential>, Failure> {
        let has_pairs = first.spec.features == FeatureChoice::Dimension(2);
        if has_pairs && first.report.extent == Extent::Complete {
            return Ok(None);
        }
        let lp = with_share(self.lp, SHARE_FOR_FEATURES, self.limits);
        let Spec::Potential(spec) = Spec::strongest(self.task, lp.time_limit) else {
            return Ok(None);
        };
        log(&format!("{spec} next"), self.limits);
        let computed = potential_in(self.task, first.normal.clone(), &spec, self.limits, lp)?;
        let Computed::Potential(second) = computed else { return Ok(None) };
        let key = |it: &Potential| (it.bound().unwrap_or(u64::MAX), self.average(it));
        Ok((key(&second) > key(first)).then_some(*second))
    }

    /// What the heuristic says about the states, on average.
    fn average(&self, potential: &Potential) -> f64 {
        let sum: f64 = self.states.iter().map(|it| potential.function.bound(it) as f64).sum();
        sum / self.states.len().max(1) as f64
    }
}

/// Ends a search after a number of estimates.
struct Until<'a> {
    inner: &'a mut dyn Observer,
    evaluated: u64,
    is_over: bool,
}

impl Observer for Until<'_> {
    fn layer(&mut self, f: u64, statistics: &Statistics) {
        self.inner.layer(f, statistics);
    }

    fn progress(&mut self, f: u64, statistics: &Statistics) {
        self.inner.progress(f, statistics);
    }

    fn stop(&mut self, statistics: &Statistics) -> Option<Stop> {
        self.is_over = statistics.evaluated >= self.evaluated;
        self.is_over.then_some(Stop::TimeLimit)
    }
}

/// A random choice of the states that a search expands.
pub(crate) struct Samples {
    states: Vec<Vec<Value>>,
    most: usize,
    seen: u64,
    rng: Rng,
}

impl Samples {
    fn new(most: usize, seed: u64) -> Self {
        Self { states: Vec::new(), most, seen: 0, rng: Rng::new(seed) }
    }

    /// Keeps a state with the same chance as all others (reservoir sampling).
    fn add(&mut self, state: impl FnOnce() -> Vec<Value>) {
        self.seen += 1;
        if self.states.len() < self.most {
            self.states.push(state());
        } else if let Ok(place) = usize::try_from(self.rng.next_u64() % self.seen)
            && place < self.most
        {
            self.states[place] = state();
        }
    }
}

/// A heuristic that looks at the states that a search expands, and keeps some of
/// them as states of the task that was given.
pub(crate) struct Sampled<'a, H> {
    pub(crate) heuristic: H,
    pub(crate) samples: &'a mut Samples,
    /// The task that is searched in.
    pub(crate) reduced: &'a Reduced<'a>,
}

impl<H: Heuristic> Heuristic for Sampled<'_, H> {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.heuristic.estimate(state)
    }

    fn enter(&mut self, parent: StateView<'_>) {
        self.samples.add(|| self.reduced.original_state(parent.unpack()));
        self.heuristic.enter(parent);
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        self.heuristic.estimate_successor(operator, successor)
    }

    fn is_consistent(&self) -> bool {
        self.heuristic.is_consistent()
    }
}

#[cfg(test)]
mod tests {
    use hipot_check::{RandomTask, StateSpace};

    use super::*;

    /// The states that are kept are reachable in the task that was given, also
    /// where the search has run in a smaller one.
    #[test]
    fn samples_are_states_of_the_given_task() {
        let spec: Spec = "pot(dim=1, mutexes=h2)".parse().unwrap();
        let (limits, mut kept) = (Limits::none(), 0);
        for seed in 0..300 {
            let task = RandomTask::default().generate(seed);
            let computed = compute(&task, &spec, &limits, LpSettings::default()).unwrap();
            let Computed::Potential(potential) = computed else { panic!("seed {seed}") };
            let mut samples = Samples::new(5, seed);
            solve_sampled(&task, &[&potential], &mut samples, &limits, &mut ());
            let space = StateSpace::explore(&task, 5000).unwrap();
            for state in &samples.states {
                assert!(space.states.contains(state), "seed {seed}, {state:?}");
                kept += usize::from(potential.normal.pruned.is_some());
            }
        }
        assert!(kept > 40, "{kept}");
    }
}
