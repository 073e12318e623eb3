//! Searches with several threads, from the spec to the plan.

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
