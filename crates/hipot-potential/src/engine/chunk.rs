//! Some units with their dual numbers, and one iteration over them.

use super::layout::{Lanes, Slab};
use super::projection::{Projection, apply_shifts};
use super::real::{LANES, Real, Vector, rows, rows_mut, sum};
use super::structure::{Structure, View};

/// Sleeping units are looked at once in this many iterations.
const SLEEP: usize = 8;

/// How the next iterate follows from the projected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    /// Reflected Halpern iteration: the point is reflected at its image, and the result moved
    /// toward the anchor; the number is the factor of the reflected point.
    Halpern(f64),
    /// The image itself, which becomes the anchor.
    Restart,
}

/// What is the same for all units in an iteration.
#[derive(Clone, Copy)]
pub(super) struct Iteration<'a, R> {
    pub(super) structure: &'a Structure,
    /// The weights, reflected.
    pub(super) table: &'a [R],
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
    /// The transposed product: what the units ask of each entry of the table.
    pub(super) flow: Vec<R>,
    hat: Vec<R>,
    projection: Projection<R>,
}

impl<R: Real> Chunk<R> {
    /// One of `parts` parts of all units, with all dual numbers 0. Units that are used are often
    /// neighbors, or every second one is used; so the units are scattered over the parts.
    pub(super) fn new(model: &Structure, sigma: &[(f64, f64)], part: usize, parts: usize) -> Self {
        let zeros = |len| vec![R::ZERO; len];
        let units = || (0..model.units.len()).filter(|&unit| scattered(unit) % parts == part);
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
            flow: zeros(model.layout.len()),
            hat: zeros(most_alternatives),
            projection: Projection::new(most_parts),
            places,
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
            flow: double(&self.flow),
            hat: vec![0.0; self.hat.len()],
            projection: Projection::new(self.projection.parts()),
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
        structure.layout.clear(&mut self.flow);
        for (index, place) in self.places.iter().enumerate() {
            let view = structure.view(place.unit as usize);
            let range = place.alternatives..place.alternatives + view.alternatives;
            let y = &mut self.y[range.clone()];
            let lambda = R::of(number(place.unit as usize, y));
            self.is_asleep[index] = lambda == R::ZERO;
            (self.lambda[index], self.lambda_anchor[index]) = (lambda, lambda);
            if !self.is_asleep[index] {
                self.y_anchor[range].copy_from_slice(y);
                add_transposed(&view, &structure.layout.slabs, lambda, y, &mut self.flow);
            }
        }
    }

    /// All units without dual numbers, for [`multiply`](Self::multiply).
    pub(super) fn for_products(structure: &Structure, sigma: &[(f64, f64)]) -> Self {
        let all = Self::new(structure, sigma, 0, 1);
        Self { y: Vec::new(), y_anchor: Vec::new(), shifts: Vec::new(), ..all }
    }

    /// Makes the flow Kᵀ Σ K x, for the weights x in `table` and the step sizes Σ.
    pub(super) fn multiply(&mut self, structure: &Structure, table: &[R]) {
        structure.layout.clear(&mut self.flow);
        let slabs = &structure.layout.slabs;
        let zeros = vec![R::ZERO; self.hat.len()];
        for (place, &Steps { lambda, y }) in self.places.iter().zip(&self.steps) {
            let view = structure.view(place.unit as usize);
            let hat = &mut self.hat[..view.alternatives];
            let zeros = &zeros[..view.alternatives];
            add_product(&view, slabs, &self.projection.absent, table, y, zeros, hat);
            for value in &mut *hat {
                *value = if *value == R::LOWEST { R::ZERO } else { *value };
            }
            let lambda = lambda * singles(&view, table);
            add_transposed(&view, slabs, lambda, hat, &mut self.flow);
        }
    }

    /// How often each unit is used.
    pub(super) fn counts(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let units = self.places.iter().map(|place| place.unit as usize);
        units.zip(self.lambda.iter().map(|lambda| lambda.to_f64()))
    }

