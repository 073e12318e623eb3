//! The verifier accepts what explicit enumeration accepts, and nothing else.

use std::collections::BTreeMap;

use hipot_check::{
    BigInt, Certificate, Claim, FeatureFact, Rejection, Verified, Violation, fingerprint, verify,
};
use hipot_task::Task;
use hipot_testing::{RandomTask, Rng};

use super::Parts;
use super::explicit::Explicit;

pub(super) const TINY: RandomTask = RandomTask {
    variables: 4,
    derived: 0,
    domain: 3,
    operators: 4,
    cost: 3,
    percent_free: 20,
    percent_conditional: 0,
};

/// Random features of at most `dimension` facts with random weights, and a
/// claim near what they prove.
pub(super) fn random_parts(
    task: &Task,
    explicit: &Explicit,
    dimension: u32,
    rng: &mut Rng,
) -> Parts {
    let variables = task.variables().len();
    let mut features: BTreeMap<Vec<FeatureFact>, i128> = BTreeMap::new();
    for _ in 0..rng.below(7) {
        let mut chosen: BTreeMap<usize, FeatureFact> = BTreeMap::new();
        for _ in 0..=rng.below(dimension) {
            let variable = rng.below(variables as u32) as usize;
            let value = rng.below(explicit.domain_size(variable));
            chosen.insert(variable, explicit.fact(variable, value));
        }
        features.insert(chosen.into_values().collect(), i128::from(rng.below(9)) - 4);
    }
    let features = features.into_iter().map(|(facts, weight)| (weight, facts)).collect();
    let denominator = 1 + i128::from(rng.below(4));
    let claim = if rng.chance(25) { Claim::Unsolvable } else { Claim::Bound(0) };
    let (fingerprint, open, layers) = (fingerprint(task), explicit.open, explicit.layers.clone());
    let mut parts = Parts { fingerprint, claim, denominator, constant: 0, open, layers, features };
    aim(&mut parts, explicit, rng);
    parts
}

/// Shifts φ so that it is just goal-aware, or just not, and claims what it
/// then proves if it is consistent, or one more.
pub(super) fn aim(parts: &mut Parts, explicit: &Explicit, rng: &mut Rng) {
    let potentials = explicit.potentials(&parts.certificate());
    parts.constant -= potentials[explicit.goal] - i128::from(rng.chance(10));
    let initial = potentials[explicit.initial] + parts.constant;
    if let Claim::Bound(bound) = &mut parts.claim {
        let provable = initial.div_euclid(parts.denominator)
            + i128::from(initial.rem_euclid(parts.denominator) > 0);
        *bound = u64::try_from(provable).unwrap_or(0) + u64::from(rng.chance(10));
    }
}

/// φ = h*, by a feature for each state; dead ends are as far as the farthest
/// other state. It is a perfect certificate.
pub(super) fn perfect_parts(task: &Task, explicit: &Explicit) -> Parts {
    let distances = explicit.goal_distances();
    let farthest = distances.iter().flatten().max().copied().unwrap();
    let distance = |state: usize| distances[state].unwrap_or(farthest);
    let features =
        (0..explicit.states.len()).map(|state| (7 * distance(state), explicit.facts(state)));
    let bound = u64::try_from(distance(explicit.initial)).unwrap();
    Parts {
        fingerprint: fingerprint(task),
        claim: Claim::Bound(bound),
        denominator: 7,
        constant: 0,
        open: explicit.open,
        layers: explicit.layers.clone(),
        features: features.collect(),
    }
}

/// φ = 1 in dead ends, 0 elsewhere: a ray if the initial state is a dead end.
pub(super) fn dead_end_parts(task: &Task, explicit: &Explicit) -> Parts {
    let distances = explicit.goal_distances();
    let dead_ends = (0..explicit.states.len()).filter(|&state| distances[state].is_none());
    let features = dead_ends.map(|state| (1, explicit.facts(state))).collect();
    let (fingerprint, claim) = (fingerprint(task), Claim::Unsolvable);
    let (open, layers) = (explicit.open, explicit.layers.clone());
    Parts { fingerprint, claim, denominator: 1, constant: 0, open, layers, features }
}

/// An equal function with numbers for which 128 bits do not suffice.
fn scaled(certificate: &Certificate) -> Certificate {
    let factor = BigInt::from(1) << 130;
    let features = certificate.features().map(|(weight, facts)| (weight * &factor, facts));
    let (fingerprint, claim) = (certificate.fingerprint(), certificate.claim());
    let denominator = certificate.denominator() * &factor;
    let constant = certificate.constant() * &factor;
    let scaled = Certificate::new(fingerprint, claim, denominator, constant, features).unwrap();
    let scaled = scaled.with_open_values(certificate.open_values());
    scaled.with_layers(certificate.layers().to_vec())
}

fn numerator(text: &str, denominator: i128) -> i128 {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    above.parse::<i128>().unwrap() * denominator / below.parse::<i128>().unwrap()
}

