//! The method: restarted, reflected Halpern iterations of primal-dual hybrid gradient.
//!
//! An iteration T maps weights x and dual numbers u to
//!
//! ```text
//! x⁺ = x + τ / ω (c − Kᵀu),   u⁺ = the projection of u + σ ω (K (2x⁺ − x) − q),
//! ```
//!
//! where K is the matrix of all Δ_ind and alternatives, q the costs, c the objective, and τ and
//! σ are the step sizes ([`model`](super::model)). The next point is not T(z) but a mean of the
//! reflected point 2 T(z) − z and an anchor, with a weight of the anchor that falls like 1/k
//! (Halpern). From time to time the iteration restarts with its image as the anchor: if the
//! distance from z to T(z) has fallen by much, has stopped falling, or after long. (Lu and Yang
//! 2024; Chen et al., HPR-LP, 2024; cuPDLPx, 2025, whose constants these are.)
//!
//! The *primal weight* ω balances the way of x and u; at each restart a controller moves it
//! toward the ratio of the two ways since the last one.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use hipot_task::Limits;

use super::chunk::{Chunk, Iteration, Measured, Rule};
use super::crew::Crew;
use super::model::{Model, expand_determined, transpose_determined};
use super::real::{LANES, Real, sum};
use super::start::{Columns, Start, Use};

/// Iterations between two looks at progress.
const CHECK: usize = 40;

/// A restart follows if the residual has fallen to this part of the first one,
const SUFFICIENT: f64 = 0.2;

/// or to this part and does not fall any more,
const NECESSARY: f64 = 0.5;

/// or after this part of all iterations.
const LONG: f64 = 0.36;

/// The gains of the controller of the primal weight: proportional and integral.
const GAINS: (f64, f64) = (0.99, 0.01);

/// A point and what is needed to go on from it.
#[derive(Debug)]
pub(super) struct Run<R> {
    point: Point,
    units: Units<R>,
}

/// The weights, and where the iteration is.
#[derive(Clone, Debug)]
struct Point {
    objective: Vec<f64>,
    /// The weights x, their image x⁺, 2x⁺ − x, and the anchor.
    x: Vec<f64>,
    image: Vec<f64>,
    reflected: Vec<f64>,
    anchor: Vec<f64>,
    /// Kᵀu.
    flow: Vec<f64>,
    /// The primal weight ω.
    weight: f64,
    error_sum: f64,
    /// Iterations in all, and since the last restart.
    iterations: usize,
    epoch: usize,
    first_residual: f64,
    last_residual: f64,
    /// What the last iteration has measured.
    measured: Measured,
}

/// The units with their dual numbers, in parts for threads. No lock is ever waited for: while
/// a thread writes, no other needs the same thing.
#[derive(Debug)]
struct Units<R> {
    /// The weights, for the units to read.
    table: RwLock<Vec<R>>,
    chunks: Vec<RwLock<Chunk<R>>>,
    /// What each thread computes: the flow of its part of the weights, and what it measured.
    results: Vec<Mutex<(Vec<f64>, Measured)>>,
}

/// A part of an iteration, which all threads do side by side.
#[derive(Clone, Copy)]
enum Job {
    /// Compute the flow of some weights.
    Collect,
    /// Iterate over some units.
    Iterate {
        weight: f64,
        rule: Rule,
        /// The number of iterations before.
        number: usize,
    },
}

/// How good a point is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quality {
    /// The objective at the weights.
    pub(super) primal: f64,
    /// The value of the dual numbers, corrected for flow that is not balanced.
    pub(super) dual: f64,
    /// How far the flow is from balanced, relative to the objective.
    imbalance: f64,
}

impl Quality {
    /// The relative error of the optimum, as far as these numbers tell.
    pub(super) fn error(&self) -> f64 {
        let gap = (self.primal - self.dual).abs() / (1.0 + self.primal.abs().max(self.dual.abs()));
        gap.max(self.imbalance)
    }
}

impl<R: Real> Run<R> {
    /// A run that begins at 0.
    pub(super) fn new(model: &Model, objective: &[f64]) -> Self {
        let zeros = vec![0.0; model.structure.weights()];
        let mut point = Point {
            objective: objective.to_vec(),
            x: zeros.clone(),
            image: zeros.clone(),
            reflected: zeros.clone(),
            anchor: zeros.clone(),
            flow: zeros,
            weight: 1.0,
            error_sum: 0.0,
            iterations: 0,
            epoch: 0,
            first_residual: f64::INFINITY,
            last_residual: f64::INFINITY,
            measured: Measured::default(),
        };
        transpose_determined(&model.determined, &mut point.objective);
        let chunk = |part| Chunk::new(&model.structure, &model.sigma, part, model.threads);
        let units = Units {
            table: RwLock::new(vec![R::ZERO; model.structure.layout.len()]),
            chunks: (0..model.threads).map(chunk).map(RwLock::new).collect(),
            results: (0..model.threads).map(|_| Mutex::default()).collect(),
        };
        Self { point, units }
    }

