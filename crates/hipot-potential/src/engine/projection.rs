//! The projection of a unit's dual numbers.
//!
//! With the maxima z eliminated, the dual numbers of a unit (λ and, for each alternative of
//! its maxima, y) must satisfy
//!
//! ```text
//! y ≥ 0,   Σ_v y_{V,v} = λ for each maximum V   (≤ λ if one of its alternatives is 0).
//! ```
//!
//! λ says how often the operator is used, y in which contexts. The projection of (λ̂, ŷ) onto
//! this set is y = max(ŷ − t_V, 0) and λ = λ̂ + r Σ_V t_V for the right shifts t, where r is the
//! ratio of the step sizes of λ and y, and t_V ≥ 0 if an alternative is 0.
//!
//! *Newton's method.* If it is known which y stay positive, everything is linear: with n_V
//! alternatives in the maximum V that stay positive and their sum S_V,
//!
//! ```text
//! t_V = (S_V − λ) / n_V,   λ (1 + r Σ 1 / n_V) = λ̂ + r Σ S_V / n_V.
//! ```
//!
//! This gives new shifts, and these say which y stay positive. It begins with the shifts of the
//! last iteration and usually ends after two or three sweeps. The end is exact: as a larger t
//! leaves fewer alternatives, the same number of them in each maximum means the same ones.
//!
//! Lanes without a maximum have only −∞ among their ŷ: nothing is ever above a shift of 0.

use super::layout::{Lanes, Slab};
use super::real::{LANES, Real, Vector, fold, rows, rows_mut, sum};
use super::structure::Part;

/// The number of sweeps after which the result is taken as it is.
const MAX_SWEEPS: usize = 50;

/// Space for one projection.
#[derive(Debug)]
pub(super) struct Projection<R> {
    /// For each set of lanes, the lowest possible shifts if these have a 0 among their
    /// alternatives.
    lowest: Vec<Vector<R>>,
    /// For each set of lanes, 0 in these lanes and −∞ in the others.
    pub(super) absent: Vec<Vector<R>>,
    /// For each part: the largest ŷ, the sum of those above t, the inverse of their number, and
    /// their number in the last sweep, which is 0 where the sum is below λ.
    largest: Vec<Vector<R>>,
    sums: Vec<Vector<R>>,
    inverses: Vec<Vector<R>>,
    last: Vec<Vector<R>>,
}

impl<R: Real> Projection<R> {
    /// Space for units with at most this many parts.
    pub(super) fn new(parts: usize) -> Self {
        let by_bits = |one: R, zero: R| {
            let lanes = |bits: usize| {
                std::array::from_fn(|lane| if bits >> lane & 1 == 1 { one } else { zero })
            };
            (0..1 << LANES).map(lanes).collect()
        };
        let zeros = vec![[R::ZERO; LANES]; parts];
        Self {
            lowest: by_bits(R::ZERO, R::LOWEST),
            absent: by_bits(R::ZERO, R::LOWEST),
            largest: zeros.clone(),
            sums: zeros.clone(),
            inverses: zeros.clone(),
            last: zeros,
        }
    }

    /// The largest number of parts.
    pub(super) fn parts(&self) -> usize {
        self.largest.len()
    }

    /// The lowest possible shifts of a part.
    #[inline(always)]
    fn lowest(&self, part: Part) -> Vector<R> {
        // Lanes without a maximum are treated as if they had a 0.
        self.lowest[usize::from(part.has_zero | !part.present)]
    }

    /// Computes the largest ŷ of each maximum, and returns the sum of the shifts for λ = 0.
    #[inline(always)]
    pub(super) fn find_largest(&mut self, slabs: &[Slab], parts: &[Part], mut hat: &[R]) -> R {
        let mut total = [R::ZERO; LANES];
        for (number, &part) in parts.iter().enumerate() {
            let slab = &slabs[part.slab as usize];
            let (own, rest) = hat.split_at(slab.len());
            let mut largest = [R::LOWEST; LANES];
            for row in rows(own) {
                for i in 0..LANES {
                    largest[i] = largest[i].larger(row[i]);
                }
            }
            if let Lanes::Along(_) = slab.lanes {
                let first = fold(largest, R::larger);
                largest = [R::LOWEST; LANES];
                largest[0] = first;
            }
            let lowest = self.lowest(part);
            for i in 0..LANES {
                total[i] += largest[i].larger(lowest[i]);
            }
            self.largest[number] = largest;
            hat = rest;
        }
        sum(total)
    }

