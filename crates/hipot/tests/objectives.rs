//! Potential heuristics with all objectives, from the spec to the plan.

use hipot::certificate::certificate;
use hipot::compute::compute;
use hipot::events::Events;
use hipot::heuristic::Computed;
use hipot::search::search;
use hipot::settings::Settings;
use hipot::spec::Spec;
use hipot_check::verify;
use hipot_search::{Outcome, SearchParams};
use hipot_task::{Limits, Task};
use hipot_testing::{RandomTask, StateSpace};

const SPECS: [&str; 9] = [
    "pot(dim=2, objective=all)",
    "pot(dim=2, mutexes=h2, open=cases, objective=all)",
    "pot(dim=1, objective=samples(20), initial=free)",
    "pot(dim=3, mutexes=h2, objective=samples(20))",
    "pot(dim=2, mutexes=h2, objective=diverse(20))",
    "pot(dim=2, mutexes=h2, objective=facts(5))",
    "pot(dim=1, mutexes=h2, objective=all)",
    "pot(dim=2, mutexes=h2, objective=every-state)",
    "max(pot(dim=1, objective=every-state), pot(dim=1, objective=diverse(5)), blind)",
];

fn computed(task: &Task, spec: &str, seed: u64) -> Computed {
    let spec: Spec = spec.parse().unwrap();
    let settings = Settings { seed, ..Settings::default() };
    compute(task, &spec, &settings, &Limits::none()).unwrap()
}

/// Plans are optimal, and the certificate of the initial state's bound holds.
#[test]
fn plans_are_optimal_and_certificates_hold() {
    let (mut solved, mut ensembles) = (0, 0);
    for seed in 0..100 {
        let task = RandomTask::default().generate(seed);
        let expected = StateSpace::explore(&task, 5000).unwrap().optimal_cost();
        for spec in SPECS {
            let what = format!("seed {seed}, {spec}");
            let heuristic = computed(&task, spec, seed);
            let (params, limits) = (SearchParams::default(), Limits::none());
            let searched = search(&task, &heuristic, params, &limits, &Events::none()).unwrap();
            let found = match searched.result.outcome {
                Outcome::Solved(plan) => Some(plan.cost),
                Outcome::Unsolvable => None,
                other => panic!("{what}: {other:?}"),
            };
            assert_eq!(found, expected, "{what}");
            solved += usize::from(found.is_some());
            for potential in heuristic.potentials() {
                let verified = verify(&task, &certificate(&task, potential));
                assert!(verified.is_ok(), "{what}: {verified:?}");
                ensembles += usize::from(!potential.others.is_empty());
            }
        }
    }
    assert!(solved > 200 && ensembles > 10, "{solved} {ensembles}");
}

/// The bound in the initial state is that of `objective=initial`, unless it is
/// free.
#[test]
fn the_initial_bound_is_kept() {
    let mut lower = 0;
    for seed in 0..100 {
        let task = RandomTask { cost: 5, ..RandomTask::default() }.generate(seed);
        let bound = |spec: &str| computed(&task, spec, seed).best_potential().unwrap().bound();
        let best = bound("pot(dim=2)");
        for objective in ["all", "samples(30)", "diverse(30)", "facts(5)", "every-state"] {
            let spec = format!("pot(dim=2, objective={objective})");
            assert_eq!(bound(&spec), best, "seed {seed}, {spec}");
        }
        let free = bound("pot(dim=2, objective=all, initial=free)");
        assert!(free.unwrap_or(u64::MAX) <= best.unwrap_or(u64::MAX), "seed {seed}");
        lower += usize::from(free < best);
    }
    assert!(lower > 0);
}

/// Random choices depend on the seed alone.
#[test]
fn the_same_seed_gives_the_same_function() {
    let task = RandomTask { variables: 6, domain: 4, ..RandomTask::default() }.generate(3);
    for spec in ["pot(dim=2, objective=samples(50))", "pot(dim=2, mutexes=h2, objective=all)"] {
        let weights = || {
            let computed = computed(&task, spec, 7);
            let potential = computed.best_potential().unwrap();
            (potential.function.weights().to_vec(), potential.function.denominator())
        };
        assert_eq!(weights(), weights(), "{spec}");
    }
}
