//! Homogeneous equations, solved exactly in integers.
//!
//! The equations are those that cycles of free operators force (`equalities`). A solver
//! satisfies them only approximately, and rounding breaks them. So they are solved before the
//! LP is: by Gauss–Jordan elimination on sparse rows with integer entries. Each row that is
//! not redundant determines a *pivot* column as a combination of columns that are not pivots.
//! Whatever values the others take, the pivots follow, and the equations hold exactly.
//!
//! - *Before solving*, [`Substitution::substitute`] replaces pivots in the LP by their
//!   combinations. The LP gets smaller, and its solution satisfies the equations by
//!   construction. Indices of rows and columns stay the same, so the rest of the optimizer
//!   need not know.
//! - *After rounding*, [`Substitution::apply`] computes the pivots among the weights from the
//!   rounded other weights, in integers.
//!
//! *Which pivots.* The equations mention the weights and also the maxima of the LP. Maxima
//! are chosen as pivots first: then the remaining rows are equations between weights alone,
//! which is all that `apply` needs. Among the others, small factors are preferred, because a
//! pivot with the factor p requires the other columns to be multiples of p: all must be
//! multiples of [`unit`](Substitution::unit), the least common multiple of these factors. It
//! is 1 if all factors are ±1, as they usually are. Ties are broken in favor of columns that
//! occur in few other rows, which keeps the rows sparse.
//!
//! Arithmetic is checked: if a number becomes too large, there is no substitution, and the
//! equations are left to the LP.

use std::collections::BTreeMap;

use crate::problem::{Bounds, Column, Problem, Row};

/// A sparse row Σ a_j x_j = 0.
type SparseRow = BTreeMap<usize, i64>;

/// Pivots as combinations of the other columns.
#[derive(Clone, Debug)]
pub struct Substitution {
    /// Pivots and their rows.
    rows: Vec<(usize, SparseRow)>,
    /// Columns below this are weights.
    weights: usize,
    unit: i64,
}

impl Substitution {
    /// No equations.
    pub fn none() -> Self {
        Self { rows: Vec::new(), weights: usize::MAX, unit: 1 }
    }

    /// Whether there are no equations.
    pub fn is_none(&self) -> bool {
        self.rows.is_empty()
    }

    /// Solves the equations; the first `weights` columns are weights, the others
    /// maxima. `None` if numbers become too large.
    pub fn solve(equations: &[Vec<(usize, i64)>], weights: usize) -> Option<Self> {
        let mut elimination = Elimination::default();
        for equation in equations {
            let mut row = SparseRow::new();
            for &(column, value) in equation {
                *row.entry(column).or_insert(0) += value;
            }
            row.retain(|_, value| *value != 0);
            elimination.add(row, weights)?;
        }
        let rows = elimination.rows;
        let of_weights = rows.iter().filter(|(pivot, _)| *pivot < weights);
        let unit = of_weights.map(|(pivot, row)| row[pivot].abs()).try_fold(1, lcm)?;
        Some(Self { rows, weights, unit })
    }

    /// Columns that are not pivots must be multiples of this.
    pub fn unit(&self) -> i64 {
        self.unit
    }

    /// The pivots that are weights, and their rows.
    fn determined(&self) -> impl Iterator<Item = &(usize, SparseRow)> {
        self.rows.iter().filter(|(pivot, _)| *pivot < self.weights)
    }

    /// The weights that others determine, each as a sum of these with factors.
    pub fn determined_weights(&self) -> Vec<(usize, Vec<(usize, f64)>)> {
        let terms = |pivot: usize, row: &SparseRow| {
            let others = row.iter().filter(|&(&other, _)| other != pivot);
            let factor = |factor: i64| -(factor as f64) / row[&pivot] as f64;
            others.map(|(&other, &it)| (other, factor(it))).collect()
        };
        self.determined().map(|(pivot, row)| (*pivot, terms(*pivot, row))).collect()
    }

    /// The number of weights that others determine.
    pub fn determined_count(&self) -> usize {
        self.determined().count()
    }

