//! One attempt after another at the same LP, until the best function is good enough.
//!
//! A *stage* (`lp::stages`) sets margins and a tolerance, an *attempt* is one method within it.
//! Each attempt lowers the bounds of the rows by the margins, solves, rounds the values to
//! exact functions (`rounding`), and keeps the best one so far. It is enough for a stage that
//! one of its methods produces values; then the next stage follows, if any is needed.
//!
//! *When to stop.* The LP's optimum is an upper bound on what any function over these features
//! can reach, and a bound is rounded up to an integer. So a function is good enough if no
//! value up to the optimum rounds up to a higher integer (`good_enough`). The optimum is known
//! only up to the solver's tolerance; while that leaves the integer open, no function is good
//! enough. In addition the function must not be far below the optimum. With
//! [`Demand::NearBest`], being within a few percent of the optimum is all that is required.
//!
//! *The optimum without margins.* The optimum is a concave function of the rows' bounds, with
//! the dual values as its slope. So the optimum of the LP without margins is at most the one
//! with margins plus Σ (margin × dual value), and this sum is what the result is compared with.
//!
//! *Exact vertices.* With [`Precision::Vertex`] the simplex method comes first on LPs that are
//! not too large, with a limit on its iterations. Rounded to small denominators, its vertex is
//! usually the exact optimum, and `optimality` proves it.
//!
//! *Limits.* If time runs out, the best certified function so far is returned. If the LP for
//! a state is unbounded, no plan starts there; `rounding` looks for the proof.

use hipot_lp::{Attempt, Bounds, Listener, Row, Solution, Status};
use hipot_task::Stop;

use super::{Aim, Backend, Demand, Ended, Optimizer, Ran, lp_params};
use crate::cost::bytes_for;
use crate::family::Constraint;
use crate::lp::{Origin, Stage, stages};
use crate::params::Precision;
use crate::progress::Progress;
use crate::report::{Error, Optimum, Report, Rung, Shortfall};

/// The iteration limit of the last attempt, which is made if the function is already
/// acceptable.
const LAST_ITERATIONS: usize = 5_000;

/// The relative distance from the optimum that [`Demand::NearBest`] tolerates.
pub(super) const NEAR_BEST_SLACK: f64 = 0.03;

/// Larger LPs are not left to HiGHS if the engine has not solved them.
const MAX_SECOND_NONZEROS: u64 = 1_000_000;

/// Larger tolerances leave more than the last digits open.
const PRECISE_TOLERANCE: f64 = 1e-6;

/// If costs are scaled by more than this, the digits that a loose tolerance leaves open are
/// units of cost.
const LARGE_SCALE: f64 = 100.0;

/// What to do after an attempt.
enum Step {
    /// Make the next attempt.
    Continue,
    /// Return the best function so far.
    End,
    /// Stop: the LP has no optimum.
    Unbounded,
}

/// Rows with margins: the row, its margin, and its new bounds.
type Margins = Vec<(Row, f64, Bounds)>;

