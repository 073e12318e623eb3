//! Searches with symmetries, from the spec to the plan: random tasks made of copies of a
//! component, with heuristics that hold in all states, in reachable states, or in states of plans.

use hipot::events::Events;
use hipot::settings::{Settings, UseOfSymmetries};
use hipot::spec::Spec;
use hipot::{compute::compute, search::search};
use hipot_potential::PotentialHeuristic;
use hipot_search::{Outcome, SearchParams, SearchResult};
use hipot_task::{Heuristic, Limits, Task, Value};
use hipot_testing::{RandomTask, StateSpace, Symmetric, SymmetricTask};

const SPECS: [&str; 6] = [
    "blind",
    "pot(dim=1, mutexes=none)",
    "pot(dim=2)",
    "pot(dim=2, mutexes=h2, open=cases)",
    "pot(dim=1, mutexes=h2, objective=samples(20), initial=free)",
    "max(seq, pot(dim=1))",
];

fn run(task: &Task, spec: &str, symmetries: UseOfSymmetries) -> SearchResult {
    let spec: Spec = spec.parse().unwrap();
    let limits = Limits::none();
    let heuristic = compute(task, &spec, &Settings::default(), &limits).unwrap();
    let params = SearchParams { symmetries, ..SearchParams::default() };
    search(task, &heuristic, params, &limits, &Events::none()).unwrap().result
}

/// Plans are optimal, they were executed by independent code, and there are fewer states.
#[test]
fn plans_are_optimal_and_states_are_saved() {
    let component =
        RandomTask { variables: 3, operators: 12, percent_free: 10, ..RandomTask::default() };
    let (mut used, mut with, mut without) = (0, 0, 0);
    for seed in 0..60 {
        let shape = SymmetricTask { component, copies: 3, starts_alike: seed % 2 == 0 };
        let task = shape.generate(seed).task;
        let expected = StateSpace::explore(&task, 20_000).unwrap().optimal_cost();
        for spec in SPECS {
            let what = format!("seed {seed}, {spec}");
            let plain = run(&task, spec, UseOfSymmetries::Never);
            let found = run(&task, spec, UseOfSymmetries::Always);
            for result in [&plain, &found] {
                let cost = match &result.outcome {
                    Outcome::Solved(plan) => Some(plan.cost),
                    Outcome::Unsolvable => None,
                    other => panic!("{what}: {other:?}"),
                };
                assert_eq!(cost, expected, "{what}");
            }
            assert_eq!(plain.symmetries, 0);
            used += usize::from(found.symmetries > 0);
            without += plain.statistics.expanded_until_last_jump;
            with += found.statistics.expanded_until_last_jump;
        }
    }
    assert!(used > 100, "{used}");
    assert!(3 * with < 2 * without, "{with} of {without}");
}

/// Functions that are invariant by their own account give symmetric states the same estimate.
#[test]
fn invariance_is_told_rightly() {
    let component = RandomTask { variables: 3, operators: 12, ..RandomTask::default() };
    let (mut invariant, mut different) = (0, 0);
    for seed in 0..60 {
        let shape = SymmetricTask { component, copies: 3, starts_alike: seed % 2 == 0 };
        let Symmetric { task, generators } = shape.generate(seed);
        let spec: Spec = ["pot(dim=1)", "pot(dim=2)"][seed as usize % 4 / 2].parse().unwrap();
        let computed = compute(&task, &spec, &Settings::default(), &Limits::none()).unwrap();
        let Some(potential) = computed.best_potential() else { continue };
        let mut heuristic = PotentialHeuristic::new(&potential.function, &task);
        let states = StateSpace::explore(&task, 20_000).unwrap().states;
        for moved in &generators {
            let keeps = |state: &Vec<Value>| {
                let mut image = state.clone();
                for &(from, to) in moved {
                    if state[from.variable.index()] == from.value {
                        image[to.variable.index()] = to.value;
                    }
                }
                heuristic.estimate_values(state) == heuristic.estimate_values(&image)
            };
            let is_invariant = states.iter().all(keeps);
            assert!(is_invariant || !heuristic.is_invariant_under(moved), "seed {seed}");
            invariant += usize::from(heuristic.is_invariant_under(moved));
            different += usize::from(!is_invariant);
        }
    }
    assert!(invariant > 10 && different > 2, "{invariant} {different}");
}

/// A search that solves an LP in every state begins with symmetries; others wait.
#[test]
fn expensive_estimates_use_symmetries_at_once() {
    let component = RandomTask { variables: 3, operators: 12, ..RandomTask::default() };
    let shape = SymmetricTask { component, copies: 3, starts_alike: true };
    let mut used = 0;
    for seed in 0..20 {
        let task = shape.generate(seed).task;
        used += usize::from(run(&task, "seq", UseOfSymmetries::IfTheyPay).symmetries > 0);
        assert_eq!(run(&task, "blind", UseOfSymmetries::IfTheyPay).symmetries, 0);
    }
    assert!(used > 3, "{used}");
}
