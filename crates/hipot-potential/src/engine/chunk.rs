//! Some units with their dual numbers, and one iteration over them.

use std::sync::Arc;

use super::partition::{ASLEEP, AWAKE, Entries};
use super::product::{add_product, add_transposed, singles};
use super::projection::{Projection, in_lanes};
use super::real::{LANES, Real, Vector, rows, rows_mut, sum, zip, zip3};
use super::structure::{Part, Structure};

/// Sleeping units are looked at once in this many iterations.
const SLEEP: usize = 8;

/// How the next iterate follows from the projected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    /// Reflected Halpern iteration: the point is reflected at its image, and the result moved
    /// toward the anchor; the number is the factor of the reflected point.
    Halpern(f64),
    /// The image, moved on by this multiple of its way from the anchor. It becomes the anchor.
    Restart(f64),
}

/// What is the same for all units in an iteration.
#[derive(Clone, Copy)]
pub(super) struct Iteration<'a, R> {
    pub(super) structure: &'a Structure,
    /// The primal weight.
    pub(super) weight: R,
    pub(super) rule: Rule,
    /// The number of iterations before.
    pub(super) number: usize,
}

/// What one iteration over the units has measured.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Measured {
    /// The squared distance from the dual numbers to their image, each divided by its step.
    pub(super) moved: f64,
    /// The squared distance from the anchor to the image, each divided by its step.
    pub(super) from_anchor: f64,
}

impl Measured {
    pub(super) fn add(&mut self, other: Self) {
        self.moved += other.moved;
        self.from_anchor += other.from_anchor;
    }
}

/// Step sizes of a unit.
#[derive(Clone, Copy, Debug)]
struct Steps<R> {
    lambda: R,
    y: R,
}

/// Where the dual numbers of a unit are.
#[derive(Clone, Copy, Debug)]
struct Place {
    unit: u32,
    /// Where its parts begin.
    parts: u32,
    /// Where its alternatives begin.
    alternatives: usize,
}

/// Some units with their dual numbers.
#[derive(Debug)]
pub(super) struct Chunk<R> {
    places: Vec<Place>,
    steps: Vec<Steps<R>>,
    /// How often each unit is used, and in which contexts.
    lambda: Vec<R>,
    y: Vec<R>,
    /// The anchor of the Halpern iteration.
    lambda_anchor: Vec<R>,
    y_anchor: Vec<R>,
    /// The shifts of the last projection.
    shifts: Vec<Vector<R>>,
    /// Whether all dual numbers of the unit, and their anchors, are 0.
    is_asleep: Vec<bool>,
    /// The weights, reflected.
    table: Vec<R>,
    /// The transposed product: what the units ask of each entry of the table.
    flow: Vec<R>,
    /// The entries of the table that its units need, and the flow of each weight over them.
    entries: Arc<Entries>,
    pub(super) flow_of_weights: Vec<R>,
    hat: Vec<R>,
    projection: Projection<R>,
    /// What the last iteration has measured.
    pub(super) measured: Measured,
}

impl<R: Real> Chunk<R> {
    /// One part of all units, by the part of each, with all dual numbers 0.
    pub(super) fn new(
        model: &Structure,
        sigma: &[(f64, f64)],
        part: usize,
        part_of: &[usize],
    ) -> Self {
        let zeros = |len| vec![R::ZERO; len];
        let units = || (0..model.units.len()).filter(|&unit| part_of[unit] == part);
        let (mut places, mut alternatives, mut first_part) = (Vec::new(), 0, 0);
        let (mut most_alternatives, mut most_parts) = (0, 0);
        for unit in units() {
            let view = model.view(unit);
            places.push(Place { unit: unit as u32, parts: first_part, alternatives });
            first_part += view.parts.len() as u32;
            alternatives += view.alternatives;
            most_alternatives = most_alternatives.max(view.alternatives);
            most_parts = most_parts.max(view.parts.len());
        }
        let step = |unit: usize| Steps { lambda: R::of(sigma[unit].0), y: R::of(sigma[unit].1) };
        Self {
            steps: units().map(step).collect(),
            lambda: zeros(places.len()),
            y: zeros(alternatives),
            lambda_anchor: zeros(places.len()),
            y_anchor: zeros(alternatives),
            shifts: vec![[R::ZERO; LANES]; first_part as usize],
            is_asleep: vec![true; places.len()],
            table: zeros(model.layout.len()),
            flow: zeros(model.layout.len()),
            entries: Arc::new(Entries::new(model, units())),
            flow_of_weights: zeros(model.weights()),
            hat: zeros(most_alternatives),
            projection: Projection::new(most_parts),
            measured: Measured::default(),
            places,
        }
    }

