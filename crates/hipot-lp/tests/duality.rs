//! Properties of random problems: all methods agree, and duality is strong.

use std::time::Duration;

use hipot_lp::{Bounds, Method, Params, Problem, Sense, Solver, Status};
use proptest::prelude::*;

/// Methods that may end without an answer: first-order methods stall on some
/// problems, however small, and the interior point method without presolve can
/// fail if there is no interior. They must not give a wrong answer.
const MAY_FAIL: [Method; 3] = [Method::Ipm, Method::Pdlp, Method::HiPdlp];

/// Rows, columns and a point, all small integers. The bounds of rows and columns
/// are put around the point, so that the problem is feasible and bounded.
fn problems() -> impl Strategy<Value = Problem> {
    let sizes = (1_usize..8, 1_usize..8, any::<bool>());
    sizes
        .prop_flat_map(|(rows, columns, maximize)| {
            let column = (-5..=5_i32, -4..=4_i32, 0..=4_i32, 0..=4_i32);
            let row = (prop::collection::vec(-3..=3_i32, columns), 0..4_u8, 0..=3_i32);
            (
                Just(maximize),
                prop::collection::vec(column, columns),
                prop::collection::vec(row, rows),
            )
        })
        .prop_map(|(maximize, columns, rows)| {
            let sense = if maximize { Sense::Maximize } else { Sense::Minimize };
            let mut problem = Problem::new(sense);
            let mut point = Vec::new();
            let mut handles = Vec::new();
            for (objective, value, below, above) in columns {
                let bounds = f64::from(value - below)..=f64::from(value + above);
                handles.push(problem.add_column(f64::from(objective), bounds));
                point.push(value);
            }
            for (coefficients, kind, slack) in rows {
                let value: i32 = coefficients.iter().zip(&point).map(|(a, x)| a * x).sum();
                let (lower, upper) = (f64::from(value - slack), f64::from(value + slack));
                let bounds = match kind {
                    0 => Bounds::equal(f64::from(value)),
                    1 => (lower..).into(),
                    2 => (..=upper).into(),
                    _ => (lower..=upper).into(),
                };
                let terms = handles.iter().copied().zip(coefficients.into_iter().map(f64::from));
                problem.add_row(bounds, terms);
            }
            problem
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn all_methods_agree_and_duality_is_strong(problem in problems()) {
        let mut solver = Solver::new(&problem).expect("accepted");
        let reference = solver.solve(&Params::with(Method::DualSimplex));
        prop_assert_eq!(reference.status, Status::Optimal);
        let tolerance = 1e-4 * (1.0 + reference.objective.abs());
        for method in Method::ALL.into_iter().chain([Method::Auto]) {
            for presolve in [true, false] {
                let time_limit = MAY_FAIL.contains(&method).then_some(Duration::from_millis(100));
                let params = Params { presolve, time_limit, ..Params::with(method) };
                let solution = solver.solve(&params);
                let what = format!("{method:?}, presolve {presolve}: {solution:?}");
                if time_limit.is_some() && solution.status != Status::Optimal {
                    prop_assert!(!solution.status.is_conclusive(), "{}", what);
                    continue;
                }
                prop_assert_eq!(solution.status, Status::Optimal, "{}", what);
                let error = (solution.objective - reference.objective).abs();
                prop_assert!(error < tolerance, "{}", what);
                prop_assert!(problem.violation(&solution.values) < 1e-4, "{}", what);
                let dual = problem.dual_bound(&clean(&problem, &solution.duals));
                let error = (dual - reference.objective).abs();
                prop_assert!(error < 10.0 * tolerance, "{} {}", dual, what);
            }
        }
    }
}

/// Sets tiny dual values to zero: with the wrong sign on an infinite bound,
/// they would make the dual bound infinite.
fn clean(problem: &Problem, duals: &[f64]) -> Vec<f64> {
    assert_eq!(duals.len(), problem.num_rows());
    duals.iter().map(|&dual| if dual.abs() < 1e-6 { 0.0 } else { dual }).collect()
}
