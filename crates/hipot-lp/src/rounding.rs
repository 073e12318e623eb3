//! From floating point to integers over one denominator.
//!
//! A solver's values are rounded to multiples of 1/D. At a vertex, the values are often
//! fractions with a small common denominator, and then rounding finds the vertex exactly.
//! Nothing here is a proof: the caller has to check the rounded values in integers.

/// The largest common denominator to look for.
const MAX_DENOMINATOR: i64 = 10_000_000;
/// The largest factor that one value may add to the common denominator.
const MAX_FACTOR: i64 = 1000;

/// About 2⁵³: beyond it, neighboring floating-point numbers are further apart than 1.
const MAX_NUMERATOR: f64 = 9.0e15;

/// A common denominator of numbers that are nearly fractions with small denominators;
/// `None` if they are not.
pub fn common_denominator(values: &[f64]) -> Option<i64> {
    let is_integer = |value: f64| (value - value.round()).abs() < 1e-6 * (1.0 + value.abs() * 1e-3);
    let mut common = 1;
    for &value in values {
        let scaled = value * common as f64;
        common *= (1..=MAX_FACTOR).find(|&factor| is_integer(scaled * factor as f64))?;
        if common > MAX_DENOMINATOR {
            return None;
        }
    }
    Some(common)
}

/// The integers nearest to `factor` times each value; `None` if one is too large to
/// distinguish from its neighbors, or is NaN.
pub fn nearest_integers(values: &[f64], factor: f64) -> Option<Vec<i64>> {
    let round = |&value: &f64| {
        let scaled = (value * factor).round();
        (scaled.abs() < MAX_NUMERATOR).then_some(scaled as i64)
    };
    values.iter().map(round).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_denominators_are_found() {
        assert_eq!(common_denominator(&[0.5, -1.0 / 3.0, 7.0]), Some(6));
        assert_eq!(common_denominator(&[std::f64::consts::PI]), None);
        assert_eq!(common_denominator(&[1.0 / 997.0, 1.0 / 991.0, 1.0 / 983.0]), None);
    }

    #[test]
    fn numbers_that_cannot_be_told_apart_are_refused() {
        assert_eq!(nearest_integers(&[0.5, -1.2], 10.0), Some(vec![5, -12]));
        assert_eq!(nearest_integers(&[1e16], 1.0), None);
        assert_eq!(nearest_integers(&[f64::NAN], 1.0), None);
        assert_eq!(nearest_integers(&[f64::INFINITY], 1.0), None);
    }
}
