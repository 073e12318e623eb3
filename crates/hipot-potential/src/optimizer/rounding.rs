//! From the solver's numbers to certified functions.
//!
//! *Rounding.* The weights are rounded to multiples of 1/D for several D: a small common
//! denominator if the weights nearly have one (then this is often the exact vertex), a fine
//! grid, and a coarser one. Weights that the equations of free operators determine are not
//! rounded but computed from the others, exactly (`hipot_lp::Substitution`); the others are rounded
//! to multiples of the substitution's unit, so that these divisions leave no remainder. Each
//! candidate is [certified](crate::certify) with all constraints, so rounding may go wrong
//! without harm: a wrong candidate is dropped, and the best of the others is kept.
//!
//! *Unsolvable tasks.* If no plan leads from a state s to the goal, φ(s) may be arbitrarily
//! high and the LP unbounded. The proof is a direction: a function that no operator lowers, 0
//! at the goal and positive in s. It solves the *homogeneous* LP, in which all costs are 0; a
//! row that bounds the objective by 1 makes its optimum finite, since any multiple of a
//! direction is one too. It is rounded and certified like other functions, with
//! [`Costs::Zero`].

use std::time::Instant;

use hipot_lp::{Problem, Quotient, Substitution, common_denominator, nearest_integers};
use hipot_task::Value;

use super::{Aim, Candidate, Optimizer, coefficients, precise_params, substitution};
use crate::certify::{Certified, Costs};
use crate::objective::Objective;
use crate::report::{Error, Report, Rung};

/// The finest grid that weights are rounded to.
const GRID: i64 = 100_000_000;

impl Optimizer<'_> {
    /// Rounds `values` to small denominators and to the grid, and keeps the best function
    /// that can be certified. Stops once the best is `enough`.
    pub(super) fn round_candidates(&mut self, values: &[f64], rung: Rung, enough: f64) {
        let Some(weights) = values.get(..self.family.weights()) else { return };
        let weights: Vec<f64> = weights.iter().map(|weight| weight * self.scale).collect();
        let small = common_denominator(&weights).map(|small| (small, Rung::SmallDenominators));
        for (denominator, rung) in small.into_iter().chain([(GRID, rung), (GRID / 1000, rung)]) {
            if self.best.value >= enough {
                return;
            }
            let Some(numerators) = round(&weights, denominator, &self.substitution) else {
                continue;
            };
            let objective = dot(&self.objective, &numerators);
            match self.family.certify(numerators, denominator, Costs::Given, &self.helpers) {
                Ok(function) => {
                    let is_raised = function.denominator() > denominator;
                    let is_repaired = is_raised && rung == Rung::SmallDenominators;
                    let rung = if is_repaired { Rung::Scaling } else { rung };
                    self.keep_better(function, objective, rung);
                    if denominator == GRID {
                        // A coarser grid is for weights that are too large for this one.
                        return;
                    }
                }
                Err(violation) => tracing::trace!("denominator {denominator}: {violation}"),
            }
        }
    }

    /// Keeps a function if it is better; `objective` is the LP's objective at its weights,
    /// as a numerator.
    fn keep_better(&mut self, function: Certified, objective: f64, rung: Rung) {
        let value = match &self.aim {
            Aim::State(state) => function.exact(state).to_f64(),
            Aim::Objective => objective / function.denominator() as f64,
        };
        if value > self.best.value {
            self.best = Candidate { function, value, rung };
        }
    }

    /// A function that no operator lowers and that is positive in `state`: a proof that
    /// `state` is a dead end. `None` if no proof could be certified.
    pub fn prove_dead_end(&mut self, state: &[Value]) -> Result<Option<Certified>, Error> {
        match self.prove_unsolvable(state) {
            Ok((function, _)) => Ok(Some(function)),
            Err(Error::Solver(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Finds a function that no operator lowers and that is positive in `state`; called when
    /// the LP that maximizes φ in `state` is unbounded.
    pub(super) fn prove_unsolvable(
        &mut self,
        state: &[Value],
    ) -> Result<(Certified, Report), Error> {
        let begin = Instant::now();
        let objective = coefficients(&*self.family, &self.at_goal, &Objective::state(state));
        let problem = self.homogeneous(&objective);
        let (_, substitution) = substitution(self.normal, &*self.family, Costs::Zero, self.limits)?;
        let substituted = substitution.substitute(&problem);
        let solved = substituted.problem.as_ref().unwrap_or(&problem);
        let mut solver = Quotient::new(solved, false, self.method, self.params.library)?;
        let solution = solver.solve(&precise_params(self.limits, self.method));
        self.limits.check()?;
        let seconds = self.report.seconds + begin.elapsed().as_secs_f64();
        let weights = solution.values.get(..self.family.weights()).unwrap_or(&[]);
        for denominator in common_denominator(weights).into_iter().chain([GRID]) {
            let Some(numerators) = round(weights, denominator, &substitution) else { continue };
            let certified =
                self.family.certify(numerators, denominator, Costs::Zero, &self.helpers);
            if let Ok(function) = certified
                && function.numerator(state) > 0
            {
                let rung = Rung::SmallDenominators;
                let lp = self.kept_lp();
                return Ok((function, Report { seconds, rung, lp, ..self.report.clone() }));
            }
        }
        Err(Error::Solver("the LP is unbounded, but no proof of it could be certified".to_owned()))
    }

    /// The LP with all costs 0 and with its objective bounded by 1.
    fn homogeneous(&self, objective: &[f64]) -> Problem {
        let mut problem = self.family.problem().clone();
        for constraint in self.family.constraints() {
            problem.set_row_bounds(constraint.cost_row, ..=0.0);
        }
        let objective = problem.columns().zip(objective.iter().copied());
        let objective: Vec<_> = objective.filter(|&(_, value)| value != 0.0).collect();
        problem.columns().for_each(|column| problem.set_objective(column, 0.0));
        for &(column, value) in &objective {
            problem.set_objective(column, value);
        }
        problem.add_row(..=1.0, objective);
        problem
    }
}

/// Rounds `values` to multiples of 1 / `denominator`, keeping the equalities.
fn round(values: &[f64], denominator: i64, substitution: &Substitution) -> Option<Vec<i64>> {
    let unit = substitution.unit();
    let mut numerators = nearest_integers(values, denominator as f64 / unit as f64)?;
    for numerator in &mut numerators {
        *numerator = numerator.checked_mul(unit)?;
    }
    substitution.apply(&mut numerators)?;
    Some(numerators)
}

/// The LP's objective at these weights.
fn dot(objective: &[f64], weights: &[i64]) -> f64 {
    objective.iter().zip(weights).map(|(&factor, &weight)| factor * weight as f64).sum()
}
