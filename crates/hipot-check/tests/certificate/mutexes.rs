//! Certificates that rest on mutexes, for random tasks.

use hipot_analysis::h2;
use hipot_check::mutexes::{Direction, Layer, check};
use hipot_check::{
    Certificate, Claim, FeatureFact, Rejection, fingerprint, read_certificate, verify,
};
use hipot_task::{Fact, Limits, Task, VariableId};
use hipot_testing::{RandomTask, Rng, StateSpace};

use super::explicit::Explicit;
use super::soundness::{TINY, aim, perfect_parts, random_parts, verify_both};
use super::{Parts, text};

/// The layers that h² finds.
pub(super) fn layers(task: &Task) -> Vec<Layer> {
    let found = h2::h2(task, &h2::Params::default(), &Limits::none()).unwrap();
    let layer = |layer: &h2::Layer| {
        let direction = match layer.direction {
            h2::Direction::Forward => Direction::Forward,
            h2::Direction::Backward => Direction::Backward,
        };
        Layer::new(task, direction, layer.mutexes.pairs()).unwrap()
    };
    found.layers().iter().map(layer).collect()
}

pub(super) fn is_excluded(task: &Task, layers: &[Layer]) -> bool {
    check(task, layers).unwrap().is_unsolvable()
}

pub(super) fn optimal_cost(task: &Task) -> Option<u64> {
    StateSpace::explore(task, 10_000).unwrap().optimal_cost()
}

/// Nothing accepted is false.
pub(super) fn check_claim(task: &Task, claim: Claim) {
    match (claim, optimal_cost(task)) {
        (Claim::Bound(bound), Some(cost)) => assert!(bound <= cost),
        (Claim::Unsolvable, cost) => assert_eq!(cost, None),
        (Claim::Bound(_), None) => {}
    }
}

/// Tasks with their layers and number, where the layers leave a plan.
pub(super) fn tasks(
    shape: RandomTask,
    count: u64,
) -> impl Iterator<Item = (u64, Task, Vec<Layer>)> {
    let with_layers = move |seed| {
        let task = shape.generate(seed);
        let layers = layers(&task);
        (seed, task, layers)
    };
    (0..count).map(with_layers).filter(|(_, task, layers)| !is_excluded(task, layers))
}