    /// One iteration: the image of the dual numbers, and the next iterate. The flow becomes the
    /// transposed product with it.
    pub(super) fn iterate(&mut self, iteration: Iteration<'_, R>) -> Measured {
        iteration.structure.layout.clear(&mut self.flow);
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
        let Iteration { structure, table, weight, rule, .. } = iteration;
        let place = self.places[index];
        let (view, slabs) = (structure.view(place.unit as usize), &structure.layout.slabs[..]);
        let mut measured = Measured::default();
        let y_range = place.alternatives..place.alternatives + view.alternatives;
        let parts = place.parts as usize..place.parts as usize + view.parts.len();
        let Steps { lambda: lambda_step, y: y_step } = self.steps[index];
        let hat = &mut self.hat[..y_range.len()];
        let (y, y_anchor) = (&mut self.y[y_range.clone()], &mut self.y_anchor[y_range]);
        let absent = &self.projection.absent;
        add_product(&view, slabs, absent, table, weight * y_step, y, hat);
        let total = self.projection.find_largest(slabs, view.parts, hat);
        let old = self.lambda[index];
        let lambda_hat = old + weight * lambda_step * (singles(&view, table) - R::of(view.cost));
        let ratio = lambda_step * y_step.inverse();
        let is_zero = lambda_hat + ratio * total <= R::ZERO;
        if is_zero && self.is_asleep[index] {
            return measured;
        }
        let lambda = if is_zero {
            hat.fill(R::ZERO);
            R::ZERO
        } else {
            let shifts = &mut self.shifts[parts];
            let begin = old.larger(R::ZERO);
            let lambda =
                self.projection.solve(slabs, view.parts, hat, shifts, (lambda_hat, ratio), begin);
            apply_shifts(slabs, view.parts, shifts, hat);
            lambda
        };
        measured.moved += (lambda - old).to_f64().powi(2) / lambda_step.to_f64()
            + squared_distance(hat, y) / y_step.to_f64();
        match rule {
            Rule::Halpern(factor) => {
                let (two, factor, rest) = (R::of(2.0), R::of(factor), R::of(1.0 - factor));
                let next =
                    |image: R, old: R, anchor: R| factor * (two * image - old) + rest * anchor;
                self.lambda[index] = next(lambda, old, self.lambda_anchor[index]);
                for ((y, &image), &anchor) in y.iter_mut().zip(&*hat).zip(&*y_anchor) {
                    *y = next(image, *y, anchor);
                }
                self.is_asleep[index] = false;
            }
            Rule::Restart => {
                let from_anchor = (lambda - self.lambda_anchor[index]).to_f64().powi(2);
                measured.from_anchor += from_anchor / lambda_step.to_f64()
                    + squared_distance(hat, y_anchor) / y_step.to_f64();
                (self.lambda[index], self.lambda_anchor[index]) = (lambda, lambda);
                y.copy_from_slice(hat);
                y_anchor.copy_from_slice(hat);
                self.is_asleep[index] = is_zero;
            }
        }
        if !self.is_asleep[index] {
            add_transposed(&view, slabs, self.lambda[index], y, &mut self.flow);
        }
        measured
    }
}

/// A number without order for each number.
fn scattered(number: usize) -> usize {
    ((number as u32).wrapping_mul(0x9E37_79B9) >> 16) as usize
}

/// hat = y + step × (the sums of the alternatives); −∞ where there is no alternative.
#[inline(always)]
fn add_product<R: Real>(
    view: &View<'_>,
    slabs: &[Slab],
    absent: &[Vector<R>],
    table: &[R],
    step: R,
    y: &[R],
    hat: &mut [R],
) {
    let mut begin = 0;
    for part in view.parts {
        let slab = &slabs[part.slab as usize];
        let end = begin + slab.len();
        let (hat, y) = (&mut hat[begin..end], &y[begin..end]);
        let mut absent = absent[usize::from(part.present)];
        if let Lanes::Along(_) = slab.lanes {
            absent = [absent[0]; LANES];
        }
        let row = |begin: u32| &table[begin as usize + slab.begin..][..slab.len()];
        let (before, after) = view.rows[0];
        let (before, after) = (row(before), row(after));
        let of_table = rows(before).iter().zip(rows(after));
        for ((hat, y), (before, after)) in rows_mut(hat).iter_mut().zip(rows(y)).zip(of_table) {
            for i in 0..LANES {
                hat[i] = y[i] + step * (before[i] - after[i]) + absent[i];
            }
        }
        for &(before, after) in &view.rows[1..] {
            let (before, after) = (row(before), row(after));
            let of_table = rows(before).iter().zip(rows(after));
            for (hat, (before, after)) in rows_mut(hat).iter_mut().zip(of_table) {
                for i in 0..LANES {
                    hat[i] += step * (before[i] - after[i]);
                }
            }
        }
        begin = end;
    }
    for &masked in view.masked {
        hat[masked as usize] = R::LOWEST;
    }
}

/// Δ_ind.
#[inline(always)]
fn singles<R: Real>(view: &View<'_>, table: &[R]) -> R {
    let mut sum = R::ZERO;
    for &(entry, sign) in view.singles {
        let value = table[entry as usize];
        sum += if sign > 0 { value } else { R::ZERO - value };
    }
    sum
}

/// Adds the transposed product to the flow.
#[inline(always)]
fn add_transposed<R: Real>(view: &View<'_>, slabs: &[Slab], lambda: R, y: &[R], flow: &mut [R]) {
    let mut begin = 0;
    for part in view.parts {
        let slab = &slabs[part.slab as usize];
        let end = begin + slab.len();
        let y = &y[begin..end];
        for &(before, after) in view.rows {
            let before = &mut flow[before as usize + slab.begin..][..slab.len()];
            for (flow, &y) in before.iter_mut().zip(y) {
                *flow += y;
            }
            let after = &mut flow[after as usize + slab.begin..][..slab.len()];
            for (flow, &y) in after.iter_mut().zip(y) {
                *flow -= y;
            }
        }
        begin = end;
    }
    for &(entry, sign) in view.singles {
        flow[entry as usize] += if sign > 0 { lambda } else { R::ZERO - lambda };
    }
}

#[inline(always)]
fn squared_distance<R: Real>(one: &[R], other: &[R]) -> f64 {
    let mut lanes = [R::ZERO; LANES];
    for (one, other) in rows(one).iter().zip(rows(other)) {
        for i in 0..LANES {
            let difference = one[i] - other[i];
            lanes[i] += difference * difference;
        }
    }
    sum(lanes).to_f64()
}
