//! The engine: certified functions while it runs.
//!
//! Every now and then the engine's weights become a certified function: they are rounded, free
//! operators are mended, and a larger denominator repairs the others ([`certify`]). Early
//! weights violate constraints by much, and then their function is far below what they promise.
//! *Polishing* helps: a few iterations without an objective lead to weights nearby that violate
//! less. The best certified function only rises; it is what a limit leaves.
//!
//! *When to stop.* As for other methods (`attempts`): when no value up to the LP's optimum gives
//! a higher bound. The optimum is known up to the error of the engine's primal and dual values.
//!
//! *How often.* Both are repeated after more and more iterations, so that they take a small part
//! of the time; polishing waits for the end of an epoch of the method, because the next one
//! disturbs the weights at first. The clock decides nothing but when a limit is reached: the same LP gives the same
//! function, byte for byte.
//!
//! [`certify`]: crate::certify

use std::sync::Arc;
use std::time::{Duration, Instant};

use hipot_lp::reduce::reduce;
use hipot_lp::{GPU_NONZEROS, Method, SMALL_NONZEROS, VERTEX_NONZEROS};
use hipot_task::Stop;

use super::attempts::{NEAR_BEST_SLACK, good_enough};
use super::{Aim, Backend, Demand, Optimizer, Ran, Started, set_objective, substitution};
use crate::certify::Costs;
use crate::cost::bytes_for;
use crate::engine::{Engine, Quality};
use crate::helpers::Helpers;
use crate::params::Precision;
use crate::progress::Progress;
use crate::report::{Error, Rung};

/// Weights are certified again after this part of the iterations so far, one in so many.
const CERTIFYING: usize = 4;

/// The iterations before the first polishing, and the factor by which they grow.
const FIRST_POLISHING: usize = 200;
const POLISHING_GROWTH: (usize, usize) = (7, 5);

/// Polishing is repeated too if the error has fallen to this part.
const POLISHED_FALL: f64 = 0.3;

/// Polishing is not needed if the best function is this near to the optimum.
const POLISHED: f64 = 2e-4;

/// The relative distance from the optimum at which a function is good enough, if its bound is.
const SLACK: f64 = 4e-4;

/// With a larger error, nothing is known about the optimum;
const MAX_ERROR: f64 = 1e-3;

/// nor if unbalanced flow leaves more than this part of it open. The error alone does not tell: on
/// trucks p22 it is 5e-4 while the value is still 0.7% below the optimum.
const MAX_MISSING: f64 = 1e-3;

/// If the error has not fallen for this part of the iterations, and for this many, single
/// precision is exhausted; then the engine is.
const STALLED: f64 = 0.5;
const MIN_STALLED: usize = 4_000;

/// With a smaller error the LP is solved: if its weights cannot be certified, better ones are not
/// to be had. Single precision does not come so far.
const CONVERGED: f64 = 1e-9;

/// The LP that finds the equations of free operators is often solved by the interior-point
/// method, which takes so many times the memory of others.
const FACTORIZATION: u64 = 3;

/// Color refinement is tried after so many iterations. It takes as long as some hundred of them, and
/// many LPs are nearly solved by then. If the family says that it will pay, it is tried at once.
const FIRST_REFINEMENT: usize = 600;

/// Color refinement of larger LPs takes too much memory beside the engine's.
const MAX_REFINED_NONZEROS: u64 = 1_000_000;

/// HiGHS is faster if color refinement leaves at most one in so many nonzeros,
const MIN_REFINEMENT: u64 = 8;

/// or if the equations of free operators leave at most one in so many weights. The engine still
/// has all features in its table (elevators).
const MIN_DETERMINED: usize = 2;

/// At the time limit, weights are certified once more if that takes at most this part of the time
/// so far.
const LAST_PART: f64 = 0.02;

/// The time between two progress reports.
const REPORTS: Duration = Duration::from_millis(100);