    /// Changes the objective; the iterations go on from the last point.
    pub(super) fn set_objective(&mut self, model: &Model, objective: &[f64]) {
        let Self { point, units } = self;
        point.objective.copy_from_slice(objective);
        transpose_determined(&model.determined, &mut point.objective);
        if point.iterations > 0 {
            units.with_crew(model, |crew| point.restart(model, units, crew));
        }
        (point.iterations, point.epoch, point.error_sum) = (0, 0, 0.0);
    }

    /// The point, for other LPs. Weights are multiplied by `scale`.
    pub(super) fn start(&self, model: &Model, scale: f64) -> Start {
        let structure = &model.structure;
        let columns = Columns::new(structure);
        let weights = self.weights(model).into_iter().enumerate();
        let weights =
            weights.filter_map(|(it, weight)| Some((columns.feature(it)?, weight * scale)));
        let mut start = Start {
            weights: weights.collect(),
            uses: HashMap::new(),
            primal_weight: self.point.weight,
        };
        for chunk in &self.units.chunks {
            read(chunk).for_each_used(structure, |unit, count, y| {
                let contexts = columns.alternatives(&structure.view(unit)).into_iter();
                let contexts = contexts.map(|(place, fact)| (fact, y[place].to_f64()));
                let contexts = contexts.filter(|it| it.1 != 0.0).collect();
                start.uses.insert(structure.units[unit].operator, Use { count, contexts });
            });
        }
        start
    }

    /// Begins at a point of another LP, whose weights are divided by `scale`.
    pub(super) fn begin_at(&mut self, model: &Model, start: &Start, scale: f64) {
        let Self { point, units } = self;
        let structure = &model.structure;
        let columns = Columns::new(structure);
        for (number, x) in point.x.iter_mut().enumerate() {
            let weight = columns.feature(number).and_then(|it| start.weights.get(&it));
            *x = (weight.unwrap_or(&0.0) / scale).clamp(-model.max_weight, model.max_weight);
        }
        point.image.copy_from_slice(&point.x);
        point.anchor.copy_from_slice(&point.x);
        if !start.uses.is_empty() {
            point.weight = start.primal_weight;
        }
        let mut of_fact = vec![0.0; structure.facts().len()];
        for chunk in &units.chunks {
            write(chunk).begin_at(structure, |unit, y| {
                let Some(used) = start.uses.get(&structure.units[unit].operator) else {
                    return 0.0;
                };
                used.contexts.iter().for_each(|&(fact, value)| of_fact[fact.index()] = value);
                for (place, fact) in columns.alternatives(&structure.view(unit)) {
                    y[place] = R::of(of_fact[fact.index()]);
                }
                used.contexts.iter().for_each(|&(fact, _)| of_fact[fact.index()] = 0.0);
                used.count
            });
        }
    }

    /// A run toward a feasible point near the weights of this one: its objective is 0.
    pub(super) fn polishing(&self, model: &Model) -> Self {
        let mut run = Self::new(model, &vec![0.0; self.point.x.len()]);
        run.point.x.copy_from_slice(&self.point.image);
        run.point.anchor.copy_from_slice(&self.point.image);
        run.point.weight = self.point.weight;
        run
    }

    /// The same run in double precision.
    pub(super) fn in_double(&self) -> Run<f64> {
        let Units { table, chunks, results } = &self.units;
        let units = Units {
            table: RwLock::new(vec![0.0; read(table).len()]),
            chunks: chunks.iter().map(|it| RwLock::new(read(it).in_double())).collect(),
            results: results.iter().map(|_| Mutex::default()).collect(),
        };
        Run { point: self.point.clone(), units }
    }

    /// Iterates until the next check, or until `limits` are reached.
    pub(super) fn advance(&mut self, model: &Model, limits: &Limits) {
        let Self { point, units } = self;
        units.with_crew(model, |crew| point.advance(model, units, crew, limits));
    }

    /// The number of iterations.
    pub(super) fn iterations(&self) -> usize {
        self.point.iterations
    }

    /// The image of the weights, all of them.
    pub(super) fn weights(&self, model: &Model) -> Vec<f64> {
        let mut weights = self.point.image.clone();
        expand_determined(&model.determined, &mut weights);
        weights
    }

