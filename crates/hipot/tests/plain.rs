//! Tasks with conditional effects, with axioms, and with both against brute force: no heuristic is
//! above h* in any reachable state, consistent ones are consistent, searches find optimal plans, and
//! certificates hold.

use hipot::certificate::best_certificate;
use hipot::compute::compute;
use hipot::heuristic::{Computed, ProvedPart};
use hipot::settings::Settings;
use hipot::solve::solve;
use hipot::spec::Spec;
use hipot::sum_heuristic::saturated_heuristic;
use hipot_analysis::PlainTask;
use hipot_check::{Certificate, Claim, verify};
use hipot_potential::PotentialHeuristic;
use hipot_search::Outcome;
use hipot_task::{
    Axiom, Effect, Fact, Heuristic, Limits, Operator, Packing, StateView, Task, TaskBuilder,
    Variable,
};
use hipot_testing::{RandomTask, Rng, StateSpace};

const SPECS: [&str; 12] = [
    "pot(dim=1, mutexes=none)",
    "pot(dim=1)",
    "pot(dim=2, mutexes=none)",
    "pot(dim=2)",
    "pot(dim=2, mutexes=h2, open=cases)",
    "pot(dim=3)",
    "auto",
    "seq",
    "ocp(dim=2)",
    "tcp(dim=1)",
    "scp(pot(dim=1), projections(size=2), cartesian(transitions=20))",
    "max(blind, pot(dim=1, objective=every-state))",
];

/// Conditional effects, axioms, or both; some with operators that are cut into parts.
fn random_task(seed: u64) -> Task {
    let many = RandomTask { operators: 16, percent_free: 10, ..RandomTask::default() };
    let shape = match seed % 5 {
        0 => RandomTask { percent_conditional: 60, ..many },
        1 => RandomTask { derived: 3, ..many },
        2 => RandomTask { derived: 2, percent_conditional: 50, ..many },
        3 => RandomTask { variables: 6, percent_conditional: 90, ..many },
        _ => return lift(seed),
    };
    shape.generate(seed)
}

/// A lift that stops at floors, where all who wait get in and all who want to get out do; with too
/// many contexts to be enumerated. With odd seeds there is an axiom that says that all are
/// there, and the goal asks for that.
fn lift(seed: u64) -> Task {
    const FLOORS: u32 = 3;
    let mut rng = Rng::new(seed);
    let mut builder = TaskBuilder::new(true);
    let floors = (0..FLOORS).map(|floor| format!("floor {floor}"));
    let lift = builder.add_variable(Variable::new("lift", floors)).unwrap();
    let people: Vec<_> = (0..4 + rng.below(2))
        .map(|number| {
            let variable = Variable::new(format!("person {number}"), ["waits", "inside", "there"]);
            let id = builder.add_variable(variable).unwrap();
            (id, rng.below(FLOORS), rng.below(FLOORS))
        })
        .collect();
    let goal: Vec<Fact> = people.iter().map(|&(id, ..)| Fact::new(id, 2)).collect();
    let mut initial = vec![0; 1 + people.len()];
    if seed.is_multiple_of(2) {
        builder.set_initial(initial).unwrap();
        builder.set_goal(goal).unwrap();
    } else {
        let all = Variable { axiom_layer: Some(0), ..Variable::new("all", ["no", "yes"]) };
        let all = builder.add_variable(all).unwrap();
        initial.push(0);
        builder.set_initial(initial).unwrap();
        builder.set_goal(vec![Fact::new(all, 1)]).unwrap();
        builder.add_axiom(Axiom { body: goal, head: Fact::new(all, 1) }).unwrap();
    }
    for floor in 0..FLOORS {
        for to in (0..FLOORS).filter(|&to| to != floor) {
            let (name, cost) = (format!("move {floor} {to}"), 1 + rng.below(3));
            let effects = vec![Effect::new(Fact::new(lift, to))];
            let preconditions = vec![Fact::new(lift, floor)];
            builder.add_operator(Operator { name, preconditions, effects, cost }).unwrap();
        }
        let mut effects = Vec::new();
        for &(id, from, to) in &people {
            let mut change = |before, after| {
                let conditions = vec![Fact::new(id, before)];
                effects.push(Effect { conditions, fact: Fact::new(id, after) });
            };
            if floor == from {
                change(0, 1);
            }
            if floor == to {
                change(1, 2);
            }
        }
        let (name, cost) = (format!("stop {floor}"), rng.below(3));
        let preconditions = vec![Fact::new(lift, floor)];
        builder.add_operator(Operator { name, preconditions, effects, cost }).unwrap();
    }
    builder.build()
}

