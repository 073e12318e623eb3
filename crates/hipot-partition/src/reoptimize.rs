//! A heuristic that solves its LP again in every state.
//!
//! A [`Formulation`] is a linear program for the best function h of abstract
//! states of some projections in a given state s: Σ_α h(α(s)) is as large as
//! the constraints allow, and these make the sum admissible in *all* states,
//! not only in s. [`Reoptimized`] solves it in each state that is evaluated:
//!
//! 1. If an abstraction of the state is a dead end, so is the state.
//! 2. The LP is solved from where it ended in the last state.
//! 3. What it returns is rounded to integers over a denominator and every
//!    constraint is checked exactly ([`certify`](crate::certify)). If the LP is
//!    unbounded, the same happens with the ray and with all costs 0: a function
//!    that no operator lowers and that is positive proves a dead end.
//! 4. Where that fails, or the solver gives up, or time does, the function
//!    that was certified last is evaluated instead: it is admissible here too.
//!    At first it is 0 everywhere.
//!
//! So every value that is returned has been proved in integers, whatever the
//! solver did. The optimum over all functions is a consistent heuristic, but
//! the certified values can be a little below it, now and then by different
//! amounts, and rounding up makes that an inconsistency of 1: the heuristic
//! does not claim to be consistent, and A* reopens states if it must.

use std::time::Instant;

use hipot_lp::{Params, Problem};
use hipot_task::{Estimate, Heuristic, Limits, Rational, StateView, Value};

use crate::Error;
use crate::certify::{Certified, Constraints, Proof, certify, prove_dead_end};
use crate::projection::{AbstractState, Projections, Standing};
use crate::warm::{Answer, Columns, Warm};

/// LPs with more nonzeros than this look at interrupts, for which HiGHS needs
/// a thread a solve.
const INTERRUPTIBLE_NONZEROS: usize = 20_000;

/// Bytes a nonzero: our copy of the LP, the solver's, and its factors.
const BYTES_PER_NONZERO: u64 = 100;

/// The size of an LP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Nonzero coefficients.
    pub nonzeros: usize,
}

impl Size {
    /// The size of `problem`.
    pub(crate) fn of(problem: &Problem) -> Self {
        Self {
            rows: problem.num_rows(),
            columns: problem.num_columns(),
            nonzeros: problem.num_nonzeros(),
        }
    }
}

/// A linear program over functions of abstract states.
#[derive(Debug)]
pub struct Formulation<C> {
    pub(crate) problem: Problem,
    /// The columns of h.
    pub(crate) columns: Columns,
    /// How its solutions are checked.
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
    /// In some projection no path leads to the goal.
    AbstractDeadEnd,
    /// A function that no operator lowers.
    Ray,
}

/// A proven bound in a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The exact value, which can be negative; `None` for a dead end.
    pub value: Option<Rational>,
    /// The LP's optimum as the solver gave it; +∞ if unbounded, not a number
    /// if there is none.
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

/// What has been evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// States.
    pub evaluations: u64,
    /// Those that were proved dead ends.
    pub dead_ends: u64,
    /// Those whose value comes from an earlier function.
    pub earlier: u64,
    /// Time in the LP solver.
    pub lp_seconds: f64,
    /// Time in which its answers were certified.
    pub certify_seconds: f64,
}

/// The heuristic of a formulation.
#[derive(Debug)]
pub struct Reoptimized<C> {
    constraints: C,
    lp: Warm,
    size: Size,
    limits: Limits,
    certified: Certified,
    /// What proved the last dead end for which that was needed.
    dead_end: Option<Certified>,
    statistics: Statistics,
    abstractions: Vec<AbstractState>,
}

impl<C: Constraints> Reoptimized<C> {
    /// The heuristic that solves `formulation` in every state.
    pub fn new(formulation: Formulation<C>, limits: &Limits) -> Result<Self, Error> {
        let Formulation { problem, columns, constraints } = formulation;
        let size = Size::of(&problem);
        limits.reserve((size.nonzeros as u64).saturating_mul(BYTES_PER_NONZERO))?;
        Ok(Self {
            certified: Certified::zero(constraints.projections().state_count()),
            constraints,
            lp: Warm::new(problem, columns)?,
            size,
            limits: limits.clone(),
            dead_end: None,
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

    /// What has been evaluated so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Forgets all solutions, so that the next evaluation starts cold.
    pub fn forget(&mut self) {
        self.lp.forget();
        self.certified = Certified::zero(self.constraints.projections().state_count());
    }

    /// The bound in `state`, a value for each variable of the task.
    pub fn bound(&mut self, state: &[Value]) -> Bound {
        let projections = self.constraints.projections();
        self.abstractions.clear();
        self.abstractions.extend(projections.states(state));
        let bound = self.bound_in_abstractions();
        self.statistics.evaluations += 1;
        self.statistics.dead_ends += u64::from(bound.value.is_none());
        self.statistics.earlier += u64::from(bound.source == Source::Earlier);
        bound
    }

    /// The function behind `bound`, the one that was given last; `None` where an
    /// abstract dead end is all there is. It holds wherever the projections do,
    /// with [`Scope::All`](crate::projection::Scope) in every state of the task
    /// in TNF.
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
            // Not a state of the search: nothing is claimed.
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
        let is_large = self.size.nonzeros > INTERRUPTIBLE_NONZEROS;
        Params {
            time_limit,
            interrupt: is_large.then(|| self.limits.requested()),
            tolerance: TOLERANCE,
            ..Params::default()
        }
    }
}

/// Much less than what rounding to the grid forgives.
const TOLERANCE: f64 = 1e-9;

impl<C: Constraints> Heuristic for Reoptimized<C> {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        self.bound(&state.unpack()).estimate()
    }

    fn is_consistent(&self) -> bool {
        false
    }
}
