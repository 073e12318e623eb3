//! A large certificate takes little time.

use std::time::{Duration, Instant};

use hipot_check::{BigInt, Certificate, Claim, FeatureFact, fingerprint, read_certificate, verify};
use hipot_task::{Effect, Fact, MAX_COST, Operator, Task, TaskBuilder, Variable, VariableId};
use hipot_testing::Rng;

use super::text;

const VARIABLES: usize = 60;
const VALUES: u32 = 8;
const FEATURES: usize = 100_000;
const OPERATORS: u32 = 1000;

/// Operators that change two variables and ask for a third, all very dear.
fn task() -> Task {
    let mut rng = Rng::new(1);
    let mut builder = TaskBuilder::new(true);
    for number in 0..VARIABLES {
        let values = (0..VALUES).map(|value| format!("v{number}={value}"));
        builder.add_variable(Variable::new(format!("v{number}"), values)).unwrap();
    }
    let ids = || (0..VARIABLES).map(VariableId::new);
    builder.set_initial(vec![0; VARIABLES]).unwrap();
    builder.set_goal(ids().map(|id| Fact::new(id, 0)).collect()).unwrap();
    for number in 0..OPERATORS {
        let first = rng.below(VARIABLES as u32 - 2) as usize;
        let mut facts = || -> Vec<Fact> {
            (0..3).map(|i| Fact::new(VariableId::new(first + i), rng.below(VALUES))).collect()
        };
        let preconditions = facts();
        let effects = facts().into_iter().take(2).map(Effect::new).collect();
        let name = format!("o{number}");
        builder.add_operator(Operator { name, preconditions, effects, cost: MAX_COST }).unwrap();
    }
    builder.build()
}

/// All features of one fact, and as many of two as there shall be.
fn features() -> Vec<(i128, Vec<FeatureFact>)> {
    let mut rng = Rng::new(2);
    let facts: Vec<FeatureFact> = (0..VARIABLES)
        .flat_map(|v| (0..VALUES).map(move |d| FeatureFact::new(VariableId::new(v), Some(d))))
        .collect();
    let mut features: Vec<Vec<FeatureFact>> = facts.iter().map(|&fact| vec![fact]).collect();
    for (index, &first) in facts.iter().enumerate() {
        let later = facts[index + 1..].iter().filter(|fact| fact.variable > first.variable);
        features.extend(later.map(|&second| vec![first, second]));
    }
    features.truncate(FEATURES);
    let weight = |rng: &mut Rng| i128::from(rng.below(20_000_000)) - 10_000_000;
    features.into_iter().map(|facts| (weight(&mut rng), facts)).collect()
}

/// The certificate with all numbers times `factor`, and the constant that
/// makes φ(s⋆) 0.
fn certificate(task: &Task, factor: &BigInt) -> Certificate {
    let features = features();
    let in_goal = |facts: &[FeatureFact]| facts.iter().all(|fact| fact.value == Some(0));
    let goal: i128 =
        features.iter().filter(|(_, facts)| in_goal(facts)).map(|(weight, _)| weight).sum();
    let features = features.into_iter().map(|(weight, facts)| (factor * weight, facts));
    let denominator = factor * 10_000_000;
    Certificate::new(fingerprint(task), Claim::Bound(0), denominator, factor * -goal, features)
        .unwrap()
}

fn timed<T>(what: &str, action: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = action();
    let time = start.elapsed();
    println!("{what}: {time:?}");
    (result, time)
}

#[test]
fn a_hundred_thousand_features_and_a_thousand_operators_take_little_time() {
    let task = task();
    let second = Duration::from_secs(1);
    let cases = [("128", BigInt::from(1), second), ("more", BigInt::from(1) << 130, 4 * second)];
    for (bits, factor, limit) in cases {
        let certificate = certificate(&task, &factor);
        assert_eq!(certificate.feature_count(), FEATURES);
        let text = text(&certificate);
        let (read, _) = timed("reading", || read_certificate(&text).unwrap());
        assert_eq!(read, certificate);
        let (verified, time) =
            timed(&format!("verifying with {bits} bits"), || verify(&task, &read));
        assert_eq!(verified.unwrap().operators, OPERATORS as usize);
        assert!(time < limit, "{bits}: {time:?}");
    }
}

#[test]
fn variables_with_one_value_link_nothing() {
    let count = 100_000;
    let mut builder = TaskBuilder::new(true);
    let lamp = builder.add_variable(Variable::new("lamp", ["off", "on"])).unwrap();
    for number in 1..count {
        builder.add_variable(Variable::new(format!("v{number}"), ["so it is"])).unwrap();
    }
    let fact = |variable, value| Fact::new(VariableId::new(variable), value);
    builder.set_initial(vec![0; count]).unwrap();
    let goal = (0..count).map(|variable| fact(variable, u32::from(variable == 0)));
    builder.set_goal(goal.collect()).unwrap();
    let effects = vec![Effect::new(Fact::new(lamp, 1))];
    let (name, preconditions) = ("switch".to_owned(), vec![Fact::new(lamp, 0)]);
    builder.add_operator(Operator { name, preconditions, effects, cost: 4 }).unwrap();
    let task = builder.build();

    let facts = (0..count).map(|v| FeatureFact::new(VariableId::new(v), Some(0)));
    let features = [(4, facts.collect::<Vec<_>>())];
    let certificate = Certificate::new(fingerprint(&task), Claim::Bound(4), 1, 0, features);
    assert_eq!(verify(&task, &certificate.unwrap()).unwrap().dimension, count);
}
