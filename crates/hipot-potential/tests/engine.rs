//! The engine against the simplex method, on random tasks: the same optimum, the same bound.
//!
//! The tasks have free operators, on cycles and not; variables of different sizes, so that
//! slabs across variables have empty places; and, with h², contexts that mutexes exclude.

mod common;

use std::sync::Arc;

use hipot_analysis::OpenValues;
use hipot_lp::Method;
use hipot_potential::{FeatureSet, MutexChoice, NormalForm, Optimum, Params, Report, optimize};
use hipot_task::Limits;
use hipot_testing::RandomTask;

use common::{MANY_VARIABLES, TINY, random_task};

/// Tasks with variables of up to 13 values, which need slabs along a variable.
const TALL: RandomTask =
    RandomTask { variables: 3, domain: 13, operators: 60, percent_free: 5, ..TINY };

/// Tasks with more variables than a slab has lanes.
const WIDE: RandomTask = RandomTask { variables: 11, domain: 3, operators: 40, ..TINY };

/// What the methods found for a task, if it has an optimum.
struct Found {
    bound: u64,
    report: Report,
}

fn run(normal: &Arc<NormalForm>, dimension: usize, method: Method, what: &str) -> Option<Found> {
    let params = Params { method, ..Params::default() };
    let features = FeatureSet::UpTo(dimension);
    let found = optimize(normal, features, normal.initial(), &params, &Limits::none());
    match found.unwrap_or_else(|error| panic!("{what}: {error}")) {
        Optimum::Function(function, report) => {
            Some(Found { bound: function.bound(normal.initial()), report })
        }
        Optimum::Unsolvable(..) => None,
    }
}

/// Compares both methods; returns the optimum, and what solved the LP in the end.
fn compare(normal: &Arc<NormalForm>, dimension: usize, what: &str) -> Option<(f64, Method)> {
    let [simplex, engine] = [Method::PrimalSimplex, Method::Engine]
        .map(|method| run(normal, dimension, method, &format!("{what}, {}", method.name())));
    let (Some(simplex), Some(engine)) = (&simplex, &engine) else {
        assert!(
            simplex.is_none() && engine.is_none(),
            "{what}: only one proves that there is no plan"
        );
        return None;
    };
    let optimum = simplex.report.objective;
    let difference = (engine.report.objective - optimum).abs() / (1.0 + optimum.abs());
    let found = engine.report.objective;
    assert!(difference < 2e-3, "{what}: the engine finds {found}, the simplex method {optimum}");
    assert_eq!(engine.bound, simplex.bound, "{what}: optimum {optimum}");
    Some((optimum, engine.report.method))
}

fn compare_all(shape: RandomTask, seeds: std::ops::Range<u64>, min_fractional: usize) {
    let (mut positive, mut fractional, mut by_engine) = (0, 0, 0);
    for seed in seeds {
        let task = random_task(shape, seed);
        let forms =
            [(MutexChoice::None, OpenValues::Unknown), (MutexChoice::H2, OpenValues::Cases)];
        for (mutexes, open) in forms {
            let normal = NormalForm::new(&task, mutexes, open, &Limits::none()).unwrap();
            if normal.is_unsolvable() {
                continue;
            }
            let normal = Arc::new(normal);
            for dimension in [1, 2] {
                let what = format!("seed {seed}, {mutexes:?}, {open:?}, dimension {dimension}");
                if let Some((optimum, method)) = compare(&normal, dimension, &what) {
                    positive += usize::from(optimum > 0.5);
                    fractional += usize::from((optimum - optimum.round()).abs() > 1e-3);
                    by_engine += usize::from(method == Method::Engine);
                }
            }
        }
    }
    let is_varied = positive > 10 && fractional >= min_fractional;
    assert!(is_varied, "{positive} positive, {fractional} fractional optima");
    assert!(by_engine > 20, "only {by_engine} LPs were solved by the engine itself");
}

#[test]
fn on_tiny_tasks() {
    compare_all(TINY, 0..60, 3);
}

#[test]
fn on_tasks_with_many_variables() {
    compare_all(MANY_VARIABLES, 0..40, 3);
}

#[test]
fn with_slabs_along_variables() {
    compare_all(TALL, 0..20, 0);
}

#[test]
fn with_several_slabs_across_variables() {
    compare_all(WIDE, 0..25, 3);
}
