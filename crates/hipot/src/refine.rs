//! A search that improves its heuristic once.
//!
//! A potential function that is best in the initial state may say little about
//! others. So `auto` searches with it for a while. If that is not enough, it takes
//! states from those that were expanded, chosen at random, and looks for the
//! function over the same features with the highest average over them, whose
//! bound in the initial state is no lower. If that is better in these states,
//! the search begins again with it. (Blocks 17-0 is at f = 34 when 2 GB are full
//! with the first function, and at 44 with such a second one.)
//!
//! How long the first search goes on is counted in states, not in seconds, so
//! that the same task gives the same plan again.

use hipot_search::{Observer, Statistics};
use hipot_task::{Estimate, Heuristic, Limits, OperatorId, Rng, StateView, Stop, Task, Value};

use crate::failure::Failure;
use crate::heuristic::{Computed, LpSettings, Potential};
use crate::pipeline::{Solution, solve, solve_sampled};

/// The first search ends after so many estimates.
const EVALUATED: u64 = 500_000;

/// How many states are chosen.
const SAMPLES: usize = 1000;

/// The share of the time that is left which the second function gets.
const SHARE: f64 = 0.25;

/// Searches an optimal plan like [`solve`], and says which heuristic it was at
/// last.
pub fn solve_refined(
    task: &Task,
    heuristic: Computed,
    limits: &Limits,
    lp: LpSettings,
    observer: &mut dyn Observer,
) -> Result<(Computed, Solution), Failure> {
    let Computed::Potential(potential) = &heuristic else {
        let solution = solve(task, &heuristic, limits, observer)?;
        return Ok((heuristic, solution));
    };
    let mut first = Until { inner: observer, evaluated: EVALUATED, is_over: false };
    let mut samples = Samples::new(SAMPLES, lp.seed);
    let solution = solve_sampled(task, potential, &mut samples, limits, &mut first)?;
    if !first.is_over {
        return Ok((heuristic, solution));
    }
    let states = samples.states;
    let raised = potential.raised(task, states.clone(), &limits.with_share(SHARE), lp)?;
    let better = raised.filter(|raised| average(raised, &states) > average(potential, &states));
    let heuristic = match better {
        Some(raised) => Computed::Potential(Box::new(raised)),
        None => heuristic,
    };
    let mut second = solve(task, &heuristic, limits, observer)?;
    second.result.statistics = second.result.statistics.after(&solution.result.statistics);
    second.result.lower_bound = second.result.lower_bound.max(solution.result.lower_bound);
    second.search_time += solution.search_time;
    Ok((heuristic, second))
}

/// What the heuristic says about some states, on average.
fn average(potential: &Potential, states: &[Vec<Value>]) -> f64 {
    let sum: f64 = states.iter().map(|state| potential.function.bound(state) as f64).sum();
    sum / states.len().max(1) as f64
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
    fn add(&mut self, state: StateView<'_>) {
        self.seen += 1;
        if self.states.len() < self.most {
            self.states.push(state.unpack());
        } else if let Ok(place) = usize::try_from(self.rng.next_u64() % self.seen)
            && place < self.most
        {
            self.states[place] = state.unpack();
        }
    }
}

/// A heuristic that looks at the states that a search expands.
pub(crate) struct Sampled<'a, H> {
    pub(crate) heuristic: H,
    pub(crate) samples: &'a mut Samples,
}

impl<H: Heuristic> Heuristic for Sampled<'_, H> {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.heuristic.estimate(state)
    }

    fn enter(&mut self, parent: StateView<'_>) {
        self.samples.add(parent);
        self.heuristic.enter(parent);
    }

    fn estimate_successor(&mut self, operator: OperatorId, successor: StateView<'_>) -> Estimate {
        self.heuristic.estimate_successor(operator, successor)
    }

    fn is_consistent(&self) -> bool {
        self.heuristic.is_consistent()
    }
}