    /// How good the point is.
    pub(super) fn quality(&self, model: &Model) -> Quality {
        let units = &model.structure.units;
        let counts = self.counts();
        let of_units: f64 = counts.iter().map(|&(unit, count)| units[unit].cost * count).sum();
        let Point { objective, image, flow, .. } = &self.point;
        let (mut primal, mut unbalanced) = (0.0, 0.0);
        let (mut imbalance, mut length) = (0.0, 0.0);
        for ((objective, flow), image) in objective.iter().zip(flow).zip(image) {
            let missing = objective - flow;
            primal += objective * image;
            unbalanced += missing * image;
            imbalance += missing.powi(2);
            length += objective.powi(2);
        }
        let imbalance = imbalance.sqrt() / (1.0 + length.sqrt());
        Quality { primal, dual: of_units + unbalanced, imbalance }
    }

    /// How often each unit is used.
    pub(super) fn counts(&self) -> Vec<(usize, f64)> {
        let mut counts = Vec::new();
        for chunk in &self.units.chunks {
            counts.extend(read(chunk).counts());
        }
        counts
    }
}

impl Point {
    fn advance<R: Real>(
        &mut self,
        model: &Model,
        units: &Units<R>,
        crew: &Crew<'_, Job>,
        limits: &Limits,
    ) {
        let mut residual = 0.0;
        for _ in 0..CHECK {
            if limits.check().is_err() {
                return;
            }
            let factor = (self.epoch + 1) as f64 / (self.epoch + 2) as f64;
            residual = self.iterate(model, units, crew, Rule::Halpern(factor));
            if self.epoch == 1 {
                (self.first_residual, self.last_residual) = (residual, residual);
            }
        }
        let is_sufficient = residual <= SUFFICIENT * self.first_residual;
        let is_low = residual <= NECESSARY * self.first_residual;
        let is_necessary = is_low && residual > self.last_residual;
        let is_long = self.epoch as f64 >= LONG * self.iterations as f64;
        self.last_residual = residual;
        if is_sufficient || is_necessary || is_long {
            self.restart(model, units, crew);
        }
    }

    fn restart<R: Real>(&mut self, model: &Model, units: &Units<R>, crew: &Crew<'_, Job>) {
        let anchor = self.anchor.clone();
        self.iterate(model, units, crew, Rule::Restart);
        let ways = self.x.iter().zip(&anchor).zip(&model.tau).filter(|(_, tau)| **tau > 0.0);
        let primal = ways.map(|((x, anchor), tau)| (x - anchor).powi(2) / tau).sum::<f64>().sqrt();
        let dual = self.measured.from_anchor.sqrt();
        if primal > f64::EPSILON && dual > f64::EPSILON {
            let error = (self.weight * primal / dual).ln();
            self.error_sum += error;
            self.weight *= (-GAINS.0 * error - GAINS.1 * self.error_sum).exp();
        }
        self.epoch = 0;
    }

    /// One iteration; returns the distance from the point to its image.
    fn iterate<R: Real>(
        &mut self,
        model: &Model,
        units: &Units<R>,
        crew: &Crew<'_, Job>,
        rule: Rule,
    ) -> f64 {
        crew.run(Job::Collect);
        let mut begin = 0;
        for result in &units.results {
            let part = &lock(result).0;
            self.flow[begin..begin + part.len()].copy_from_slice(part);
            begin += part.len();
        }
        transpose_determined(&model.determined, &mut self.flow);
        let moved = self.step(model, rule);
        model.expand(&mut self.reflected, &mut write(&units.table));
        crew.run(Job::Iterate { weight: self.weight, rule, number: self.iterations });
        self.measured = Measured::default();
        for result in &units.results {
            self.measured.add(lock(result).1);
        }
        self.iterations += 1;
        self.epoch += 1;
        (self.weight * moved + self.measured.moved / self.weight).sqrt()
    }

    /// The step of the weights; returns the squared distance to the image, each divided by its
    /// step size.
    fn step(&mut self, model: &Model, rule: Rule) -> f64 {
        let (inverse_weight, max) = (self.weight.recip(), model.max_weight);
        let (factor, rest) = match rule {
            Rule::Halpern(factor) => (factor, 1.0 - factor),
            Rule::Restart => (0.0, 0.0),
        };
        let mut moved = [0.0; LANES];
        let points = self.x.iter_mut().zip(&mut self.image).zip(&mut self.reflected);
        let points = points.zip(&self.anchor);
        let slopes = model.tau.iter().zip(&self.objective).zip(&self.flow);
        for (j, ((((x, image), reflected), anchor), ((tau, objective), flow))) in
            points.zip(slopes).enumerate()
        {
            let step = inverse_weight * (objective - flow);
            *image = (*x + tau * step).clamp(-max, max);
            moved[j % LANES] += step * (*image - *x);
            *reflected = 2.0 * *image - *x;
            *x = factor * *reflected + rest * anchor;
        }
        if rule == Rule::Restart {
            self.x.copy_from_slice(&self.image);
            self.anchor.copy_from_slice(&self.image);
        }
        sum(moved)
    }
}

