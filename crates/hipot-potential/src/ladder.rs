//! From an LP to the best function that can be certified.

use std::time::Instant;

use hipot_lp::{Accepts, Bounds, Method, Problem, Row, Solution, Status};
use hipot_task::{Limits, OperatorId, Stop, Task, Value};

use crate::attempts::{Attempt, attempts, ends_in_a_vertex};
use crate::certify::{
    Costs, Equalities, Origin, Substituted, Substitution, common_denominator, equalities, round,
};
use crate::climb::{Climb, Step};
use crate::formulation::{Constraint, Formulation};
use crate::function::PotentialFunction;
use crate::model::Size;
use crate::optimize::{Error, Optimized, Params, Report, Rung};
use crate::progress::Progress;
use crate::quotient::Quotient;

/// The finest grid that weights are rounded to.
const GRID: i64 = 100_000_000;

/// Costs are scaled down to this for methods with absolute tolerances.
const LARGEST_LP_COST: f64 = 100.0;

/// Beyond this scale, the digits that a loose tolerance leaves open are units of
/// cost.
const LARGE_SCALE: f64 = 100.0;

/// What a function is better by than another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Aim<'a> {
    /// Its value in a state, which the LP maximizes.
    State(&'a [Value]),
    /// What the LP maximizes, whatever it is.
    Objective,
}

/// The way from an LP to a function.
#[derive(Clone, Copy)]
pub(crate) struct Ladder<'a> {
    task: &'a Task,
    pub(crate) formulation: &'a dyn Formulation,
    pub(crate) aim: Aim<'a>,
    pub(crate) params: &'a Params,
    limits: &'a Limits,
    pub(crate) size: Size,
    pub(crate) demand: Demand,
    /// A bound that is certified already.
    certified: Option<u64>,
    /// What weights in the LP are multiplied by.
    pub(crate) scale: f64,
}

/// When a function is good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// When more digits of the optimum would not raise the bound.
    Best,
    /// When it has most of the optimum: another LP will follow.
    Most,
}

/// A function, its exact value in the state, and where it comes from.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub(crate) function: PotentialFunction,
    pub(crate) value: f64,
    pub(crate) rung: Rung,
}

/// The end of the way.
pub(crate) struct Climbed {
    pub(crate) optimized: Optimized,
    /// How often each constraint's operator is used in the dual solution; empty
    /// where there is none.
    pub(crate) counts: Vec<(OperatorId, f64)>,
    /// The dual values of all rows of the formulation, likewise.
    pub(crate) duals: Vec<f64>,
}

impl<'a> Ladder<'a> {
    pub(crate) fn new(
        task: &'a Task,
        formulation: &'a dyn Formulation,
        aim: Aim<'a>,
        params: &'a Params,
        limits: &'a Limits,
        size: Size,
    ) -> Self {
        let scale = scale(task, params, size);
        let demand = Demand::Best;
        Self { task, formulation, aim, params, limits, size, demand, certified: None, scale }
    }

    /// The same with another demand.
    pub(crate) fn with_demand(self, demand: Demand) -> Self {
        Self { demand, ..self }
    }

    /// The same where a bound is certified already, for those who look on.
    pub(crate) fn with_certified(self, certified: Option<u64>) -> Self {
        Self { certified, ..self }
    }

    /// Solves the LP again and again, until the best function is good enough.
    pub(crate) fn climb(&self) -> Result<Climbed, Error> {
        let mut climb = Climb::new(*self)?;
        if let Step::Unbounded = climb.attempt_all()? {
            let Aim::State(state) = self.aim else {
                return Err(Error::Solver("the LP is unbounded".to_owned()));
            };
            let optimized = self.prove_unsolvable(state, &climb.objective, climb.report)?;
            return Ok(Climbed { optimized, counts: Vec::new(), duals: Vec::new() });
        }
        climb.end()
    }

    /// What to try on the LP.
    pub(crate) fn attempts(&self) -> Vec<Attempt> {
        let Params { method, library, .. } = *self.params;
        attempts(method, self.size, self.scale > LARGE_SCALE, library)
    }

