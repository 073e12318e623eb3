//! Solver-neutral linear programs, and HiGHS to solve them.
//!
//! A [`Problem`] is written column by column and row by row, with ranges as
//! bounds and typed handles as names. A [`Solver`] copies it, solves it by the
//! method that [`Params`] names, and can solve it again after the objective or
//! the bounds have changed or rows and columns have been added.
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
//! // Another objective; simplex starts from its last basis.
//! solver.change_objective(&[(x, 0.0)])?;
//! assert!((solver.solve(&Params::default()).objective - 4.0).abs() < 1e-6);
//! # Ok::<(), hipot_lp::Error>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | `problem` | the linear program itself, and weak duality |
//! | `method` | the algorithms |
//! | `ladder` | which of them to try on which problem |
//! | `params` | how to solve |
//! | `listener`, `iterate` | progress reports during a solve |
//! | `solution` | the result of a solve, and the sign of dual values |
//! | `backend/highs` | HiGHS, and workarounds for its surprises |
//! | `backend/highs/monitor` | the progress of a run |
//! | `backend/highs/library` | another HiGHS, loaded at run time: a build with CUDA |
//! | [`reduce`] | smaller problems with the same optimum, by color refinement |
//! | `quotient` | a solver for a problem that may be reduced |
//! | `substitution` | equations solved in integers and removed from a problem |
//! | `optimality` | exact bounds on an optimum, from rounded dual values |
//! | `rounding` | from floating point to integers over one denominator |
//! | `write` | linear programs as text for people and other solvers |
//!
//! Results are floating point, with no stronger guarantee than the solver's:
//! an optimum can be off by the tolerance, and first-order methods end *near*
//! the feasible region, not in it. A caller that needs a proof must check the
//! values exactly, as `hipot-potential` does. Nothing is printed.

#![deny(unsafe_code)]

mod backend;
mod iterate;
mod ladder;
mod listener;
mod method;
mod optimality;
mod params;
mod problem;
mod quotient;
pub mod reduce;
mod rounding;
mod solution;
mod substitution;
mod write;

pub use backend::highs::{Error, Library, LoadError, Solver};
pub use iterate::Iterate;
pub use ladder::{
    Attempt, GPU_NONZEROS, SMALL_NONZEROS, VERTEX_NONZEROS, choose, first_order, to_vertex,
};
pub use listener::Listener;
pub use method::Method;
pub use optimality::exact_dual_bound;
pub use params::{Accepts, Params};
pub use problem::{Bounds, Column, Problem, Row, Sense, Size};
pub use quotient::Quotient;
pub use rounding::{common_denominator, nearest_integers};
pub use solution::{Solution, Status};
pub use substitution::{Substituted, Substitution};
pub use write::write_lp;
