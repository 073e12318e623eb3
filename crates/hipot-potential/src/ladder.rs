//! From an LP to the best function that can be certified.

use std::time::Instant;

use hipot_lp::{Accepts, Bounds, Method, Problem, Row, Solution, Status};
use hipot_task::{Limits, OperatorId, Stop, Task, Value};

use crate::attempts::{Attempt, attempts, ends_in_a_vertex};
use crate::certify::{
    Costs, Equalities, Origin, Substituted, Substitution, common_denominator, equalities, round,
};
use crate::formulation::{Constraint, Formulation};
use crate::function::PotentialFunction;
use crate::model::Size;
use crate::optimize::{Error, Extent, Optimized, Params, Report, Rung};
use crate::progress::Progress;
use crate::quotient::Quotient;

/// The finest grid that weights are rounded to.
const GRID: i64 = 100_000_000;

/// Where the function is acceptable, one more attempt gets so many iterations.
const LAST_ITERATIONS: usize = 5_000;

/// What may be lacking where most of the optimum is enough, relatively.
const MOST: f64 = 0.03;

/// Looser tolerances leave more open than the last digits.
const PRECISE: f64 = 1e-6;

/// Costs are scaled down to this for methods with absolute tolerances.
const LARGEST_LP_COST: f64 = 100.0;

/// The way from an LP to a function.
pub(crate) struct Ladder<'a> {
    task: &'a Task,
    formulation: &'a dyn Formulation,
    state: &'a [Value],
    params: &'a Params,
    limits: &'a Limits,
    size: Size,
    demand: Demand,
    /// What weights in the LP are multiplied by.
    scale: f64,
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
struct Candidate {
    function: PotentialFunction,
    value: f64,
    rung: Rung,
}

/// The end of the way.
pub(crate) struct Climbed {
    pub(crate) optimized: Optimized,
    /// How often each constraint's operator is used in the dual solution; empty
    /// where there is none.
    pub(crate) counts: Vec<(OperatorId, f64)>,
}

impl<'a> Ladder<'a> {
    pub(crate) fn new(
        task: &'a Task,
        formulation: &'a dyn Formulation,
        state: &'a [Value],
        params: &'a Params,
        limits: &'a Limits,
        size: Size,
    ) -> Self {
        let to_vertex = ends_in_a_vertex(params.method, size);
        let largest = f64::from(task.max_cost());
        let scale = if to_vertex { 1.0 } else { (largest / LARGEST_LP_COST).max(1.0) };
        let demand = Demand::Best;
        Self { task, formulation, state, params, limits, size, demand, scale }
    }

    /// The same with another demand.
    pub(crate) fn with_demand(self, demand: Demand) -> Self {
        Self { demand, ..self }
    }

