//! Exact fractions, as people write them.
//!
//! A function that was solved for with a margin has weights such as 11803274/49995731. Its
//! digits are exact, but nobody can read them, and they mean nothing: another solver would find
//! others. So long fractions are shown rounded, with a sign that says so. Programs get
//! all digits.

use std::fmt;

use hipot_task::Rational;
use serde::{Serialize, Serializer};

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio(Rational);

impl Ratio {
    /// `numerator` / `denominator`, which is positive.
    pub(crate) fn new(numerator: i128, denominator: i128) -> Self {
        Self(Rational { numerator, denominator }.reduced())
    }

    /// `numerator` / `denominator` units of the last of so many decimals, in the problem's unit.
    pub(crate) fn of_units(numerator: i128, denominator: i128, decimals: u32) -> Self {
        Self(Rational { numerator, denominator }.from_units(decimals))
    }

    /// Whether it is 0.
    pub(crate) fn is_zero(self) -> bool {
        self.0.numerator == 0
    }

    /// Whether it is below 0.
    pub(crate) fn is_negative(self) -> bool {
        self.0.numerator < 0
    }

    /// The absolute value.
    #[must_use]
    pub(crate) fn abs(self) -> Self {
        Self(Rational { numerator: self.0.numerator.abs(), ..self.0 })
    }

    /// The larger of the two.
    #[must_use]
    pub(crate) fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    /// The sum. Denominators are below 2⁶³, so that nothing overflows in sums of values of one
    /// function.
    #[must_use]
    pub(crate) fn plus(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        let numerator = a.numerator * b.denominator + b.numerator * a.denominator;
        Self::new(numerator, a.denominator * b.denominator)
    }

    /// The nearest floating-point number, for the lengths of bars and lines.
    pub(crate) fn near(self) -> f64 {
        self.0.to_f64()
    }

    /// All digits, if it is shown rounded.
    pub(crate) fn exactly(self) -> Option<String> {
        (self.0.denominator > MAX_DENOMINATOR).then(|| self.0.to_string())
    }
}

/// Fractions with larger denominators are too long to grasp.
const MAX_DENOMINATOR: i128 = 1000;

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.denominator <= MAX_DENOMINATOR {
            return f.pad(&self.0.to_string());
        }
        let rounded = format!("{:.4}", self.near());
        let rounded = rounded.trim_end_matches('0').trim_end_matches('.');
        f.pad(&format!("≈{}", if rounded == "-0" { "0" } else { rounded }))
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_lowest_terms() {
        assert_eq!(Ratio::new(6, 4).to_string(), "3/2");
        assert_eq!(Ratio::new(-6, 3).to_string(), "-2");
        assert_eq!(Ratio::new(0, 7).to_string(), "0");
        assert_eq!(Ratio::of_units(90, 2, 1).to_string(), "9/2");
        assert!(Ratio::new(0, 7).is_zero());
        assert_eq!(Ratio::new(1, 3).exactly(), None);
        assert_eq!(Ratio::new(100_001, 100_000).exactly().as_deref(), Some("100001/100000"));
        assert_eq!(format!("{:>5}", Ratio::new(-1, 2)), " -1/2");
        assert_eq!(Ratio::new(-1, 2).plus(Ratio::new(2, 3)), Ratio::new(1, 6));
    }

    #[test]
    fn long_fractions_are_rounded_for_people_only() {
        let shown = |numerator, denominator| Ratio::new(numerator, denominator).to_string();
        assert_eq!(shown(-11_803_274, 49_995_731), "≈-0.2361");
        assert_eq!(shown(100_001, 100_000), "≈1");
        assert_eq!(shown(-1, 10_000_000), "≈0");
        assert_eq!(shown(-999, 1000), "-999/1000");
        let written = serde_json::to_string(&Ratio::new(100_001, 100_000)).unwrap();
        assert_eq!(written, "\"100001/100000\"");
    }
}