    /// The same units with all dual numbers 0.
    pub(super) fn at_zero(&self) -> Self {
        let zeros = |like: &[R]| vec![R::ZERO; like.len()];
        Self {
            places: self.places.clone(),
            steps: self.steps.clone(),
            lambda: zeros(&self.lambda),
            y: zeros(&self.y),
            lambda_anchor: zeros(&self.lambda_anchor),
            y_anchor: zeros(&self.y_anchor),
            shifts: vec![[R::ZERO; LANES]; self.shifts.len()],
            is_asleep: vec![true; self.is_asleep.len()],
            table: zeros(&self.table),
            flow: zeros(&self.flow),
            entries: Arc::clone(&self.entries),
            flow_of_weights: zeros(&self.flow_of_weights),
            hat: zeros(&self.hat),
            projection: Projection::new(self.projection.parts()),
            measured: Measured::default(),
        }
    }

    /// The same units with their dual numbers, distributed in another way.
    pub(super) fn distributed(
        structure: &Structure,
        sigma: &[(f64, f64)],
        chunks: &[&Self],
        part_of: &[usize],
    ) -> Vec<Self> {
        let mut parts: Vec<Self> =
            (0..chunks.len()).map(|part| Self::new(structure, sigma, part, part_of)).collect();
        let mut next = vec![0; structure.units.len()];
        for part in &parts {
            part.places.iter().enumerate().for_each(|(it, place)| next[place.unit as usize] = it);
        }
        for chunk in chunks {
            for (index, place) in chunk.places.iter().enumerate() {
                let unit = place.unit as usize;
                parts[part_of[unit]].copy(structure, next[unit], chunk, index);
            }
        }
        for part in &mut parts {
            part.entries.collect(&part.flow, &mut part.flow_of_weights);
        }
        parts
    }

    /// Copies the dual numbers of a unit that is at `index` here and at `from` there.
    fn copy(&mut self, structure: &Structure, index: usize, other: &Self, from: usize) {
        let (to, from_place) = (self.places[index], other.places[from]);
        let view = structure.view(to.unit as usize);
        self.lambda[index] = other.lambda[from];
        self.lambda_anchor[index] = other.lambda_anchor[from];
        self.is_asleep[index] = other.is_asleep[from];
        let parts = |place: Place| place.parts as usize..place.parts as usize + view.parts.len();
        self.shifts[parts(to)].copy_from_slice(&other.shifts[parts(from_place)]);
        let own = |place: Place| place.alternatives..place.alternatives + view.alternatives;
        self.y_anchor[own(to)].copy_from_slice(&other.y_anchor[own(from_place)]);
        let y = &mut self.y[own(to)];
        y.copy_from_slice(&other.y[own(from_place)]);
        if !self.is_asleep[index] {
            add_transposed(&view, self.lambda[index], y, &mut self.flow);
        }
    }

    /// What an iteration takes, roughly.
    pub(super) fn load(&self, structure: &Structure) -> f64 {
        let of_unit = |(place, &is_asleep): (&Place, &bool)| {
            let each = if is_asleep { ASLEEP } else { AWAKE };
            structure.view(place.unit as usize).alternatives as f64 * each
        };
        self.places.iter().zip(&self.is_asleep).map(of_unit).sum::<f64>()
            + self.entries.len() as f64
    }

    /// Calls `found` with each unit that is awake.
    pub(super) fn for_each_awake(&self, mut found: impl FnMut(usize)) {
        for (place, _) in self.places.iter().zip(&self.is_asleep).filter(|it| !it.1) {
            found(place.unit as usize);
        }
    }