    /// Finds λ and the shifts, starting from `lambda` and `shifts`; returns λ.
    /// Requires [`find_largest`](Self::find_largest). λ must be positive at the
    /// solution.
    #[inline(always)]
    pub(super) fn solve(
        &mut self,
        slabs: &[Slab],
        parts: &[Part],
        hat: &[R],
        shifts: &mut [Vector<R>],
        (lambda_hat, ratio): (R, R),
        mut lambda: R,
    ) -> R {
        if parts.is_empty() {
            return lambda_hat;
        }
        self.last[..parts.len()].fill([R::LOWEST; LANES]);
        for _ in 0..MAX_SWEEPS {
            let (mut numerator, mut denominator) = ([R::ZERO; LANES], [R::ZERO; LANES]);
            let mut is_same = true;
            let mut rest = hat;
            for (number, &part) in parts.iter().enumerate() {
                let slab = &slabs[part.slab as usize];
                let (own, after) = rest.split_at(slab.len());
                rest = after;
                let (lowest, largest) = (self.lowest(part), self.largest[number]);
                let shift = shifts[number];
                let (counts, sums) = count_above(slab, own, shift);
                let (mut new_counts, mut inverses) = ([R::ZERO; LANES], [R::ZERO; LANES]);
                let mut new_sums = sums;
                for i in 0..LANES {
                    // No lazy operators: they would keep the loop from using vectors.
                    // A shift above all alternatives leaves none; then the largest one stays.
                    let is_above = (counts[i] == R::ZERO) & (largest[i] > lowest[i]);
                    let count = if is_above { R::ONE } else { counts[i] };
                    let sum = if is_above { largest[i] } else { sums[i] };
                    let is_bound = (count > R::ZERO) & ((shift[i] > lowest[i]) | (sum > lambda));
                    let count = if is_bound { count } else { R::ZERO };
                    let inverse = count.larger(R::ONE).inverse();
                    let inverse = if is_bound { inverse } else { R::ZERO };
                    numerator[i] += sum * inverse;
                    denominator[i] += inverse;
                    new_counts[i] = count;
                    new_sums[i] = sum;
                    inverses[i] = inverse;
                }
                is_same &= self.last[number] == new_counts;
                self.last[number] = new_counts;
                self.sums[number] = new_sums;
                self.inverses[number] = inverses;
            }
            if is_same {
                return lambda;
            }
            lambda = (lambda_hat + ratio * sum(numerator))
                * (R::ONE + ratio * sum(denominator)).inverse();
            lambda = lambda.larger(R::ZERO);
            for (number, &part) in parts.iter().enumerate() {
                let lowest = self.lowest(part);
                let (sums, inverses) = (self.sums[number], self.inverses[number]);
                for i in 0..LANES {
                    let shift = ((sums[i] - lambda) * inverses[i]).larger(lowest[i]);
                    shifts[number][i] = if inverses[i] > R::ZERO { shift } else { R::ZERO };
                }
            }
        }
        lambda
    }
}

/// Replaces ŷ by y.
#[inline(always)]
pub(super) fn apply_shifts<R: Real>(
    slabs: &[Slab],
    parts: &[Part],
    shifts: &[Vector<R>],
    mut hat: &mut [R],
) {
    for (&part, &shift) in parts.iter().zip(shifts) {
        let slab = &slabs[part.slab as usize];
        let (own, rest) = hat.split_at_mut(slab.len());
        let shift = in_lanes(slab, shift);
        for row in rows_mut(own) {
            for i in 0..LANES {
                row[i] = (row[i] - shift[i]).larger(R::ZERO);
            }
        }
        hat = rest;
    }
}

/// For each maximum, the number and the sum of the alternatives above its shift.
#[inline(always)]
fn count_above<R: Real>(slab: &Slab, own: &[R], shift: Vector<R>) -> (Vector<R>, Vector<R>) {
    let (mut counts, mut sums) = ([R::ZERO; LANES], [R::ZERO; LANES]);
    let shift = in_lanes(slab, shift);
    for row in rows(own) {
        for i in 0..LANES {
            counts[i] += if row[i] > shift[i] { R::ONE } else { R::ZERO };
        }
        for i in 0..LANES {
            sums[i] += if row[i] > shift[i] { row[i] } else { R::ZERO };
        }
    }
    if let Lanes::Along(_) = slab.lanes {
        let first = |total: R| std::array::from_fn(|lane| if lane == 0 { total } else { R::ZERO });
        (counts, sums) = (first(sum(counts)), first(sum(sums)));
    }
    (counts, sums)
}

/// The shift of each lane's facts.
#[inline(always)]
fn in_lanes<R: Real>(slab: &Slab, shift: Vector<R>) -> Vector<R> {
    match slab.lanes {
        Lanes::Across(_) => shift,
        Lanes::Along(_) => [shift[0]; LANES],
    }
}
