//! Whether a smaller problem is as good as the original.

use hipot_lp::reduce::Reduced;
use hipot_lp::{Bounds, Column, Method, Params, Problem, Solution, Solver, Status};

fn solve(problem: &Problem) -> Solution {
    let solution =
        Solver::new(problem).expect("accepted").solve(&Params::with(Method::DualSimplex));
    assert_eq!(solution.status, Status::Optimal);
    solution
}

/// Sets tiny dual values to zero: with the wrong sign they would make the dual bound
/// infinite.
fn clean(duals: &[f64]) -> Vec<f64> {
    duals.iter().map(|&dual| if dual.abs() < 1e-7 { 0.0 } else { dual }).collect()
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-5 * (1.0 + one.abs())
}

/// Checks that the two problems have the same optimum and that solutions of
/// either are solutions of the other.
pub(crate) fn check_quotient(problem: &Problem, reduced: &Reduced) {
    let (original, solution) = (solve(problem), solve(reduced.problem()));
    assert!(close(original.objective, solution.objective), "{original:?} {solution:?}");
    let values = reduced.expand(&solution.values);
    assert!(problem.violation(&values) < 1e-5, "{values:?}");
    assert!(close(problem.objective_value(&values), original.objective), "{values:?}");
    let duals = reduced.expand_duals(&clean(&solution.duals));
    assert!(close(problem.dual_bound(&duals), original.objective), "{duals:?}");
    let means = reduced.average(&original.values);
    assert!(reduced.problem().violation(&means) < 1e-5, "{means:?}");
    assert!(close(reduced.problem().objective_value(&means), original.objective), "{means:?}");
}

/// The matrix, with the rows' bounds.
pub(crate) fn terms(problem: &Problem) -> Vec<(Bounds, Vec<(Column, f64)>)> {
    problem.rows().map(|row| (problem.row_bounds(row), problem.terms(row).collect())).collect()
}
