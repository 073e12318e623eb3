//! Rational numbers: exact values of bounds and weights.

use std::cmp::Ordering;
use std::fmt;

/// A rational number; compared by value, printed in lowest terms.
#[derive(Clone, Copy, Debug)]
pub struct Rational {
    /// The numerator.
    pub numerator: i128,
    /// The denominator; positive.
    pub denominator: i128,
}

impl Rational {
    /// 0.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// The nearest floating-point number, or one next to it.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// In lowest terms.
    #[must_use]
    pub fn reduced(self) -> Self {
        let Self { numerator, denominator } = self;
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).cast_signed();
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// max(0, ⌈x⌉).
    pub fn bound(self) -> u64 {
        let Self { numerator, denominator } = self;
        let ceiling =
            numerator.div_euclid(denominator) + i128::from(numerator.rem_euclid(denominator) != 0);
        u64::try_from(ceiling.max(0)).unwrap_or(u64::MAX - 1)
    }
}

/// By value: compares the integer parts, then the inverses of the fractional parts.
/// It forms no product that could overflow.
impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        let split = |x: &Self| {
            (x.numerator.div_euclid(x.denominator), x.numerator.rem_euclid(x.denominator))
        };
        let ((own, own_rest), (others, others_rest)) = (split(self), split(other));
        own.cmp(&others).then_with(|| match (own_rest, others_rest) {
            (0, _) | (_, 0) => own_rest.cmp(&others_rest),
            _ => {
                let inverse = |numerator, denominator| Self { numerator, denominator };
                let own = inverse(self.denominator, own_rest);
                inverse(other.denominator, others_rest).cmp(&own)
            }
        })
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
        match self.reduced() {
            Self { numerator, denominator: 1 } => write!(f, "{numerator}"),
            Self { numerator, denominator } => write!(f, "{numerator}/{denominator}"),
        }
    }
}

/// The greatest common divisor.
pub fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rational(numerator: i128, denominator: i128) -> Rational {
        Rational { numerator, denominator }
    }

    #[test]
    fn bounds_are_rounded_up_and_never_negative() {
        assert_eq!(rational(7, 2).bound(), 4);
        assert_eq!(rational(8, 2).bound(), 4);
        assert_eq!(rational(1, 1_000_000_000).bound(), 1);
        assert_eq!(rational(-7, 2).bound(), 0);
        assert_eq!(rational(6, 4).to_string(), "3/2");
        assert_eq!(rational(-8, 4).to_string(), "-2");
    }

    #[test]
    fn the_order_is_that_of_the_values() {
        for (a, b, c, d) in
            (0..10_000_i128).map(|i| (i % 10 - 5, i / 10 % 10 + 1, i / 100 % 10 - 5, i / 1000 + 1))
        {
            assert_eq!(
                rational(a, b).cmp(&rational(c, d)),
                (a * d).cmp(&(c * b)),
                "{a}/{b} {c}/{d}"
            );
        }
        assert!(rational(i128::MAX, i128::MAX - 1) > rational(i128::MAX - 1, i128::MAX));
        assert!(rational(i128::MIN, i128::MAX) < rational(i128::MIN + 2, i128::MAX));
    }
}
