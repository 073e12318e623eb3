//! The weights of several functions, side by side.

use std::ops::{AddAssign, SubAssign};

/// A number for each of N functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lanes<const N: usize>(pub(super) [i64; N]);

impl<const N: usize> Lanes<N> {
    /// A number for one function, and 0 for the others.
    pub(super) fn one(lane: usize, number: i64) -> Self {
        let mut lanes = Self::default();
        lanes.0[lane] = number;
        lanes
    }

    /// Half of even numbers.
    pub(super) fn halved(self) -> Self {
        Self(self.0.map(|number| number / 2))
    }
}

impl<const N: usize> Default for Lanes<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> AddAssign for Lanes<N> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own += other;
        }
    }
}

impl<const N: usize> SubAssign for Lanes<N> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own -= other;
        }
    }
}
