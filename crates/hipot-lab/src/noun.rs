//! Nouns that agree with their number.

/// A noun in the plural, unless the count is 1.
pub(crate) fn noun(count: u64, singular: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{singular}{ending}")
}

/// A number with its noun: `1 run`, `2 runs`.
pub(crate) fn counted(count: u64, singular: &str) -> String {
    format!("{count} {}", noun(count, singular))
}