impl Optimizer<'_> {
    /// The best function for the state that the LP was made for.
    pub(crate) fn best(&mut self) -> Result<Optimum, Error> {
        let Aim::State(state) = self.aim.clone() else { unreachable!("made for one state") };
        if self.attempt_all()? == Ended::Unbounded {
            let (function, report) = self.prove_unsolvable(&state)?;
            return Ok(Optimum::Unsolvable(function, report));
        }
        if self.done.is_none() {
            return Err(Error::Solver("no method found a solution".to_owned()));
        }
        let report = self.final_report();
        Ok(Optimum::Function(self.best.function.clone(), report))
    }

    /// The report on the best function.
    pub(super) fn final_report(&self) -> Report {
        let (optimality, rung, lp) = (self.optimality(), self.best.rung, self.kept_lp());
        Report { optimality, rung, lp, ..self.report.clone() }
    }

    /// Runs one stage after another until the best function is good enough.
    pub(super) fn attempt_all(&mut self) -> Result<Ended, Error> {
        let mut first = self.vertex_stage();
        if let Backend::Engine(_) = self.backend {
            match self.run_engine()? {
                Ran::Enough => return Ok(Ended::Done),
                Ran::Refined(nonzeros) => first = first.or_else(|| Stage::of_quotient(nonzeros)),
                Ran::Stalled => {}
            }
            let is_large = self.size.nonzeros > MAX_SECOND_NONZEROS;
            if is_large || self.limits.reserve(bytes_for(self.size.nonzeros)).is_err() {
                self.report.shortfall = Some(Shortfall::Solver);
                return Ok(Ended::Done);
            }
            self.start_highs(None)?;
        }
        let is_scaled = self.scale > LARGE_SCALE;
        let stages = stages(self.method, self.size, is_scaled, self.params.library);
        let stages: Vec<Stage> = first.into_iter().chain(stages).collect();
        for (number, stage) in stages.iter().enumerate() {
            for &attempt in &stage.attempts {
                match self.attempt(number, stage, attempt)? {
                    Step::Continue => {}
                    Step::End => return Ok(Ended::Done),
                    Step::Unbounded => return Ok(Ended::Unbounded),
                }
            }
        }
        Ok(Ended::Done)
    }

    /// The stage that comes before the others if an exact vertex is wanted.
    fn vertex_stage(&self) -> Option<Stage> {
        // In rounds, another LP follows. Simplex is slow on averages.
        let is_best = self.demand == Demand::Best;
        let is_wanted = is_best && self.params.precision == Precision::Vertex;
        is_wanted.then(|| Stage::to_vertex(self.method, self.size)).flatten()
    }

    /// Makes one attempt, unless it cannot improve on what is there.
    fn attempt(&mut self, number: usize, stage: &Stage, attempt: Attempt) -> Result<Step, Error> {
        let is_last = self.best.value >= self.acceptable;
        if self.done == Some(number) || is_last && stage.tolerance > PRECISE_TOLERANCE {
            return Ok(Step::Continue);
        }
        if self.demand == Demand::NearBest && self.done.is_some_and(|done| done > 0) {
            // Two stages were not enough; the next LP may do better.
            return Ok(Step::End);
        }
        let iterations = if is_last { Some(LAST_ITERATIONS) } else { attempt.iterations };
        let (solution, margins) = self.solve(stage, Attempt { iterations, ..attempt })?;
        if let Some(stop) = self.stop(solution.status) {
            self.end_early(stop)?;
            return Ok(Step::End);
        }
        self.report.method = solution.method;
        self.report.seconds = self.begin.elapsed().as_secs_f64();
        match solution.status {
            Status::Optimal => {}
            Status::Imprecise if stage.needs_vertex => return Ok(Step::Continue),
            Status::Imprecise if !solution.values.is_empty() => {}
            Status::Imprecise if is_last => return Ok(Step::End),
            Status::Unbounded => return Ok(Step::Unbounded),
            _ => return Ok(Step::Continue),
        }
        self.done = Some(number);
        let is_enough = self.keep_best(stage, &solution, &margins);
        Ok(if is_enough || is_last { Step::End } else { Step::Continue })
    }

    /// Ends before the LP is solved, with what is certified so far; an error if nothing is.
    pub(super) fn end_early(&mut self, stop: Stop) -> Result<(), Error> {
        if self.best.rung == Rung::Zero || stop == Stop::MemoryLimit {
            return Err(stop.into());
        }
        self.done = self.done.or(Some(0));
        self.report.shortfall = Some(Error::from(stop).shortfall());
        Ok(())
    }

    fn solve(&mut self, stage: &Stage, attempt: Attempt) -> Result<(Solution, Margins), Error> {
        let margins = self.margins(stage);
        let bounds: Vec<_> = margins.iter().map(|&(row, _, bounds)| (row, bounds)).collect();
        let params = hipot_lp::Params {
            listener: self.listener(),
            ..lp_params(self.limits, stage, attempt)
        };
        let Backend::Highs(highs) = &mut self.backend else { unreachable!("HiGHS has started") };
        highs.solver.change_row_bounds(&bounds)?;
        Ok((highs.solver.solve(&params), margins))
    }

    /// The reason to stop after a solve with this status, if any.
    fn stop(&self, status: Status) -> Option<Stop> {
        let of_solver = match status {
            Status::TimeLimit => Some(Stop::TimeLimit),
            Status::Interrupted => Some(Stop::Interrupted),
            _ => None,
        };
        self.limits.check().err().or(of_solver)
    }

    /// A margin for every operator that has room for one. In operators without room, a
    /// margin for the alternatives of maxima that have room.
    fn margins(&self, stage: &Stage) -> Margins {
        let Backend::Highs(highs) = &self.backend else { return Margins::new() };
        let has_room = |it: &&Constraint| !highs.forced.is_tight[it.operator.index()];
        let bounds = |it: &Constraint| {
            let cost = f64::from(self.normal.cost(it.operator)) / self.scale;
            let margin = if cost == 0.0 { stage.free_margin } else { stage.margin };
            (it.cost_row, margin, Bounds::from(..=cost - margin))
        };
        let strict = highs.forced.strict.iter().filter_map(|&origin| match origin {
            Origin::Row(row) => Some(row),
            Origin::Bound(column) => highs.substituted.bound_rows.get(&column.index()).copied(),
        });
        let margin = stage.free_margin;
        let strict = strict.map(|row| (row, margin, Bounds::from(margin..)));
        let constraints = self.family.constraints().iter();
        constraints.filter(has_room).map(bounds).chain(strict).collect()
    }

    /// A listener that reports the progress of an attempt, in units of the task.
    fn listener(&self) -> Option<Listener<hipot_lp::Iterate>> {
        let own = match &self.aim {
            Aim::State(state) if self.best.rung != Rung::Zero => {
                Some(self.best.function.bound(state))
            }
            _ => None,
        };
        let begin = Progress { certified: own.max(self.certified), ..self.progress() };
        let (listener, scale) = (self.params.listener.clone()?, self.scale);
        Some(Listener::new(move |iterate| listener.tell(begin.at(iterate, scale))))
    }

    /// The progress before anything is known.
    pub(super) fn progress(&self) -> Progress {
        Progress {
            size: self.size,
            weights: self.family.weights(),
            method: self.method,
            iterations: None,
            primal: None,
            dual: None,
            certified: None,
        }
    }

    /// Rounds a solution and keeps the best function; returns whether it is good enough.
    fn keep_best(&mut self, stage: &Stage, solution: &Solution, margins: &Margins) -> bool {
        self.duals.clone_from(&solution.duals);
        let objective = (solution.objective + margin_loss(margins, solution)) * self.scale;
        let enough = match self.demand {
            Demand::Best => good_enough(objective, stage.tolerance, 5e-4),
            Demand::NearBest => objective - NEAR_BEST_SLACK * (1.0 + objective.abs()),
        };
        self.report.objective = objective;
        self.acceptable = good_enough(objective, stage.tolerance, 2e-3);
        let rung = if stage.margin > 0.0 { Rung::Margin } else { Rung::Scaling };
        self.round_candidates(&solution.values, rung, enough);
        tracing::debug!(
            "{} with margin {:e} and tolerance {:e}: LP {:.6}, certified {:.6} ({:.3}s)",
            solution.method.name(),
            stage.margin,
            stage.tolerance,
            self.report.objective,
            self.best.value,
            self.begin.elapsed().as_secs_f64()
        );
        self.best.value >= enough
    }
}

/// An upper bound on how much the margins lower the optimum, which is concave in the bounds.
fn margin_loss(margins: &Margins, solution: &Solution) -> f64 {
    let of_row =
        |(row, by, _): &(Row, f64, Bounds)| Some(by * solution.duals.get(row.index())?.abs());
    margins.iter().filter_map(of_row).sum()
}

/// The value from which a function is good enough: rounded up, it gives the same integer as
/// the LP's optimum, which is known up to the tolerance; and it is at most `slack` below the
/// optimum, relatively. Infinite if the tolerance leaves the integer open.
pub(super) fn good_enough(objective: f64, tolerance: f64, slack: f64) -> f64 {
    let size = 1.0 + objective.abs();
    let is_loose = tolerance > PRECISE_TOLERANCE;
    let error = if is_loose { 2.0 * tolerance * size } else { 1e-7 * size };
    if is_loose && error > 0.05 {
        // The tolerance leaves open which integer it is.
        return f64::INFINITY;
    }
    let integer_below = (objective - error).ceil() - 1.0;
    (integer_below + 1e-9 * size).max(objective - slack * size)
}