impl Optimizer<'_> {
    /// Starts the engine, if it can solve this LP and is the method of choice.
    pub(super) fn start_engine(&mut self) -> Result<Started, Error> {
        let is_exact = self.demand == Demand::Best
            && matches!(self.aim, Aim::State(_))
            && self.params.precision == Precision::Vertex;
        let small = if is_exact { VERTEX_NONZEROS } else { SMALL_NONZEROS };
        let on_gpu = self.params.library.has_gpu() && self.size.nonzeros > GPU_NONZEROS as u64;
        let is_chosen = match self.method {
            Method::Auto => self.size.nonzeros > small as u64 && !on_gpu,
            method => method == Method::Engine,
        };
        if !is_chosen {
            return Ok(Started::Nothing);
        }
        let Some(structure) = self.family.structure(self.limits) else {
            self.limits.check()?;
            return Ok(Started::Nothing);
        };
        let threads = structure.threads(self.params.threads);
        if let Err(stop) = self.limits.reserve(structure.bytes(threads)) {
            // HiGHS needs no table, so it may need less for few features on many facts.
            let fits = self.limits.reserve(bytes_for(self.size.nonzeros)).is_ok();
            return if fits { Ok(Started::Nothing) } else { Err(stop.into()) };
        }
        let built = self.begin.elapsed();
        let may_use_highs = self.may_use_highs();
        let (equalities, substitution) = match self.family.on_free_cycles() {
            Some((part, size)) if !may_use_highs || size.nonzeros == 0 => {
                self.limits.reserve(bytes_for(FACTORIZATION * size.nonzeros))?;
                substitution(self.normal, &*part, Costs::Given, self.limits)?
            }
            _ => substitution(self.normal, &*self.family, Costs::Given, self.limits)?,
        };
        let free = self.family.weights() - substitution.determined_count();
        if may_use_highs && free * MIN_DETERMINED <= self.family.weights() {
            return Ok(Started::Equations(equalities, substitution));
        }
        self.set_substitution(substitution, equalities.rows.len());
        self.family.forget_problem();
        tracing::debug!(
            "engine: {} alternatives ({:.3}s)",
            structure.alternatives(),
            built.as_secs_f64()
        );
        let determined = self.substitution.determined_weights();
        let max_weight = self.max_weight.map(|weight| weight * self.scale);
        self.helpers = Arc::new(Helpers::new(threads));
        let engine = Engine::new(
            structure,
            determined,
            &self.objective,
            max_weight,
            &self.helpers,
            self.limits,
        );
        self.backend = Backend::Engine(Box::new(engine));
        Ok(Started::Engine)
    }

    /// Whether HiGHS may solve an LP for which the engine is the first choice.
    fn may_use_highs(&self) -> bool {
        self.method == Method::Auto
            && self.size.nonzeros <= MAX_REFINED_NONZEROS
            && self.limits.reserve(bytes_for(self.size.nonzeros)).is_ok()
    }

    /// The nonzeros that color refinement leaves, if these are so few that HiGHS is faster. It merges
    /// weights that play the same role although no symmetry maps them to each other (openstacks).
    fn small_quotient(&mut self) -> Option<u64> {
        let is_for_one_objective = matches!(self.aim, Aim::State(_)) && self.demand == Demand::Best;
        // Equations would have to be solved before.
        if !is_for_one_objective || !self.substitution.is_none() || !self.may_use_highs() {
            return None;
        }
        let problem = self.family.problem_mut();
        set_objective(problem, &self.objective);
        let quotient = reduce(problem).map_or(u64::MAX, |it| it.problem().size().nonzeros);
        let is_small = quotient.saturating_mul(MIN_REFINEMENT) <= self.size.nonzeros;
        if !is_small {
            self.family.forget_problem();
        }
        is_small.then_some(quotient)
    }

    /// Runs the engine until the best function is good enough or another method is to go on. If
    /// time runs out, the function is as good as possible.
    pub(super) fn run_engine(&mut self) -> Result<Ran, Error> {
        let Backend::Engine(mut engine) = std::mem::replace(&mut self.backend, Backend::None)
        else {
            unreachable!("the engine has started")
        };
        let ran = Anytime::new(self).run(&mut engine);
        let Quality { dual, missing, .. } = engine.quality();
        // Cut short, the engine may have found only a part of the optimum.
        let open = if self.report.shortfall.is_some() { missing } else { 0.0 };
        // What is certified is below the optimum, even if the engine's value is not.
        self.report.objective = (dual + open).max(self.best.value);
        self.backend = Backend::Engine(engine);
        self.done = (!matches!(ran, Ok(Ran::Refined(_)))).then_some(0);
        self.report.method = Method::Engine;
        self.report.seconds = self.begin.elapsed().as_secs_f64();
        ran
    }
}

