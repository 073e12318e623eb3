//! The result of a solve.

use crate::Method;

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// [`Solution::values`] and [`Solution::duals`] are optimal within the
    /// tolerance.
    Optimal,
    /// No point satisfies all rows and bounds.
    Infeasible,
    /// Some point does, and from it the objective can improve without end.
    Unbounded,
    /// The method ended without reaching the tolerance, or at its iteration
    /// limit. There may be values; a caller that checks and repairs them can
    /// use them.
    Imprecise,
    /// Time ran out. There may be values, of unknown quality.
    TimeLimit,
    /// The caller set the interrupt flag.
    Interrupted,
    /// The solver failed: numerical trouble, no memory, or a problem it rejects.
    Failed,
}

impl Status {
    /// Whether the answer is final: another method would give the same one.
    pub const fn is_conclusive(self) -> bool {
        matches!(self, Self::Optimal | Self::Infeasible | Self::Unbounded)
    }
}

/// The result of one call of [`Solver::solve`](crate::Solver::solve).
#[derive(Clone, Debug)]
pub struct Solution {
    /// How the solve ended.
    pub status: Status,
    /// The objective's value at `values`; ±∞ if the problem is unbounded, NaN
    /// if there are no values.
    pub objective: f64,
    /// One value per column; empty if there are none.
    pub values: Vec<f64>,
    /// One dual value per row; empty if there are none.
    ///
    /// The *sign convention* does not depend on the direction of optimization:
    /// the dual value of a row is the rate at which the optimum changes when
    /// the row's active bound is raised, and the reduced cost of column j is
    /// `c_j − Σ_i y_i a_ij`. So when minimizing, a row at its lower bound has
    /// y ≥ 0 and a row at its upper bound y ≤ 0; when maximizing, y ≤ 0 and
    /// y ≥ 0. [`Problem::dual_bound`](crate::Problem::dual_bound) at these
    /// values is the optimum (strong duality).
    pub duals: Vec<f64>,
    /// If the problem is unbounded, a direction (one value per column) that
    /// keeps all rows and bounds and improves the objective; absent if it was
    /// not requested or not found in time.
    pub ray: Option<Vec<f64>>,
    /// The method that gave this answer.
    pub method: Method,
    /// Elapsed time of the whole solve, including all methods tried.
    pub seconds: f64,
}

impl Solution {
    /// A result without values.
    pub(crate) fn bare(status: Status, method: Method) -> Self {
        Self {
            status,
            objective: f64::NAN,
            values: Vec::new(),
            duals: Vec::new(),
            ray: None,
            method,
            seconds: 0.0,
        }
    }

    /// Whether the status is [`Status::Optimal`].
    pub fn is_optimal(&self) -> bool {
        self.status == Status::Optimal
    }
}
