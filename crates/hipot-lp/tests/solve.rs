//! Small problems with known answers, solved by every method.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hipot_lp::{Bounds, Column, Method, Params, Problem, Row, Solution, Solver, Status};

const TOLERANCE: f64 = 1e-4;

fn solve(problem: &Problem, params: &Params) -> Solution {
    Solver::new(problem).expect("a problem HiGHS accepts").solve(params)
}

/// Every method, with and without presolve.
fn all_params() -> impl Iterator<Item = Params> {
    let methods = Method::ALL.into_iter().chain([Method::Auto]);
    methods.flat_map(|method| {
        [true, false].map(|presolve| Params { presolve, ..Params::with(method) })
    })
}

fn assert_close(left: f64, right: f64, what: &dyn std::fmt::Debug) {
    assert!((left - right).abs() <= TOLERANCE * (1.0 + right.abs()), "{left} ≠ {right}: {what:?}");
}

fn assert_optimum(problem: &Problem, optimum: f64) {
    for params in all_params() {
        let solution = solve(problem, &params);
        assert_eq!(solution.status, Status::Optimal, "{params:?}");
        assert_close(solution.objective, optimum, &params);
        assert_close(problem.objective_value(&solution.values), optimum, &params);
        assert!(problem.violation(&solution.values) < TOLERANCE, "{params:?}");
        assert_eq!(solution.duals.len(), problem.num_rows());
    }
}

/// maximize 3x + 2y subject to x + y ≤ 4, x + 3y ≤ 6, 0 ≤ x ≤ 3, y ≥ 0.
fn textbook() -> Problem {
    let mut problem = Problem::maximize();
    let x = problem.add_column(3.0, 0.0..=3.0);
    let y = problem.add_column(2.0, 0.0..);
    problem.add_row(..=4.0, [(x, 1.0), (y, 1.0)]);
    problem.add_row(..=6.0, [(x, 1.0), (y, 3.0)]);
    problem
}

/// maximize x − y subject to x − y ≤ 3 + k z, z ≤ 1, all free: degenerate,
/// with free columns, like the problems of potential heuristics.
fn free_columns() -> Problem {
    let mut problem = Problem::maximize();
    let [x, y] = [1.0, -1.0].map(|objective| problem.add_column(objective, ..));
    let z = problem.add_column(0.0, ..);
    problem.add_row(..=3.0, [(x, 1.0), (y, -1.0), (z, -2.0)]);
    problem.add_row(..=1.0, [(z, 1.0)]);
    problem
}

/// A dense packing problem that takes a while.
fn hard(size: u32) -> Problem {
    let mut problem = Problem::maximize();
    let columns: Vec<_> = problem.add_columns(size as usize, 1.0, 0.0..).collect();
    let mut random = 1_u32;
    for _ in 0..size {
        let terms: Vec<_> = columns
            .iter()
            .map(|&column| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (column, f64::from(1 + (random >> 8) % 1000))
            })
            .collect();
        problem.add_row(..=1000.0, terms);
    }
    problem
}

#[test]
fn textbook_problem() {
    assert_optimum(&textbook(), 11.0);
}

#[test]
fn free_columns_and_redundant_directions() {
    assert_optimum(&free_columns(), 5.0);
}

#[test]
fn equality_rows() {
    // minimize x + 2y + 3z subject to x + y + z = 10, x − y = 2, x ≤ 5.
    let mut problem = Problem::minimize();
    let x = problem.add_column(1.0, 0.0..=5.0);
    let y = problem.add_column(2.0, 0.0..);
    let z = problem.add_column(3.0, 0.0..);
    problem.add_row(Bounds::equal(10.0), [(x, 1.0), (y, 1.0), (z, 1.0)]);
    problem.add_row(Bounds::equal(2.0), [(x, 1.0), (y, -1.0)]);
    assert_optimum(&problem, 5.0 + 6.0 + 6.0);
}

#[test]
fn rows_with_two_bounds_and_rows_with_none() {
    let mut problem = Problem::minimize();
    let x = problem.add_column(1.0, ..);
    let y = problem.add_column(1.0, ..=8.0);
    problem.add_row(-2.0..=7.0, [(x, 1.0), (y, 1.0)]);
    problem.add_row(.., [(x, 5.0), (y, -1.0)]);
    problem.add_row(-3.0..=3.0, [(x, 1.0), (y, -1.0)]);
    assert_optimum(&problem, -2.0);
}

