//! A heuristic that solves its LP again in every state.
//!
//! A [`PartitionLp`] is a linear program for a function h of the abstract states of
//! some projections. Its constraints make the sum Σ_α h(α(s)) admissible in *all*
//! states; its objective maximizes the sum in one state s. [`PartitionHeuristic`]
//! solves it in each state that is evaluated:
//!
//! 1. If an abstraction of the state is a dead end, so is the state.
//! 2. The LP is solved, starting from its last solution.
//! 3. The solution is rounded to integers over one denominator, and every constraint
//!    is checked exactly ([`certify`](crate::certify)). If the LP is unbounded, the
//!    ray is rounded and checked instead, with all costs 0: a function that no
//!    operator lowers and that is positive in the state proves a dead end.
//! 4. If that fails, or the solver fails, or time runs out, the last certified
//!    function is evaluated instead: it is admissible in all states. Initially it
//!    is 0 everywhere.
//!
//! So every value returned is proved in integers, whatever the solver did.
//!
//! The exact optimum, as a function of the state, is a consistent heuristic. But the
//! certified values can be a little below it, by different amounts in different
//! states, and rounding up can turn that into an inconsistency of 1. So the
//! heuristic does not claim to be consistent, and A* reopens states if necessary.
//!
//! The three heuristics differ only in the LP that they formulate and in how its
//! solutions are checked ([`Constraints`]).

use std::time::Instant;

use hipot_lp::{Params, Problem, Size};
use hipot_task::{Estimate, Heuristic, Limits, Rational, StateView, Value};

use crate::certify::{Certified, Constraints, Proof, certify, prove_dead_end};
use crate::error::Error;
use crate::projection::{AbstractState, Projections, Standing};
use crate::warm::{Answer, Columns, WarmLp};

/// Only LPs with more nonzeros than this can be interrupted, because HiGHS then
/// needs a thread for each solve.
const MIN_INTERRUPTIBLE_NONZEROS: u64 = 20_000;

/// The memory per nonzero: our copy of the LP, the solver's copy, and its factors.
const BYTES_PER_NONZERO: u64 = 100;

/// A linear program over functions of abstract states.
#[derive(Debug)]
pub struct PartitionLp<C> {
    pub(crate) problem: Problem,
    /// The columns of h.
    pub(crate) columns: Columns,
    /// The exact check of its solutions.
    pub(crate) constraints: C,
}

/// Where a bound comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The LP solved for this state.
    Optimized,
    /// A function certified for an earlier state, or 0: the LP's solution could
    /// not be certified, or there was none.
    Earlier,
    /// In some projection, no path leads from the abstract state to the goal.
    AbstractDeadEnd,
    /// A function that no operator lowers.
    Ray,
}

/// A proven bound in a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The exact value, which can be negative; `None` for a dead end.
    pub value: Option<Rational>,
    /// The LP's optimum as the solver reports it; +∞ if unbounded, NaN if there is
    /// none.
    pub objective: f64,
    /// Where it comes from.
    pub source: Source,
}

impl Bound {
    /// max(0, ⌈value⌉), or a dead end.
    pub fn estimate(&self) -> Estimate {
        self.value.map_or(Estimate::DEAD_END, |value| Estimate::at_least(value.bound()))
    }

    fn dead_end(source: Source) -> Self {
        Self { value: None, objective: f64::INFINITY, source }
    }
}

/// Statistics on the evaluations so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The number of states evaluated.
    pub evaluations: u64,
    /// The number of states proved to be dead ends.
    pub dead_ends: u64,
    /// The number of states whose value comes from an earlier function.
    pub earlier: u64,
    /// The time spent in the LP solver.
    pub lp_seconds: f64,
    /// The time spent on certifying its solutions.
    pub certify_seconds: f64,
}

/// What a heuristic has computed for one state.
#[derive(Clone, Debug)]
pub struct Progress {
    abstractions: Vec<AbstractState>,
    bound: Bound,
    /// The function certified last.
    certified: Certified,
}

/// The heuristic of a [`PartitionLp`].
#[derive(Debug)]
pub struct PartitionHeuristic<C> {
    constraints: C,
    lp: WarmLp,
    size: Size,
    limits: Limits,
    /// The last certified function.
    certified: Certified,
    /// The function that proved the last dead end, if it took one.
    dead_end: Option<Certified>,
    /// The abstractions of a state whose bound is known already, and that bound.
    known: Option<(Vec<AbstractState>, Bound)>,
    statistics: Statistics,
    abstractions: Vec<AbstractState>,
}

impl<C: Constraints> PartitionHeuristic<C> {
    /// The heuristic that solves `formulation` in every state.
    pub fn new(formulation: PartitionLp<C>, limits: &Limits) -> Result<Self, Error> {
        let PartitionLp { problem, columns, constraints } = formulation;
        let size = problem.size();
        limits.reserve(size.nonzeros.saturating_mul(BYTES_PER_NONZERO))?;
        Ok(Self {
            certified: Certified::zero(constraints.projections().state_count()),
            constraints,
            lp: WarmLp::new(problem, columns)?,
            size,
            limits: limits.clone(),
            dead_end: None,
            known: None,
            statistics: Statistics::default(),
            abstractions: Vec::new(),
        })
    }