    /// The same in double precision.
    pub(super) fn in_double(&self) -> Chunk<f64> {
        let double = |values: &[R]| values.iter().map(|it| it.to_f64()).collect();
        let step = |it: &Steps<R>| Steps { lambda: it.lambda.to_f64(), y: it.y.to_f64() };
        Chunk {
            places: self.places.clone(),
            steps: self.steps.iter().map(step).collect(),
            lambda: double(&self.lambda),
            y: double(&self.y),
            lambda_anchor: double(&self.lambda_anchor),
            y_anchor: double(&self.y_anchor),
            shifts: self.shifts.iter().map(|lanes| lanes.map(Real::to_f64)).collect(),
            is_asleep: self.is_asleep.clone(),
            table: double(&self.table),
            flow: double(&self.flow),
            entries: Arc::clone(&self.entries),
            flow_of_weights: double(&self.flow_of_weights),
            hat: vec![0.0; self.hat.len()],
            projection: Projection::new(self.projection.parts()),
            measured: self.measured,
        }
    }

    /// Calls `found` with each unit that is used: how often, and its other dual numbers.
    pub(super) fn for_each_used(
        &self,
        structure: &Structure,
        mut found: impl FnMut(usize, f64, &[R]),
    ) {
        for (index, place) in self.places.iter().enumerate() {
            if self.lambda[index] != R::ZERO {
                let len = structure.view(place.unit as usize).alternatives;
                let y = &self.y[place.alternatives..place.alternatives + len];
                found(place.unit as usize, self.lambda[index].to_f64(), y);
            }
        }
    }

    /// Begins with other dual numbers: `number` writes those of a unit, and returns how often it
    /// is used.
    pub(super) fn begin_at(
        &mut self,
        structure: &Structure,
        mut number: impl FnMut(usize, &mut [R]) -> f64,
    ) {
        self.entries.clear(&mut self.flow);
        for (index, place) in self.places.iter().enumerate() {
            let view = structure.view(place.unit as usize);
            let range = place.alternatives..place.alternatives + view.alternatives;
            let y = &mut self.y[range.clone()];
            let lambda = R::of(number(place.unit as usize, y));
            self.is_asleep[index] = lambda == R::ZERO;
            (self.lambda[index], self.lambda_anchor[index]) = (lambda, lambda);
            if !self.is_asleep[index] {
                self.y_anchor[range].copy_from_slice(y);
                add_transposed(&view, lambda, y, &mut self.flow);
            }
        }
        self.entries.collect(&self.flow, &mut self.flow_of_weights);
    }

    /// All units without dual numbers, for [`multiply`](Self::multiply).
    pub(super) fn for_products(structure: &Structure, sigma: &[(f64, f64)]) -> Self {
        let all = Self::new(structure, sigma, 0, &vec![0; structure.units.len()]);
        Self { y: Vec::new(), y_anchor: Vec::new(), shifts: Vec::new(), ..all }
    }

    /// Makes the flow Kᵀ Σ K x, for the weights x and the step sizes Σ.
    pub(super) fn multiply(&mut self, structure: &Structure, weights: &[f64]) {
        self.entries.clear(&mut self.flow);
        self.entries.write([weights].into_iter(), &mut self.table);
        let table = &self.table[..];
        let zeros = vec![R::ZERO; self.hat.len()];
        for (place, &Steps { lambda, y }) in self.places.iter().zip(&self.steps) {
            let view = structure.view(place.unit as usize);
            let hat = &mut self.hat[..view.alternatives];
            let zeros = &zeros[..view.alternatives];
            add_product(&view, table, y, zeros, hat);
            let mut rest = &mut *hat;
            for &part in view.parts {
                let (own, after) = rest.split_at_mut(part.len());
                self.projection.mark_absent(part, rows_mut(own));
                rest = after;
            }
            for value in &mut *hat {
                *value = if *value == R::LOWEST { R::ZERO } else { *value };
            }
            let lambda = lambda * singles(&view, table);
            add_transposed(&view, lambda, hat, &mut self.flow);
        }
        self.entries.collect(&self.flow, &mut self.flow_of_weights);
    }

