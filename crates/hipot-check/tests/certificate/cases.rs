//! Certificates about the normal form by cases.

use hipot_check::mutexes::Layer;
use hipot_check::{Claim, OpenValues, Rejection, read_certificate, verify};
use hipot_task::Task;
use hipot_testing::{RandomTask, Rng, StateSpace};

use super::explicit::Explicit;
use super::malformed::message;
use super::mutexes::{check_claim, layers, optimal_cost, tasks};
use super::soundness::{TINY, dead_end_parts, perfect_parts, random_parts, verify_both};
use super::{door, text};

/// Tasks with the layers of h², where these leave a plan, or every second time
/// without layers.
fn some_tasks(shape: RandomTask, count: u64) -> impl Iterator<Item = (u64, Task, Vec<Layer>)> {
    let with_layers = tasks(shape, count).filter(|(seed, ..)| seed.is_multiple_of(2));
    let without = (0..count).filter(|seed| !seed.is_multiple_of(2));
    with_layers.chain(without.map(move |seed| (seed, shape.generate(seed), Vec::new())))
}

#[test]
fn random_functions_are_accepted_iff_enumeration_accepts_them() {
    let (mut accepted, mut rejected, mut thanks_to_cases) = ([0; 2], 0, 0);
    for (seed, task, layers) in some_tasks(TINY, 12_000) {
        let explicit = Explicit::by_cases(&task, &layers);
        let mut rng = Rng::new(!seed);
        let dimension = 1 + rng.below(4);
        let certificate = random_parts(&task, &explicit, dimension, &mut rng).certificate();
        assert_eq!(read_certificate(&text(&certificate)).unwrap(), certificate);
        match verify_both(&task, &explicit, &certificate) {
            Ok(verified) => {
                check_claim(&task, verified.claim);
                accepted[usize::from(verified.claim == Claim::Unsolvable)] += 1;
                let tampered = certificate.with_open_values(OpenValues::Unknown);
                thanks_to_cases += usize::from(verify(&task, &tampered).is_err());
            }
            Err(
                Rejection::Inconsistent(_)
                | Rejection::GoalNotAware { .. }
                | Rejection::BoundNotReached { .. },
            ) => rejected += 1,
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    assert!(accepted[0] > 500 && accepted[1] > 5, "{accepted:?}");
    assert!(rejected > 500 && thanks_to_cases > 100, "{rejected} {thanks_to_cases}");
}

/// What holds with the value unknown holds by cases, so that saying so of a
/// certificate does no harm, and a false claim is true in neither form.
#[test]
fn the_other_form_accepts_no_less() {
    let (mut same, mut never_unknown) = (0, 0);
    for (seed, task, layers) in some_tasks(TINY, 12_000) {
        let explicit =
            if layers.is_empty() { Explicit::new(&task) } else { Explicit::under(&task, &layers) };
        let mut rng = Rng::new(seed);
        let certificate = random_parts(&task, &explicit, 3, &mut rng).certificate();
        let Ok(verified) = verify(&task, &certificate) else { continue };
        check_claim(&task, verified.claim);
        match verify(&task, &certificate.with_open_values(OpenValues::Cases)) {
            Ok(other) => {
                assert_eq!(other.initial, verified.initial, "seed {seed}");
                same += 1;
            }
            Err(Rejection::UnknownFact { fact, .. }) => {
                assert_eq!(fact.value, None);
                never_unknown += 1;
            }
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    assert!(same > 500 && never_unknown > 10, "{same} {never_unknown}");
}

#[test]
fn perfect_functions_prove_the_optimal_cost_and_nothing_more() {
    let shape = RandomTask { variables: 3, operators: 8, ..TINY };
    let (mut binding, mut unsolvable) = (0, 0);
    for (seed, task, layers) in some_tasks(shape, 2500) {
        let explicit = Explicit::by_cases(&task, &layers);
        let parts = perfect_parts(&task, &explicit);
        verify_both(&task, &explicit, &parts.certificate()).unwrap();
        let Claim::Bound(bound) = parts.claim else { unreachable!() };
        let Some(cost) = optimal_cost(&task) else {
            if layers.is_empty() {
                let ray = dead_end_parts(&task, &explicit).certificate();
                verify_both(&task, &explicit, &ray).unwrap();
                unsolvable += 1;
            }
            continue;
        };
        assert_eq!(bound, cost, "seed {seed}");
        if bound > 0 {
            let mut raised = parts.clone();
            raised.features[explicit.initial].0 += 1;
            let result = verify_both(&task, &explicit, &raised.certificate());
            assert!(matches!(result, Err(Rejection::Inconsistent(_))), "{result:?}");
            binding += 1;
        }
    }
    assert!(binding > 100 && unsolvable > 100, "{binding} {unsolvable}");
}

/// All states of the task, and not only the initial one, keep their cost.
#[test]
fn the_form_keeps_the_optimal_cost_of_every_state() {
    let shape = RandomTask { operators: 8, ..TINY };
    let mut cases = 0;
    for seed in 0..1500 {
        let task = shape.generate(seed);
        let explicit = Explicit::by_cases(&task, &[]);
        let distances = explicit.goal_distances();
        let space = StateSpace::explore(&task, 10_000).unwrap();
        for (state, cost) in space.states.iter().zip(&space.goal_distances) {
            let index = explicit.states.binary_search(state).unwrap();
            assert_eq!(distances[index], cost.map(i128::from), "seed {seed}, state {state:?}");
        }
        cases += usize::from(explicit.operator_count() > Explicit::new(&task).operator_count());
    }
    assert!(cases > 300, "{cases}");
}

#[test]
fn the_door_is_forgotten_where_the_robot_is_inside() {
    let mut parts = door::parts();
    parts.open = OpenValues::Cases;
    let verified = verify(&door::task(), &parts.certificate()).unwrap();
    assert_eq!((verified.initial.as_str(), verified.operators), ("5", 4));
    // Outside, it may be worth nothing that the door is unknown.
    parts.features.pop();
    assert!(verify(&door::task(), &parts.certificate()).is_ok());
    parts.open = OpenValues::Unknown;
    assert_eq!(
        verify(&door::task(), &parts.certificate()).unwrap_err().to_string(),
        "the potential is not consistent: where door = 'closed', robot = 'outside', operator \
         'forget door = 'closed'' takes it from 5 to 3, which is 2 more than its cost of 0"
    );
}

const RIGHT: &str = "\
hipot certificate 3
task sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
claim bound 23
denominator 10
constant -51
open cases
layers 1
layer forward 1
0=1 2=0
features 1
12 0=1 3=u
end
";

/// The message for `RIGHT` with one part replaced.
fn replaced(old: &str, new: &str) -> String {
    assert_eq!(RIGHT.matches(old).count(), 1, "{old}");
    message(&RIGHT.replace(old, new))
}

#[test]
fn the_right_text_is_read() {
    let certificate = read_certificate(RIGHT).unwrap();
    assert_eq!(text(&certificate), RIGHT);
    assert_eq!((certificate.open_values(), certificate.layers().len()), (OpenValues::Cases, 1));
    let without = certificate.clone().with_layers(Vec::new());
    assert!(text(&without).contains("\nopen cases\nlayers 0\nfeatures 1\n"));
    assert_eq!(read_certificate(&text(&without)).unwrap(), without);
    let unknown = certificate.with_open_values(OpenValues::Unknown);
    assert!(text(&unknown).starts_with("hipot certificate 2\n"));
    assert_eq!(read_certificate(&text(&unknown)).unwrap(), unknown);
}

#[test]
fn wrong_texts_have_their_messages() {
    assert_eq!(
        replaced("certificate 3", "certificate 2"),
        "line 6, column 1: expected 'layers', found 'open'"
    );
    assert_eq!(
        replaced("certificate 3", "certificate 1"),
        "line 6, column 1: expected 'features', found 'open'"
    );
    assert_eq!(replaced("open cases\n", ""), "line 6, column 1: expected 'open', found 'layers'");
    for wrong in ["unknown", "Cases"] {
        assert_eq!(
            replaced("open cases", &format!("open {wrong}")),
            format!("line 6, column 6: expected 'cases', found '{wrong}'")
        );
    }
    assert_eq!(
        replaced("open cases", "open cases cases"),
        "line 6, column 12: expected the end of the line, found 'cases'"
    );
    assert_eq!(
        replaced("layers 1\nlayer forward 1\n0=1 2=0\n", ""),
        "line 7, column 1: expected 'layers', found 'features'"
    );
    super::malformed::garble(RIGHT);
}

#[test]
fn a_variable_that_is_never_unknown_is_named() {
    let shape = RandomTask { variables: 2, operators: 3, ..TINY };
    let mut found = 0;
    for seed in 0..500 {
        let task = shape.generate(seed);
        let explicit = Explicit::new(&task);
        let parts = perfect_parts(&task, &explicit);
        let certificate = parts.certificate().with_open_values(OpenValues::Cases);
        let layered = certificate.clone().with_layers(layers(&task));
        for (certificate, end) in
            [(certificate, "case by case"), (layered, "case by case, or mutexes imply its value")]
        {
            if let Err(rejection @ Rejection::UnknownFact { .. }) = verify(&task, &certificate) {
                assert!(rejection.to_string().ends_with(end), "{rejection}");
                found += 1;
            }
        }
    }
    assert!(found > 50, "{found}");
}