#[test]
fn random_functions_are_accepted_iff_enumeration_accepts_them() {
    let (mut accepted, mut rejected, mut thanks_to_mutexes) = ([0; 2], 0, 0);
    for (seed, task, layers) in tasks(TINY, 12_000) {
        let explicit = Explicit::under(&task, &layers);
        let mut rng = Rng::new(!seed);
        let dimension = 1 + rng.below(4);
        let certificate = random_parts(&task, &explicit, dimension, &mut rng).certificate();
        assert_eq!(read_certificate(&text(&certificate)).unwrap(), certificate);
        match verify_both(&task, &explicit, &certificate) {
            Ok(verified) => {
                check_claim(&task, verified.claim);
                accepted[usize::from(verified.claim == Claim::Unsolvable)] += 1;
                let without = certificate.with_layers(Vec::new());
                thanks_to_mutexes += usize::from(verify(&task, &without).is_err());
            }
            Err(
                Rejection::Inconsistent(_)
                | Rejection::GoalNotAware { .. }
                | Rejection::BoundNotReached { .. },
            ) => rejected += 1,
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    assert!(accepted[0] > 500 && rejected > 500, "accepted {accepted:?}, rejected {rejected}");
    assert!(thanks_to_mutexes > 100, "{thanks_to_mutexes}");
}

/// The least denominator for which no transition lets φ fall too far, if
/// there is one.
fn least_denominator(explicit: &Explicit, potentials: &[i128]) -> Option<i128> {
    let mut least = 1;
    for &(source, cost, target) in &explicit.transitions {
        let fall = potentials[source] - potentials[target];
        if fall > 0 {
            if cost == 0 {
                return None;
            }
            least = least.max((fall + cost - 1) / cost);
        }
    }
    Some(least)
}

/// A feature that some transition makes false which lets φ fall just as far as
/// it may.
fn binding_feature(explicit: &Explicit, parts: &Parts, potentials: &[i128]) -> Option<usize> {
    let holds = |index: usize, state: usize| {
        let facts = explicit.facts(state);
        parts.features[index].1.iter().all(|fact| facts.contains(fact))
    };
    explicit.transitions.iter().find_map(|&(source, cost, target)| {
        let binds = potentials[source] - potentials[target] == cost * parts.denominator;
        let is_lost = |&index: &usize| holds(index, source) && !holds(index, target);
        (0..parts.features.len()).filter(|_| binds).find(is_lost)
    })
}

#[test]
fn functions_are_accepted_up_to_the_binding_constraint() {
    let shape = RandomTask { operators: 8, percent_free: 0, ..TINY };
    let (mut scaled, mut raised) = (0, 0);
    for (seed, task, layers) in tasks(shape, 8000) {
        let explicit = Explicit::under(&task, &layers);
        let mut rng = Rng::new(seed);
        let mut parts = random_parts(&task, &explicit, 3, &mut rng);
        parts.claim = Claim::Bound(0);
        parts.constant = 0;
        let potentials = explicit.potentials(&parts.certificate());
        let Some(denominator) = least_denominator(&explicit, &potentials) else { continue };
        parts.denominator = denominator;
        if !aim_low(&mut parts, &explicit) {
            continue;
        }
        let verified = verify_both(&task, &explicit, &parts.certificate()).unwrap();
        check_claim(&task, verified.claim);

        if denominator > 1 {
            let (claim, denominator) = (Claim::Bound(0), denominator - 1);
            let steeper = Parts { claim, denominator, ..parts.clone() };
            let result = verify_both(&task, &explicit, &steeper.certificate());
            assert!(matches!(result, Err(Rejection::Inconsistent(_))), "seed {seed}: {result:?}");
            scaled += 1;
        }
        let Some(feature) = binding_feature(&explicit, &parts, &potentials) else { continue };
        parts.features[feature].0 += 1;
        if aim_low(&mut parts, &explicit) {
            let result = verify_both(&task, &explicit, &parts.certificate());
            assert!(matches!(result, Err(Rejection::Inconsistent(_))), "seed {seed}: {result:?}");
            raised += 1;
        }
    }
    assert!(scaled > 100 && raised > 100, "{scaled} {raised}");
}

/// Makes φ 0 in the goal state and claims what it then proves; false where
/// that is nothing, because φ is negative in the initial state.
pub(super) fn aim_low(parts: &mut Parts, explicit: &Explicit) -> bool {
    let potentials = explicit.potentials(&parts.certificate());
    parts.constant -= potentials[explicit.goal];
    let initial = potentials[explicit.initial] - potentials[explicit.goal];
    let bound = (initial + parts.denominator - 1).div_euclid(parts.denominator);
    parts.claim = Claim::Bound(u64::try_from(bound).unwrap_or(0));
    initial >= 0
}

#[test]
fn perfect_functions_prove_the_optimal_cost_and_nothing_more() {
    let shape = RandomTask { variables: 3, operators: 8, ..TINY };
    let mut binding = 0;
    for (seed, task, layers) in tasks(shape, 2500) {
        let explicit = Explicit::under(&task, &layers);
        let parts = perfect_parts(&task, &explicit);
        verify_both(&task, &explicit, &parts.certificate()).unwrap();
        let Claim::Bound(bound) = parts.claim else { unreachable!() };
        let Some(cost) = optimal_cost(&task) else { continue };
        assert_eq!(bound, cost, "seed {seed}");
        if bound > 0 {
            let mut raised = parts.clone();
            raised.features[explicit.initial].0 += 1;
            let result = verify_both(&task, &explicit, &raised.certificate());
            assert!(matches!(result, Err(Rejection::Inconsistent(_))), "{result:?}");
            binding += 1;
        }
    }
    assert!(binding > 100, "{binding}");
}

#[test]
fn a_pair_of_a_state_of_a_plan_is_rejected_in_every_layer() {
    let mut tampered = 0;
    for (seed, task, layers) in tasks(TINY, 800) {
        let space = StateSpace::explore(&task, 10_000).unwrap();
        let mut rng = Rng::new(seed);
        let on_plans: Vec<usize> =
            (0..space.states.len()).filter(|&it| space.goal_distances[it].is_some()).collect();
        if on_plans.is_empty() {
            continue;
        }
        let state = &space.states[on_plans[rng.below(on_plans.len() as u32) as usize]];
        let [first, second] = [(); 2].map(|()| {
            let variable = rng.below(state.len() as u32) as usize;
            Fact::new(VariableId::new(variable), state[variable])
        });
        for index in 0..layers.len() {
            let pairs = layers[index].rows().flat_map(|(fact, partners)| {
                partners.iter().map(move |&partner| (fact, partner)).collect::<Vec<_>>()
            });
            let pairs = pairs.chain([(first, second)]);
            let mut layers = layers.clone();
            layers[index] = Layer::new(&task, layers[index].direction(), pairs).unwrap();
            let rejected = verify(&task, &zero(&task, Claim::Bound(0)).with_layers(layers));
            assert!(matches!(rejected, Err(Rejection::Mutexes { .. })), "seed {seed}");
            tampered += 1;
        }
    }
    assert!(tampered > 300, "{tampered}");
}

/// φ = 0.
fn zero(task: &Task, claim: Claim) -> Certificate {
    let features: [(i128, Vec<FeatureFact>); 0] = [];
    Certificate::new(fingerprint(task), claim, 1, 0, features).unwrap()
}

#[test]
fn without_pairs_nothing_changes() {
    let (mut accepted, mut rejected) = (0, 0);
    for seed in 0..4000 {
        let task = TINY.generate(seed);
        if task.variables().iter().any(|variable| variable.domain_size() == 1) {
            // Its value is implied, without any pair.
            continue;
        }
        let explicit = Explicit::new(&task);
        let mut rng = Rng::new(seed);
        let mut parts = random_parts(&task, &explicit, 3, &mut rng);
        aim(&mut parts, &explicit, &mut rng);
        let certificate = parts.certificate();
        let result = verify(&task, &certificate);
        assert_eq!(verify(&task, &certificate.clone().with_layers(Vec::new())), result);
        let empty = vec![Layer::new(&task, Direction::Backward, []).unwrap()];
        let same = verify(&task, &certificate.with_layers(empty));
        match (result, same) {
            (Ok(one), Ok(other)) => {
                assert_eq!((other.layers, other.mutexes), (1, 0));
                assert_eq!((&one.initial, one.operators), (&other.initial, other.operators));
                accepted += 1;
            }
            (one, other) => {
                assert_eq!(one, other);
                rejected += 1;
            }
        }
    }
    assert!(accepted > 100 && rejected > 100, "{accepted} {rejected}");
}

#[test]
fn mutexes_alone_prove_that_there_is_no_plan() {
    let mut excluded = 0;
    for seed in 0..2000 {
        let task = TINY.generate(seed);
        let layers = layers(&task);
        let result = verify(&task, &zero(&task, Claim::Unsolvable).with_layers(layers.clone()));
        if is_excluded(&task, &layers) {
            let verified = result.unwrap();
            assert_eq!((verified.initial.as_str(), verified.operators), ("0", 0));
            assert_eq!(optimal_cost(&task), None);
            let bound = verify(&task, &zero(&task, Claim::Bound(1)).with_layers(layers));
            assert!(matches!(bound, Err(Rejection::BoundNotReached { .. })));
            excluded += 1;
        } else {
            assert!(matches!(result, Err(Rejection::BoundNotReached { .. })), "{result:?}");
        }
    }
    assert!(excluded > 200, "{excluded}");
}