    /// Whether all dual numbers of sleeping units are 0, and the number of these units.
    #[cfg(test)]
    pub(super) fn sleepers(&self, structure: &Structure) -> (bool, usize) {
        let asleep = |index: &usize| self.is_asleep[*index];
        let asleep: Vec<usize> = (0..self.places.len()).filter(asleep).collect();
        let is_zero = |&index: &usize| {
            let Place { unit, alternatives: begin, .. } = self.places[index];
            let end = begin + structure.view(unit as usize).alternatives;
            let all = self.y[begin..end].iter().chain(&self.y_anchor[begin..end]);
            let all = all.chain([&self.lambda[index], &self.lambda_anchor[index]]);
            all.into_iter().all(|number| *number == R::ZERO)
        };
        (asleep.iter().all(is_zero), asleep.len())
    }

    /// How often each unit is used.
    pub(super) fn counts(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let units = self.places.iter().map(|place| place.unit as usize);
        units.zip(self.lambda.iter().map(|lambda| lambda.to_f64()))
    }

    /// One iteration with these weights, reflected: the image of the dual numbers, and the next
    /// iterate. The flow becomes the transposed product with it.
    pub(super) fn iterate<'a>(
        &mut self,
        weights: impl Iterator<Item = &'a [f64]>,
        iteration: Iteration<'_, R>,
    ) {
        self.entries.write(weights, &mut self.table);
        self.measured = self.iterate_fast(iteration);
        self.entries.collect(&self.flow, &mut self.flow_of_weights);
    }

    fn iterate_fast(&mut self, iteration: Iteration<'_, R>) -> Measured {
        self.entries.clear(&mut self.flow);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the processor has been asked")]
            // SAFETY: the processor has AVX2.
            return unsafe { self.iterate_avx2(iteration) };
        }
        self.iterate_here(iteration)
    }

    /// The same with vectors of eight numbers. All operations are the same, one by one, so the
    /// results are the same as well.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn iterate_avx2(&mut self, iteration: Iteration<'_, R>) -> Measured {
        self.iterate_here(iteration)
    }

    #[inline(always)]
    fn iterate_here(&mut self, iteration: Iteration<'_, R>) -> Measured {
        let mut measured = Measured::default();
        for index in 0..self.places.len() {
            // Asleep, it stays where it is while its decrease is at most its cost.
            if self.is_asleep[index] && !(index + iteration.number).is_multiple_of(SLEEP) {
                continue;
            }
            measured.add(self.step(index, iteration));
        }
        measured
    }

    #[inline(always)]
    fn step(&mut self, index: usize, iteration: Iteration<'_, R>) -> Measured {
        let Iteration { structure, weight, rule, .. } = iteration;
        let place = self.places[index];
        let view = structure.view(place.unit as usize);
        let y_range = place.alternatives..place.alternatives + view.alternatives;
        let parts = place.parts as usize..place.parts as usize + view.parts.len();
        let Steps { lambda: lambda_step, y: y_step } = self.steps[index];
        let hat = &mut self.hat[..y_range.len()];
        let (y, y_anchor) = (&mut self.y[y_range.clone()], &mut self.y_anchor[y_range]);
        let shifts = &mut self.shifts[parts];
        let table = &self.table[..];
        add_product(&view, table, weight * y_step, y, hat);
        let total = self.projection.survey(view.parts, hat, shifts);
        let old = self.lambda[index];
        let lambda_hat = old + weight * lambda_step * (singles(&view, table) - R::of(view.cost));
        let ratio = lambda_step * y_step.inverse();
        let is_zero = lambda_hat + ratio * total <= R::ZERO;
        if is_zero && self.is_asleep[index] {
            return Measured::default();
        }
        let lambda = if is_zero {
            hat.fill(R::LOWEST);
            R::ZERO
        } else {
            let begin = old.larger(R::ZERO);
            self.projection.solve(view.parts, hat, shifts, (lambda_hat, ratio), begin)
        };
        let (anchor, mut from_anchor) = (self.lambda_anchor[index], 0.0);
        let squared = |difference: R| difference.to_f64().powi(2) / lambda_step.to_f64();
        let of_y = match rule {
            Rule::Halpern(factor) => {
                let (factor, rest) = (R::of(factor), R::of(1.0 - factor));
                self.lambda[index] = factor * (lambda + lambda - old) + rest * anchor;
                self.is_asleep[index] = false;
                reflect(view.parts, shifts, hat, y, y_anchor, (factor, rest))
            }
            Rule::Restart(beyond) => {
                let beyond = R::of(beyond);
                let next = lambda + beyond * (lambda - anchor);
                (self.lambda[index], self.lambda_anchor[index]) = (next, next);
                let (of_y, from) = restart(view.parts, shifts, hat, y, y_anchor, beyond);
                let is_all_zero = || next == R::ZERO && y.iter().all(|it| *it == R::ZERO);
                self.is_asleep[index] = is_zero && (beyond == R::ZERO || is_all_zero());
                from_anchor = squared(lambda - anchor) + from / y_step.to_f64();
                of_y
            }
        };
        if !self.is_asleep[index] {
            add_transposed(&view, self.lambda[index], y, &mut self.flow);
        }
        Measured { moved: squared(lambda - old) + of_y / y_step.to_f64(), from_anchor }
    }
}

