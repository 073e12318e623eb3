//! Costs in the unit of the problem.
//!
//! Costs are integers, in units of the last decimal of the problem's costs ([`Task::decimals`]). People
//! and programs read them in the problem's own unit.

use std::fmt;

use crate::rational::Rational;
use crate::task::Task;

/// A cost or a bound, printed as a decimal number without zeros at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// In units of the last decimal.
    pub units: u64,
    /// The number of decimals.
    pub decimals: u32,
}

impl Amount {
    /// A cost of `task`.
    pub fn of(units: u64, task: &Task) -> Self {
        Self { units, decimals: task.decimals() }
    }

    /// The amount if it is an integer.
    pub fn whole(self) -> Option<u64> {
        let unit = 10_u64.checked_pow(self.decimals)?;
        self.units.is_multiple_of(unit).then(|| self.units / unit)
    }

    /// The nearest floating-point number, or one next to it.
    pub fn to_f64(self) -> f64 {
        self.units as f64 / 10_f64.powi(self.decimals.cast_signed())
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = self.decimals as usize;
        let digits = format!("{:0>width$}", self.units, width = places + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places);
        match fraction.trim_end_matches('0') {
            "" => f.pad(whole),
            fraction => f.pad(&format!("{whole}.{fraction}")),
        }
    }
}

impl Rational {
    /// A number of units of the last of so many decimals, in the problem's unit.
    ///
    /// # Panics
    /// If the denominator becomes too large, which those of functions and cost partitionings do not: they
    /// have 64 bits.
    #[must_use]
    pub fn from_units(self, decimals: u32) -> Self {
        let denominator = self.denominator.checked_mul(10_i128.pow(decimals));
        let denominator = denominator.expect("there is room for the decimals");
        Self { denominator, ..self }.reduced()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_no_more_decimals_than_they_need() {
        let text = |units, decimals| Amount { units, decimals }.to_string();
        assert_eq!(text(45, 1), "4.5");
        assert_eq!(text(450, 2), "4.5");
        assert_eq!(text(40, 1), "4");
        assert_eq!(text(7, 2), "0.07");
        assert_eq!(text(0, 3), "0");
        assert_eq!(text(23, 0), "23");
        assert_eq!(text(u64::MAX, 9), "18446744073.709551615");
        assert_eq!(format!("{:>6}", Amount { units: 45, decimals: 1 }), "   4.5");
    }

    #[test]
    fn integers_are_told_apart() {
        let amount = |units| Amount { units, decimals: 1 };
        assert_eq!((amount(40).whole(), amount(45).whole()), (Some(4), None));
        assert_eq!((amount(0).whole(), amount(45).to_f64()), (Some(0), 4.5));
    }

    #[test]
    fn rational_numbers_of_units() {
        let number = Rational { numerator: 90, denominator: 2 }.from_units(1);
        assert_eq!((number.numerator, number.denominator), (9, 2));
        let whole = Rational { numerator: 20, denominator: 1 }.from_units(1);
        assert_eq!((whole.numerator, whole.denominator), (2, 1));
    }
}
