//! Another HiGHS, loaded at run time.
//!
//! Rejected files are always tested. What a library can do is tested with the
//! one that the environment variable `HIPOT_HIGHS_LIBRARY` names (see
//! docs/gpu.md for how to build one); without it, those tests are skipped with
//! a message.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use hipot_lp::{Library, LoadError, Method, Params, Problem, Solver, Status};

/// The library under test; prints a message if there is none.
fn library() -> Option<Library> {
    let Some(file) = std::env::var_os("HIPOT_HIGHS_LIBRARY") else {
        eprintln!("skipped: HIPOT_HIGHS_LIBRARY names no HiGHS library");
        return None;
    };
    Some(Library::load(Path::new(&file)).expect("a library that can be used"))
}

/// A transport problem from `size` places to `size` others, each with its own
/// supply and demand. The optimum is not obvious, but the same for every solver.
fn transport(size: u32) -> Problem {
    let mut problem = Problem::minimize();
    let cost = |from: u32, to: u32| f64::from((from * 7 + to * 13 + from * to) % 17 + 1);
    let columns: Vec<Vec<_>> = (0..size)
        .map(|from| (0..size).map(|to| problem.add_column(cost(from, to), 0.0..)).collect())
        .collect();
    for (number, row) in columns.iter().enumerate() {
        problem.add_row(..=(10 + number % 3) as f64, row.iter().map(|&column| (column, 1.0)));
    }
    for to in 0..size as usize {
        let terms = columns.iter().map(|row| (row[to], 1.0));
        problem.add_row((8 + to % 2) as f64.., terms);
    }
    problem
}

#[test]
fn a_missing_file_is_named() {
    let file = Path::new("no/such/libhighs.so");
    let error = Library::load(file).unwrap_err();
    assert!(matches!(error, LoadError::NoFile { .. }), "{error:?}");
    assert!(error.to_string().contains("'no/such/libhighs.so'"), "{error}");
}

#[test]
fn a_folder_is_not_a_library() {
    let folder = tempfile::tempdir().unwrap();
    let error = Library::load(folder.path()).unwrap_err();
    assert!(matches!(error, LoadError::NoFile { .. }), "{error:?}");
    assert!(error.to_string().ends_with("it is not a file"), "{error}");
}

#[test]
fn a_text_is_not_a_library() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("libhighs.so");
    std::fs::write(&file, "maximize x\n").unwrap();
    let error = Library::load(&file).unwrap_err();
    assert!(matches!(error, LoadError::NotALibrary { .. }), "{error:?}");
    assert!(error.to_string().starts_with("cannot load the HiGHS library"), "{error}");
}

/// The C library that this test runs with.
#[cfg(target_os = "linux")]
fn c_library() -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let files = maps.lines().filter_map(|line| line.split_whitespace().nth(5));
    files.map(PathBuf::from).find(|file| {
        file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libc."))
    })
}

#[test]
#[cfg(target_os = "linux")]
fn another_library_is_not_highs() {
    let Some(file) = c_library() else {
        eprintln!("skipped: the C library is not a shared one");
        return;
    };
    let error = Library::load(&file).unwrap_err();
    let expected = LoadError::MissingFunction { file, function: "Highs_versionMajor" };
    assert_eq!(error, expected);
    assert!(error.to_string().contains("is not a HiGHS library"), "{error}");
}

#[test]
fn the_linked_library_solves() {
    let problem = transport(6);
    let known = Solver::new(&problem).unwrap().solve(&Params::default());
    let mut solver = Solver::with_library(&problem, Library::default()).unwrap();
    let solution = solver.solve(&Params::default());
    assert_eq!(solution.status, Status::Optimal);
    assert_eq!(solution.values, known.values);
}

#[test]
fn a_loaded_library_says_what_it_is() {
    let Some(library) = library() else { return };
    assert_eq!(library.version(), Library::linked().version());
    assert!(library.file().is_some());
    assert!(library.to_string().contains("from '"), "{library}");
    eprintln!("{library}: on a card: {}", library.has_gpu());
}

#[test]
fn a_loaded_library_finds_what_the_linked_one_finds() {
    let Some(library) = library() else { return };
    let problem = transport(12);
    for method in Method::ALL.into_iter().chain([Method::Auto]) {
        // A run that can be interrupted has a thread of its own.
        let interrupt = Some(Arc::new(AtomicUsize::new(0)));
        let params = Params { interrupt, ..Params::with(method) };
        let solve = |library| Solver::with_library(&problem, library).unwrap().solve(&params);
        let known = solve(Library::linked());
        if known.status != Status::Optimal {
            assert_eq!(method, Method::HiPdlp, "the others solve all problems");
            continue;
        }
        let solution = solve(library);
        assert_eq!(solution.status, Status::Optimal, "{method:?}");
        let difference = (solution.objective - known.objective).abs();
        assert!(difference < 1e-4 * known.objective, "{method:?}: {}", solution.objective);
        assert!(problem.violation(&solution.values) < 1e-4, "{method:?}");
    }
}

#[test]
fn a_loaded_library_and_the_linked_one_work_side_by_side() {
    let Some(library) = library() else { return };
    std::thread::scope(|scope| {
        for (number, library) in [library, Library::linked(), library].into_iter().enumerate() {
            scope.spawn(move || {
                for size in [3, 5, 8] {
                    let problem = transport(size + number as u32);
                    let mut solver = Solver::with_library(&problem, library).unwrap();
                    let first = solver.solve(&Params::with(Method::Pdlp));
                    let again = solver.solve(&Params::with(Method::PrimalSimplex));
                    assert!((first.objective - again.objective).abs() < 1e-3 * again.objective);
                }
            });
        }
    });
}

#[test]
fn a_library_can_be_loaded_twice() {
    let (Some(first), Some(second)) = (library(), library()) else { return };
    assert_eq!(format!("{first:?}"), format!("{second:?}"));
}