#[test]
fn problems_without_rows_or_columns() {
    assert_optimum(&Problem::maximize(), 0.0);

    let mut rows_only = Problem::maximize();
    rows_only.add_row(0.0.., []);
    assert_optimum(&rows_only, 0.0);
    rows_only.add_row(1.0.., []);
    for params in all_params() {
        assert_eq!(solve(&rows_only, &params).status, Status::Infeasible);
    }

    let mut columns_only = Problem::maximize();
    columns_only.add_column(2.0, ..=3.0);
    columns_only.add_column(-1.0, 1.0..);
    columns_only.add_column(0.0, ..);
    assert_optimum(&columns_only, 5.0);
    columns_only.add_row(-1.0..=1.0, []);
    assert_optimum(&columns_only, 5.0);
}

#[test]
fn infeasible_problems() {
    let mut problem = Problem::minimize();
    let x = problem.add_column(1.0, 0.0..);
    let y = problem.add_column(1.0, 0.0..);
    problem.add_row(..=1.0, [(x, 1.0), (y, 1.0)]);
    problem.add_row(1.5.., [(x, 1.0), (y, 0.5)]);
    for mut params in all_params() {
        // HiPDLP does not detect this and runs to its limit of iterations or time.
        params.time_limit = Some(Duration::from_secs(1));
        let status = solve(&problem, &params).status;
        if params.method == Method::HiPdlp {
            assert!(matches!(status, Status::Imprecise | Status::TimeLimit), "{status:?}");
        } else {
            assert_eq!(status, Status::Infeasible, "{params:?}");
        }
        params.known_feasible = true;
        if params.method != Method::HiPdlp {
            assert_eq!(solve(&problem, &params).status, Status::Infeasible, "{params:?}");
        }
    }
}

#[test]
fn empty_bounds_are_infeasible() {
    let mut problem = Problem::minimize();
    let x = problem.add_column(1.0, 2.0..=1.0);
    problem.add_row(..=5.0, [(x, 1.0)]);
    for params in all_params() {
        assert_eq!(solve(&problem, &params).status, Status::Infeasible, "{params:?}");
    }
}

/// The ray keeps every row and bound and improves the objective.
fn assert_ray(problem: &Problem, solution: &Solution, what: &Params) {
    assert_eq!(solution.status, Status::Unbounded, "{what:?}");
    assert!(solution.objective > f64::MAX, "{what:?}");
    let ray = solution.ray.as_ref().unwrap_or_else(|| panic!("no ray: {what:?}"));
    assert!(problem.objective_value(ray) > 1e-6, "{ray:?} does not improve: {what:?}");
    let keeps = |bounds: Bounds, change: f64| {
        (bounds.lower.is_infinite() || change > -1e-9)
            && (bounds.upper.is_infinite() || change < 1e-9)
    };
    for row in problem.rows() {
        assert!(keeps(problem.row_bounds(row), problem.activity(row, ray)), "{ray:?}: {what:?}");
    }
    for column in problem.columns() {
        assert!(keeps(problem.column_bounds(column), ray[column.index()]), "{ray:?}: {what:?}");
    }
}

#[test]
fn unbounded_problems_have_a_ray() {
    let mut with_rows = Problem::maximize();
    let [x, y, z] = [1.0, 1.0, 0.0].map(|objective| with_rows.add_column(objective, ..));
    with_rows.add_row(..=3.0, [(x, 1.0), (y, -2.0), (z, 1.0)]);
    with_rows.add_row(-1.0..=5.0, [(y, 1.0), (z, 1.0)]);
    let mut without_rows = Problem::maximize();
    without_rows.add_column(-1.0, 0.0..);
    without_rows.add_column(-1.0, ..=3.0);
    for problem in [with_rows, without_rows] {
        for known_feasible in [false, true] {
            for params in all_params() {
                if params.method == Method::HiPdlp && !params.presolve {
                    continue;
                }
                let params = Params { known_feasible, ..params };
                assert_ray(&problem, &solve(&problem, &params), &params);
            }
        }
    }
}

#[test]
fn warm_starts_give_the_optimum_of_cold_ones() {
    for params in all_params() {
        let mut problem = textbook();
        let mut solver = Solver::new(&problem).expect("accepted");
        let check = |solver: &mut Solver, problem: &Problem| {
            let cold = solve(problem, &params);
            let warm = solver.solve(&params);
            assert_eq!((cold.status, warm.status), (Status::Optimal, Status::Optimal));
            assert_close(warm.objective, cold.objective, &params);
        };
        check(&mut solver, &problem);

        problem.set_objective(Column(1), 10.0);
        solver.change_objective(&[(Column(1), 10.0)]).expect("accepted");
        check(&mut solver, &problem);

        for (column, value) in [(0, -1.0), (1, 1.0)] {
            problem.set_objective(Column(column), value);
        }
        solver.set_objective(&[-1.0, 1.0]).expect("accepted");
        check(&mut solver, &problem);

        problem.set_row_bounds(Row(1), ..=2.5);
        solver.change_row_bounds(&[(Row(1), (..=2.5).into())]).expect("accepted");
        check(&mut solver, &problem);

        let z = problem.add_column(5.0, 0.0..=1.0);
        problem.add_row(..=1.0, [(z, 2.0), (Column(1), 1.0)]);
        solver.append(&problem).expect("accepted");
        check(&mut solver, &problem);
        assert_eq!((solver.num_rows(), solver.num_columns(), solver.num_nonzeros()), (3, 3, 6));
    }
}

