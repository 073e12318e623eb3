//! Searches with several threads, from the spec to the plan.

use hipot::auto::{Params, solve_automatically};
use hipot::settings::Settings;
use hipot::solve::solve;
use hipot::spec::Spec;
use hipot_search::Outcome;
use hipot_task::Limits;
use hipot_testing::{RandomTask, StateSpace};

const SPECS: [&str; 7] = [
    "blind",
    "pot(dim=1)",
    "pot(dim=2, mutexes=h2)",
    "pot(dim=1, objective=diverse(20))",
    "max(blind, pot(dim=1), pot(dim=1, objective=all))",
    "max(seq, pot(dim=1))",
    "auto",
];

/// The cost is the optimal one with any number of threads, whatever is searched by one of them.
#[test]
fn costs_do_not_depend_on_threads() {
    let mut solved = 0;
    for seed in 0..40 {
        let task = RandomTask::default().generate(seed);
        let expected = StateSpace::explore(&task, 5000).unwrap().optimal_cost();
        for (spec, threads) in SPECS.iter().flat_map(|spec| [(spec, 2), (spec, 3)]) {
            let settings = Settings { seed, threads, ..Settings::default() };
            let spec: Spec = spec.parse().unwrap();
            let solution = solve(&task, &spec, &settings, &Limits::none()).unwrap();
            let found = match solution.result.outcome {
                Outcome::Solved(plan) => Some(plan.cost),
                Outcome::Unsolvable => None,
                other => panic!("seed {seed}, {spec}: {other:?}"),
            };
            assert_eq!(found, expected, "seed {seed}, {spec}, {threads} threads");
            solved += usize::from(found.is_some());
        }
    }
    assert!(solved > 100, "{solved}");
}

/// `auto` whose search several threads join soon, and which computes candidates often.
#[test]
fn auto_with_several_threads_is_optimal() {
    let params = Params {
        first_nonzeros: 0,
        first_evaluated: 5,
        alone_evaluated: 8,
        samples: 20,
        ..Params::default()
    };
    let shape = RandomTask { variables: 7, domain: 4, operators: 24, ..RandomTask::default() };
    let (mut solved, mut long) = (0, 0);
    for seed in 0..100 {
        let task = shape.generate(seed);
        let expected = StateSpace::explore(&task, 100_000).unwrap().optimal_cost();
        for (threads, is_large) in [(2, false), (3, false), (2, true), (3, true)] {
            let large = Params { large_operators: 0, opening_evaluated: 12, ..params };
            let params = if is_large { large } else { params };
            let settings = Settings { seed, threads, ..Settings::default() };
            let solution = solve_automatically(&task, params, &settings, &Limits::none()).unwrap();
            let found = match solution.result.outcome {
                Outcome::Solved(plan) => Some(plan.cost),
                Outcome::Unsolvable => None,
                other => panic!("seed {seed}: {other:?}"),
            };
            assert_eq!(found, expected, "seed {seed}, {threads} threads, {is_large}");
            solved += usize::from(found.is_some());
            long += usize::from(solution.result.statistics.evaluated > 12);
        }
    }
    assert!(solved > 50 && long > 20, "{solved} {long}");
}
