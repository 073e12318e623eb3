//! What listeners receive, and when.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hipot_lp::{Iterate, Listener, Method, Params, Problem, Solver, Status};

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

/// A listener that records what it receives.
fn keeping() -> (Listener<Iterate>, Arc<Mutex<Vec<Iterate>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&told);
    (Listener::new(move |iterate| keep.lock().expect("no panic").push(iterate)), told)
}

/// The reports of a run of a second and a half, and its seconds. On a busy machine,
/// the limit grows until `is_enough`.
fn observed(
    problem: &Problem,
    method: Method,
    is_enough: impl Fn(&[Iterate]) -> bool,
) -> (Vec<Iterate>, f64) {
    let mut time_limit = Duration::from_millis(1500);
    loop {
        let (listener, told) = keeping();
        let params = Params {
            listener: Some(listener),
            time_limit: Some(time_limit),
            ..Params::with(method)
        };
        let solution = Solver::new(problem).expect("accepted").solve(&params);
        let told = told.lock().expect("no panic").clone();
        if is_enough(&told) || time_limit > Duration::from_secs(20) {
            return (told, solution.seconds);
        }
        time_limit *= 4;
    }
}

/// The reported numbers of iterations.
fn iterations(told: &[Iterate]) -> Vec<usize> {
    told.iter().filter_map(|it| it.iterations).collect()
}

/// The last objectives reported.
fn objectives(told: &[Iterate]) -> Option<[f64; 2]> {
    told.last().and_then(|last| Some([last.primal?, last.dual?]))
}

/// Whether these are near the optimum, which dual simplex has found.
fn are_optimal(objectives: [f64; 2]) -> bool {
    objectives.iter().all(|value| (value - 2.002_402).abs() < 0.01)
}

#[test]
fn iterations_grow() {
    let problem = hard(600);
    for method in [Method::PrimalSimplex, Method::DualSimplex, Method::Ipm, Method::HiPdlp] {
        let grow = |told: &[Iterate]| iterations(told).first() < iterations(told).last();
        let (told, seconds) = observed(&problem, method, grow);
        assert!(told.len() as f64 <= 10.0 * seconds, "{method:?}: {} calls", told.len());
        assert!(told.iter().all(|iterate| iterate.method == method), "{told:?}");
        let iterations = iterations(&told);
        assert!(iterations.is_sorted() && iterations.len() >= 2, "{method:?}: {iterations:?}");
        assert!(iterations.first() < iterations.last(), "{method:?}: {iterations:?}");
    }
}

#[test]
fn objectives_have_the_sign_of_the_problem_and_meet() {
    let problem = hard(600);
    for method in [Method::Ipm, Method::HiPdlp] {
        let meet = |told: &[Iterate]| objectives(told).is_some_and(are_optimal);
        let (told, _) = observed(&problem, method, meet);
        let last = objectives(&told);
        assert!(last.is_some_and(are_optimal), "{method:?}: {last:?}");
    }
}

#[test]
fn of_pdlp_nothing_but_its_name_is_known() {
    let (told, _) = observed(&hard(600), Method::Pdlp, |told| told.len() >= 2);
    let method = Method::Pdlp;
    let only_name = Iterate { method, iterations: None, primal: None, dual: None };
    assert!(told.len() >= 2 && told.iter().all(|iterate| *iterate == only_name), "{told:?}");
}

#[test]
fn nothing_is_told_once_the_solve_has_returned() {
    let problem = hard(600);
    for method in [Method::Pdlp, Method::HiPdlp] {
        let (listener, told) = keeping();
        // This run cannot be interrupted and continues without its caller.
        let interrupt = Arc::new(AtomicUsize::new(0));
        let params = Params {
            listener: Some(listener),
            interrupt: Some(Arc::clone(&interrupt)),
            time_limit: Some(Duration::from_secs(2)),
            ..Params::with(method)
        };
        let raise = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(500));
            interrupt.store(1, Ordering::Relaxed);
        });
        let mut solver = Solver::new(&problem).expect("accepted");
        let solution = solver.solve(&params);
        let count = told.lock().expect("no panic").len();
        assert_eq!(solution.status, Status::Interrupted);
        assert!(count > 0);
        raise.join().expect("no panic");
        std::thread::sleep(Duration::from_millis(400));
        // This waits for the run.
        solver.forget();
        assert_eq!(told.lock().expect("no panic").len(), count, "{method:?}");
    }
}

#[test]
fn who_is_observed_does_the_same() {
    let problem = hard(40);
    for method in Method::ALL {
        let observed = Params { listener: Some(keeping().0), ..Params::with(method) };
        let solve = |params| Solver::new(&problem).expect("accepted").solve(params);
        let (with, without) = (solve(&observed), solve(&Params::with(method)));
        assert_eq!((with.status, &with.values), (without.status, &without.values), "{method:?}");
    }
}

/// Solves by all methods with a listener; the test below runs this in a process of its own.
#[test]
#[ignore = "part of another test"]
fn solve_by_all_methods() {
    let problem = hard(40);
    for method in Method::ALL {
        for presolve in [true, false] {
            let params = Params {
                listener: Some(keeping().0),
                iteration_limit: Some(1000),
                presolve,
                ..Params::with(method)
            };
            Solver::new(&problem).expect("accepted").solve(&params);
        }
    }
}

#[test]
fn nothing_is_printed() {
    let arguments = ["--exact", "solve_by_all_methods", "--ignored", "--nocapture", "--quiet"];
    let program = std::env::current_exe().expect("a path");
    let output = Command::new(program).args(arguments).output().expect("the test runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let is_harness = |line: &str| {
        line.is_empty() || line.starts_with("running 1") || line.starts_with("test result: ok. 1 ")
    };
    let others: Vec<&str> = text.lines().filter(|line| !is_harness(line)).collect();
    assert_eq!(others, ["."], "{text}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