    /// Solves the LP again and again, until the best function is good enough.
    pub(crate) fn climb(&self) -> Result<Climbed, Error> {
        let begin = Instant::now();
        let problem = self.formulation.problem();
        let (forced, substitution) = self.substitution(Costs::Given)?;
        tracing::debug!(
            "{} implicit equalities determine {} weights: {:.3}s",
            forced.rows.len(),
            substitution.len(),
            begin.elapsed().as_secs_f64()
        );
        let substituted = substitution.substitute(problem);
        let solved = substituted.problem.as_ref().unwrap_or(problem);
        // Alternatives that get a margin may look like others that do not.
        let may_reduce = forced.strict.is_empty();
        let mut solver = self.solver(solved, may_reduce)?;
        let mut report = Report {
            size: self.size,
            method: self.params.method,
            seconds: 0.0,
            objective: f64::NEG_INFINITY,
            rung: Rung::Zero,
            substituted: substitution.len(),
            extent: Extent::Complete,
        };
        let mut counts = Vec::new();
        let mut best = self.zero();
        let (mut done, mut acceptable) = (None, f64::INFINITY);
        let Params { method, library, .. } = *self.params;
        for attempt in attempts(method, self.size, library) {
            let is_done = done == Some(attempt.stage);
            let is_last = best.value >= acceptable;
            if is_done || is_last && attempt.tolerance > PRECISE {
                continue;
            }
            let margin = attempt.margin;
            let lowered = self.margins(&forced, &substituted, attempt);
            let bounds: Vec<_> = lowered.iter().map(|&(row, _, bounds)| (row, bounds)).collect();
            solver.change_row_bounds(&bounds).map_err(|error| solver_error(&error))?;
            let iterations = if is_last { Some(LAST_ITERATIONS) } else { attempt.iterations };
            let solution = solver.solve(&hipot_lp::Params {
                observer: self.observer(&best),
                ..self.lp_params(Attempt { iterations, ..attempt })
            });
            match self.stop(solution.status) {
                // What is certified so far is worth keeping.
                Some(Stop::TimeLimit) if best.rung != Rung::Zero => break,
                Some(stop) => return Err(stop.into()),
                None => {}
            }
            report.method = solution.method;
            report.seconds = begin.elapsed().as_secs_f64();
            match solution.status {
                Status::Optimal | Status::Imprecise => {}
                Status::Unbounded => {
                    let optimized = self.prove_unsolvable(report)?;
                    return Ok(Climbed { optimized, counts });
                }
                _ => continue,
            }
            let has_values = solution.status == Status::Optimal || !solution.values.is_empty();
            match (has_values, is_last) {
                (true, _) => {}
                (false, true) => break,
                (false, false) => continue,
            }
            done = Some(attempt.stage);
            counts = self.counts(&solution);
            report.objective = (solution.objective + lost(&lowered, &solution)) * self.scale;
            let enough = match self.demand {
                Demand::Best => good_enough(report.objective, attempt.tolerance, 5e-4),
                Demand::Most => report.objective - MOST * (1.0 + report.objective.abs()),
            };
            acceptable = good_enough(report.objective, attempt.tolerance, 2e-3);
            let rung = if margin > 0.0 { Rung::Margin } else { Rung::Scaling };
            self.round_candidates(&solution.values, &substitution, rung, &mut best, enough);
            tracing::debug!(
                "{} with margin {margin:e}, tolerance {:e}: LP {:.6}, certified {:.6}: {:.3}s",
                solution.method.name(),
                attempt.tolerance,
                report.objective,
                best.value,
                begin.elapsed().as_secs_f64()
            );
            if best.value >= enough || is_last {
                break;
            }
        }
        if done.is_none() {
            return Err(Error::Solver("no method came to an end".to_owned()));
        }
        report.rung = best.rung;
        Ok(Climbed { optimized: Optimized::Function(best.function, report), counts })
    }

    /// The dual values of the constraints: how often operators are used.
    fn counts(&self, solution: &Solution) -> Vec<(OperatorId, f64)> {
        let count = |it: &Constraint| {
            let dual = solution.duals.get(it.cost_row.index())?;
            Some((it.operator, dual.abs()))
        };
        self.formulation.constraints().iter().filter_map(count).collect()
    }

    /// Why a solve that ended like this is the last.
    fn stop(&self, status: Status) -> Option<Stop> {
        let of_solver = match status {
            Status::TimeLimit => Some(Stop::TimeLimit),
            Status::Interrupted => Some(Stop::Interrupted),
            _ => None,
        };
        self.limits.check().err().or(of_solver)
    }

