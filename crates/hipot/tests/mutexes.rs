//! Heuristics with mutexes, from the spec to the plan.

use hipot::certificate::certificate;
use hipot::heuristic::{Computed, LpSettings, Spec, compute};
use hipot::pipeline::solve;
use hipot_check::{RandomTask, StateSpace, verify};
use hipot_search::Outcome;
use hipot_task::{Limits, Task};

const SPECS: [&str; 4] = [
    "pot(dim=1, mutexes=groups)",
    "pot(dim=1, mutexes=h2)",
    "pot(dim=2, mutexes=h2)",
    "max(pot(dim=1, mutexes=h2), pot(dim=1, mutexes=none))",
];

fn computed(task: &Task, spec: &str) -> Computed {
    let spec: Spec = spec.parse().unwrap();
    compute(task, &spec, &Limits::none(), LpSettings::default()).unwrap()
}

/// With useless operators left out and dead ends that may be expanded twice,
/// plans are optimal, and where there is none, none is found. The bound's
/// certificate, with the proof of the mutexes, holds.
#[test]
fn plans_are_optimal_and_certificates_hold() {
    let (mut pruned, mut proved, mut solved) = (0, 0, 0);
    for seed in 0..250 {
        let task = RandomTask::default().generate(seed);
        let expected = StateSpace::explore(&task, 5000).unwrap().optimal_cost();
        for spec in SPECS {
            let heuristic = computed(&task, spec);
            let solution = solve(&task, &heuristic, &Limits::none(), &mut ()).unwrap();
            let found = match solution.result.outcome {
                Outcome::Solved(plan) => Some(plan.cost),
                Outcome::Unsolvable => None,
                Outcome::Stopped(stop) => panic!("seed {seed}, {spec}: {stop}"),
            };
            assert_eq!(found, expected, "seed {seed}, {spec}");
            solved += usize::from(found.is_some());
            for potential in heuristic.potentials() {
                pruned += usize::from(!potential.normal.useless.is_empty());
                let certificate = certificate(&task, potential);
                let verified = verify(&task, &certificate);
                assert!(verified.is_ok(), "seed {seed}, {spec}: {verified:?}");
                proved += usize::from(!potential.normal.proof.is_empty());
            }
        }
    }
    assert!(pruned > 20 && proved > 100 && solved > 200, "{pruned} {proved} {solved}");
}
