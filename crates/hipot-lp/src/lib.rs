//! Solver-neutral linear programs, and HiGHS to solve them.
//!
//! A [`Problem`] is written column by column and row by row, with ranges as
//! bounds and typed handles as names; a [`Solver`] takes it over, solves it by
//! the method that [`Params`] name, and can be asked again after the objective
//! or the bounds have changed or rows and columns have been added.
//!
//! ```
//! use hipot_lp::{Params, Problem, Solver, Status};
//!
//! // maximize 3x + 2y subject to x + y ≤ 4, x + 3y ≤ 6, 0 ≤ x ≤ 3, y ≥ 0.
//! let mut problem = Problem::maximize();
//! let x = problem.add_column(3.0, 0.0..=3.0);
//! let y = problem.add_column(2.0, 0.0..);
//! problem.add_row(..=4.0, [(x, 1.0), (y, 1.0)]);
//! problem.add_row(..=6.0, [(x, 1.0), (y, 3.0)]);
//!
//! let mut solver = Solver::new(&problem)?;
//! let solution = solver.solve(&Params::default());
//! assert_eq!(solution.status, Status::Optimal);
//! assert!((solution.objective - 11.0).abs() < 1e-6);
//! assert!((solution.values[x.index()] - 3.0).abs() < 1e-6);
//!
//! // The optimum grows by 2 for each unit that the first row's bound grows.
//! assert!((solution.duals[0] - 2.0).abs() < 1e-6);
//!
//! // Another objective; simplex starts from where it ended.
//! solver.change_objective(&[(x, 0.0)])?;
//! assert!((solver.solve(&Params::default()).objective - 4.0).abs() < 1e-6);
//! # Ok::<(), hipot_lp::Error>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | `problem` | the linear program itself, and weak duality |
//! | `method` | the algorithms, and which to try on which problem |
//! | `params` | how to solve |
//! | `observer` | looking on meanwhile |
//! | `solution` | what a solver answers, and the sign of dual values |
//! | `backend/highs` | HiGHS, and what it does that one does not expect |
//! | `backend/highs/monitor` | how far a run is |
//! | `backend/highs/library` | another HiGHS, loaded at run time: a build with CUDA |
//! | `write` | linear programs as text for people and other solvers |
//!
//! What comes out is floating point and nothing here promises more than a
//! solver does: an optimum can be off by the tolerance, and first-order
//! methods end *near* the feasible region, not in it. Whoever needs a proof
//! checks the values exactly, as potential functions do. Nothing is printed.

#![deny(unsafe_code)]

mod backend;
mod method;
mod observer;
mod params;
mod problem;
pub mod reduce;
mod solution;
mod write;

pub use backend::highs::{Error, Library, LoadError, Solver};
pub use method::{
    Attempt, GPU_NONZEROS, HIPDLP_ITERATIONS, LARGE_NONZEROS, Method, PDLP_ITERATIONS, SHARE,
    SIMPLEX_ITERATIONS_PER_LINE, SMALL_NONZEROS, choose,
};
pub use observer::{Iterate, Observer};
pub use params::{Accepts, Params};
pub use problem::{Bounds, Column, Problem, Row, Sense};
pub use solution::{Solution, Status};
pub use write::write_lp;
