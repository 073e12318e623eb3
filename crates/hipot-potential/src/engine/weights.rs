//! The weights of an iteration, in shares for threads.

use super::chunk::Rule;
use super::model::Model;
use super::real::{LANES, Real, sum};

/// The number of weights whose flow is collected before they are moved: few enough to stay in
/// the processor's nearest cache.
const BLOCK: usize = 512;

/// Some of the weights, from one on.
#[derive(Clone, Debug)]
pub(super) struct Share {
    first: usize,
    pub(super) objective: Vec<f64>,
    /// The weights x, their image x⁺, 2x⁺ − x, and the anchor.
    pub(super) x: Vec<f64>,
    pub(super) image: Vec<f64>,
    pub(super) reflected: Vec<f64>,
    pub(super) anchor: Vec<f64>,
    /// Kᵀu.
    pub(super) flow: Vec<f64>,
    /// The squared distance from x to its image, each divided by its step size.
    pub(super) moved: f64,
}

impl Share {
    /// One of `shares` shares, with all weights 0.
    pub(super) fn new(share: usize, shares: usize, objective: &[f64]) -> Self {
        let end = |share: usize| objective.len() * share / shares;
        let objective = objective[end(share)..end(share + 1)].to_vec();
        let zeros = vec![0.0; objective.len()];
        Self {
            first: end(share),
            objective,
            x: zeros.clone(),
            image: zeros.clone(),
            reflected: zeros.clone(),
            anchor: zeros.clone(),
            flow: zeros,
            moved: 0.0,
        }
    }

    /// Begins at these weights, of which this is a share.
    pub(super) fn begin_at(&mut self, weights: &[f64]) {
        let own = &weights[self.first..self.first + self.x.len()];
        self.x.copy_from_slice(own);
        self.image.copy_from_slice(own);
        self.anchor.copy_from_slice(own);
    }

    /// Adds up flows of all weights, for those of this share, and moves these.
    pub(super) fn collect_and_step<R: Real>(
        &mut self,
        model: &Model,
        flows: &[&[R]],
        weight: f64,
        rule: Rule,
    ) {
        self.moved = 0.0;
        for begin in (0..self.x.len()).step_by(BLOCK) {
            let end = self.x.len().min(begin + BLOCK);
            self.collect_some(flows, begin, end);
            self.moved += self.step_some(model, begin, end, weight, rule);
        }
    }

    /// Adds up flows of all weights, for those of this share.
    pub(super) fn collect<R: Real>(&mut self, flows: &[&[R]]) {
        self.collect_some(flows, 0, self.flow.len());
    }

    fn collect_some<R: Real>(&mut self, flows: &[&[R]], begin: usize, end: usize) {
        let (first, own) = (self.first, &mut self.flow[begin..end]);
        own.fill(0.0);
        for flow in flows {
            for (own, flow) in own.iter_mut().zip(&flow[first + begin..first + end]) {
                *own += flow.to_f64();
            }
        }
    }

    /// Moves the weights.
    pub(super) fn step(&mut self, model: &Model, weight: f64, rule: Rule) {
        self.moved = self.step_some(model, 0, self.x.len(), weight, rule);
    }

    /// Moves some of the weights; returns the squared distance to the image, each divided by its
    /// step size.
    fn step_some(
        &mut self,
        model: &Model,
        begin: usize,
        end: usize,
        weight: f64,
        rule: Rule,
    ) -> f64 {
        let (inverse_weight, max) = (weight.recip(), model.max_weight);
        let (factor, rest) = match rule {
            Rule::Halpern(factor) => (factor, 1.0 - factor),
            Rule::Restart(_) => (0.0, 0.0),
        };
        let x = &mut self.x[begin..end];
        let (image, reflected) = (&mut self.image[begin..end], &mut self.reflected[begin..end]);
        let anchor = &mut self.anchor[begin..end];
        let tau = &model.tau[self.first + begin..self.first + end];
        let mut moved = [0.0; LANES];
        let points = x.iter_mut().zip(&mut *image).zip(reflected).zip(&*anchor);
        let slopes = tau.iter().zip(&self.objective[begin..end]).zip(&self.flow[begin..end]);
        for (j, ((((x, image), reflected), anchor), ((tau, objective), flow))) in
            points.zip(slopes).enumerate()
        {
            let step = inverse_weight * (objective - flow);
            *image = (*x + tau * step).clamp(-max, max);
            moved[j % LANES] += step * (*image - *x);
            *reflected = 2.0 * *image - *x;
            *x = factor * *reflected + rest * anchor;
        }
        if let Rule::Restart(beyond) = rule {
            for ((x, image), anchor) in x.iter_mut().zip(image).zip(anchor) {
                *x = (*image + beyond * (*image - *anchor)).clamp(-max, max);
                *anchor = *x;
            }
        }
        sum(moved)
    }

    /// The squared distance between the image and other weights, of which `before` is this share,
    /// each divided by its step size.
    pub(super) fn squared_way(&self, model: &Model, before: &[f64]) -> f64 {
        let tau = &model.tau[self.first..self.first + self.x.len()];
        let ways = self.image.iter().zip(before).zip(tau).filter(|(_, tau)| **tau > 0.0);
        ways.map(|((image, before), tau)| (image - before).powi(2) / tau).sum()
    }
}
