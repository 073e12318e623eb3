//! Heuristics with mutexes, from the spec to the plan.

use hipot::certificate::certificate;
use hipot::compute::compute;
use hipot::events::Events;
use hipot::heuristic::{Computed, Potential};
use hipot::search::search;
use hipot::settings::Settings;
use hipot::spec::Spec;
use hipot_check::verify;
use hipot_search::{Outcome, SearchParams, SearchResult};
use hipot_task::{Estimate, Fact, Limits, Task};
use hipot_testing::{RandomTask, StateSpace};

/// All but the last two are searched with in the pruned task; those read states of
/// the task itself, without useless operators.
const SPECS: [&str; 8] = [
    "pot(dim=1, mutexes=groups)",
    "pot(dim=1, mutexes=h2)",
    "pot(dim=2, mutexes=h2)",
    "pot(dim=2, mutexes=h2, objective=diverse(3))",
    "max(pot(dim=1, mutexes=h2), pot(dim=1, mutexes=none))",
    "max(blind, pot(dim=1, mutexes=none), pot(dim=1, mutexes=h2))",
    "pot(dim=1, mutexes=h2, objective=every-state)",
    "max(pot(dim=1, mutexes=h2), seq)",
];

fn computed(task: &Task, spec: &str) -> Computed {
    let spec: Spec = spec.parse().unwrap();
    compute(task, &spec, &Settings::default(), &Limits::none()).unwrap()
}

fn searched(task: &Task, heuristic: &Computed) -> SearchResult {
    let (params, limits) = (SearchParams::default(), Limits::none());
    search(task, heuristic, params, &limits, &Events::none()).unwrap().result
}

/// With useless operators and facts left out and dead ends that may be expanded
/// twice, plans are optimal, and where there is none, none is found. The bound's
/// certificate, with the proof of the mutexes, holds.
#[test]
fn plans_are_optimal_and_certificates_hold() {
    let (mut useless, mut proved, mut solved) = (0, 0, 0);
    for seed in 0..250 {
        let task = RandomTask::default().generate(seed);
        let expected = StateSpace::explore(&task, 5000).unwrap().optimal_cost();
        for spec in SPECS {
            let heuristic = computed(&task, spec);
            let found = match searched(&task, &heuristic).outcome {
                Outcome::Solved(plan) => Some(plan.cost),
                Outcome::Unsolvable => None,
                other => panic!("seed {seed}, {spec}: {other:?}"),
            };
            assert_eq!(found, expected, "seed {seed}, {spec}");
            solved += usize::from(found.is_some());
            for potential in heuristic.potentials() {
                useless += usize::from(!potential.normal_form().useless().is_empty());
                let certificate = certificate(&task, potential);
                let verified = verify(&task, &certificate);
                assert!(verified.is_ok(), "seed {seed}, {spec}: {verified:?}");
                proved += usize::from(!potential.normal_form().proof().is_empty());
            }
        }
    }
    assert!(useless > 20 && proved > 100 && solved > 200, "{useless} {proved} {solved}");
}

/// Which parts of tasks were pruned.
#[derive(Debug, Default)]
struct Lost {
    operators: usize,
    variables: usize,
    /// Values of variables that are left.
    values: usize,
    /// All: there is no plan.
    everything: usize,
}

impl Lost {
    fn note(&mut self, task: &Task, potential: &Potential) {
        self.everything += usize::from(potential.normal_form().is_unsolvable());
        let Some(pruned) = potential.normal_form().pruned() else { return };
        let new = pruned.task();
        self.operators += usize::from(new.operators().len() < task.operators().len());
        self.variables += usize::from(new.variables().len() < task.variables().len());
        let has_lost_values = |id| {
            let original = pruned.original_fact(Fact::new(id, 0)).variable;
            new.variable(id).domain_size() < task.variable(original).domain_size()
        };
        self.values += usize::from(new.variable_ids().any(has_lost_values));
    }
}

/// The initial state has the same value in the pruned task; where nothing is left,
/// there is nothing to search.
#[test]
fn the_search_begins_with_the_bound() {
    let mut lost = Lost::default();
    let deep = RandomTask { variables: 3, domain: 6, operators: 20, ..RandomTask::default() };
    for seed in 0..300 {
        let shape = if seed % 2 == 0 { deep } else { RandomTask::default() };
        let task = shape.generate(seed);
        let heuristic = computed(&task, "pot(dim=2, mutexes=h2)");
        let Computed::Potential(potential) = &heuristic else { panic!("seed {seed}") };
        lost.note(&task, potential);
        let result = searched(&task, &heuristic);
        let initial = potential.bound().map_or(Estimate::DEAD_END, Estimate::at_least);
        assert_eq!(result.initial, Some(initial), "seed {seed}");
        assert!(result.lower_bound >= potential.bound().unwrap_or(0), "seed {seed}");
        if potential.normal_form().is_unsolvable() {
            assert_eq!((result.outcome, result.statistics.evaluated), (Outcome::Unsolvable, 0));
        }
    }
    let Lost { operators, variables, values, everything } = lost;
    assert!(operators > 50 && variables > 50 && values > 50 && everything > 20, "{lost:?}");
}