/// A run of the engine.
struct Anytime<'a, 'b> {
    optimizer: &'a mut Optimizer<'b>,
    /// The iterations after which weights are certified next.
    next_certifying: usize,
    /// The iterations after which weights are polished next.
    next_polishing: usize,
    /// The iterations after which color refinement is tried.
    next_refinement: usize,
    /// The error when weights were last polished.
    polished_error: f64,
    /// The smallest error so far, and when it was reached.
    best_error: f64,
    best_iteration: usize,
    next_report: Instant,
    /// The longest time that it took to certify weights.
    longest: Duration,
}

impl<'a, 'b> Anytime<'a, 'b> {
    fn new(optimizer: &'a mut Optimizer<'b>) -> Self {
        let now = Instant::now();
        let next_refinement = if optimizer.family.is_coarse() { 0 } else { FIRST_REFINEMENT };
        Self {
            optimizer,
            next_certifying: 0,
            next_polishing: FIRST_POLISHING,
            next_refinement,
            polished_error: f64::INFINITY,
            best_error: f64::INFINITY,
            best_iteration: 0,
            next_report: now + REPORTS,
            longest: Duration::ZERO,
        }
    }

    fn run(&mut self, engine: &mut Engine) -> Result<Ran, Error> {
        loop {
            engine.advance(self.optimizer.limits);
            if let Err(stop) = self.optimizer.limits.check() {
                return self.stop(engine, stop);
            }
            let quality = engine.quality();
            let enough = self.enough(quality);
            if quality.iterations >= self.next_certifying || engine.is_epoch_over() {
                self.certify(engine, quality, enough);
            }
            self.polish(engine, quality, enough);
            self.report(quality);
            if self.optimizer.best.value >= enough {
                self.log(quality);
                return Ok(Ran::Enough);
            }
            if quality.iterations >= self.next_refinement {
                self.next_refinement = usize::MAX;
                if let Some(nonzeros) = self.optimizer.small_quotient() {
                    self.log(quality);
                    return Ok(Ran::Refined(nonzeros));
                }
            }
            if self.is_stalled(quality) && !engine.use_double() {
                self.log(quality);
                return Ok(Ran::Stalled);
            }
        }
    }

    /// The value from which a function is good enough.
    fn enough(&self, quality: Quality) -> f64 {
        let (optimum, size) = (quality.dual, 1.0 + quality.dual.abs());
        match self.optimizer.demand {
            _ if quality.error > MAX_ERROR => f64::INFINITY,
            Demand::NearBest => optimum - NEAR_BEST_SLACK * size,
            Demand::Best if quality.missing > MAX_MISSING * size => f64::INFINITY,
            Demand::Best => good_enough(optimum, quality.error, SLACK),
        }
    }

    /// Rounds weights and checks them, if there is time for that.
    fn round(&mut self, weights: &[f64], enough: f64) {
        let left = self.optimizer.limits.time_left();
        if left.is_some_and(|left| left < self.longest) {
            return;
        }
        let begin = Instant::now();
        self.optimizer.round_candidates(weights, Rung::Scaling, enough);
        self.longest = self.longest.max(begin.elapsed());
    }