#[test]
fn columns_can_be_generated() {
    let mut solver = Solver::new(&textbook()).expect("accepted");
    solver.solve(&Params::default());
    let z = solver.add_column(4.0, 0.0.., &[(Row(0), 1.0), (Row(1), 1.0)]).expect("accepted");
    assert_eq!(z, Column(2));
    // Now z alone is best: min(4, 6) of it.
    assert_close(solver.solve(&Params::default()).objective, 16.0, &z);
}

#[test]
fn wrong_changes_are_refused() {
    let mut solver = Solver::new(&textbook()).expect("accepted");
    assert!(solver.change_objective(&[(Column(7), 1.0)]).is_err());
    assert!(solver.change_objective(&[(Column(0), 1.0), (Column(0), 2.0)]).is_err());
    assert!(solver.change_row_bounds(&[(Row(7), Bounds::FREE)]).is_err());
    assert!(solver.add_column(0.0, .., &[(Row(7), 1.0)]).is_err());
    assert_close(solver.solve(&Params::default()).objective, 11.0, &());
}

#[test]
fn no_time_is_a_time_limit() {
    for params in all_params() {
        let params = Params { time_limit: Some(Duration::ZERO), ..params };
        let solution = solve(&textbook(), &params);
        assert_eq!(solution.status, Status::TimeLimit, "{params:?}");
        assert!(solution.values.is_empty());
    }
}

#[test]
fn little_time_is_a_time_limit() {
    let problem = hard(400);
    let mut solver = Solver::new(&problem).expect("accepted");
    for method in Method::ALL {
        // The first run's time does not count against the second.
        for milliseconds in [1, 20] {
            let time_limit = Some(Duration::from_millis(milliseconds));
            let solution = solver.solve(&Params { time_limit, ..Params::with(method) });
            assert_eq!(solution.status, Status::TimeLimit, "{method:?} {}", solution.seconds);
            assert!(solution.seconds < 5.0, "{method:?} took {} s", solution.seconds);
        }
        solver.forget();
    }
}

#[test]
fn a_raised_flag_is_an_interruption() {
    for params in all_params() {
        let params = Params { interrupt: Some(Arc::new(AtomicUsize::new(1))), ..params };
        assert_eq!(solve(&textbook(), &params).status, Status::Interrupted, "{params:?}");
    }
}

#[test]
fn a_flag_that_is_raised_later_interrupts_every_method() {
    let problem = hard(600);
    for params in all_params() {
        let flag = Arc::new(AtomicUsize::new(0));
        let params = Params {
            interrupt: Some(Arc::clone(&flag)),
            time_limit: Some(Duration::from_secs(2)),
            ..params
        };
        let mut solver = Solver::new(&problem).expect("accepted");
        let start = Instant::now();
        let raise = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            flag.store(2, Ordering::Relaxed);
        });
        let solution = solver.solve(&params);
        raise.join().expect("no panic");
        let seconds = start.elapsed().as_secs_f64();
        println!("{:?} presolve {}: {seconds:.3} s", params.method, params.presolve);
        assert_eq!(solution.status, Status::Interrupted, "{params:?}");
        assert!(seconds < 1.0, "{params:?} took {seconds} s to be interrupted");
        // The solver can be used again, once the run has ended.
        solver.set_objective(&vec![0.0; problem.num_columns()]).expect("accepted");
        let solution = solver.solve(&Params::with(Method::PrimalSimplex));
        assert_eq!(solution.status, Status::Optimal);
    }
}

#[test]
fn solvers_on_several_threads_do_not_disturb_each_other() {
    let threads = Method::ALL.map(|method| {
        std::thread::spawn(move || {
            for threads in [1, 2, 1] {
                let params = Params { threads, ..Params::with(method) };
                assert_close(solve(&textbook(), &params).objective, 11.0, &params);
            }
        })
    });
    for thread in threads {
        thread.join().expect("no panic");
    }
}