    /// The dual values of the constraints: how often operators are used.
    pub(crate) fn counts(&self, solution: &Solution) -> Vec<(OperatorId, f64)> {
        let count = |it: &Constraint| {
            let dual = solution.duals.get(it.cost_row.index())?;
            Some((it.operator, dual.abs()))
        };
        self.formulation.constraints().iter().filter_map(count).collect()
    }

    /// Why a solve that ended like this is the last.
    pub(crate) fn stop(&self, status: Status) -> Option<Stop> {
        let of_solver = match status {
            Status::TimeLimit => Some(Stop::TimeLimit),
            Status::Interrupted => Some(Stop::Interrupted),
            _ => None,
        };
        self.limits.check().err().or(of_solver)
    }

    /// A margin for every operator that has room for one, and in the others
    /// for what has: rows, by how much their bounds change, and to what.
    pub(crate) fn margins(
        &self,
        forced: &Equalities,
        substituted: &Substituted,
        attempt: Attempt,
    ) -> Vec<(Row, f64, Bounds)> {
        let has_room = |it: &&Constraint| !forced.is_tight[it.operator.index()];
        let bounds = |it: &Constraint| {
            let cost = f64::from(self.task.operator(it.operator).cost) / self.scale;
            let margin = if cost == 0.0 { attempt.free_margin } else { attempt.margin };
            (it.cost_row, margin, Bounds::from(..=cost - margin))
        };
        let strict = forced.strict.iter().filter_map(|&origin| match origin {
            Origin::Row(row) => Some(row),
            Origin::Bound(column) => substituted.bound_rows.get(&column.index()).copied(),
        });
        let margin = attempt.free_margin;
        let strict = strict.map(|row| (row, margin, Bounds::from(margin..)));
        let constraints = self.formulation.constraints().iter();
        constraints.filter(has_room).map(bounds).chain(strict).collect()
    }

    pub(crate) fn solver(&self, problem: &Problem, may_reduce: bool) -> Result<Quotient, Error> {
        let Params { method, library, .. } = *self.params;
        Quotient::new(problem, may_reduce, method, library).map_err(|error| solver_error(&error))
    }

    /// Who looks on at an attempt that begins with `best`, in units of the task.
    pub(crate) fn observer(&self, best: &Candidate) -> Option<hipot_lp::Observer> {
        let own = match self.aim {
            Aim::State(state) if best.rung != Rung::Zero => Some(best.function.bound(state)),
            _ => None,
        };
        let begin = Progress {
            size: self.size,
            weights: self.formulation.weights(),
            method: self.params.method,
            iterations: None,
            primal: None,
            dual: None,
            certified: own.max(self.certified),
        };
        let observer = self.params.observer.as_ref()?;
        Some(observer.of_attempt(begin, self.scale))
    }

    pub(crate) fn lp_params(&self, attempt: Attempt) -> hipot_lp::Params {
        let time_limit = self.limits.time_left();
        hipot_lp::Params {
            time_limit,
            iteration_limit: attempt.iterations,
            interrupt: Some(self.limits.requested()),
            tolerance: attempt.tolerance,
            known_feasible: true,
            accepts: Accepts::Imprecise,
            ..hipot_lp::Params::with(attempt.method)
        }
    }

    pub(crate) fn substitution(&self, costs: Costs) -> Result<(Equalities, Substitution), Error> {
        let params = hipot_lp::Params {
            accepts: Accepts::Optimal,
            ..self.lp_params(Attempt::precise(Method::Auto))
        };
        let found = equalities(self.task, self.formulation, costs, &params);
        self.limits.check()?;
        let found = found.ok_or_else(|| Error::Solver("free operators".to_owned()))?;
        let solved = Substitution::solve(&found.rows, self.formulation.weights());
        Ok((found, solved.unwrap_or_else(Substitution::none)))
    }

