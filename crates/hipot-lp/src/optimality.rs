//! Exact bounds on an optimum, from a solver's dual values.
//!
//! Weak duality needs no solver: any dual values y bound the optimum. When maximizing,
//!
//! ```text
//! c x  =  Σ_i y_i (a_i x) + Σ_j d_j x_j  ≤  Σ_i sup (y_i r) + Σ_j sup (d_j x)      d = c − yA
//! ```
//!
//! where r and x range over the bounds of row i and column j. A free column makes the bound
//! infinite unless d_j is exactly 0, which floating point cannot promise. But at a vertex of
//! the dual the values are fractions, mostly with small denominators. So y is rounded
//! to such fractions, and the bound is computed in integers. If the rounding is wrong, the bound
//! is infinite or too weak, never too strong. If it equals the value of a feasible point that was
//! checked exactly, that point is optimal, and this is a proof.

use crate::problem::{Bounds, Problem, Sense};
use crate::rounding::fractions;

/// Numbers up to here are exact in floating point.
const MAX_EXACT: f64 = 9.0e15;

/// The bound on the optimum that `duals` prove, as numerator and denominator. `None` if they are
/// not nearly fractions with small denominators, if they prove nothing, or if a
/// coefficient or a bound that matters is not an integer.
pub fn exact_dual_bound(problem: &Problem, duals: &[f64]) -> Option<(i128, i64)> {
    let (duals, denominator) = fractions(duals)?;
    let mut reduced = Vec::with_capacity(problem.num_columns());
    for column in problem.columns() {
        let objective = i128::from(integer(problem.objective(column))?);
        reduced.push(objective.checked_mul(denominator.into())?);
    }
    let mut bound = 0_i128;
    for (row, &dual) in problem.rows().zip(&duals) {
        if dual == 0 {
            continue;
        }
        bound = bound.checked_add(extreme(problem.sense(), dual, problem.row_bounds(row))?)?;
        for (column, value) in problem.terms(row) {
            let product = dual.checked_mul(integer(value)?.into())?;
            reduced[column.index()] = reduced[column.index()].checked_sub(product)?;
        }
    }
    for column in problem.columns() {
        let slope = reduced[column.index()];
        if slope != 0 {
            let bounds = problem.column_bounds(column);
            bound = bound.checked_add(extreme(problem.sense(), slope, bounds)?)?;
        }
    }
    Some((bound, denominator))
}

/// The best value of `slope` times a number within `bounds`; `None` if it is infinite.
fn extreme(sense: Sense, slope: i128, bounds: Bounds) -> Option<i128> {
    let at_upper = (slope > 0) == (sense == Sense::Maximize);
    let end = if at_upper { bounds.upper } else { bounds.lower };
    slope.checked_mul(integer(end)?.into())
}

/// A number that is an integer.
fn integer(value: f64) -> Option<i64> {
    (value.fract() == 0.0 && value.abs() < MAX_EXACT).then_some(value as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// max x + y with 2x + y ≤ 4, x + 3y ≤ 6, x ≥ 0, y free: 14/5 at (6/5, 8/5).
    fn problem() -> Problem {
        let mut problem = Problem::maximize();
        let (x, y) = (problem.add_column(1.0, 0.0..), problem.add_column(1.0, ..));
        problem.add_row(..=4.0, [(x, 2.0), (y, 1.0)]);
        problem.add_row(..=6.0, [(x, 1.0), (y, 3.0)]);
        problem
    }

    #[test]
    fn the_bound_is_exact_at_the_dual_vertex_and_weaker_elsewhere() {
        let problem = problem();
        assert_eq!(exact_dual_bound(&problem, &[0.4 + 1e-12, 0.2]), Some((14, 5)));
        // Feasible, not optimal: y needs 1 = 1 · 1.
        assert_eq!(exact_dual_bound(&problem, &[1.0, 0.0]), Some((4, 1)));
        // y is free, so its reduced cost must be 0.
        assert_eq!(exact_dual_bound(&problem, &[0.5, 0.2]), None);
        // A row without a lower bound needs a dual value of at least 0.
        assert_eq!(exact_dual_bound(&problem, &[-0.5, 0.5]), None);
        assert_eq!(exact_dual_bound(&problem, &[std::f64::consts::FRAC_1_PI, 0.2]), None);
    }

    #[test]
    fn minimizing_bounds_from_below() {
        // min x + y with x + y ≥ 3, 0 ≤ x ≤ 2, y ≥ 0.
        let mut problem = Problem::minimize();
        let (x, y) = (problem.add_column(1.0, 0.0..=2.0), problem.add_column(1.0, 0.0..));
        problem.add_row(3.0.., [(x, 1.0), (y, 1.0)]);
        assert_eq!(exact_dual_bound(&problem, &[1.0]), Some((3, 1)));
        assert_eq!(exact_dual_bound(&problem, &[0.0]), Some((0, 1)));
        assert_eq!(exact_dual_bound(&problem, &[2.0]), None);
    }

    #[test]
    fn numbers_that_are_not_integers_prove_nothing() {
        let mut problem = problem();
        problem.set_objective(crate::Column(0), 0.5);
        assert_eq!(exact_dual_bound(&problem, &[0.4, 0.2]), None);
    }
}