    /// `problem` with each pivot replaced by its combination. Rows and columns
    /// keep their indices: a pivot's column is fixed at 0, and a row that the
    /// equations imply has no terms left. Bounds of pivots become new rows.
    pub fn substitute(&self, problem: &Problem) -> Substituted {
        if self.rows.is_empty() {
            return Substituted::default();
        }
        let mut pivot_of: Vec<Option<usize>> = vec![None; problem.num_columns()];
        for (index, (pivot, _)) in self.rows.iter().enumerate() {
            pivot_of[*pivot] = Some(index);
        }
        let mut expansion = Expansion {
            rows: &self.rows,
            pivot_of: &pivot_of,
            sums: vec![0.0; problem.num_columns()],
        };
        let objective = problem.columns().map(|column| (column, problem.objective(column)));
        let mut objective_of = vec![0.0; problem.num_columns()];
        for (column, value) in expansion.expand(objective.filter(|term| term.1 != 0.0)) {
            objective_of[column.index()] = value;
        }
        let mut result = Problem::new(problem.sense());
        for column in problem.columns() {
            let is_pivot = pivot_of[column.index()].is_some();
            let bounds = if is_pivot { Bounds::equal(0.0) } else { problem.column_bounds(column) };
            result.add_column(objective_of[column.index()], bounds);
        }
        for row in problem.rows() {
            result.add_row(problem.row_bounds(row), expansion.expand(problem.terms(row)));
        }
        let mut bound_rows = BTreeMap::new();
        for (pivot, _) in &self.rows {
            let column = Column(*pivot as u32);
            let bounds = problem.column_bounds(column);
            let terms = expansion.expand([(column, 1.0)].into_iter());
            if !bounds.is_free() && !terms.is_empty() {
                bound_rows.insert(column.index(), result.add_row(bounds, terms));
            }
        }
        Substituted { problem: Some(result), bound_rows }
    }

    /// The objective of [`substitute`](Self::substitute)'s problem, given the original
    /// coefficients of the first columns.
    pub fn expand_objective(&self, objective: &[f64], columns: usize) -> Vec<f64> {
        let mut expanded = objective.to_vec();
        expanded.resize(columns, 0.0);
        for (pivot, row) in &self.rows {
            let scale = -std::mem::take(&mut expanded[*pivot]) / row[pivot] as f64;
            for (&other, &factor) in row.iter().filter(|(other, _)| *other != pivot) {
                expanded[other] += scale * factor as f64;
            }
        }
        expanded
    }

    /// Sets the pivots to what the other columns determine. `None` on overflow.
    pub fn apply(&self, values: &mut [i64]) -> Option<()> {
        for (pivot, row) in self.determined() {
            let mut sum = 0_i128;
            for (&column, &factor) in row {
                if column != *pivot {
                    sum += i128::from(factor) * i128::from(*values.get(column)?);
                }
            }
            let divisor = i128::from(row[pivot]);
            debug_assert_eq!(sum % divisor, 0, "free columns are multiples of the unit");
            values[*pivot] = i64::try_from(-sum / divisor).ok()?;
        }
        Some(())
    }
}

/// A problem in which pivots are replaced.
#[derive(Debug, Default)]
pub struct Substituted {
    /// The problem; `None` if there are no pivots, so that nothing changes.
    pub problem: Option<Problem>,
    /// The rows that stand for the bounds of pivots.
    pub bound_rows: BTreeMap<usize, Row>,
}

/// Replaces pivots in linear expressions.
struct Expansion<'a> {
    rows: &'a [(usize, SparseRow)],
    pivot_of: &'a [Option<usize>],
    /// The coefficient of each column; all zero between calls.
    sums: Vec<f64>,
}

impl Expansion<'_> {
    fn expand(&mut self, terms: impl Iterator<Item = (Column, f64)>) -> Vec<(Column, f64)> {
        let mut mentioned = Vec::new();
        for (column, value) in terms {
            match self.pivot_of[column.index()] {
                None => {
                    self.sums[column.index()] += value;
                    mentioned.push(column.index());
                }
                Some(index) => {
                    let (pivot, row) = &self.rows[index];
                    let scale = -value / row[pivot] as f64;
                    for (&other, &factor) in row.iter().filter(|(other, _)| *other != pivot) {
                        self.sums[other] += scale * factor as f64;
                        mentioned.push(other);
                    }
                }
            }
        }
        mentioned.sort_unstable();
        mentioned.dedup();
        let take = |index: usize| (Column(index as u32), std::mem::take(&mut self.sums[index]));
        // Fractions that cancel may leave a rounding error.
        mentioned.into_iter().map(take).filter(|(_, value)| value.abs() > 1e-9).collect()
    }
}

