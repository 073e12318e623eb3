//! A linear program over functions of abstract states, with warm starts.
//!
//! Every LP of this crate is
//!
//! ```text
//! maximize Σ_α h(α(s))  subject to  A (h, c) ≤ b
//! ```
//!
//! over h and further columns c. Only the objective depends on the state. The LP is
//! solved through its dual,
//!
//! ```text
//! minimize b · u  subject to  u ≥ 0 and Aᵀ u = [the abstractions of s]
//! ```
//!
//! where only the right-hand sides depend on the state. The last basis stays
//! dual feasible, and dual simplex continues from there. In theory that is the
//! same as primal simplex on the first LP, which was tried first; in HiGHS dual
//! simplex is by far the better of the two. Evaluations per second of
//! two-dimensional operator cost partitioning, 300 states, one machine:
//!
//! | | gripper 3 | blocks 5-0 | driverlog 2 | depot 1 | zenotravel 3 | transport 2 | satellite 3 |
//! |---|--:|--:|--:|--:|--:|--:|--:|
//! | primal simplex | 76 | 178 | 99 | 80 | 48 | 14 | 10 |
//! | dual simplex on the dual | 475 | 503 | 355 | 189 | 187 | 46 | 176 |
//!
//! Large costs are divided by a power of 2, because the solver's tolerances are
//! absolute: without that, it fails on `tcp(dim=2)` for `examples/toll.sas`,
//! where costs are near 2³¹.
//!
//! Now and then the last basis is a bad start: a solve that takes more
//! iterations than there are rows and columns is restarted from scratch.
//!
//! The dual has a meaning of its own: u counts operators and abstract
//! transitions. For atomic projections it is the state equation. If it is
//! infeasible, the state is a dead end. The proof, a function that no operator
//! lowers, comes from another LP, which is built when it is first needed: the
//! first LP with all bounds b set to 0 and columns between −1 and 1, so that it
//! has an optimum, which is positive. It is solved through its dual in the same
//! way; there, the rows have slack that costs 1 per unit. (Primal simplex on that
//! LP itself took 11 s on floortile, where this takes 0.2 s.)

use hipot_lp::{Accepts, Bounds, Column, Method, Params, Problem, Row, Solution, Solver, Status};

use crate::error::Error;
use crate::projection::AbstractState;

/// The column of h for each abstract state; `None` if h is fixed at 0 there.
pub(crate) type Columns = Vec<Option<Column>>;

/// The result of an LP for a state.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A value of h for each abstract state, and the LP's optimum.
    Function(Vec<f64>, f64),
    /// A function that no operator lowers and that is positive in the state.
    Ray(Vec<f64>),
    /// No result: a limit was reached, or there was numerical trouble.
    Nothing,
}

/// An LP over functions of abstract states, solved for one state after another.
#[derive(Debug)]
pub(crate) struct WarmLp {
    problem: Problem,
    columns: Columns,
    /// The dual, for the best function.
    best: Dual,
    /// The bounds are divided by this for the solver.
    scale: f64,
    /// The dual for proofs of dead ends, once it is needed.
    dead_ends: Option<Dual>,
}

impl WarmLp {
    /// Takes a maximization problem whose rows have upper bounds of at least 0, and
    /// whose columns are free or nonnegative.
    pub(crate) fn new(problem: Problem, columns: Columns) -> Result<Self, Error> {
        let scale = scale(&problem);
        let best = Dual::new(&dual(&problem, Purpose::Best { scale }))?;
        Ok(Self { problem, columns, best, scale, dead_ends: None })
    }

    /// Finds the function that is best in the state with these abstractions.
    pub(crate) fn maximize(&mut self, state: &[AbstractState], params: &Params) -> Answer {
        let solution = self.best.solve(&self.columns, state, params);
        match solution.status {
            Status::Optimal | Status::Imprecise => {
                let mut h = self.function(&solution.duals);
                for value in &mut h {
                    *value *= self.scale;
                }
                Answer::Function(h, solution.objective * self.scale)
            }
            Status::Infeasible => self.prove_dead_end(state, params),
            _ => Answer::Nothing,
        }
    }

    fn prove_dead_end(&mut self, state: &[AbstractState], params: &Params) -> Answer {
        if self.dead_ends.is_none() {
            self.dead_ends = Dual::new(&dual(&self.problem, Purpose::DeadEnd)).ok();
        }
        let Some(dead_ends) = &mut self.dead_ends else { return Answer::Nothing };
        let solution = dead_ends.solve(&self.columns, state, params);
        match solution.status {
            Status::Optimal | Status::Imprecise => Answer::Ray(self.function(&solution.duals)),
            _ => Answer::Nothing,
        }
    }

