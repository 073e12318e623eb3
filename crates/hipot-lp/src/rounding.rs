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

/// How far a number may be from a fraction, in relation to its size.
const FRACTION_ERROR: f64 = 1e-12;
/// The largest denominator of one fraction. With larger ones, fractions near any number would
/// be found.
const MAX_FRACTION: i64 = 100_000;
/// The largest common denominator of fractions.
const MAX_COMMON: i64 = 1 << 50;

/// Numbers as numerators over a common denominator, each of them found apart as a fraction by
/// its continued fraction; `None` if one is not nearly a fraction. The common denominator may be
/// far larger than what [`common_denominator`] can find.
pub(crate) fn fractions(values: &[f64]) -> Option<(Vec<i128>, i64)> {
    let found: Option<Vec<(i64, i64)>> = values.iter().map(|&value| fraction(value)).collect();
    let (found, mut common) = (found?, 1_i64);
    for &(_, denominator) in &found {
        common = common.checked_mul(denominator / gcd(common, denominator))?;
        if common > MAX_COMMON {
            return None;
        }
    }
    let numerator = |&(numerator, denominator): &(i64, i64)| {
        i128::from(numerator) * i128::from(common / denominator)
    };
    Some((found.iter().map(numerator).collect(), common))
}

/// The fraction with the smallest denominator in the continued fraction of `value` that is near
/// enough to it.
fn fraction(value: f64) -> Option<(i64, i64)> {
    if value.is_nan() || value.abs() > 1e9 {
        return None;
    }
    let ((mut before, mut below), (mut numerator, mut denominator)) = ((0, 1), (1, 0));
    let mut rest = value;
    loop {
        let whole = rest.floor() as i64;
        (before, numerator) = (numerator, whole.checked_mul(numerator)?.checked_add(before)?);
        (below, denominator) = (denominator, whole.checked_mul(denominator)?.checked_add(below)?);
        if denominator > MAX_FRACTION {
            return None;
        }
        let error = (value - numerator as f64 / denominator as f64).abs();
        if error <= FRACTION_ERROR * (1.0 + value.abs()) {
            return Some((numerator, denominator));
        }
        rest = 1.0 / (rest - rest.floor());
    }
}

/// The greatest common divisor of two positive numbers.
fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
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
    fn fractions_are_found_one_by_one() {
        let values = [1.0 / 997.0, -22.0 / 991.0, 3.0, 0.0, -1.0 / 983.0];
        let common = 997 * 991 * 983;
        let expected = [991 * 983, -22 * 997 * 983, 3 * common, 0, -997 * 991];
        assert_eq!(fractions(&values), Some((expected.to_vec(), common as i64)));
        assert_eq!(fractions(&[std::f64::consts::PI]), None);
        assert_eq!(fractions(&[f64::NAN]), None);
        assert_eq!(fractions(&[f64::INFINITY]), None);
        let primes = [99_991.0, 99_989.0, 99_971.0, 99_961.0];
        assert_eq!(fractions(&primes.map(|prime| 1.0 / prime)), None);
    }

    #[test]
    fn numbers_that_cannot_be_told_apart_are_refused() {
        assert_eq!(nearest_integers(&[0.5, -1.2], 10.0), Some(vec![5, -12]));
        assert_eq!(nearest_integers(&[1e16], 1.0), None);
        assert_eq!(nearest_integers(&[f64::NAN], 1.0), None);
        assert_eq!(nearest_integers(&[f64::INFINITY], 1.0), None);
    }
}
