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

use super::real::{LANES, Real, Vector, fold, rows, rows_mut, sum, zip, zip3};
use super::structure::Part;

/// The number of sweeps after which the result is taken as it is.
const MAX_SWEEPS: usize = 50;

/// Space for one projection.
#[derive(Debug)]
pub(super) struct Projection<R> {
    /// For each set of lanes, 0 in these lanes and −∞ in the others.
    by_lanes: Vec<Vector<R>>,
    /// What is known of each part.
    parts: Vec<Known<R>>,
}

/// What is known of the maxima of a part.
#[derive(Clone, Copy, Debug)]
struct Known<R> {
    /// The largest ŷ.
    largest: Vector<R>,
    /// How many ŷ are above the shift, and their sum.
    above: Above<R>,
    /// The number in the last sweep, which is 0 where the sum is below λ; and its inverse.
    last: Vector<R>,
    inverses: Vector<R>,
}

/// For each maximum, the number and the sum of the ŷ above its shift.
#[derive(Clone, Copy, Debug)]
struct Above<R> {
    counts: Vector<R>,
    sums: Vector<R>,
}

impl<R: Real> Projection<R> {
    /// Space for units with at most this many parts.
    pub(super) fn new(parts: usize) -> Self {
        let lanes = |bits: usize| {
            std::array::from_fn(|lane| if bits >> lane & 1 == 1 { R::ZERO } else { R::LOWEST })
        };
        let zeros = [R::ZERO; LANES];
        let above = Above { counts: zeros, sums: zeros };
        let known = Known { largest: zeros, above, last: zeros, inverses: zeros };
        Self { by_lanes: (0..1 << LANES).map(lanes).collect(), parts: vec![known; parts] }
    }

    /// The largest number of parts.
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The lowest possible shifts of a part.
    #[inline(always)]
    fn lowest(&self, part: Part) -> Vector<R> {
        // Lanes without a maximum are treated as if they had a 0.
        self.by_lanes[usize::from(part.has_zero | !part.present)]
    }

    /// Makes ŷ −∞ in the lanes of a part that have no maximum.
    #[inline(always)]
    pub(super) fn mark_absent(&self, part: Part, own: &mut [Vector<R>]) {
        if part.has_absent() {
            let absent = self.by_lanes[usize::from(part.present)];
            for row in own {
                *row = zip(*row, absent, |row, absent| row + absent);
            }
        }
    }

    /// Looks at all ŷ for the first time: the largest of each maximum, and those above its shift.
    /// Returns the sum of the shifts for λ = 0.
    #[inline(always)]
    pub(super) fn survey(&mut self, parts: &[Part], mut hat: &mut [R], shifts: &[Vector<R>]) -> R {
        let mut total = [R::ZERO; LANES];
        for (number, (&part, &shift)) in parts.iter().zip(shifts).enumerate() {
            let (own, rest) = hat.split_at_mut(part.len());
            let own = rows_mut(own);
            hat = rest;
            self.mark_absent(part, own);
            let shift = in_lanes(part, shift);
            let mut largest = [R::LOWEST; LANES];
            let (mut counts, mut sums) = ([R::ZERO; LANES], [R::ZERO; LANES]);
            for row in own {
                largest = zip(largest, *row, R::larger);
                (counts, sums) = add_above(counts, sums, *row, shift);
            }
            if part.is_along {
                let first = fold(largest, R::larger);
                largest = [R::LOWEST; LANES];
                largest[0] = first;
            }
            let lowest = self.lowest(part);
            for i in 0..LANES {
                total[i] += largest[i].larger(lowest[i]);
            }
            let known = &mut self.parts[number];
            known.largest = largest;
            known.above = Above { counts, sums }.of_maxima(part);
            known.last = [R::LOWEST; LANES];
        }
        sum(total)
    }