    /// h, given one value per column; 0 for abstract states without a column.
    fn function(&self, values: &[f64]) -> Vec<f64> {
        let value = |column: Column| values.get(column.index()).copied();
        self.columns.iter().map(|column| column.and_then(value).unwrap_or(0.0)).collect()
    }

    /// Clears earlier solutions.
    pub(crate) fn forget(&mut self) {
        self.best.solver.forget();
        self.dead_ends = None;
    }
}

/// A dual LP, with a row for each column of the first LP.
#[derive(Debug)]
struct Dual {
    solver: Solver,
    /// After this many iterations, starting from scratch is better.
    max_iterations: usize,
    /// The abstractions of the state that the right-hand sides belong to.
    state: Vec<AbstractState>,
}

impl Dual {
    fn new(problem: &Problem) -> Result<Self, Error> {
        let max_iterations = problem.num_rows() + problem.num_columns();
        Ok(Self { solver: Solver::new(problem)?, max_iterations, state: Vec::new() })
    }

    fn solve(&mut self, columns: &Columns, state: &[AbstractState], params: &Params) -> Solution {
        let changes = changes(columns, &self.state, state);
        self.solver.change_row_bounds(&changes).expect("a row for each column");
        self.state.clear();
        self.state.extend_from_slice(state);
        let params = Params { method: Method::DualSimplex, ..params.clone() };
        let limited = Params {
            iteration_limit: Some(self.max_iterations),
            accepts: Accepts::Imprecise,
            ..params.clone()
        };
        let solution = self.solver.solve(&limited);
        if !matches!(solution.status, Status::Imprecise | Status::Failed) {
            return solution;
        }
        // The last basis was a bad start.
        self.solver.forget();
        self.solver.solve(&params)
    }
}

/// The right-hand sides that differ between two states.
fn changes(
    columns: &Columns,
    before: &[AbstractState],
    after: &[AbstractState],
) -> Vec<(Row, Bounds)> {
    let mut changes = Vec::new();
    for (index, state) in after.iter().enumerate() {
        let before = before.get(index);
        if before != Some(state) {
            let row = |state: &AbstractState| columns[state.index()].map(|column| Row(column.0));
            changes.extend(before.and_then(row).map(|row| (row, Bounds::equal(0.0))));
            changes.extend(row(state).map(|row| (row, Bounds::equal(1.0))));
        }
    }
    changes
}

/// The purpose of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Purpose {
    /// The highest possible value, with all bounds divided by `scale`.
    Best { scale: f64 },
    /// The proof of a dead end.
    DeadEnd,
}

/// The largest bound that the solver gets: its tolerances are absolute.
const MAX_BOUND: f64 = 65_536.0;

/// The smallest power of 2, at least 1, that makes the bounds of `problem` small enough.
/// Dividing by it is exact.
fn scale(problem: &Problem) -> f64 {
    let largest = problem.rows().map(|row| problem.row_bounds(row).upper).fold(1.0, f64::max);
    let mut scale = 1.0;
    while largest / scale > MAX_BOUND {
        scale *= 2.0;
    }
    scale
}

/// The dual of a maximization problem.
fn dual(problem: &Problem, purpose: Purpose) -> Problem {
    let mut dual = Problem::minimize();
    let mut terms: Vec<Vec<(Column, f64)>> = vec![Vec::new(); problem.num_columns()];
    for row in problem.rows() {
        let cost = match purpose {
            Purpose::Best { scale } => problem.row_bounds(row).upper / scale,
            Purpose::DeadEnd => 0.0,
        };
        let count = dual.add_column(cost, 0.0..);
        for (column, value) in problem.terms(row) {
            terms[column.index()].push((count, value));
        }
    }
    for (column, mut terms) in problem.columns().zip(terms) {
        if purpose == Purpose::DeadEnd {
            terms.extend([1.0, -1.0].map(|sign| (dual.add_column(1.0, 0.0..), sign)));
        }
        let is_free = problem.column_bounds(column).is_free();
        let bounds = if is_free { Bounds::equal(0.0) } else { (0.0..).into() };
        dual.add_row(bounds, terms);
    }
    dual
}