    /// Certifies the current weights.
    fn certify(&mut self, engine: &Engine, quality: Quality, enough: f64) {
        self.round(&engine.weights(), enough);
        self.next_certifying = quality.iterations + quality.iterations / CERTIFYING;
        self.trace("certified", quality);
    }

    /// Polishes the current weights and certifies the result, if it is time for that.
    fn polish(&mut self, engine: &Engine, quality: Quality, enough: f64) {
        let slack = quality.dual - self.optimizer.best.value;
        let is_due = quality.iterations >= self.next_polishing && engine.is_epoch_over()
            || quality.error < POLISHED_FALL * self.polished_error;
        let is_early = quality.iterations < FIRST_POLISHING;
        if is_early || !is_due || slack <= POLISHED * (1.0 + quality.dual.abs()) {
            return;
        }
        let polished = engine.polished(self.optimizer.limits);
        self.round(&polished, enough);
        self.next_polishing = quality.iterations * POLISHING_GROWTH.0 / POLISHING_GROWTH.1;
        self.polished_error = quality.error;
        self.trace("polished", quality);
    }

    fn trace(&self, what: &str, quality: Quality) {
        let Quality { primal, dual, error, iterations, .. } = quality;
        tracing::trace!(
            "{what} after {iterations} iterations: {:.4} (weights {primal:.4}, dual {dual:.4}, \
             error {error:.1e}, {:.3}s)",
            self.optimizer.best.value,
            self.optimizer.begin.elapsed().as_secs_f64()
        );
    }

    /// What is left when a limit is reached.
    fn stop(&mut self, engine: &Engine, stop: Stop) -> Result<Ran, Error> {
        // After an interrupt, someone is waiting. An LP may not take all of the time: a small part
        // more is left.
        let is_short = self.longest < self.optimizer.begin.elapsed().mul_f64(LAST_PART);
        if stop == Stop::TimeLimit && is_short {
            let weights = engine.weights();
            self.optimizer.round_candidates(&weights, Rung::Scaling, f64::INFINITY);
            self.trace("certified", engine.quality());
        }
        self.log(engine.quality());
        self.optimizer.end_early(stop)?;
        Ok(Ran::Enough)
    }

    fn is_stalled(&mut self, quality: Quality) -> bool {
        if quality.error < CONVERGED {
            return true;
        }
        if quality.error < 0.7 * self.best_error {
            (self.best_error, self.best_iteration) = (quality.error, quality.iterations);
        }
        let since = quality.iterations - self.best_iteration;
        let is_stalled = since > MIN_STALLED && since as f64 > STALLED * quality.iterations as f64;
        if is_stalled {
            self.best_iteration = quality.iterations;
        }
        is_stalled
    }

    fn report(&mut self, quality: Quality) {
        let now = Instant::now();
        if now < self.next_report {
            return;
        }
        self.next_report = now + REPORTS;
        let optimizer = &*self.optimizer;
        let Some(listener) = &optimizer.params.listener else { return };
        let own = match &optimizer.aim {
            Aim::State(state) => Some(optimizer.best.function.bound(state)),
            Aim::Objective => None,
        };
        listener.tell(Progress {
            method: Method::Engine,
            iterations: Some(quality.iterations),
            primal: Some(quality.primal),
            dual: Some(quality.dual + quality.missing),
            certified: own.max(optimizer.certified),
            ..optimizer.progress()
        });
    }

    fn log(&self, quality: Quality) {
        tracing::debug!(
            "engine: LP {:.6} with error {:.1e}, certified {:.6} after {} iterations ({:.3}s)",
            quality.dual,
            quality.error,
            self.optimizer.best.value,
            quality.iterations,
            self.optimizer.begin.elapsed().as_secs_f64()
        );
    }
}
