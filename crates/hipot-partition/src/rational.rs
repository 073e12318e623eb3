//! Rational numbers, as far as they are needed: exact values of bounds.

use std::cmp::Ordering;
use std::fmt;

/// A rational number; shown in lowest terms.
#[derive(Clone, Copy, Debug)]
pub struct Rational {
    /// Above the bar.
    pub numerator: i128,
    /// Below the bar; positive.
    pub denominator: i128,
}

impl Rational {
    /// 0.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// The nearest floating-point number, or one beside it.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// max(0, ⌈x⌉).
    pub fn bound(self) -> u64 {
        let Self { numerator, denominator } = self;
        let ceiling =
            numerator.div_euclid(denominator) + i128::from(numerator.rem_euclid(denominator) != 0);
        u64::try_from(ceiling.max(0)).unwrap_or(u64::MAX - 1)
    }
}

/// By value. Numerators and denominators of this crate are far below 2⁶³, so
/// products of two fit.
impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rational {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Rational {}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let divisor = gcd(self.numerator.unsigned_abs(), self.denominator.unsigned_abs());
        let [numerator, denominator] =
            [self.numerator, self.denominator].map(|part| part / divisor.cast_signed());
        match denominator {
            1 => write!(f, "{numerator}"),
            _ => write!(f, "{numerator}/{denominator}"),
        }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_up_and_never_negative() {
        let rational = |numerator, denominator| Rational { numerator, denominator };
        assert_eq!(rational(7, 2).bound(), 4);
        assert_eq!(rational(8, 2).bound(), 4);
        assert_eq!(rational(1, 1_000_000_000).bound(), 1);
        assert_eq!(rational(-7, 2).bound(), 0);
        assert_eq!(rational(6, 4).to_string(), "3/2");
        assert_eq!(rational(-8, 4).to_string(), "-2");
    }
}