#[derive(Default)]
struct Elimination {
    /// Pivots and their rows; no row mentions the pivot of another.
    rows: Vec<(usize, SparseRow)>,
    /// The row of each pivot.
    row_of: BTreeMap<usize, usize>,
    /// The rows that may mention each column.
    mentioning: BTreeMap<usize, Vec<usize>>,
}

impl Elimination {
    fn add(&mut self, mut row: SparseRow, weights: usize) -> Option<()> {
        let pivots: Vec<usize> =
            row.keys().copied().filter(|column| self.row_of.contains_key(column)).collect();
        for pivot in pivots {
            eliminate(&mut row, &self.rows[self.row_of[&pivot]].1, pivot)?;
        }
        let Some(pivot) = self.choose_pivot(&row, weights) else { return Some(()) };
        let index = self.rows.len();
        for other in self.mentioning.remove(&pivot).unwrap_or_default() {
            let (_, other_row) = &mut self.rows[other];
            if other_row.contains_key(&pivot) {
                eliminate(other_row, &row, pivot)?;
                for &column in row.keys() {
                    self.mentioning.entry(column).or_default().push(other);
                }
            }
        }
        for &column in row.keys() {
            self.mentioning.entry(column).or_default().push(index);
        }
        self.row_of.insert(pivot, index);
        self.rows.push((pivot, row));
        Some(())
    }

    /// The pivot of a row: a maximum if it has one, with a small factor, in few
    /// other rows.
    fn choose_pivot(&self, row: &SparseRow, weights: usize) -> Option<usize> {
        let mentions = |column: &usize| self.mentioning.get(column).map_or(0, Vec::len);
        let cost = |&(column, factor): &(&usize, &i64)| {
            (*column < weights, factor.abs(), mentions(column), *column)
        };
        row.iter().min_by_key(cost).map(|(&column, _)| column)
    }
}

/// Eliminates `pivot` from `row`: adds a multiple of `other` to a multiple of
/// `row`, and divides by the greatest common divisor.
fn eliminate(row: &mut SparseRow, other: &SparseRow, pivot: usize) -> Option<()> {
    let (own, others) = (row[&pivot], other[&pivot]);
    let common = gcd(own, others);
    let (scale, other_scale) = (others / common, own / common);
    for value in row.values_mut() {
        *value = value.checked_mul(scale)?;
    }
    for (&column, &value) in other {
        let entry = row.entry(column).or_insert(0);
        *entry = entry.checked_sub(value.checked_mul(other_scale)?)?;
    }
    row.retain(|_, value| *value != 0);
    let divisor = row.values().fold(0, |divisor, &value| gcd(divisor, value));
    if divisor > 1 {
        for value in row.values_mut() {
            *value /= divisor;
        }
    }
    Some(())
}

/// The greatest common divisor; never negative.
fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.cast_signed()
}

fn lcm(a: i64, b: i64) -> Option<i64> {
    (a / gcd(a, b)).checked_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pivots_follow_from_the_other_columns() {
        // x0 = x1 + x2, x1 = 2 x3, and a redundant sum of both.
        let equations = vec![
            vec![(0, 1), (1, -1), (2, -1)],
            vec![(1, 1), (3, -2)],
            vec![(0, 1), (2, -1), (3, -2)],
        ];
        let substitution = Substitution::solve(&equations, 4).unwrap();
        assert_eq!((substitution.determined_count(), substitution.unit()), (2, 1));
        let mut values = vec![9, 9, 5, 3];
        substitution.apply(&mut values).unwrap();
        for equation in equations {
            assert_eq!(equation.iter().map(|&(column, a)| a * values[column]).sum::<i64>(), 0);
        }
    }

    #[test]
    fn other_pivots_need_multiples() {
        let equations = vec![vec![(0, 3), (1, 5)]];
        let substitution = Substitution::solve(&equations, 2).unwrap();
        assert_eq!(substitution.unit(), 3);
        let mut values = vec![0, 6];
        substitution.apply(&mut values).unwrap();
        assert_eq!(values, [-10, 6]);
    }

    #[test]
    fn maxima_are_eliminated_first() {
        // Column 2 is no weight: x2 = x0, x2 = x1, so x0 = x1.
        let equations = vec![vec![(2, 1), (0, -1)], vec![(2, 1), (1, -1)]];
        let substitution = Substitution::solve(&equations, 2).unwrap();
        assert_eq!(substitution.determined_count(), 1);
        let mut values = vec![7, 4];
        substitution.apply(&mut values).unwrap();
        assert_eq!(values[0], values[1]);
    }
}
