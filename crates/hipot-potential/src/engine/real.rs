//! Numbers of the engine, in two precisions, and eight of them at once.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// The number of lanes. Sums over lanes have a fixed order, so results do not depend on the
/// processor's vectors.
pub(super) const LANES: usize = 8;

/// A number for each lane.
pub(super) type Vector<R> = [R; LANES];

/// A floating-point number: `f32`, which is faster, or `f64`, which has more digits.
pub(super) trait Real:
    Copy
    + Default
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + AddAssign
    + Mul<Output = Self>
    + Sub<Output = Self>
    + SubAssign
    + std::fmt::Debug
    + 'static
{
    const ZERO: Self;
    const ONE: Self;
    const LOWEST: Self;

    fn of(value: f64) -> Self;
    fn to_f64(self) -> f64;
    fn inverse(self) -> Self;

    /// The larger of two numbers that are not NaN.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
}

macro_rules! real {
    ($type:ty) => {
        impl Real for $type {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const LOWEST: Self = Self::NEG_INFINITY;

            #[inline(always)]
            fn of(value: f64) -> Self {
                value as $type
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }

            #[inline(always)]
            fn inverse(self) -> Self {
                1.0 / self
            }
        }
    };
}

real!(f32);
real!(f64);

/// The rows of lanes of a slice.
#[inline(always)]
pub(super) fn rows<R: Real>(values: &[R]) -> &[Vector<R>] {
    values.as_chunks().0
}

/// The rows of lanes of a slice.
#[inline(always)]
pub(super) fn rows_mut<R: Real>(values: &mut [R]) -> &mut [Vector<R>] {
    values.as_chunks_mut().0
}

/// Combines the lanes, half with half.
#[inline(always)]
pub(super) fn fold<R: Real>(lanes: Vector<R>, with: impl Fn(R, R) -> R) -> R {
    let pair = |lane: usize| with(lanes[lane], lanes[lane + LANES / 2]);
    with(with(pair(0), pair(2)), with(pair(1), pair(3)))
}

/// The sum of the lanes.
#[inline(always)]
pub(super) fn sum<R: Real>(lanes: Vector<R>) -> R {
    fold(lanes, |one, other| one + other)
}

/// Computes each lane from those of two vectors. Loops over lanes with several results are often
/// not compiled to vector instructions; this always is.
#[inline(always)]
pub(super) fn zip<R: Real>(mut a: Vector<R>, b: Vector<R>, of: impl Fn(R, R) -> R) -> Vector<R> {
    for i in 0..LANES {
        a[i] = of(a[i], b[i]);
    }
    a
}

/// Computes each lane from those of three vectors.
#[inline(always)]
pub(super) fn zip3<R: Real>(
    mut a: Vector<R>,
    b: Vector<R>,
    c: Vector<R>,
    of: impl Fn(R, R, R) -> R,
) -> Vector<R> {
    for i in 0..LANES {
        a[i] = of(a[i], b[i], c[i]);
    }
    a
}
