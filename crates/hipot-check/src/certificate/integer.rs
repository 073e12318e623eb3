//! Exact arithmetic: with 128 bits if these suffice, otherwise with any number of bits.
//!
//! The verifier adds up only weights, each at most once, the constant, and costs
//! times the denominator. If the sum of their absolute values is below 2¹²⁰, no sum
//! can overflow an `i128`; otherwise the same code runs over big integers, several
//! times slower. The additions are checked in either case.

use std::fmt::Debug;

use hipot_task::Task;
use num_bigint::{BigInt, BigUint};

use super::Certificate;

/// The integers that the verifier calculates with.
pub(super) trait Integer: Clone + Debug + Ord {
    /// 0.
    const ZERO: Self;

    /// Converts a number, which must be small enough.
    fn from_big(number: &BigInt) -> Self;

    /// Converts to a big integer.
    fn to_big(&self) -> BigInt;

    /// Adds `other`.
    fn add(&mut self, other: &Self);

    /// Subtracts `other`.
    fn subtract(&mut self, other: &Self);
}

const FITS: &str = "all sums were found to fit";

impl Integer for i128 {
    const ZERO: Self = 0;

    fn from_big(number: &BigInt) -> Self {
        Self::try_from(number).expect(FITS)
    }

    fn to_big(&self) -> BigInt {
        BigInt::from(*self)
    }

    fn add(&mut self, other: &Self) {
        *self = self.checked_add(*other).expect(FITS);
    }

    fn subtract(&mut self, other: &Self) {
        *self = self.checked_sub(*other).expect(FITS);
    }
}

impl Integer for i64 {
    const ZERO: Self = 0;

    fn from_big(number: &BigInt) -> Self {
        Self::try_from(number).expect(FITS)
    }

    fn to_big(&self) -> BigInt {
        BigInt::from(*self)
    }

    fn add(&mut self, other: &Self) {
        *self = self.checked_add(*other).expect(FITS);
    }

    fn subtract(&mut self, other: &Self) {
        *self = self.checked_sub(*other).expect(FITS);
    }
}

impl Integer for BigInt {
    const ZERO: Self = Self::ZERO;

    fn from_big(number: &BigInt) -> Self {
        number.clone()
    }

    fn to_big(&self) -> BigInt {
        self.clone()
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn subtract(&mut self, other: &Self) {
        *self -= other;
    }
}

/// Whether 128 bits suffice to verify the certificate.
pub(super) fn fits_in_128_bits(task: &Task, certificate: &Certificate) -> bool {
    const BITS: u64 = 120;
    let mut sum: BigUint = certificate.denominator().magnitude() * task.max_cost();
    sum += certificate.denominator().magnitude() + certificate.constant().magnitude();
    sum += certificate.features().map(|(weight, _)| weight.magnitude()).sum::<BigUint>();
    sum.bits() <= BITS
}

/// `numerator` / `denominator` in lowest terms; the denominator is positive.
pub(super) fn rational(numerator: &BigInt, denominator: &BigInt) -> String {
    let (mut divisor, mut rest) = (denominator.clone(), numerator % denominator);
    while rest != BigInt::ZERO {
        (divisor, rest) = (rest.clone(), divisor % rest);
    }
    let divisor = BigInt::from(divisor.magnitude().clone());
    let (numerator, denominator) = (numerator / &divisor, denominator / &divisor);
    if denominator == BigInt::from(1) {
        numerator.to_string()
    } else {
        format!("{numerator}/{denominator}")
    }
}

/// ⌈`numerator` / `denominator`⌉; the denominator is positive.
pub(super) fn ceiling(numerator: &BigInt, denominator: &BigInt) -> BigInt {
    let quotient = numerator / denominator;
    if numerator % denominator > BigInt::ZERO { quotient + 1 } else { quotient }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rationals_are_in_lowest_terms() {
        let text =
            |numerator: i32, denominator: i32| rational(&numerator.into(), &denominator.into());
        assert_eq!(text(6, 4), "3/2");
        assert_eq!(text(-6, 4), "-3/2");
        assert_eq!(text(-8, 4), "-2");
        assert_eq!(text(0, 7), "0");
        assert_eq!(text(7, 1), "7");
    }

    #[test]
    fn ceilings_round_up() {
        let round = |numerator: i32| ceiling(&numerator.into(), &2.into());
        let rounded: Vec<BigInt> = (-3..=3).map(round).collect();
        assert_eq!(rounded, [-1, -1, 0, 0, 1, 1, 2].map(BigInt::from));
    }
}
