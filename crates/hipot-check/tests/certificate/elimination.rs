//! Features that link many variables: what the verifier eliminates.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use hipot_check::mutexes::Layer;
use hipot_check::{
    Certificate, Claim, FeatureFact, MAX_JOINT_VALUES, Rejection, fingerprint, verify,
};
use hipot_task::{Effect, Fact, Operator, Task, TaskBuilder, Variable, VariableId};
use hipot_testing::Rng;

use super::Parts;
use super::explicit::Explicit;
use super::mutexes::{aim_low, is_excluded, layers};
use super::soundness::verify_both;

/// A task with these initial values, of variables with so many values, and with
/// operators ⟨preconditions, effects, cost⟩; the goal asks for everything.
fn task(sizes: &[u32], initial: &[u32], operators: Vec<(Vec<Fact>, Vec<Fact>, u32)>) -> Task {
    let mut builder = TaskBuilder::new(true);
    for (number, &size) in sizes.iter().enumerate() {
        let values = (0..size).map(|value| format!("v{number}={value}"));
        builder.add_variable(Variable::new(format!("v{number}"), values)).unwrap();
    }
    builder.set_initial(initial.to_vec()).unwrap();
    let goal = (0..sizes.len()).map(|variable| Fact::new(VariableId::new(variable), 0));
    builder.set_goal(goal.collect()).unwrap();
    for (number, (preconditions, effects, cost)) in operators.into_iter().enumerate() {
        let effects = effects.into_iter().map(Effect::new).collect();
        let name = format!("o{number}");
        builder.add_operator(Operator { name, preconditions, effects, cost }).unwrap();
    }
    builder.build()
}

/// A random task in transition normal form, no operator of which is free: so
/// every function is consistent over a denominator that is large enough. The
/// operators, in the opposite order, are a plan, some aside.
fn random_task(rng: &mut Rng) -> Task {
    let sizes: Vec<u32> = (0..4 + rng.below(3)).map(|_| 2 + rng.below(2)).collect();
    let mut state = vec![0; sizes.len()];
    let mut operators = Vec::new();
    for _ in 0..3 + rng.below(6) {
        let mut before = state.clone();
        let mentioned: BTreeSet<usize> =
            (0..=rng.below(2)).map(|_| rng.below(sizes.len() as u32) as usize).collect();
        for &variable in &mentioned {
            before[variable] = rng.below(sizes[variable]);
        }
        let facts = |state: &[u32]| -> Vec<Fact> {
            mentioned.iter().map(|&v| Fact::new(VariableId::new(v), state[v])).collect()
        };
        operators.push((facts(&before), facts(&state), 1 + rng.below(3)));
        if rng.chance(80) {
            state = before;
        }
    }
    task(&sizes, &state, operators)
}

/// Many features of up to four facts, not all of which are possible; the
/// potential of the initial state is not negative, that of the goal is 0.
fn random_parts(task: &Task, explicit: &Explicit, rng: &mut Rng) -> Parts {
    let mut features: BTreeMap<Vec<FeatureFact>, i128> = BTreeMap::new();
    for _ in 0..10 + rng.below(20) {
        let mut chosen: BTreeMap<usize, FeatureFact> = BTreeMap::new();
        for _ in 0..=rng.below(4) {
            let variable = rng.below(task.variables().len() as u32) as usize;
            let value = rng.below(explicit.domain_size(variable));
            chosen.insert(variable, explicit.fact(variable, value));
        }
        features.insert(chosen.into_values().collect(), i128::from(rng.below(21)) - 10);
    }
    let mut parts = Parts {
        fingerprint: fingerprint(task),
        claim: Claim::Bound(0),
        denominator: 1,
        constant: 0,
        open: explicit.open,
        layers: explicit.layers.clone(),
        features: features.into_iter().map(|(facts, weight)| (weight, facts)).collect(),
    };
    if !aim_low(&mut parts, explicit) {
        for (weight, _) in &mut parts.features {
            *weight = -*weight;
        }
        parts.constant = 0;
        assert!(aim_low(&mut parts, explicit));
    }
    parts
}

/// The least denominator over which the function is consistent.
fn least_denominator(explicit: &Explicit, parts: &Parts) -> i128 {
    let potentials = explicit.potentials(&parts.certificate());
    let needed = |&(source, cost, target): &(usize, i128, usize)| {
        (potentials[source] - potentials[target] + cost - 1).div_euclid(cost)
    };
    explicit.transitions.iter().map(needed).max().unwrap_or(1).max(1)
}

/// Accepted over the least denominator and over no smaller one; says how many
/// smaller ones there are to try.
fn check_least_denominator(task: &Task, layers: &[Layer], rng: &mut Rng) -> i128 {
    let explicit =
        if layers.is_empty() { Explicit::new(task) } else { Explicit::under(task, layers) };
    let mut parts = random_parts(task, &explicit, rng);
    let least = least_denominator(&explicit, &parts);
    parts.denominator = least;
    aim_low(&mut parts, &explicit);
    verify_both(task, &explicit, &parts.certificate()).unwrap();
    if least > 1 {
        parts.denominator -= 1;
        aim_low(&mut parts, &explicit);
        let result = verify_both(task, &explicit, &parts.certificate());
        assert!(matches!(result, Err(Rejection::Inconsistent(_))), "{result:?}");
    }
    least - 1
}