impl<R: Real> Units<R> {
    /// Calls `main` with a crew that can do jobs with these units.
    fn with_crew(&self, model: &Model, main: impl FnOnce(&Crew<'_, Job>)) {
        let work = |thread: usize, job: Job| match job {
            Job::Collect => self.collect(model, thread),
            Job::Iterate { weight, rule, number } => {
                let iteration = Iteration {
                    structure: &model.structure,
                    table: &read(&self.table)[..],
                    weight: R::of(weight),
                    rule,
                    number,
                };
                let measured = write(&self.chunks[thread]).iterate(iteration);
                lock(&self.results[thread]).1 = measured;
            }
        };
        Crew::with(model.threads, &work, main);
    }

    /// Computes the flow of a thread's part of the weights.
    fn collect(&self, model: &Model, thread: usize) {
        let chunks: Vec<_> = self.chunks.iter().map(read).collect();
        let tables: Vec<&[R]> = chunks.iter().map(|chunk| &chunk.flow[..]).collect();
        let all = model.structure.weights();
        let end = |threads: usize| all * threads / self.results.len();
        let flow = &mut lock(&self.results[thread]).0;
        flow.resize(end(thread + 1) - end(thread), 0.0);
        model.collect(&tables, end(thread), flow);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hipot_testing::RandomTask;

    use super::*;
    use crate::feature_set::FeatureLp;
    use crate::normal_form::NormalForm;
    use crate::pairs::Reduction;
    use crate::report::Extent;

    /// An LP over all pairs, with an objective and bounded weights.
    fn model(normal: &Arc<NormalForm>, threads: usize) -> (Model, Vec<f64>) {
        let limits = Limits::none();
        let reduction = Reduction::new(normal, 2, normal.initial(), &limits).unwrap();
        let classes = reduction.classes(reduction.complete(2));
        let size = reduction.size(&classes, u64::MAX, &limits).unwrap().unwrap();
        let lp = FeatureLp::reduced(normal, &reduction, classes, size, Extent::Complete);
        let structure = lp.family.structure(&limits).unwrap();
        let objective: Vec<f64> = (0..structure.weights()).map(|it| (it % 3) as f64).collect();
        let mut model = Model::new(structure, Vec::new(), 5.0, 1, &limits);
        model.threads = threads;
        (model, objective)
    }

    /// Weights and the dual value after some iterations with so many threads.
    fn run(normal: &Arc<NormalForm>, threads: usize) -> (Vec<f64>, f64) {
        let (model, objective) = model(normal, threads);
        let mut run: Run<f32> = Run::new(&model, &objective);
        for _ in 0..25 {
            run.advance(&model, &Limits::none());
        }
        (run.weights(&model), run.quality(&model).dual)
    }

    /// A run that starts at the point of another is as near to the optimum at once.
    #[test]
    fn a_start_at_the_last_point_loses_nothing() {
        let shape = RandomTask { variables: 8, operators: 80, ..RandomTask::default() };
        let normal = Arc::new(NormalForm::plain(&shape.generate(2)).unwrap());
        let (model, objective) = model(&normal, 2);
        let mut run: Run<f32> = Run::new(&model, &objective);
        for _ in 0..50 {
            run.advance(&model, &Limits::none());
        }
        let before = run.quality(&model);
        let start = run.start(&model, 3.0);
        let mut warm: Run<f32> = Run::new(&model, &objective);
        warm.begin_at(&model, &start, 3.0);
        warm.advance(&model, &Limits::none());
        let mut cold: Run<f32> = Run::new(&model, &objective);
        cold.advance(&model, &Limits::none());
        let [warm, cold] = [warm, cold].map(|it| it.quality(&model).error());
        assert!(before.error() < 1e-2 && cold > 3.0 * warm, "cold {cold}, warm {warm}");
        assert!(warm < 2.0 * before.error() + 1e-3, "{} before, {warm} after", before.error());
    }

    /// Threads add up in a fixed order.
    #[test]
    fn the_same_number_of_threads_gives_the_same_weights() {
        let shape = RandomTask { variables: 8, operators: 80, ..RandomTask::default() };
        let normal = Arc::new(NormalForm::plain(&shape.generate(1)).unwrap());
        let (alone, optimum) = run(&normal, 1);
        for threads in 2..=3 {
            let (weights, dual) = run(&normal, threads);
            assert_eq!(weights, run(&normal, threads).0);
            assert_ne!(weights, alone, "another order of additions has the same result");
            assert!(
                (dual / optimum - 1.0).abs() < 1e-3,
                "{dual} with {threads} threads, {optimum}"
            );
        }
    }
}
