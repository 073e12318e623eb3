//! One way up the ladder: attempt after attempt at the same LP.

use std::time::Instant;

use hipot_lp::{Bounds, Row, Solution, Status};
use hipot_task::{OperatorId, Stop};

use crate::attempts::Attempt;
use crate::certify::{Costs, Equalities, Substituted, Substitution};
use crate::function::PotentialFunction;
use crate::ladder::{Aim, Candidate, Climbed, Demand, Ladder, solver_error};
use crate::optimize::{Error, Extent, Optimized, Report, Rung};
use crate::quotient::Quotient;

/// Where the function is acceptable, one more attempt gets so many iterations.
const LAST_ITERATIONS: usize = 5_000;

/// What may be lacking where most of the optimum is enough, relatively.
const MOST: f64 = 0.03;

/// Looser tolerances leave more open than the last digits.
const PRECISE: f64 = 1e-6;

/// What is known on the way.
pub(crate) struct Climb<'a> {
    ladder: Ladder<'a>,
    begin: Instant,
    /// What the LP maximizes: a factor for each weight.
    pub(crate) objective: Vec<f64>,
    forced: Equalities,
    substitution: Substitution,
    substituted: Substituted,
    solver: Quotient,
    /// φ = 0, and the best so far.
    zero: Candidate,
    best: Candidate,
    pub(crate) report: Report,
    counts: Vec<(OperatorId, f64)>,
    duals: Vec<f64>,
    /// The last stage that came to an end.
    done: Option<usize>,
    /// From this value on, one more attempt is enough.
    acceptable: f64,
}

/// What an attempt leads to.
pub(crate) enum Step {
    /// The next attempt.
    On,
    /// The function that is best so far.
    End,
    /// The LP has no optimum.
    Unbounded,
}

/// Rows with margins: by how much their bounds change, and to what.
type Lowered = Vec<(Row, f64, Bounds)>;

impl<'a> Climb<'a> {
    pub(crate) fn new(ladder: Ladder<'a>) -> Result<Self, Error> {
        let begin = Instant::now();
        let problem = ladder.formulation.problem();
        let (forced, substitution) = ladder.substitution(Costs::Given)?;
        tracing::debug!(
            "{} implicit equalities determine {} weights: {:.3}s",
            forced.rows.len(),
            substitution.len(),
            begin.elapsed().as_secs_f64()
        );
        let substituted = substitution.substitute(problem);
        let solved = substituted.problem.as_ref().unwrap_or(problem);
        // Alternatives that get a margin may look like others that do not, and
        // columns that look the same may not with another objective.
        let may_reduce = forced.strict.is_empty() && matches!(ladder.aim, Aim::State(_));
        let solver = ladder.solver(solved, may_reduce)?;
        let report = Report {
            size: ladder.size,
            method: ladder.params.method,
            seconds: 0.0,
            objective: f64::NEG_INFINITY,
            rung: Rung::Zero,
            substituted: substitution.len(),
            extent: Extent::Complete,
        };
        let (zero, counts, duals) = (ladder.zero(), Vec::new(), Vec::new());
        let weights = problem.columns().take(ladder.formulation.weights());
        let objective = weights.map(|column| problem.objective(column)).collect();
        let (done, acceptable) = (None, f64::INFINITY);
        Ok(Self {
            ladder,
            begin,
            objective,
            forced,
            substitution,
            substituted,
            solver,
            best: zero.clone(),
            zero,
            report,
            counts,
            duals,
            done,
            acceptable,
        })
    }

    /// Maximizes something else from now on, a factor for each weight, starting
    /// from the last solution where the method can.
    pub(crate) fn aim_at(&mut self, objective: Vec<f64>) -> Result<(), Error> {
        let columns = self.ladder.formulation.problem().num_columns();
        let expanded = self.substitution.expand_objective(&objective, columns);
        self.solver.set_objective(&expanded).map_err(|error| solver_error(&error))?;
        self.objective = objective;
        self.begin = Instant::now();
        self.best = self.zero.clone();
        self.counts.clear();
        (self.done, self.acceptable) = (None, f64::INFINITY);
        Ok(())
    }

    /// Attempt after attempt, until the best function is good enough.
    pub(crate) fn attempt_all(&mut self) -> Result<Step, Error> {
        for attempt in self.ladder.attempts() {
            match self.attempt(attempt)? {
                Step::On => {}
                end => return Ok(end),
            }
        }
        Ok(Step::End)
    }

