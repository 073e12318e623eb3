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
//! 2024; Chen et al., HPR-LP, 2024; cuPDLPx, 2025, whose constants these are, except for the
//! gains of the controller.)
//!
//! *Going on.* On these LPs most restarts come because an epoch was long, while the distance has
//! hardly fallen: the points move toward the solution at a constant speed. Then the next epoch
//! begins further ahead, at z + 2 (z − a) for the image z and the anchor a. The distance rises by
//! much at first, but falls again within a few hundred iterations. Any point is a possible start
//! of an epoch.
//!
//! The *primal weight* ω balances the way of x and u; at each restart a controller moves it
//! toward the ratio of the two ways since the last one.

use std::collections::HashMap;

use hipot_task::Limits;

use super::chunk::{Measured, Rule};
use super::crew::Crew;
use super::model::{Model, expand_determined, transpose_determined};
use super::point::{Job, Point, read, write};
use super::real::Real;
use super::start::{Columns, Start, Use};
use super::weights::Share;

/// Iterations between two looks at progress.
const CHECK: usize = 40;

/// A restart follows if the residual has fallen to this part of the first one,
const SUFFICIENT: f64 = 0.2;

/// or to this part and does not fall any more,
const NECESSARY: f64 = 0.5;

/// or after this part of all iterations.
const LONG: f64 = 0.36;

/// After so many iterations, an epoch whose residual has not fallen far enough is gone on by this
/// multiple of its way.
const EARLY: usize = 300;
const BEYOND: f64 = 2.0;

/// The gains of the controller of the primal weight. The proportional one falls from restart to
/// restart, from the first number to the second: at first the weight may be wrong by orders of
/// magnitude; later, large changes undo what the iterations have balanced.
const PROPORTIONAL: (f64, f64) = (0.99, 0.3);
const FALL: f64 = 0.75;
const INTEGRAL: f64 = 0.01;

/// The iterations before the loads of threads are compared.
const FIRST_BALANCE: usize = 100;

/// A point and what is needed to go on from it.
#[derive(Debug)]
pub(super) struct Run<R> {
    pace: Pace,
    point: Point<R>,
}

/// Where the iteration is.
#[derive(Clone, Debug)]
struct Pace {
    /// The primal weight ω.
    weight: f64,
    error_sum: f64,
    restarts: i32,
    /// Iterations in all, and since the last restart.
    iterations: usize,
    epoch: usize,
    first_residual: f64,
    last_residual: f64,
    /// A restart before the next iteration, and the multiple of the way by which it goes on.
    due: Option<f64>,
    /// The iterations after which the threads' loads are compared next.
    next_balance: usize,
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
    /// What the unbalanced flow would be worth if all of it counted the same way.
    pub(super) missing: f64,
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
        let mut objective = objective.to_vec();
        transpose_determined(&model.determined, &mut objective);
        Self { pace: Pace::new(1.0), point: Point::new(model, &objective) }
    }

    /// Changes the objective; the iterations go on from the last point.
    pub(super) fn set_objective(&mut self, model: &Model, objective: &[f64]) {
        let Self { pace, point } = self;
        let mut objective = objective.to_vec();
        transpose_determined(&model.determined, &mut objective);
        point.spread(&objective, |share| &mut share.objective);
        if pace.iterations > 0 {
            point.with_crew(model, |crew| pace.restart(model, point, crew, 0.0));
        }
        pace.due = None;
        (pace.iterations, pace.epoch, pace.restarts, pace.error_sum) = (0, 0, 0, 0.0);
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
            primal_weight: self.pace.weight,
        };
        for chunk in &self.point.chunks {
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
        let Self { pace, point } = self;
        let structure = &model.structure;
        let columns = Columns::new(structure);
        let weight = |number: usize| {
            let weight = columns.feature(number).and_then(|it| start.weights.get(&it));
            (weight.unwrap_or(&0.0) / scale).clamp(-model.max_weight, model.max_weight)
        };
        point.begin_at(&(0..structure.weights()).map(weight).collect::<Vec<_>>());
        if !start.uses.is_empty() {
            pace.weight = start.primal_weight;
        }
        let mut of_fact = vec![0.0; structure.facts().len()];
        for chunk in &point.chunks {
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
        Self { pace: Pace::new(self.pace.weight), point: self.point.without_duals(model) }
    }

    /// The same run in double precision.
    pub(super) fn in_double(&self) -> Run<f64> {
        Run { pace: self.pace.clone(), point: self.point.in_double() }
    }

    /// Iterates until the next check, or until `limits` are reached.
    pub(super) fn advance(&mut self, model: &Model, limits: &Limits) {
        let Self { pace, point } = self;
        if pace.due.is_some() && pace.iterations >= pace.next_balance {
            pace.next_balance = 2 * pace.iterations;
            point.balance(model);
        }
        point.with_crew(model, |crew| pace.advance(model, point, crew, limits));
    }

    /// Whether a restart follows.
    pub(super) fn is_epoch_over(&self) -> bool {
        self.pace.due.is_some()
    }

    /// The number of iterations.
    pub(super) fn iterations(&self) -> usize {
        self.pace.iterations
    }

    /// The image of the weights, all of them.
    pub(super) fn weights(&self, model: &Model) -> Vec<f64> {
        let mut weights = self.point.gather(|share| &share.image);
        expand_determined(&model.determined, &mut weights);
        weights
    }

    /// How good the point is.
    pub(super) fn quality(&self, model: &Model) -> Quality {
        let units = &model.structure.units;
        let counts = self.counts();
        let of_units: f64 = counts.iter().map(|&(unit, count)| units[unit].cost * count).sum();
        let (mut primal, mut unbalanced) = (0.0, 0.0);
        let (mut imbalance, mut length, mut missing_value) = (0.0, 0.0, 0.0);
        for share in &self.point.shares {
            let Share { objective, image, flow, .. } = &*read(share);
            for ((objective, flow), image) in objective.iter().zip(flow).zip(image) {
                let missing = objective - flow;
                primal += objective * image;
                unbalanced += missing * image;
                missing_value += (missing * image).abs();
                imbalance += missing.powi(2);
                length += objective.powi(2);
            }
        }
        let imbalance = imbalance.sqrt() / (1.0 + length.sqrt());
        Quality { primal, dual: of_units + unbalanced, imbalance, missing: missing_value }
    }

    /// How often each unit is used.
    pub(super) fn counts(&self) -> Vec<(usize, f64)> {
        let mut counts = Vec::new();
        for chunk in &self.point.chunks {
            counts.extend(read(chunk).counts());
        }
        counts
    }
}

