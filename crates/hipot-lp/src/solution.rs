//! What a solver answers.

use crate::Method;

/// How a solve ended. One of these holds, and nothing else needs to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// [`Solution::values`] and [`Solution::duals`] are optimal within the
    /// tolerance.
    Optimal,
    /// No point satisfies all rows and bounds.
    Infeasible,
    /// Some point does, and from it the objective improves forever.
    Unbounded,
    /// The method ended without reaching the tolerance, or at its iteration
    /// limit. There may be values, which someone who checks and repairs them
    /// can use.
    Imprecise,
    /// Time ran out. There may be values; nothing is known about them.
    TimeLimit,
    /// The caller's flag was raised.
    Interrupted,
    /// The solver gave up: numerical trouble, memory, or a problem it refuses.
    Failed,
}

impl Status {
    /// Whether the question is answered: another method would say the same.
    pub const fn is_conclusive(self) -> bool {
        matches!(self, Self::Optimal | Self::Infeasible | Self::Unbounded)
    }
}

/// The answer to one call of [`Solver::solve`](crate::Solver::solve).
#[derive(Clone, Debug)]
pub struct Solution {
    /// How the solve ended.
    pub status: Status,
    /// The objective's value at `values`; ±∞ if the problem is unbounded, not
    /// a number if there are no values.
    pub objective: f64,
    /// One value a column; empty if there is none.
    pub values: Vec<f64>,
    /// One dual value a row; empty if there is none.
    ///
    /// The *sign convention* does not depend on which way is optimized: the
    /// dual value of a row is the rate at which the optimum changes when the
    /// bound that holds the row is raised, and the reduced cost of column j is
    /// `c_j − Σ_i y_i a_ij`. So minimizing, a row held by its lower bound has
    /// y ≥ 0 and one held by its upper bound y ≤ 0; maximizing, y ≤ 0 and
    /// y ≥ 0. [`Problem::dual_bound`](crate::Problem::dual_bound) at these
    /// values is the optimum (strong duality).
    pub duals: Vec<f64>,
    /// If the problem is unbounded, a direction (one value a column) that
    /// keeps all rows and bounds and improves the objective; absent if it was
    /// not asked for or not found in time.
    pub ray: Option<Vec<f64>>,
    /// The method that gave this answer.
    pub method: Method,
    /// Elapsed time of the whole solve, all methods tried included.
    pub seconds: f64,
}

impl Solution {
    /// An answer without values.
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
