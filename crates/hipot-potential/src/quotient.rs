//! The LP as the solver gets it: by color refinement, where that makes it
//! smaller.
//!
//! Symmetries of the task are used before the LP is written; rows and columns
//! can look the same beyond that ([`hipot_lp::reduce`]), and then one of each
//! class is enough. Bounds that change later must change alike for all rows of
//! a class.

use hipot_lp::reduce::{Reduced, reduce};
use hipot_lp::{Bounds, Error, Library, Method, Params, Problem, Row, Solution, Solver};
use hipot_task::resident_bytes;

/// Looking for classes takes time that grows with the LP: beyond this many
/// nonzeros seconds, most often for nothing.
const LARGEST: usize = 3_000_000;

/// A solver for an LP or its quotient, in terms of the LP.
pub(crate) struct Quotient {
    solver: Solver,
    reduced: Option<Reduced>,
}

impl Quotient {
    /// A solver for `problem`; for its quotient if `may_reduce`.
    pub(crate) fn new(
        problem: &Problem,
        may_reduce: bool,
        method: Method,
        library: Library,
    ) -> Result<Self, Error> {
        let nonzeros = problem.num_nonzeros();
        let may_reduce = may_reduce && (hipot_lp::SMALL_NONZEROS..LARGEST).contains(&nonzeros);
        let reduced = if may_reduce { reduce(problem) } else { None };
        let solved = reduced.as_ref().map_or(problem, Reduced::problem);
        if reduced.is_some() {
            tracing::debug!(
                "by color refinement: {} rows, {} columns, {} nonzeros",
                solved.num_rows(),
                solved.num_columns(),
                solved.num_nonzeros()
            );
        }
        let library = library.suited_to(method, solved.num_nonzeros());
        let before = resident_bytes();
        let solver = Solver::with_library(solved, library)?;
        tracing::debug!("the solver's copy takes {} KiB", grown(before));
        Ok(Self { solver, reduced })
    }

    /// Replaces the bounds of rows of the LP; of rows of one class alike.
    pub(crate) fn change_row_bounds(&mut self, bounds: &[(Row, Bounds)]) -> Result<(), Error> {
        let Some(reduced) = &self.reduced else { return self.solver.change_row_bounds(bounds) };
        let classes = bounds.iter().map(|&(row, bounds)| (reduced.row_class(row), bounds));
        let mut classes: Vec<(Row, Bounds)> = classes.collect();
        classes.sort_by_key(|&(row, _)| row);
        classes.dedup_by_key(|&mut (row, _)| row);
        self.solver.change_row_bounds(&classes)
    }

    /// Replaces the objective of the LP, which must not be reduced.
    pub(crate) fn set_objective(&mut self, objective: &[f64]) -> Result<(), Error> {
        debug_assert!(self.reduced.is_none(), "classes belong to one objective");
        self.solver.set_objective(objective)
    }

    /// Solves the LP.
    pub(crate) fn solve(&mut self, params: &Params) -> Solution {
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

/// By how many KiB the process has grown, as far as the system tells.
pub(crate) fn grown(before: Option<u64>) -> u64 {
    let now = resident_bytes().zip(before);
    now.map_or(0, |(now, before)| now.saturating_sub(before) >> 10)
}