    /// The projections.
    pub fn projections(&self) -> &Projections {
        self.constraints.projections()
    }

    /// The size of the linear program.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Statistics on the evaluations so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Clears all solutions, so that the next evaluation starts cold.
    pub fn forget(&mut self) {
        self.lp.forget();
        self.certified = Certified::zero(self.constraints.projections().state_count());
    }

    /// What was computed for `state`, whose bound is the one returned last, for
    /// [`resume`](Self::resume).
    pub fn progress(&self, state: &[Value], bound: Bound) -> Progress {
        let abstractions = self.constraints.projections().states(state).collect();
        Progress { abstractions, bound, certified: self.certified.clone() }
    }

    /// Takes over what another heuristic with the same LP has computed: the bound is not
    /// computed again, and the function that proves it is used wherever the LP gives
    /// nothing better.
    pub fn resume(&mut self, progress: Progress) {
        self.known = Some((progress.abstractions, progress.bound));
        self.certified = progress.certified;
    }

    /// The bound in `state`, a value for each variable of the task.
    pub fn bound(&mut self, state: &[Value]) -> Bound {
        let projections = self.constraints.projections();
        self.abstractions.clear();
        self.abstractions.extend(projections.states(state));
        let bound = match &self.known {
            Some((abstractions, bound)) if *abstractions == self.abstractions => *bound,
            _ => self.bound_in_abstractions(),
        };
        self.statistics.evaluations += 1;
        self.statistics.dead_ends += u64::from(bound.value.is_none());
        self.statistics.earlier += u64::from(bound.source == Source::Earlier);
        bound
    }

    /// The function that proves `bound`, which must be the bound returned last; `None` for an
    /// abstract dead end. The function holds in the states for which the projections are
    /// valid; with [`AbstractStates::All`](crate::projection::AbstractStates), in every state
    /// of the task in TNF.
    pub fn proof(&self, bound: &Bound) -> Option<Proof> {
        let function = match bound.source {
            Source::Optimized | Source::Earlier => Some(&self.certified),
            Source::Ray => self.dead_end.as_ref(),
            Source::AbstractDeadEnd => None,
        };
        function.map(|function| function.to_proof(self.constraints.projections()))
    }

    fn bound_in_abstractions(&mut self) -> Bound {
        let projections = self.constraints.projections();
        let has = |standing: Standing| {
            self.abstractions.iter().any(|&state| projections.standing(state) == standing)
        };
        if has(Standing::DeadEnd) {
            return Bound::dead_end(Source::AbstractDeadEnd);
        }
        if has(Standing::Unreachable) {
            // The state is unreachable, so the search never asks: claim nothing.
            let value = Some(Rational::ZERO);
            return Bound { value, objective: f64::NAN, source: Source::Earlier };
        }
        let begin = Instant::now();
        let params = self.lp_params();
        let answer = self.lp.maximize(&self.abstractions, &params);
        let solved = Instant::now();
        self.statistics.lp_seconds += (solved - begin).as_secs_f64();
        let bound = self.certify(answer);
        self.statistics.certify_seconds += solved.elapsed().as_secs_f64();
        bound
    }

    fn certify(&mut self, answer: Answer) -> Bound {
        match answer {
            Answer::Function(h, objective) => {
                let found = certify(&self.constraints, &h, &self.abstractions, objective);
                let earlier = self.certified.value(&self.abstractions);
                match found {
                    Some(found) if found.value(&self.abstractions) >= earlier => {
                        self.certified = found;
                        let value = self.certified.value(&self.abstractions);
                        Bound { value: Some(value), objective, source: Source::Optimized }
                    }
                    _ => Bound { value: Some(earlier), objective, source: Source::Earlier },
                }
            }
            Answer::Ray(ray) => match prove_dead_end(&self.constraints, &ray, &self.abstractions) {
                Some(found) => {
                    self.dead_end = Some(found);
                    Bound::dead_end(Source::Ray)
                }
                None => self.earlier(f64::INFINITY),
            },
            Answer::Nothing => self.earlier(f64::NAN),
        }
    }

    fn earlier(&self, objective: f64) -> Bound {
        let value = Some(self.certified.value(&self.abstractions));
        Bound { value, objective, source: Source::Earlier }
    }

    fn lp_params(&self) -> Params {
        let time_limit = self.limits.time_left();
        let is_large = self.size.nonzeros > MIN_INTERRUPTIBLE_NONZEROS;
        Params {
            time_limit,
            interrupt: is_large.then(|| self.limits.requested()),
            tolerance: TOLERANCE,
            ..Params::default()
        }
    }
}

/// The solver's tolerance: much less than the rounding to the grid.
const TOLERANCE: f64 = 1e-9;

impl<C: Constraints> Heuristic for PartitionHeuristic<C> {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.bound(&state.unpack()).estimate()
    }

    fn is_consistent(&self) -> bool {
        false
    }
}