    /// The best function so far, if there is any but φ = 0.
    pub(crate) fn best(&self) -> Option<(PotentialFunction, Report)> {
        let report = Report { rung: self.best.rung, ..self.report };
        (self.best.rung != Rung::Zero).then(|| (self.best.function.clone(), report))
    }

    /// One attempt, unless what it asks for is there already.
    fn attempt(&mut self, attempt: Attempt) -> Result<Step, Error> {
        let is_last = self.best.value >= self.acceptable;
        if self.done == Some(attempt.stage) || is_last && attempt.tolerance > PRECISE {
            return Ok(Step::On);
        }
        if self.ladder.demand == Demand::Most && self.done.is_some_and(|done| done > 0) {
            // What a second stage does not give, the next LP may.
            return Ok(Step::End);
        }
        let iterations = if is_last { Some(LAST_ITERATIONS) } else { attempt.iterations };
        let attempt = Attempt { iterations, ..attempt };
        let (solution, lowered) = self.solve(attempt)?;
        match self.ladder.stop(solution.status) {
            // What is certified so far is worth keeping.
            Some(Stop::TimeLimit) if self.best.rung != Rung::Zero => return Ok(Step::End),
            Some(stop) => return Err(stop.into()),
            None => {}
        }
        self.report.method = solution.method;
        self.report.seconds = self.begin.elapsed().as_secs_f64();
        match solution.status {
            Status::Optimal => {}
            Status::Imprecise if !solution.values.is_empty() => {}
            Status::Imprecise if is_last => return Ok(Step::End),
            Status::Unbounded => return Ok(Step::Unbounded),
            _ => return Ok(Step::On),
        }
        let is_enough = self.certify(attempt, &solution, &lowered);
        Ok(if is_enough || is_last { Step::End } else { Step::On })
    }

    fn solve(&mut self, attempt: Attempt) -> Result<(Solution, Lowered), Error> {
        let lowered = self.ladder.margins(&self.forced, &self.substituted, attempt);
        let bounds: Vec<_> = lowered.iter().map(|&(row, _, bounds)| (row, bounds)).collect();
        self.solver.change_row_bounds(&bounds).map_err(|error| solver_error(&error))?;
        let observer = self.ladder.observer(&self.best);
        let params = hipot_lp::Params { observer, ..self.ladder.lp_params(attempt) };
        Ok((self.solver.solve(&params), lowered))
    }

    /// Makes the best of a solution; whether that is good enough.
    fn certify(&mut self, attempt: Attempt, solution: &Solution, lowered: &Lowered) -> bool {
        self.done = Some(attempt.stage);
        self.counts = self.ladder.counts(solution);
        self.duals.clone_from(&solution.duals);
        let objective = (solution.objective + lost(lowered, solution)) * self.ladder.scale;
        let enough = match self.ladder.demand {
            Demand::Best => good_enough(objective, attempt.tolerance, 5e-4),
            Demand::Most => objective - MOST * (1.0 + objective.abs()),
        };
        self.report.objective = objective;
        self.acceptable = good_enough(objective, attempt.tolerance, 2e-3);
        let rung = if attempt.margin > 0.0 { Rung::Margin } else { Rung::Scaling };
        let Self { ladder, objective, substitution, best, .. } = self;
        ladder.round_candidates(&solution.values, objective, substitution, rung, best, enough);
        tracing::debug!(
            "{} with margin {:e}, tolerance {:e}: LP {:.6}, certified {:.6}: {:.3}s",
            solution.method.name(),
            attempt.margin,
            attempt.tolerance,
            self.report.objective,
            self.best.value,
            self.begin.elapsed().as_secs_f64()
        );
        self.best.value >= enough
    }

    /// The best function, if any attempt came to an end.
    pub(crate) fn end(self) -> Result<Climbed, Error> {
        if self.done.is_none() {
            return Err(Error::Solver("no method came to an end".to_owned()));
        }
        let report = Report { rung: self.best.rung, ..self.report };
        let optimized = Optimized::Function(self.best.function, report);
        Ok(Climbed { optimized, counts: self.counts, duals: self.duals })
    }
}

/// What the margins cost at most: the optimum is concave in the bounds.
fn lost(lowered: &[(Row, f64, Bounds)], solution: &Solution) -> f64 {
    let of_row =
        |(row, by, _): &(Row, f64, Bounds)| Some(by * solution.duals.get(row.index())?.abs());
    lowered.iter().filter_map(of_row).sum()
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
