//! HiGHS reads what we write, and finds the same optimum.

use std::fs::File;
use std::io::{BufWriter, Write};

use hipot_lp::{Bounds, Column, Method, Params, Problem, Row, Solver, Status, write_lp};

fn optimum(solver: &mut Solver) -> (Status, f64) {
    let solution = solver.solve(&Params::with(Method::PrimalSimplex));
    (solution.status, solution.objective)
}

fn assert_reads_back(problem: &Problem, column: &dyn Fn(Column) -> String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("problem.lp");
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    let row = |row: Row| format!("op {} [pre: at-ball]", row.0);
    write_lp(problem, &mut file, column, row).expect("written");
    file.flush().expect("written");
    let text = std::fs::read_to_string(&path).expect("read");
    assert!(text.lines().all(|line| line.len() <= 250), "{text}");

    let mut read = Solver::read(&path).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut passed = Solver::new(problem).expect("accepted");
    assert_eq!(read.num_columns(), passed.num_columns(), "{text}");
    let (status, objective) = optimum(&mut read);
    let (expected_status, expected) = optimum(&mut passed);
    assert_eq!(status, expected_status, "{text}");
    assert!((objective - expected).abs() < 1e-9, "{objective} ≠ {expected}\n{text}");
}

#[test]
fn all_kinds_of_bounds_and_names() {
    let mut problem = Problem::maximize();
    let x = problem.add_column(1.0, ..);
    let y = problem.add_column(-2.0, 0.0..);
    let z = problem.add_column(1.0 / 3.0, ..=7.5);
    let fixed = problem.add_column(1e-7, Bounds::equal(-2.0));
    let boxed = problem.add_column(0.0, -1.0..=1.0);
    let _unused = problem.add_column(0.0, 1.0..);
    problem.add_row(..=4.0, [(x, 1.0), (y, -1.0), (boxed, 1.0)]);
    problem.add_row(-1.0..=1.0, [(x, 1.0), (z, -1e-3), (fixed, 2.0)]);
    problem.add_row(Bounds::equal(3.0), [(z, 1.0), (boxed, 1.0)]);
    problem.add_row(.., [(x, 1.0), (z, 1.0)]);
    problem.add_row(-1.0.., []);
    let names = ["w(at-ball1=rooma & free-left)", "inf", "Free", "e12", "x:+*/<>^[]\\é", "st"];
    assert_reads_back(&problem, &|column| names[column.index()].to_owned());
    assert_reads_back(&problem, &|_| "the same".to_owned());
    assert_reads_back(&problem, &|column| "long ".repeat(60) + &column.0.to_string());
}

#[test]
fn long_rows_are_wrapped() {
    let mut problem = Problem::minimize();
    let columns: Vec<_> = problem.add_columns(300, 1.0, -1.0..).collect();
    problem.add_row(5.0.., columns.iter().map(|&column| (column, 0.1)));
    problem.add_row(..=400.0, columns.iter().map(|&column| (column, f64::from(column.0))));
    assert_reads_back(&problem, &|column| format!("w(v{}=1)", column.0));
}