/// A heuristic for the task with this number; the states of lifts are too many for `tcp`.
fn spec(seed: u64) -> &'static str {
    match SPECS[(seed / 5) as usize % SPECS.len()] {
        "tcp(dim=1)" if seed % 5 == 4 => "ocp(dim=1, states=all)",
        spec => spec,
    }
}

fn computed(task: &Task, spec: &str) -> Computed {
    let spec: Spec = spec.parse().expect("a spec");
    compute(task, &spec, &Settings::default(), &Limits::none()).expect("it is tiny")
}

/// The parts of a heuristic, for states of the task that is searched.
fn evaluators(
    heuristic: &Computed,
    plain: &PlainTask<'_>,
    searched: &Task,
) -> Vec<Box<dyn Heuristic>> {
    let evaluator = |part| -> Box<dyn Heuristic> {
        match part {
            ProvedPart::Potential(it) => Box::new(PotentialHeuristic::new(&it.function, searched)),
            ProvedPart::Partition(it) => it.build(plain.task(), &Limits::none()).unwrap(),
            ProvedPart::Saturated(it) => saturated_heuristic(it, searched),
        }
    };
    let parts = heuristic.parts().into_iter().filter(|part| part.bound().is_some());
    parts.map(evaluator).collect()
}

#[test]
fn no_value_is_above_the_distance_of_any_reachable_state() {
    let (mut states, mut positive, mut cut) = (0, 0, 0);
    for seed in 0..600 {
        let task = random_task(seed);
        let plain = PlainTask::new(&task);
        let Ok(space) = StateSpace::explore(&task, 2000) else { continue };
        let spec = spec(seed);
        let heuristic = computed(&task, spec);
        if heuristic.bound(&task).is_none() {
            assert_eq!(space.optimal_cost(), None, "seed {seed}, {spec}");
        }
        let (searched, _) = plain.searched(&task, &[]);
        let packing = Packing::new(&searched);
        let image = |state: &Vec<u32>| {
            let marker = plain.marker().map(|_| 0);
            packing.pack(&state.iter().copied().chain(marker).collect::<Vec<_>>())
        };
        let words: Vec<Vec<u32>> = space.states.iter().map(image).collect();
        let view = |index: usize| StateView::new(&packing, &words[index]);
        for mut evaluated in evaluators(&heuristic, &plain, &searched) {
            let mut values = Vec::new();
            for (index, &distance) in space.goal_distances.iter().enumerate() {
                let value = evaluated.estimate(view(index)).cost();
                if let Some(distance) = distance {
                    let value = value.expect("it has a plan");
                    assert!(value <= distance, "seed {seed}, {spec}, {:?}", space.states[index]);
                    states += 1;
                    positive += u64::from(value > 0);
                }
                values.push(value);
            }
            for &(source, operator, target) in &space.transitions {
                evaluated.enter(view(source));
                let value = evaluated.estimate_successor(operator, view(target)).cost();
                assert_eq!(value, values[target], "seed {seed}, {spec}");
                if let (Some(before), Some(after)) = (values[source], values[target])
                    && evaluated.is_consistent()
                {
                    let cost = u64::from(task.operator(operator).cost);
                    assert!(before <= cost + after, "seed {seed}, {spec}");
                }
            }
            cut += usize::from(plain.marker().is_some());
        }
    }
    assert!(states > 3000 && positive > 1000 && cut > 30, "{states} {positive} {cut}");
}