#[test]
fn the_least_denominator_is_the_one_that_enumeration_finds() {
    let (mut without, mut with) = (0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let task = random_task(&mut rng);
        without += i32::from(check_least_denominator(&task, &[], &mut rng) > 0);
        let layers = layers(&task);
        if !layers.is_empty() && !is_excluded(&task, &layers) {
            with += i32::from(check_least_denominator(&task, &layers, &mut rng) > 0);
        }
    }
    assert!(without > 500 && with > 50, "{without} {with}");
}

/// One operator for a switch, and features that say something about the other
/// variables where it is off.
struct Switch {
    task: Task,
    /// ⟨weight, facts beside the switch⟩.
    contexts: Vec<(i128, Vec<FeatureFact>)>,
}

impl Switch {
    fn new(variables: usize, size: u32) -> Self {
        let sizes = [&[2], &vec![size; variables][..]].concat();
        let initial = [&[1], &vec![0; variables][..]].concat();
        let switch = |value| vec![Fact::new(VariableId::new(0), value)];
        let task = task(&sizes, &initial, vec![(switch(1), switch(0), 1)]);
        Self { task, contexts: Vec::new() }
    }

    fn add(&mut self, weight: i128, facts: &[(usize, u32)]) {
        let fact = |&(v, value): &(usize, u32)| FeatureFact::new(VariableId::new(v), Some(value));
        self.contexts.push((weight, facts.iter().map(fact).collect()));
    }

    fn verify(&self, denominator: i128) -> Result<(), Rejection> {
        let off = FeatureFact::new(VariableId::new(0), Some(1));
        let features = self.contexts.iter();
        let features = features.map(|(weight, facts)| (*weight, [&[off], &facts[..]].concat()));
        let fingerprint = fingerprint(&self.task);
        let certificate = Certificate::new(fingerprint, Claim::Bound(0), denominator, 0, features);
        verify(&self.task, &certificate.unwrap()).map(|_| ())
    }

    /// The weights of all pairs of variables from 1 on are 1 where both are on.
    fn clique(variables: usize) -> Self {
        let mut switch = Self::new(variables, 2);
        for one in 1..=variables {
            for other in 1..one {
                switch.add(1, &[(other, 1), (one, 1)]);
            }
        }
        switch
    }
}

const SECOND: Duration = Duration::from_secs(1);

/// Weights for each joint value of three neighbors in a chain; the greatest sum
/// by looking at the last two variables only.
#[test]
fn a_long_chain_takes_little_time() {
    const VARIABLES: usize = 40;
    const SIZE: u32 = 4;
    let mut rng = Rng::new(7);
    let mut switch = Switch::new(VARIABLES, SIZE);
    let pairs = (0..SIZE).flat_map(|a| (0..SIZE).map(move |b| (a, b)));
    let mut best: BTreeMap<(u32, u32), i128> = pairs.map(|pair| (pair, 0)).collect();
    for first in 1..=VARIABLES - 2 {
        let mut next: BTreeMap<(u32, u32), i128> = BTreeMap::new();
        for (&(a, b), &sum) in &best {
            for c in 0..SIZE {
                let weight = 1 + i128::from(rng.below(1000));
                switch.add(weight, &[(first, a), (first + 1, b), (first + 2, c)]);
                let entry = next.entry((b, c)).or_insert(0);
                *entry = (sum + weight).max(*entry);
            }
        }
        best = next;
    }
    let greatest = best.values().copied().max().unwrap();
    let start = Instant::now();
    switch.verify(greatest).unwrap();
    let message = switch.verify(greatest - 1).unwrap_err().to_string();
    let time = start.elapsed();
    println!("a chain of {VARIABLES} variables, twice: {time:?}");
    let fall = format!(
        "and 29 more facts, operator 'o0' takes it from {greatest}/{} to 0, which is 1/{0} more \
         than its cost of 1",
        greatest - 1
    );
    assert!(message.ends_with(&fall), "{message}");
    assert!(time < SECOND, "{time:?}");
}

#[test]
fn many_variables_in_a_chain_of_pairs_are_no_problem() {
    let mut switch = Switch::new(5000, 2);
    for v in 1..5000 {
        switch.add(1, &[(v, v as u32 % 2), (v + 1, (v as u32 + 1) % 2)]);
    }
    switch.verify(4999).unwrap();
    assert!(matches!(switch.verify(4998), Err(Rejection::Inconsistent(_))));
}

#[test]
fn small_cliques_are_checked_and_large_ones_refused() {
    // The buckets have 2ⁿ + 2ⁿ⁻¹ + … + 2 joint values.
    const { assert!(MAX_JOINT_VALUES >= (1 << 21) - 2 && MAX_JOINT_VALUES < (1 << 22) - 2) };
    let small = Switch::clique(20);
    small.verify(190).unwrap();
    assert!(matches!(small.verify(189), Err(Rejection::Inconsistent(_))));

    let message = "the certificate is too hard to check: for operator 'o0', its features link v1, \
                   v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12 and 9 more variables so closely \
                   that more than 4000000 joint values matter";
    assert_eq!(Switch::clique(21).verify(1).unwrap_err().to_string(), message);

    let large = Switch::clique(300);
    let start = Instant::now();
    assert!(matches!(large.verify(1), Err(Rejection::TooLarge { .. })));
    assert!(start.elapsed() < 5 * SECOND, "{:?}", start.elapsed());
}

#[test]
fn a_feature_of_very_many_facts_is_refused() {
    let mut switch = Switch::new(50_000, 2);
    let all: Vec<(usize, u32)> = (1..=50_000).map(|variable| (variable, 1)).collect();
    switch.add(1, &all);
    assert!(matches!(switch.verify(1), Err(Rejection::TooLarge { .. })));
    assert!(matches!(switch.verify(2), Err(Rejection::TooLarge { .. })));
}
