//! The known name that is most like an unknown one.

/// Names that are longer are not compared.
const LONGEST: usize = 60;

/// The name with the fewest edits between it and `name`, if they are few for
/// its length; the first in the alphabet among several.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let most = (name.chars().count() / 3).max(1);
    let near = |candidate: &&str| candidate.len() <= LONGEST;
    let with_distance = |candidate| (distance(name, candidate), candidate);
    let candidates = known.into_iter().filter(near).map(with_distance);
    let best = candidates.filter(|&(edits, _)| edits <= most).min()?;
    // A name of one letter is like every other one.
    (name.chars().count() > 1 || best.0 == 0).then_some(best.1)
}

/// The number of letters to insert, delete or replace, and of neighboring
/// letters to swap.
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for i in 1..=left.len() {
        let mut next = vec![i];
        for j in 1..=right.len() {
            let replaced = row[j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut edits = replaced.min(row[j] + 1).min(next[j - 1] + 1);
            let swapped =
                i > 1 && j > 1 && (left[i - 1], left[i - 2]) == (right[j - 2], right[j - 1]);
            if swapped {
                edits = edits.min(before[j - 2] + 1);
            }
            next.push(edits);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("holding", "holdng"), 1);
        assert_eq!(distance("holding", "hodling"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(nearest("onn", ["off", "on", "open"]), Some("on"));
        assert_eq!(nearest("elephant", ["on", "off"]), None);
        assert_eq!(nearest("ac", ["ab", "aa"]), Some("aa"));
        assert_eq!(nearest("x", ["y"]), None);
    }
}
