//! The order in which people sort names: digits compare as numbers.

use std::cmp::Ordering;

/// Compares names: `p2` comes before `p10`. Names that differ only in leading zeros are
/// compared as text.
pub(crate) fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        if left.is_empty() || right.is_empty() {
            return left.len().cmp(&right.len()).then_with(|| a.cmp(b));
        }
        let (first, second) = (part(&mut left), part(&mut right));
        let order = match (number(first), number(second)) {
            (Some(one), Some(other)) => one.len().cmp(&other.len()).then_with(|| one.cmp(other)),
            _ => first.cmp(second),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Splits off the longest prefix that is all digits or has none.
fn part<'a>(text: &mut &'a str) -> &'a str {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit());
    let differs = |c: char| c.is_ascii_digit() != is_number;
    let (part, rest) = text.split_at(text.find(differs).unwrap_or(text.len()));
    *text = rest;
    part
}

/// The digits without leading zeros.
fn number(part: &str) -> Option<&str> {
    part.starts_with(|c: char| c.is_ascii_digit()).then(|| part.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_numbers() {
        let mut names = ["p10", "p2", "p", "p02", "prob", "p2-10", "p2-9", "", "10", "9", "p2x"];
        names.sort_by(|a, b| natural(a, b));
        let expected = ["", "9", "10", "p", "p02", "p2", "p2-9", "p2-10", "p2x", "p10", "prob"];
        assert_eq!(names, expected);
    }

    proptest! {
        #[test]
        fn it_is_an_order(mut names in prop::collection::vec("[ab0-2]{0,5}", 0..8)) {
            for a in &names {
                for b in &names {
                    prop_assert_eq!(natural(a, b), natural(b, a).reverse());
                    prop_assert_eq!(natural(a, b) == Ordering::Equal, a == b);
                }
            }
            // Sorting panics, or leaves this false, if the order is not transitive.
            names.sort_by(|a, b| natural(a, b));
            for (index, a) in names.iter().enumerate() {
                prop_assert!(names[index..].iter().all(|b| natural(a, b) != Ordering::Greater));
            }
        }
    }
}
