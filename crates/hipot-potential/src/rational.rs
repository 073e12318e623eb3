//! Rational numbers, as far as they are needed: to be shown.

use std::fmt;

/// A rational number; shown in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rational {
    /// Above the bar.
    pub numerator: i128,
    /// Below the bar; positive.
    pub denominator: i128,
}

impl Rational {
    /// 0.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// The nearest floating-point number, or nearly so.
    pub(crate) fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// In lowest terms.
    #[must_use]
    pub fn reduced(self) -> Self {
        let Self { numerator, denominator } = self;
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).cast_signed();
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reduced() {
            Self { numerator, denominator: 1 } => write!(f, "{numerator}"),
            Self { numerator, denominator } => write!(f, "{numerator}/{denominator}"),
        }
    }
}

/// The greatest common divisor.
pub(crate) fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