    /// A margin for every operator that has room for one, and in the others
    /// for what has: rows, by how much their bounds change, and to what.
    fn margins(
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

    fn solver(&self, problem: &Problem, may_reduce: bool) -> Result<Quotient, Error> {
        let Params { method, library, .. } = *self.params;
        Quotient::new(problem, may_reduce, method, library).map_err(|error| solver_error(&error))
    }

    /// Who looks on at an attempt that begins with `best`, in units of the task.
    fn observer(&self, best: &Candidate) -> Option<hipot_lp::Observer> {
        let is_something = best.rung != Rung::Zero;
        let begin = Progress {
            size: self.size,
            weights: self.formulation.weights(),
            method: self.params.method,
            iterations: None,
            primal: None,
            dual: None,
            certified: is_something.then(|| best.function.bound(self.state)),
        };
        let observer = self.params.observer.as_ref()?;
        Some(observer.of_attempt(begin, self.scale))
    }

    fn lp_params(&self, attempt: Attempt) -> hipot_lp::Params {
        let time_limit = self
            .limits
            .deadline()
            .map(|deadline| deadline.saturating_duration_since(Instant::now()));
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

    fn substitution(&self, costs: Costs) -> Result<(Equalities, Substitution), Error> {
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
    fn round_candidates(
        &self,
        values: &[f64],
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
            match self.formulation.certify(numerators, denominator, Costs::Given) {
                Ok(function) => {
                    let raised = function.denominator > denominator;
                    let rung = if raised && rung == Rung::SmallDenominators {
                        Rung::Scaling
                    } else {
                        rung
                    };
                    self.keep_better(function, rung, best);
                }
                Err(violation) => tracing::trace!("denominator {denominator}: {violation}"),
            }
        }
    }

    fn keep_better(&self, function: PotentialFunction, rung: Rung, best: &mut Candidate) {
        let value = function.numerator(self.state) as f64 / function.denominator as f64;
        if value > best.value {
            *best = Candidate { function, value, rung };
        }
    }

    /// φ = 0, which is always right.
    fn zero(&self) -> Candidate {
        let numerators = vec![0; self.formulation.weights()];
        let function = self.formulation.certify(numerators, 1, Costs::Given);
        let function = function.expect("all weights 0 are consistent");
        Candidate { function, value: 0.0, rung: Rung::Zero }
    }

    /// The LP is unbounded: looks for a function that no operator lowers.
    fn prove_unsolvable(&self, mut report: Report) -> Result<Optimized, Error> {
        let begin = Instant::now();
        let mut problem = self.formulation.problem().clone();
        for constraint in self.formulation.constraints() {
            problem.set_row_bounds(constraint.cost_row, ..=0.0);
        }
        let objective = problem.columns().map(|column| (column, problem.objective(column)));
        let objective: Vec<_> = objective.filter(|&(_, value)| value != 0.0).collect();
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
                && function.numerator(self.state) > 0
            {
                report.rung = Rung::SmallDenominators;
                return Ok(Optimized::Unsolvable(function, report));
            }
        }
        Err(Error::Solver("the LP is unbounded, but no proof of it could be certified".to_owned()))
    }
}

/// What the margins cost at most: the optimum is concave in the bounds.
fn lost(lowered: &[(Row, f64, Bounds)], solution: &Solution) -> f64 {
    let of_row =
        |(row, by, _): &(Row, f64, Bounds)| Some(by * solution.duals.get(row.index())?.abs());
    lowered.iter().filter_map(of_row).sum()
}

fn solver_error(error: &hipot_lp::Error) -> Error {
    Error::Solver(error.to_string())
}

/// A value from which on nothing is gained by rounding up, given the LP's
/// optimum, of which the tolerance tells how many digits are known; and not far
/// below the optimum: by `slack` at most, relatively.
fn good_enough(objective: f64, tolerance: f64, slack: f64) -> f64 {
    let size = 1.0 + objective.abs();
    let is_loose = tolerance > PRECISE;
    let error = if is_loose { 2.0 * tolerance * size } else { 1e-7 * size };
    if is_loose && error > 0.05 {
        // Which integer it is remains to be seen.
        return f64::INFINITY;
    }
    let integer_below = (objective - error).ceil() - 1.0;
    (integer_below + 1e-9 * size).max(objective - slack * size)
}
