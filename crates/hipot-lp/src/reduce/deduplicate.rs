//! Rows with the same terms, merged.
//!
//! Rows l ≤ a x ≤ u and l' ≤ a x ≤ u' say together that
//! max(l, l') ≤ a x ≤ min(u, u'), so one row with these bounds replaces them
//! and the feasible points are the same. The order of the terms does not
//! matter; coefficients are compared exactly. If the bounds contradict each
//! other, the merged row's interval is empty, as the problem was infeasible.
//!
//! # Duals
//!
//! Only one bound of a merged row counts for a dual value: minimizing, the
//! lower for y > 0 and the upper for y < 0; maximizing, the other way around.
//! The row that the merged bound came from gets the value, the others get zero.
//! The reduced costs are the same because the terms are, and the bound that
//! the values prove is the same because the bound of that row is. So values
//! that are feasible or optimal for the merged problem are so for the original.
//!
//! # How equal rows are found
//!
//! Rows are sorted by a hash of their set of terms; of those with one hash,
//! each is compared with the different ones before it, term by term.

use super::partition::hash;
use crate::{Column, Problem, Row, Sense};

/// A problem without the rows that repeat the terms of others.
#[derive(Clone, Debug)]
pub struct Deduplicated {
    problem: Problem,
    /// The number of rows of the original.
    num_rows: usize,
    /// For each row, the row of the original that its lower bound came from.
    lower: Vec<Row>,
    /// For each row, the row of the original that its upper bound came from.
    upper: Vec<Row>,
    merged: Vec<Row>,
}

/// Merges all rows with the same terms into the first of them, with the
/// intersection of their bounds.
///
/// ```
/// use hipot_lp::{Bounds, Problem, reduce::deduplicate};
///
/// let mut problem = Problem::minimize();
/// let [x, y] = [0; 2].map(|_| problem.add_column(1.0, 0.0..));
/// problem.add_row(1.0.., [(x, 1.0), (y, 2.0)]);
/// problem.add_row(..=5.0, [(y, 2.0), (x, 1.0)]);
/// let merged = deduplicate(&problem);
/// assert_eq!(merged.problem().num_rows(), 1);
/// assert_eq!(merged.problem().row_bounds(hipot_lp::Row(0)), Bounds::from(1.0..=5.0));
/// assert_eq!(merged.expand_duals(&[1.0]), [1.0, 0.0]);
/// assert_eq!(merged.expand_duals(&[-1.0]), [0.0, -1.0]);
/// ```
pub fn deduplicate(problem: &Problem) -> Deduplicated {
    let firsts = first_equals(problem);
    let mut result = Deduplicated {
        problem: Problem::new(problem.sense()),
        num_rows: problem.num_rows(),
        lower: Vec::new(),
        upper: Vec::new(),
        merged: Vec::with_capacity(problem.num_rows()),
    };
    for column in problem.columns() {
        result.problem.add_column(problem.objective(column), problem.column_bounds(column));
    }
    for row in problem.rows() {
        let first = firsts[row.index()];
        let merged = if first == row {
            result.add(problem, row)
        } else {
            result.narrow(problem, result.merged[first.index()], row)
        };
        result.merged.push(merged);
    }
    result
}

impl Deduplicated {
    fn add(&mut self, problem: &Problem, row: Row) -> Row {
        self.lower.push(row);
        self.upper.push(row);
        self.problem.add_row(problem.row_bounds(row), problem.terms(row))
    }

    /// Intersects the bounds of a merged row with those of another row.
    fn narrow(&mut self, problem: &Problem, merged: Row, row: Row) -> Row {
        let mut bounds = self.problem.row_bounds(merged);
        let other = problem.row_bounds(row);
        if other.lower > bounds.lower {
            bounds.lower = other.lower;
            self.lower[merged.index()] = row;
        }
        if other.upper < bounds.upper {
            bounds.upper = other.upper;
            self.upper[merged.index()] = row;
        }
        self.problem.set_row_bounds(merged, bounds);
        merged
    }

    /// The problem without repetitions. It has the original's columns.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The row that a row of the original was merged into.
    pub fn merged(&self, row: Row) -> Row {
        self.merged[row.index()]
    }

    /// The original's dual values for dual values of the merged rows.
    pub fn expand_duals(&self, duals: &[f64]) -> Vec<f64> {
        assert_eq!(duals.len(), self.problem.num_rows(), "one value a row");
        let mut expanded = vec![0.0; self.num_rows];
        for (place, &dual) in duals.iter().enumerate() {
            let by_lower = (dual > 0.0) == (self.problem.sense() == Sense::Minimize);
            let row = if by_lower { self.lower[place] } else { self.upper[place] };
            expanded[row.index()] = dual;
        }
        expanded
    }
}

/// For each row, the first row with the same terms.
fn first_equals(problem: &Problem) -> Vec<Row> {
    let mut hashed: Vec<(u64, Row)> =
        problem.rows().map(|row| (hash_terms(problem, row), row)).collect();
    hashed.sort_unstable();
    let mut firsts: Vec<Row> = problem.rows().collect();
    let mut different: Vec<(Row, Vec<(Column, u64)>)> = Vec::new();
    for candidates in hashed.chunk_by(|one, other| one.0 == other.0) {
        if candidates.len() == 1 {
            continue;
        }
        different.clear();
        for &(_, row) in candidates {
            let terms = sorted_terms(problem, row);
            match different.iter().find(|(_, known)| *known == terms) {
                Some(&(first, _)) => firsts[row.index()] = first,
                None => different.push((row, terms)),
            }
        }
    }
    firsts
}

/// A hash of the set of a row's terms.
fn hash_terms(problem: &Problem, row: Row) -> u64 {
    let terms = problem.terms(row);
    terms.fold(0, |sum: u64, (column, value)| {
        sum.wrapping_add(hash(value.to_bits(), u64::from(column.0)))
    })
}

fn sorted_terms(problem: &Problem, row: Row) -> Vec<(Column, u64)> {
    let mut terms: Vec<_> =
        problem.terms(row).map(|(column, value)| (column, value.to_bits())).collect();
    terms.sort_unstable();
    terms
}