    /// Finds λ and the shifts, starting from `lambda` and `shifts`; returns λ.
    /// Requires [`survey`](Self::survey). λ must be positive at the solution.
    #[inline(always)]
    pub(super) fn solve(
        &mut self,
        parts: &[Part],
        hat: &[R],
        shifts: &mut [Vector<R>],
        (lambda_hat, ratio): (R, R),
        mut lambda: R,
    ) -> R {
        if parts.is_empty() {
            return lambda_hat;
        }
        for sweep in 0..MAX_SWEEPS {
            if sweep > 0 {
                self.count(parts, hat, shifts);
            }
            let Bound { numerator, denominator, is_same } = self.bind(parts, shifts, lambda);
            if is_same {
                return lambda;
            }
            lambda = (lambda_hat + ratio * numerator) * (R::ONE + ratio * denominator).inverse();
            lambda = lambda.larger(R::ZERO);
            for (number, (&part, shift)) in parts.iter().zip(&mut *shifts).enumerate() {
                let lowest = self.lowest(part);
                let Known { above: Above { sums, .. }, inverses, .. } = self.parts[number];
                for i in 0..LANES {
                    let new = ((sums[i] - lambda) * inverses[i]).larger(lowest[i]);
                    shift[i] = if inverses[i] > R::ZERO { new } else { R::ZERO };
                }
            }
        }
        lambda
    }

    /// Finds those above the shifts.
    #[inline(always)]
    fn count(&mut self, parts: &[Part], mut hat: &[R], shifts: &[Vector<R>]) {
        for ((&part, &shift), known) in parts.iter().zip(shifts).zip(&mut self.parts) {
            let (own, rest) = hat.split_at(part.len());
            hat = rest;
            let shift = in_lanes(part, shift);
            let (mut counts, mut sums) = ([R::ZERO; LANES], [R::ZERO; LANES]);
            for row in rows(own) {
                (counts, sums) = add_above(counts, sums, *row, shift);
            }
            known.above = Above { counts, sums }.of_maxima(part);
        }
    }

    /// Decides in which maxima the alternatives above the shifts add up to λ.
    #[inline(always)]
    fn bind(&mut self, parts: &[Part], shifts: &[Vector<R>], lambda: R) -> Bound<R> {
        let (mut numerator, mut denominator) = ([R::ZERO; LANES], [R::ZERO; LANES]);
        let mut is_same = true;
        for (number, (&part, &shift)) in parts.iter().zip(shifts).enumerate() {
            let lowest = self.lowest(part);
            let known = &mut self.parts[number];
            let Known { largest, above: Above { counts, mut sums }, last, .. } = *known;
            let (mut new_counts, mut inverses) = ([R::ZERO; LANES], [R::ZERO; LANES]);
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
                sums[i] = sum;
                inverses[i] = inverse;
            }
            is_same &= last == new_counts;
            known.above.sums = sums;
            known.last = new_counts;
            known.inverses = inverses;
        }
        Bound { numerator: sum(numerator), denominator: sum(denominator), is_same }
    }
}

/// Σ S_V / n_V and Σ 1 / n_V over the maxima that are bound, and whether all n_V are those of the
/// last sweep.
struct Bound<R> {
    numerator: R,
    denominator: R,
    is_same: bool,
}

impl<R: Real> Above<R> {
    /// Adds up the lanes of a part that belong to one maximum.
    #[inline(always)]
    fn of_maxima(self, part: Part) -> Self {
        if !part.is_along {
            return self;
        }
        let first = |total: R| std::array::from_fn(|lane| if lane == 0 { total } else { R::ZERO });
        Self { counts: first(sum(self.counts)), sums: first(sum(self.sums)) }
    }
}

/// Counts and adds up what is above the shift.
#[inline(always)]
fn add_above<R: Real>(
    counts: Vector<R>,
    sums: Vector<R>,
    row: Vector<R>,
    shift: Vector<R>,
) -> (Vector<R>, Vector<R>) {
    let count = |sum: R, row: R, shift: R| sum + if row > shift { R::ONE } else { R::ZERO };
    let add = |sum: R, row: R, shift: R| sum + if row > shift { row } else { R::ZERO };
    (zip3(counts, row, shift, count), zip3(sums, row, shift, add))
}

/// The shift of each lane's facts.
#[inline(always)]
pub(super) fn in_lanes<R: Real>(part: Part, shift: Vector<R>) -> Vector<R> {
    if part.is_along { [shift[0]; LANES] } else { shift }
}