#[test]
fn searches_find_optimal_plans() {
    for seed in 600..1200 {
        let task = random_task(seed);
        let Ok(space) = StateSpace::explore(&task, 2000) else { continue };
        let spec = spec(seed);
        let settings = Settings { threads: 1 + seed as usize % 2, ..Settings::default() };
        let found = solve(&task, &spec.parse().unwrap(), &settings, &Limits::none());
        let cost =
            match found.unwrap_or_else(|it| panic!("seed {seed}, {spec}: {it}")).result.outcome {
                Outcome::Solved(plan) => Some(plan.cost),
                Outcome::Unsolvable => None,
                outcome => panic!("seed {seed}: {outcome:?}"),
            };
        assert_eq!(cost, space.optimal_cost(), "seed {seed}, {spec}");
    }
}

/// Certificates of functions with any mutexes hold; of tampered ones only those that claim
/// something true.
#[test]
fn certificates_hold_and_tampered_ones_prove_nothing_wrong() {
    const WITH_FUNCTIONS: [&str; 6] = [
        "pot(dim=1, mutexes=none)",
        "pot(dim=2, mutexes=none)",
        "pot(dim=2, mutexes=h2, open=cases)",
        "pot(dim=1, mutexes=h2)",
        "ocp(dim=1, states=all)",
        "pot(dim=2, open=cases)",
    ];
    let (mut tampered, mut rejected, mut higher) = (0, 0, 0);
    for seed in 0..400 {
        let task = random_task(seed);
        let Ok(space) = StateSpace::explore(&task, 2000) else { continue };
        let spec = WITH_FUNCTIONS[(seed / 5) as usize % WITH_FUNCTIONS.len()];
        let heuristic = computed(&task, spec);
        let certificate = best_certificate(&task, heuristic.best()).unwrap();
        let verified = verify(&task, &certificate);
        let verified = verified.unwrap_or_else(|it| panic!("seed {seed}, {spec}: {it}"));
        assert_eq!(verified.claim, heuristic.bound(&task).map_or(Claim::Unsolvable, Claim::Bound));
        let is_true = |claim| match (claim, space.optimal_cost()) {
            (Claim::Unsolvable, cost) => cost.is_none(),
            (Claim::Bound(bound), cost) => cost.is_none_or(|cost| bound <= cost),
        };
        assert!(is_true(verified.claim), "seed {seed}, {spec}");
        if let Claim::Bound(bound) = verified.claim {
            let raised = with_claim(&certificate, Claim::Bound(bound + 1), |_| 0);
            assert!(verify(&task, &raised).is_err(), "seed {seed}, {spec}");
            higher += 1;
        }
        let mut rng = Rng::new(seed);
        for _ in 0..certificate.feature_count().min(12) {
            let place = rng.below(certificate.feature_count() as u32) as usize;
            let change = if rng.chance(50) { 1 } else { -1 };
            let claim = match certificate.claim() {
                Claim::Bound(bound) => Claim::Bound(bound + u64::from(rng.chance(50))),
                Claim::Unsolvable => Claim::Unsolvable,
            };
            let other = with_claim(&certificate, claim, |it| if it == place { change } else { 0 });
            tampered += 1;
            match verify(&task, &other) {
                Ok(verified) => assert!(is_true(verified.claim), "seed {seed}, {spec}"),
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(higher > 200 && rejected > 300, "{higher} {rejected} of {tampered}");
}

/// A certificate with another claim, and with weights that are higher by `change` units.
fn with_claim(
    certificate: &Certificate,
    claim: Claim,
    change: impl Fn(usize) -> i32,
) -> Certificate {
    let unit = certificate.denominator();
    let features = certificate.features().enumerate();
    let features = features.map(|(place, (weight, facts))| (weight + unit * change(place), facts));
    let (fingerprint, denominator) = (certificate.fingerprint(), unit.clone());
    let constant = certificate.constant().clone();
    Certificate::new(fingerprint, claim, denominator, constant, features)
        .expect("the features are those of a certificate")
        .with_layers(certificate.layers().to_vec())
        .with_open_values(certificate.open_values())
}