impl Pace {
    /// Before the first iteration, with this primal weight.
    fn new(weight: f64) -> Self {
        Self {
            weight,
            error_sum: 0.0,
            restarts: 0,
            iterations: 0,
            epoch: 0,
            first_residual: f64::INFINITY,
            last_residual: f64::INFINITY,
            due: None,
            next_balance: FIRST_BALANCE,
        }
    }

    fn advance<R: Real>(
        &mut self,
        model: &Model,
        point: &Point<R>,
        crew: &Crew<'_, Job>,
        limits: &Limits,
    ) {
        if let Some(beyond) = self.due.take() {
            self.restart(model, point, crew, beyond);
        }
        let mut residual = 0.0;
        for _ in 0..CHECK {
            if limits.check().is_err() {
                return;
            }
            let factor = (self.epoch + 1) as f64 / (self.epoch + 2) as f64;
            residual = self.iterate(model, point, crew, Rule::Halpern(factor)).residual;
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
            let goes_on = !is_sufficient && self.iterations > EARLY;
            self.due = Some(if goes_on { BEYOND } else { 0.0 });
        }
    }

    fn restart<R: Real>(
        &mut self,
        model: &Model,
        point: &Point<R>,
        crew: &Crew<'_, Job>,
        beyond: f64,
    ) {
        let anchors: Vec<Vec<f64>> =
            point.shares.iter().map(|it| read(it).anchor.clone()).collect();
        let dual = self.iterate(model, point, crew, Rule::Restart(beyond)).from_anchor.sqrt();
        let ways = point.shares.iter().zip(&anchors);
        let primal =
            ways.map(|(it, anchor)| read(it).squared_way(model, anchor)).sum::<f64>().sqrt();
        if primal > f64::EPSILON && dual > f64::EPSILON {
            let error = (self.weight * primal / dual).ln();
            self.error_sum += error;
            let (first, last) = PROPORTIONAL;
            let gain = last + (first - last) * FALL.powi(self.restarts);
            self.weight *= (-gain * error - INTEGRAL * self.error_sum).exp();
            self.restarts += 1;
        }
        self.epoch = 0;
    }

