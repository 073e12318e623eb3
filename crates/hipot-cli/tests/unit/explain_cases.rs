//! Functions by cases: plans, certificates and what explains them.

use hipot::certificate::certificate;
use hipot::compute::compute;
use hipot::events::Events;
use hipot::heuristic::Computed;
use hipot::search::search;
use hipot::settings::Settings;
use hipot::spec::Spec;
use hipot_check::{OpenValues, verify};
use hipot_search::{Outcome, SearchParams};
use hipot_task::{Limits, Task};
use hipot_testing::{RandomTask, StateSpace};

use crate::explain::{Amount, Cost, explain};

const SPECS: [&str; 5] = [
    "pot(dim=1, mutexes=none, open=cases)",
    "pot(dim=2, mutexes=none, open=cases)",
    "pot(dim=2, open=cases)",
    "pot(dim=2, mutexes=h2, open=cases)",
    "max(pot(dim=1, mutexes=h2, open=cases), pot(dim=1, mutexes=h2))",
];

fn computed(task: &Task, spec: &str) -> Computed {
    let spec: Spec = spec.parse().unwrap();
    compute(task, &spec, &Settings::default(), &Limits::none()).unwrap()
}

fn optimal_cost(task: &Task, heuristic: &Computed) -> Option<u64> {
    let (params, limits) = (SearchParams::default(), Limits::none());
    let searched = search(task, heuristic, params, &limits, &Events::none()).unwrap();
    match searched.result.outcome {
        Outcome::Solved(plan) => Some(plan.cost),
        Outcome::Unsolvable => None,
        other => panic!("{other:?}"),
    }
}

/// Plans are optimal, the certificates hold, and what explains a function says
/// the same about it.
#[test]
fn plans_are_optimal_and_certificates_hold() {
    let (mut solved, mut by_cases) = (0, 0);
    for seed in 0..200 {
        let task = RandomTask::default().generate(seed);
        let expected = StateSpace::explore(&task, 5000).unwrap().optimal_cost();
        for spec in SPECS {
            let what = format!("seed {seed}, {spec}");
            let heuristic = computed(&task, spec);
            assert_eq!(optimal_cost(&task, &heuristic), expected, "{what}");
            solved += usize::from(expected.is_some());
            let amount = Amount { top: 3, as_transition_costs: false, search: 1_000_000 };
            let explained =
                explain(("a task".to_owned(), &task), &heuristic, amount, &Limits::none()).unwrap();
            let search = explained.search.unwrap();
            let found = search.cost.map(Cost::units);
            assert_eq!((search.complete, found), (true, expected), "{what}");
            assert!(
                search.plan.iter().all(|step| step.estimate.units() <= step.left.units()),
                "{what}"
            );
            for (potential, function) in heuristic.potentials().into_iter().zip(explained.functions)
            {
                let certificate = certificate(&task, potential);
                let verified = verify(&task, &certificate);
                assert!(verified.is_ok(), "{what}: {verified:?}");
                by_cases += usize::from(certificate.open_values() == OpenValues::Cases);
                assert_eq!(function.initial.map(Cost::units), potential.bound(), "{what}");
                let operators = potential.normal_form().task().operators().len();
                assert_eq!(function.operators.count, operators, "{what}");
            }
        }
    }
    assert!(solved > 300 && by_cases == 200 * SPECS.len(), "{solved} {by_cases}");
}