/// The violation is what it says: some transition from its state.
fn check_violation(explicit: &Explicit, certificate: &Certificate, violation: &Violation) {
    let denominator = i128::try_from(certificate.denominator()).unwrap();
    let potentials = explicit.potentials(certificate);
    let source = (0..explicit.states.len())
        .find(|&state| explicit.facts(state) == violation.state)
        .expect("the state is a state");
    let [before, after, excess] = [&violation.before, &violation.after, &violation.excess]
        .map(|text| numerator(text, denominator));
    assert_eq!(potentials[source], before);
    assert_eq!(before - after - i128::from(violation.allowed) * denominator, excess);
    assert!(excess > 0);
    let is_it = |&&(from, cost, to): &&(usize, i128, usize)| {
        let allowed = if certificate.claim() == Claim::Unsolvable { 0 } else { cost };
        from == source && potentials[to] == after && allowed == i128::from(violation.allowed)
    };
    assert!(explicit.transitions.iter().find(is_it).is_some(), "{violation}");
}

/// Verifies, and compares with explicit enumeration.
pub(super) fn verify_both(
    task: &Task,
    explicit: &Explicit,
    certificate: &Certificate,
) -> Result<Verified, Rejection> {
    let result = verify(task, certificate);
    assert_eq!(result.is_ok(), explicit.accepts(certificate), "{result:?}\n{certificate:?}");
    assert_eq!(result, verify(task, &scaled(certificate)), "128 bits and more agree");
    if let Ok(verified) = &result {
        assert_eq!(verified.operators, explicit.operator_count());
    }
    if let Err(Rejection::Inconsistent(violation)) = &result {
        check_violation(explicit, certificate, violation);
    }
    result
}

#[test]
fn random_functions_are_accepted_iff_enumeration_accepts_them() {
    let (mut accepted, mut rejected) = ([0; 2], BTreeMap::new());
    for seed in 0..30_000 {
        let task = TINY.generate(seed);
        let explicit = Explicit::new(&task);
        let mut rng = Rng::new(!seed);
        let dimension = 1 + rng.below(4);
        let certificate = random_parts(&task, &explicit, dimension, &mut rng).certificate();
        match verify_both(&task, &explicit, &certificate) {
            Ok(verified) => accepted[usize::from(verified.claim == Claim::Unsolvable)] += 1,
            Err(Rejection::Inconsistent(_)) => *rejected.entry("consistency").or_insert(0) += 1,
            Err(Rejection::GoalNotAware { .. }) => *rejected.entry("goal").or_insert(0) += 1,
            Err(Rejection::BoundNotReached { .. }) => *rejected.entry("bound").or_insert(0) += 1,
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    assert!(accepted[0] > 1000 && accepted[1] > 10, "accepted {accepted:?}");
    assert!(rejected.values().all(|&count| count > 1000), "rejected {rejected:?}");
}

#[test]
fn perfect_functions_are_accepted_and_nothing_better() {
    let shape = RandomTask { variables: 3, operators: 8, ..TINY };
    let (mut positive, mut unsolvable, mut binding) = (0, 0, 0);
    for seed in 0..3000 {
        let task = shape.generate(seed);
        let explicit = Explicit::new(&task);
        let parts = perfect_parts(&task, &explicit);
        let verified = verify_both(&task, &explicit, &parts.certificate()).unwrap();
        let Claim::Bound(bound) = parts.claim else { unreachable!() };
        assert_eq!(verified.initial, bound.to_string());
        positive += usize::from(bound > 0);

        let more = Parts { claim: Claim::Bound(bound + 1), ..parts.clone() };
        let rejection = verify_both(&task, &explicit, &more.certificate()).unwrap_err();
        assert!(matches!(rejection, Rejection::BoundNotReached { .. }), "{rejection}");

        // On the way of an optimal plan, every constraint is binding.
        let mut raised = parts.clone();
        raised.features[explicit.initial].0 += 1;
        let on_the_way = bound > 0 && explicit.goal_distances()[explicit.initial].is_some();
        let result = verify_both(&task, &explicit, &raised.certificate());
        if on_the_way {
            assert!(matches!(result, Err(Rejection::Inconsistent(_))), "{result:?}");
            binding += 1;
        }

        let dead_end = explicit.goal_distances()[explicit.initial].is_none();
        let ray = dead_end_parts(&task, &explicit).certificate();
        let result = verify_both(&task, &explicit, &ray);
        assert_eq!(result.is_ok(), dead_end, "seed {seed}: {result:?}");
        unsolvable += usize::from(dead_end);
    }
    assert!(
        positive > 200 && unsolvable > 300 && binding > 150,
        "{positive} {unsolvable} {binding}"
    );
}

#[test]
fn nothing_proves_a_bound_of_zero() {
    for seed in 0..500 {
        let task = TINY.generate(seed);
        let features: [(i128, Vec<FeatureFact>); 0] = [];
        let zero = Certificate::new(fingerprint(&task), Claim::Bound(0), 1, 0, features).unwrap();
        let verified = verify(&task, &zero).unwrap();
        assert_eq!((verified.initial.as_str(), verified.dimension), ("0", 0));
    }
}