    /// Rounds `values` to small denominators and to the grid, and keeps the
    /// best of what can be certified in `best`.
    pub(crate) fn round_candidates(
        &self,
        values: &[f64],
        objective: &[f64],
        substitution: &Substitution,
        rung: Rung,
        best: &mut Candidate,
        enough: f64,
    ) {
        let Some(weights) = values.get(..self.formulation.weights()) else { return };
        let weights: Vec<f64> = weights.iter().map(|weight| weight * self.scale).collect();
        let small = common_denominator(&weights).map(|small| (small, Rung::SmallDenominators));
        for (denominator, rung) in small.into_iter().chain([(GRID, rung), (GRID / 1000, rung)]) {
            if best.value >= enough {
                return;
            }
            let Some(numerators) = round(&weights, denominator, substitution) else { continue };
            let objective = dot(objective, &numerators);
            match self.formulation.certify(numerators, denominator, Costs::Given) {
                Ok(function) => {
                    let raised = function.denominator > denominator;
                    let rung = if raised && rung == Rung::SmallDenominators {
                        Rung::Scaling
                    } else {
                        rung
                    };
                    self.keep_better(function, objective, rung, best);
                }
                Err(violation) => tracing::trace!("denominator {denominator}: {violation}"),
            }
        }
    }

    /// Keeps a function if it is better; `objective` is what the LP maximizes, as a
    /// numerator.
    fn keep_better(
        &self,
        function: PotentialFunction,
        objective: f64,
        rung: Rung,
        best: &mut Candidate,
    ) {
        let value = match self.aim {
            Aim::State(state) => function.exact(state).to_f64(),
            Aim::Objective => objective / function.denominator as f64,
        };
        if value > best.value {
            *best = Candidate { function, value, rung };
        }
    }

    /// φ = 0, which is always right.
    pub(crate) fn zero(&self) -> Candidate {
        let numerators = vec![0; self.formulation.weights()];
        let function = self.formulation.certify(numerators, 1, Costs::Given);
        let function = function.expect("all weights 0 are consistent");
        let value = match self.aim {
            Aim::State(_) => 0.0,
            Aim::Objective => f64::NEG_INFINITY,
        };
        Candidate { function, value, rung: Rung::Zero }
    }

    /// The LP with this objective, φ in `state`, is unbounded: looks for a function
    /// that no operator lowers.
    pub(crate) fn prove_unsolvable(
        &self,
        state: &[Value],
        objective: &[f64],
        mut report: Report,
    ) -> Result<Optimized, Error> {
        let begin = Instant::now();
        let mut problem = self.formulation.problem().clone();
        for constraint in self.formulation.constraints() {
            problem.set_row_bounds(constraint.cost_row, ..=0.0);
        }
        let objective = problem.columns().zip(objective.iter().copied());
        let objective: Vec<_> = objective.filter(|&(_, value)| value != 0.0).collect();
        problem.columns().for_each(|column| problem.set_objective(column, 0.0));
        for &(column, value) in &objective {
            problem.set_objective(column, value);
        }
        problem.add_row(..=1.0, objective);
        let (_, substitution) = self.substitution(Costs::Zero)?;
        let substituted = substitution.substitute(&problem);
        let solution = self
            .solver(substituted.problem.as_ref().unwrap_or(&problem), false)?
            .solve(&self.lp_params(Attempt::precise(self.params.method)));
        self.limits.check()?;
        report.seconds += begin.elapsed().as_secs_f64();
        let weights = solution.values.get(..self.formulation.weights()).unwrap_or(&[]);
        for denominator in common_denominator(weights).into_iter().chain([GRID]) {
            let Some(numerators) = round(weights, denominator, &substitution) else { continue };
            let certified = self.formulation.certify(numerators, denominator, Costs::Zero);
            if let Ok(function) = certified
                && function.numerator(state) > 0
            {
                report.rung = Rung::SmallDenominators;
                return Ok(Optimized::Unsolvable(function, report));
            }
        }
        Err(Error::Solver("the LP is unbounded, but no proof of it could be certified".to_owned()))
    }
}

/// What weights in an LP of this size are multiplied by.
pub(crate) fn scale(task: &Task, params: &Params, size: Size) -> f64 {
    let largest = f64::from(task.max_cost());
    let to_vertex = ends_in_a_vertex(params.method, size);
    if to_vertex { 1.0 } else { (largest / LARGEST_LP_COST).max(1.0) }
}

/// What the LP maximizes, for these weights.
fn dot(objective: &[f64], weights: &[i64]) -> f64 {
    objective.iter().zip(weights).map(|(&factor, &weight)| factor * weight as f64).sum()
}

pub(crate) fn solver_error(error: &hipot_lp::Error) -> Error {
    Error::Solver(error.to_string())
}
