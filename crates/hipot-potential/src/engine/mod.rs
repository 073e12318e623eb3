//! A first-order method for the LP over pairs, on the structure of Theorem 1 itself.
//!
//! General solvers for linear programs store a matrix. Here all entries are ±1 and follow from
//! the operators' changes, and the columns z of Eq. 8 and 9 can be eliminated. What is left is a
//! problem over the weights alone:
//!
//! ```text
//! maximize Σ c(f) w(f)   subject to   Δ_ind(o) + Σ_V max_v s_{o,V,v} ≤ cost(o) for each o,
//! ```
//!
//! where s is what o takes from φ through features with V = v. Its dual is a flow: a count λ_o
//! for each operator and, for each variable V of its context, a distribution y of λ_o over the
//! values of V.
//!
//! | module | what |
//! |---|---|
//! | `layout` | a table of weights over pairs of facts, in slabs of eight columns |
//! | `structure` | the constraints: which rows and slabs of the table belong to an operator |
//! | `product` | products with the matrix and its transpose |
//! | `projection` | the nearest λ and y that fit together |
//! | `chunk` | one iteration over some operators |
//! | `model` | step sizes |
//! | `partition` | which thread has which operators, and the entries of the table they need |
//! | `weights` | one iteration over some weights |
//! | `point` | weights and dual numbers, in parts for threads |
//! | `run` | the method: restarted Halpern iterations |
//! | `start` | a point of one LP as the start of another |
//! | `crew` | threads |
//! | `real` | single and double precision, and eight numbers at once |
//!
//! The engine returns floating-point numbers at any time; `optimizer::anytime` certifies them.
//! The reasons for this design, and what was tried, are in `docs/decisions/0015-engine.md`.

#![expect(clippy::inline_always, reason = "one function is compiled for processors with AVX2")]
#![expect(clippy::needless_bitwise_bool, reason = "lazy operators keep loops from using vectors")]

mod chunk;
mod crew;
mod layout;
mod model;
mod partition;
mod point;
mod product;
mod projection;
mod real;
mod run;
mod start;
mod structure;
mod weights;

use std::sync::Arc;

use hipot_task::{Limits, OperatorId};

pub(crate) use self::start::Start;
pub(crate) use self::structure::{Constraint, Structure};

use self::model::{Determined, Model};
use self::real::Real;
use self::run::Run;
use crate::helpers::Helpers;

/// Polishing takes one in this many of the iterations so far, but neither less nor more than
/// these.
const POLISHING: (usize, usize, usize) = (8, 200, 2_000);

/// The engine: an LP over pairs, and a point that improves.
pub(crate) struct Engine {
    model: Model,
    run: AnyRun,
    /// The costs of the LP are those of the task divided by this.
    scale: f64,
}

/// A run in single or double precision.
enum AnyRun {
    Single(Box<Run<f32>>),
    Double(Box<Run<f64>>),
}

/// How far the engine is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quality {
    /// The objective at the weights, which need not be feasible.
    pub(crate) primal: f64,
    /// The value of the dual numbers, which need not be feasible.
    pub(crate) dual: f64,
    /// The relative error of these, as far as the engine can tell.
    pub(crate) error: f64,
    /// How much of the dual value is open, because the flow is not balanced.
    pub(crate) missing: f64,
    pub(crate) iterations: usize,
}

impl Engine {
    /// The engine for an LP in which some weights are determined by others and all are at most
    /// `max_weight`. The same number of threads gives the same results.
    pub(crate) fn new(
        mut structure: Structure,
        determined: Vec<Determined>,
        objective: &[f64],
        max_weight: Option<f64>,
        helpers: &Arc<Helpers>,
        limits: &Limits,
    ) -> Self {
        let scale = structure.mean_cost();
        structure.divide_costs(scale);
        let max_weight = max_weight.map_or(f64::INFINITY, |weight| weight / scale);
        let model = Model::new(structure, determined, max_weight, helpers, limits);
        let run = AnyRun::Single(Box::new(Run::new(&model, objective)));
        Self { model, run, scale }
    }

