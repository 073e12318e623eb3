//! `scp(…)` against brute force: on random tasks, with potential functions first, last and between,
//! no value is above h* in any reachable state, and searches find optimal plans.

use hipot::compute::compute;
use hipot::heuristic::{Computed, ProvedPart};
use hipot::search::search;
use hipot::settings::Settings;
use hipot::spec::Spec;
use hipot::sum_heuristic::saturated_heuristic;
use hipot_search::{Outcome, StateBudget};
use hipot_task::{Heuristic, Limits, Packing, StateView, Task};
use hipot_testing::{RandomTask, StateSpace};

const SPECS: [&str; 10] = [
    "scp(projections, cartesian, mutexes=none)",
    "scp(projections, cartesian)",
    "scp(pot(dim=1), projections(size=2), cartesian(transitions=20))",
    "scp(pot(dim=2, mutexes=none), projections(size=2), mutexes=none, saturator=all)",
    "scp(projections(size=1), pot(dim=2), cartesian(transitions=40), rounds=3)",
    "scp(projections(size=2), cartesian(transitions=15), pot(dim=2, mutexes=h2, open=cases))",
    "scp(cartesian(transitions=30), pot(dim=1, mutexes=h2), saturator=perim, mutexes=groups)",
    "scp(pot(dim=2, open=cases), cartesian(transitions=9), orders=1, rounds=1)",
    "scp(pot(dim=2))",
    "max(pot(dim=1), scp(projections(size=1)), scp(pot(dim=1), cartesian(transitions=12)))",
];

fn random_task(seed: u64) -> Task {
    let percent_free = if seed.is_multiple_of(3) { 30 } else { 0 };
    RandomTask { operators: 14, percent_free, ..RandomTask::default() }.generate(seed)
}

fn computed(task: &Task, spec: &str) -> Computed {
    let spec: Spec = spec.parse().expect("a spec");
    compute(task, &spec, &Settings::default(), &Limits::none()).expect("it is tiny")
}

#[test]
fn no_value_is_above_the_distance_of_any_reachable_state() {
    let (mut states, mut perfect, mut sums) = (0_u64, 0_u64, 0);
    for seed in 0..400 {
        let task = random_task(seed);
        let spec = SPECS[seed as usize % SPECS.len()];
        let heuristic = computed(&task, spec);
        let space = StateSpace::explore(&task, 10_000).expect("it is tiny");
        let packing = Packing::new(&task);
        for part in heuristic.parts() {
            let ProvedPart::Saturated(saturated) = part else { continue };
            let Some(bound) = saturated.bound() else {
                assert_eq!(space.optimal_cost(), None, "seed {seed}, {spec}");
                continue;
            };
            sums += usize::from(saturated.sums.len() > 1);
            let mut evaluated = saturated_heuristic(saturated, &task);
            let mut values = Vec::new();
            for (state, &distance) in space.states.iter().zip(&space.goal_distances) {
                let words = packing.pack(state);
                let value = evaluated.estimate(StateView::new(&packing, &words)).cost();
                if let Some(distance) = distance {
                    let value = value.expect("it has a plan");
                    assert!(value <= distance, "seed {seed}, {spec}, {state:?}");
                    states += u64::from(distance > 0);
                    perfect += u64::from(distance > 0 && value == distance);
                }
                values.push(value);
            }
            assert_eq!(values[0], Some(bound), "seed {seed}, {spec}");
            check_successors(&task, &space, &values, &mut *evaluated);
        }
    }
    assert!(sums > 150, "{sums}");
    assert!(perfect * 3 > states * 2, "{perfect} of {states}");
}

/// Values of successors are those computed from scratch; values are consistent if that is claimed.
fn check_successors(
    task: &Task,
    space: &StateSpace,
    values: &[Option<u64>],
    heuristic: &mut dyn Heuristic,
) {
    let packing = Packing::new(task);
    let words: Vec<Vec<u32>> = space.states.iter().map(|state| packing.pack(state)).collect();
    for &(source, operator, target) in &space.transitions {
        heuristic.enter(StateView::new(&packing, &words[source]));
        let successor = StateView::new(&packing, &words[target]);
        let value = heuristic.estimate_successor(operator, successor).cost();
        assert_eq!(value, values[target]);
        if let (Some(before), Some(after)) = (values[source], values[target])
            && heuristic.is_consistent()
        {
            assert!(before <= u64::from(task.operator(operator).cost) + after);
        }
    }
}

#[test]
fn searches_find_optimal_plans() {
    for seed in 400..600 {
        let task = random_task(seed);
        let spec = SPECS[seed as usize % SPECS.len()];
        let heuristic = computed(&task, spec);
        let settings = Settings { threads: 1 + seed as usize % 2, ..Settings::default() };
        let params = settings.search_params(StateBudget::default());
        let found = search(&task, &heuristic, params, &Limits::none(), &settings.events).unwrap();
        let space = StateSpace::explore(&task, 10_000).expect("it is tiny");
        let cost = match found.result.outcome {
            Outcome::Solved(plan) => Some(plan.cost),
            Outcome::Unsolvable => None,
            outcome => panic!("seed {seed}: {outcome:?}"),
        };
        assert_eq!(cost, space.optimal_cost(), "seed {seed}, {spec}");
    }
}

#[test]
fn rounds_never_lower_the_value_of_the_initial_state() {
    for seed in 0..60 {
        let task = random_task(seed);
        let bound = |rounds| {
            let spec = format!("scp(pot(dim=1), projections(size=2), rounds={rounds})");
            computed(&task, &spec).bound(&task)
        };
        let [once, often] = [bound(1), bound(4)];
        assert!(once.is_none() || once <= often, "seed {seed}: {once:?}, {often:?}");
    }
}