/// Replaces y by the reflected image, moved toward the anchor; returns the squared distance from y
/// to its image.
#[inline(always)]
fn reflect<R: Real>(
    parts: &[Part],
    shifts: &[Vector<R>],
    hat: &[R],
    y: &mut [R],
    anchor: &[R],
    (factor, rest): (R, R),
) -> f64 {
    let mut squares = [R::ZERO; LANES];
    let (mut hat, mut y, mut anchor) = (rows(hat), rows_mut(y), rows(anchor));
    for (&part, &shift) in parts.iter().zip(shifts) {
        let shift = in_lanes(part, shift);
        let height = usize::from(part.height);
        let own = (hat.split_off(..height).unwrap_or_default().iter())
            .zip(y.split_off_mut(..height).unwrap_or_default())
            .zip(anchor.split_off(..height).unwrap_or_default());
        for ((hat, y), anchor) in own {
            let image = zip(*hat, shift, |hat, shift| (hat - shift).larger(R::ZERO));
            let way = zip(image, *y, |image, y| image - y);
            squares = zip(squares, way, |sum, way| sum + way * way);
            let reflected = zip(image, way, |image, way| factor * (image + way));
            *y = zip(reflected, *anchor, |reflected, anchor| reflected + rest * anchor);
        }
    }
    sum(squares).to_f64()
}

/// Replaces y and the anchor by the image, moved on by a multiple of its way from the anchor.
/// Returns the squared distances of both from the image.
#[inline(always)]
fn restart<R: Real>(
    parts: &[Part],
    shifts: &[Vector<R>],
    hat: &[R],
    y: &mut [R],
    anchor: &mut [R],
    beyond: R,
) -> (f64, f64) {
    let (mut squares, mut from_anchor) = ([R::ZERO; LANES], [R::ZERO; LANES]);
    let (mut hat, mut y, mut anchor) = (rows(hat), rows_mut(y), rows_mut(anchor));
    for (&part, &shift) in parts.iter().zip(shifts) {
        let shift = in_lanes(part, shift);
        let height = usize::from(part.height);
        let own = (hat.split_off(..height).unwrap_or_default().iter())
            .zip(y.split_off_mut(..height).unwrap_or_default())
            .zip(anchor.split_off_mut(..height).unwrap_or_default());
        for ((hat, y), anchor) in own {
            let image = zip(*hat, shift, |hat, shift| (hat - shift).larger(R::ZERO));
            let square = |sum: R, image: R, old: R| sum + (image - old) * (image - old);
            squares = zip3(squares, image, *y, square);
            from_anchor = zip3(from_anchor, image, *anchor, square);
            let next = zip(image, *anchor, |image, anchor| image + beyond * (image - anchor));
            (*y, *anchor) = (next, next);
        }
    }
    (sum(squares).to_f64(), sum(from_anchor).to_f64())
}