    /// Changes the objective and goes on from the last point.
    pub(crate) fn set_objective(&mut self, objective: &[f64]) {
        match &mut self.run {
            AnyRun::Single(run) => run.set_objective(&self.model, objective),
            AnyRun::Double(run) => run.set_objective(&self.model, objective),
        }
    }

    /// The point, as a start for another LP.
    pub(crate) fn start(&self) -> Start {
        match &self.run {
            AnyRun::Single(run) => run.start(&self.model, self.scale),
            AnyRun::Double(run) => run.start(&self.model, self.scale),
        }
    }

    /// Begins at a point of another LP.
    pub(crate) fn begin_at(&mut self, start: &Start) {
        match &mut self.run {
            AnyRun::Single(run) => run.begin_at(&self.model, start, self.scale),
            AnyRun::Double(run) => run.begin_at(&self.model, start, self.scale),
        }
    }

    /// Some iterations, fewer if `limits` are reached.
    pub(crate) fn advance(&mut self, limits: &Limits) {
        match &mut self.run {
            AnyRun::Single(run) => run.advance(&self.model, limits),
            AnyRun::Double(run) => run.advance(&self.model, limits),
        }
    }

    /// Whether this is a good moment to take the weights: the next iterations will make them
    /// worse before they become better.
    pub(crate) fn is_epoch_over(&self) -> bool {
        match &self.run {
            AnyRun::Single(run) => run.is_epoch_over(),
            AnyRun::Double(run) => run.is_epoch_over(),
        }
    }

    /// Goes on in double precision; returns whether it was single before.
    pub(crate) fn use_double(&mut self) -> bool {
        let AnyRun::Single(run) = &self.run else { return false };
        self.run = AnyRun::Double(Box::new(run.in_double()));
        true
    }

    /// How far the engine is.
    pub(crate) fn quality(&self) -> Quality {
        let (quality, iterations) = match &self.run {
            AnyRun::Single(run) => (run.quality(&self.model), run.iterations()),
            AnyRun::Double(run) => (run.quality(&self.model), run.iterations()),
        };
        Quality {
            primal: quality.primal * self.scale,
            dual: quality.dual * self.scale,
            error: quality.error(),
            missing: quality.missing * self.scale,
            iterations,
        }
    }

    /// The weights.
    pub(crate) fn weights(&self) -> Vec<f64> {
        let weights = match &self.run {
            AnyRun::Single(run) => run.weights(&self.model),
            AnyRun::Double(run) => run.weights(&self.model),
        };
        self.unscaled(weights)
    }

    /// Weights near the current ones that are closer to feasible.
    pub(crate) fn polished(&self, limits: &Limits) -> Vec<f64> {
        let weights = match &self.run {
            AnyRun::Single(run) => polish(&self.model, run, limits),
            AnyRun::Double(run) => polish(&self.model, run, limits),
        };
        self.unscaled(weights)
    }

    fn unscaled(&self, mut weights: Vec<f64>) -> Vec<f64> {
        for weight in &mut weights {
            *weight *= self.scale;
        }
        weights
    }

    /// The dual solution: how often it uses each operator.
    pub(crate) fn counts(&self) -> Vec<(OperatorId, f64)> {
        let counts: Vec<(usize, f64)> = match &self.run {
            AnyRun::Single(run) => run.counts(),
            AnyRun::Double(run) => run.counts(),
        };
        let units = &self.model.structure.units;
        counts.into_iter().map(|(unit, count)| (units[unit].operator, count)).collect()
    }
}

fn polish<R: Real>(model: &Model, run: &Run<R>, limits: &Limits) -> Vec<f64> {
    let (part, least, most) = POLISHING;
    let iterations = (run.iterations() / part).clamp(least, most);
    let mut polishing = run.polishing(model);
    while polishing.iterations() < iterations && limits.check().is_ok() {
        polishing.advance(model, limits);
    }
    polishing.weights(model)
}
