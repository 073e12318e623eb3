//! The LP in the form that the solver gets: reduced by color refinement if that
//! makes it smaller.
//!
//! Symmetries of the task are used before the LP is written. Color refinement
//! ([`reduce`](mod@crate::reduce)) can find more rows and columns that play the same role,
//! and merges them. Bounds that change later must change in the same way for all
//! rows of a class.

use crate::backend::highs::{Error, Library, Solver};
use crate::ladder::SMALL_NONZEROS;
use crate::method::Method;
use crate::params::Params;
use crate::problem::{Bounds, Problem, Row, Size};
use crate::reduce::{Reduced, reduce};
use crate::solution::Solution;

/// Color refinement of larger LPs takes seconds and usually finds nothing.
const MAX_NONZEROS: usize = 3_000_000;

/// A solver for an LP or its quotient, in terms of the LP.
#[derive(Debug)]
pub struct Quotient {
    solver: Solver,
    reduced: Option<Reduced>,
}

impl Quotient {
    /// A solver for `problem`, or for its quotient if `may_reduce` and it is smaller.
    pub fn new(
        problem: &Problem,
        may_reduce: bool,
        method: Method,
        library: Library,
    ) -> Result<Self, Error> {
        let nonzeros = problem.num_nonzeros();
        let may_reduce = may_reduce && (SMALL_NONZEROS..MAX_NONZEROS).contains(&nonzeros);
        let reduced = if may_reduce { reduce(problem) } else { None };
        let solved = reduced.as_ref().map_or(problem, Reduced::problem);
        if reduced.is_some() {
            tracing::debug!(
                "LP after color refinement: {} rows, {} columns, {} nonzeros",
                solved.num_rows(),
                solved.num_columns(),
                solved.num_nonzeros()
            );
        }
        let library = library.suited_to(method, solved.num_nonzeros());
        Ok(Self { solver: Solver::with_library(solved, library)?, reduced })
    }

    /// The size of the quotient, if the LP is reduced.
    pub fn reduced_size(&self) -> Option<Size> {
        self.reduced.as_ref().map(|reduced| reduced.problem().size())
    }

    /// Replaces the bounds of rows of the LP; rows of one class must get the same bounds.
    pub fn change_row_bounds(&mut self, bounds: &[(Row, Bounds)]) -> Result<(), Error> {
        let Some(reduced) = &self.reduced else { return self.solver.change_row_bounds(bounds) };
        let classes = bounds.iter().map(|&(row, bounds)| (reduced.row_class(row), bounds));
        let mut classes: Vec<(Row, Bounds)> = classes.collect();
        classes.sort_by_key(|&(row, _)| row);
        classes.dedup_by_key(|&mut (row, _)| row);
        self.solver.change_row_bounds(&classes)
    }

    /// Replaces the objective of the LP, which must not be reduced.
    pub fn set_objective(&mut self, objective: &[f64]) -> Result<(), Error> {
        debug_assert!(self.reduced.is_none(), "classes belong to one objective");
        self.solver.set_objective(objective)
    }

    /// Solves the LP.
    pub fn solve(&mut self, params: &Params) -> Solution {
        let mut solution = self.solver.solve(params);
        if let Some(reduced) = &self.reduced {
            if !solution.values.is_empty() {
                solution.values = reduced.expand(&solution.values);
            }
            if !solution.duals.is_empty() {
                solution.duals = reduced.expand_duals(&solution.duals);
            }
        }
        solution
    }
}