    /// One iteration.
    fn iterate<R: Real>(
        &mut self,
        model: &Model,
        point: &Point<R>,
        crew: &Crew<'_, Job>,
        rule: Rule,
    ) -> Iterated {
        let weight = self.weight;
        crew.run(Job::Weights { weight, rule });
        if !model.determined.is_empty() {
            point.change(|it| &mut it.flow, |flow| transpose_determined(&model.determined, flow));
            crew.run(Job::Step { weight, rule });
            point.change(|it| &mut it.reflected, |it| expand_determined(&model.determined, it));
        }
        crew.run(Job::Units { weight, rule, number: self.iterations });
        self.iterations += 1;
        self.epoch += 1;
        let moved: f64 = point.shares.iter().map(|share| read(share).moved).sum();
        let mut measured = Measured::default();
        point.chunks.iter().for_each(|chunk| measured.add(read(chunk).measured));
        Iterated {
            residual: (weight * moved + measured.moved / weight).sqrt(),
            from_anchor: measured.from_anchor,
        }
    }
}

/// What an iteration has measured.
struct Iterated {
    /// The distance from the point to its image.
    residual: f64,
    /// The squared distance from the anchor of the dual numbers to their image.
    from_anchor: f64,
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use hipot_task::Task;
    use hipot_testing::RandomTask;

    use super::super::structure::Structure;

    use super::*;
    use crate::feature_set::FeatureLp;
    use crate::helpers::Helpers;
    use crate::normal_form::NormalForm;
    use crate::pairs::Reduction;
    use crate::report::Extent;

    /// The LP over all pairs of a task.
    pub(in crate::engine) fn structure(task: &Task) -> Structure {
        structure_of(&Arc::new(NormalForm::plain(task).unwrap()))
    }

    fn structure_of(normal: &Arc<NormalForm>) -> Structure {
        let limits = Limits::none();
        let reduction = Reduction::new(normal, 2, normal.initial(), &limits).unwrap();
        let classes = reduction.classes(reduction.complete(2));
        let size = reduction.size(&classes, u64::MAX, &limits).unwrap().unwrap();
        let lp = FeatureLp::reduced(normal, &reduction, classes, size, Extent::Complete);
        lp.family.structure(&limits).unwrap()
    }

    /// An LP over all pairs, with an objective and bounded weights.
    fn model(normal: &Arc<NormalForm>, threads: usize) -> (Model, Vec<f64>) {
        let (structure, limits) = (structure_of(normal), Limits::none());
        let objective: Vec<f64> = (0..structure.weights()).map(|it| (it % 3) as f64).collect();
        let helpers = Arc::new(Helpers::new(threads));
        (Model::new(structure, Vec::new(), 5.0, &helpers, &limits), objective)
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

    /// Units sleep only while all of their dual numbers are 0, also where an epoch is gone on.
    #[test]
    fn sleeping_units_are_not_used() {
        let shape = RandomTask { variables: 8, operators: 80, ..RandomTask::default() };
        let normal = Arc::new(NormalForm::plain(&shape.generate(3)).unwrap());
        let (model, objective) = model(&normal, 1);
        let mut run: Run<f32> = Run::new(&model, &objective);
        let (mut gone_on, mut sleepers) = (0, 0);
        for _ in 0..100 {
            let goes_on = run.pace.due.is_some_and(|beyond| beyond > 0.0);
            gone_on += usize::from(goes_on);
            run.advance(&model, &Limits::none());
            let (are_zero, count) = read(&run.point.chunks[0]).sleepers(&model.structure);
            assert!(are_zero, "after {} iterations", run.iterations());
            sleepers += if goes_on { count } else { 0 };
        }
        assert!(gone_on > 1 && sleepers > 0, "{gone_on} epochs gone on, {sleepers} sleepers");
    }

    /// Units can move from thread to thread.
    #[test]
    fn another_distribution_is_the_same_point() {
        let shape = RandomTask { variables: 8, operators: 80, ..RandomTask::default() };
        let normal = Arc::new(NormalForm::plain(&shape.generate(4)).unwrap());
        let (model, objective) = model(&normal, 2);
        let run = |moves: bool| {
            let mut run: Run<f64> = Run::new(&model, &objective);
            for number in 0..8 {
                run.advance(&model, &Limits::none());
                if moves {
                    let part = |unit: usize| usize::from(unit.is_multiple_of(2 + number));
                    let part_of: Vec<usize> = (0..model.structure.units.len()).map(part).collect();
                    run.point.distribute(&model, &part_of);
                }
            }
            (run.weights(&model), run.counts().len())
        };
        let ((weights, units), (moved, all)) = (run(false), run(true));
        assert_eq!(units, all);
        let differences = weights.iter().zip(&moved).map(|(a, b)| (a - b).abs());
        assert!(differences.fold(0.0, f64::max) < 1e-6);
        assert!(weights.iter().any(|it| it.abs() > 0.1));
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
