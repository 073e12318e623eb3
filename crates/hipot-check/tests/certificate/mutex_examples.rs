//! Certificates that rest on mutexes, by hand.

use hipot_check::mutexes::{self, Direction, Layer};
use hipot_check::{
    Certificate, Claim, FeatureFact, Rejection, fingerprint, read_certificate, verify,
};
use hipot_task::{Effect, Fact, Operator, Task, TaskBuilder, Variable, VariableId};

use super::mutexes::optimal_cost;
use super::text;

/// A lamp and its light: for 3, pressing the button turns both on. It does not
/// ask for the light, which the goal leaves open as well.
pub(super) fn lamp() -> Task {
    let mut builder = TaskBuilder::new(true);
    let lamp = builder.add_variable(Variable::new("lamp", ["off", "on"])).unwrap();
    let light = builder.add_variable(Variable::new("light", ["dark", "bright"])).unwrap();
    builder.set_initial(vec![0, 0]).unwrap();
    builder.set_goal(vec![Fact::new(lamp, 1)]).unwrap();
    let effects = vec![Effect::new(Fact::new(lamp, 1)), Effect::new(Fact::new(light, 1))];
    let (name, preconditions) = ("press".to_owned(), vec![Fact::new(lamp, 0)]);
    builder.add_operator(Operator { name, preconditions, effects, cost: 3 }).unwrap();
    builder.build()
}

fn fact(variable: usize, value: u32) -> Fact {
    Fact::new(VariableId::new(variable), value)
}

/// φ = 3 while it is dark, resting on these pairs.
fn dark(direction: Direction, pairs: &[(Fact, Fact)]) -> Certificate {
    let task = lamp();
    let features = [(3, [FeatureFact::new(VariableId::new(1), Some(0))])];
    let layer = Layer::new(&task, direction, pairs.iter().copied()).unwrap();
    let certificate = Certificate::new(fingerprint(&task), Claim::Bound(3), 1, 0, features);
    certificate.unwrap().with_layers(vec![layer])
}

/// The pairs by which lamp and light agree.
fn agreement() -> [(Fact, Fact); 2] {
    [(fact(0, 0), fact(1, 1)), (fact(0, 1), fact(1, 0))]
}

/// φ = 3 while it is dark, resting on the agreement of lamp and light.
pub(super) fn dark_certificate() -> Certificate {
    dark(Direction::Forward, &agreement())
}

#[test]
fn implied_values_are_not_forgotten() {
    let (task, pairs) = (lamp(), agreement());
    let certificate = dark_certificate();
    let verified = verify(&task, &certificate).unwrap();
    assert_eq!((verified.operators, verified.layers, verified.mutexes), (1, 1, 2));
    let without = verify(&task, &certificate.clone().with_layers(Vec::new()));
    assert_eq!(
        without.unwrap_err().to_string(),
        "the potential is not consistent: where light = 'dark', operator 'forget light = 'dark'' \
         takes it from 3 to 0, which is 3 more than its cost of 0"
    );
    // Where the goal does not imply the light, it can be unknown.
    let certificate = dark(Direction::Forward, &pairs[..1]);
    assert!(matches!(verify(&task, &certificate), Err(Rejection::Inconsistent(_))));

    let unknown = [(0, [FeatureFact::new(VariableId::new(1), None)])];
    let unknown = Certificate::new(fingerprint(&task), Claim::Bound(0), 1, 0, unknown).unwrap();
    assert!(verify(&task, &unknown).is_ok());
    let layers = vec![Layer::new(&task, Direction::Forward, pairs).unwrap()];
    assert_eq!(
        verify(&task, &unknown.with_layers(layers)).unwrap_err().to_string(),
        "feature 1 mentions 1=u, but variable 'light' is never unknown: the goal asks for it, \
         and so does every operator that sets it, or mutexes imply its value"
    );
}

#[test]
fn unproved_mutexes_are_named() {
    let message = |direction, pair| {
        let Err(rejection) = verify(&lamp(), &dark(direction, &[pair])) else { panic!("proved") };
        assert!(matches!(rejection, Rejection::Mutexes { .. }));
        rejection.to_string()
    };
    assert_eq!(
        message(Direction::Forward, (fact(0, 0), fact(1, 0))),
        "the mutexes are not proved: layer 1: the initial state has lamp = 'off', light = 'dark'"
    );
    assert_eq!(
        message(Direction::Backward, (fact(0, 1), fact(0, 1))),
        "the mutexes are not proved: layer 1: a goal state may have lamp = 'on'"
    );
    assert_eq!(
        message(Direction::Forward, (fact(0, 1), fact(1, 1))),
        "the mutexes are not proved: layer 1: operator 'press' may lead to lamp = 'on', \
         light = 'bright' from a state without this pair"
    );
    assert_eq!(
        message(Direction::Backward, (fact(1, 0), fact(0, 0))),
        "the mutexes are not proved: layer 1: operator 'press' may lead from lamp = 'off', \
         light = 'dark' to a state without this pair"
    );
}

#[test]
fn the_facts_of_pairs_must_be_facts_of_the_task() {
    let right = text(&dark(Direction::Forward, &[(fact(0, 0), fact(1, 1))]));
    let message = |new: &str| {
        let certificate = read_certificate(&right.replace("\n0=0 1=1\n", new)).unwrap();
        let rejection = verify(&lamp(), &certificate).unwrap_err();
        let inner =
            mutexes::Rejection::UnknownFact(certificate.layers()[0].rows().next().unwrap().1[0]);
        assert!(matches!(&rejection, Rejection::Mutexes { rejection, .. } if *rejection == inner));
        rejection.to_string()
    };
    assert_eq!(
        message("\n0=0 1=2\n"),
        "the mutexes are not proved: they mention 1=2, but variable 'light' has only 2 values"
    );
    assert_eq!(
        message("\n0=0 4294967295=4294967295\n"),
        "the mutexes are not proved: they mention 4294967295=4294967295, but the task has only \
         2 variables"
    );
}

/// A lift shall be up, from the ground either by the ramp, for 9, or by way of
/// the middle, where it gets stuck if it is loaded. Loading and unloading, for
/// 5, take place on the ground.
fn lift() -> Task {
    let mut builder = TaskBuilder::new(true);
    builder.add_variable(Variable::new("lift", ["ground", "middle", "up"])).unwrap();
    builder.add_variable(Variable::new("load", ["no", "yes"])).unwrap();
    builder.set_initial(vec![0, 1]).unwrap();
    builder.set_goal(vec![fact(0, 2)]).unwrap();
    let mut add = |name: &str, preconditions: &[Fact], effect, cost| {
        let (name, effects) = (name.to_owned(), vec![Effect::new(effect)]);
        let preconditions = preconditions.to_vec();
        builder.add_operator(Operator { name, preconditions, effects, cost }).unwrap();
    };
    add("start", &[fact(0, 0)], fact(0, 1), 1);
    add("go-on", &[fact(0, 1), fact(1, 0)], fact(0, 2), 1);
    add("ramp", &[fact(0, 0)], fact(0, 2), 9);
    add("load", &[fact(0, 0), fact(1, 0)], fact(1, 1), 5);
    add("unload", &[fact(0, 0), fact(1, 1)], fact(1, 0), 5);
    builder.build()
}

/// Who starts with a load is on no plan, though before it all was well.
#[test]
fn what_comes_after_an_operator_limits_its_contexts() {
    let task = lift();
    let fact_of = |variable, value| FeatureFact::new(VariableId::new(variable), value);
    let potentials =
        [(0, Some(1), 7), (0, None, 7), (0, Some(0), 2), (1, Some(0), 1), (1, None, 6)];
    let features = potentials.map(|(lift, load, weight)| {
        let facts = vec![fact_of(0, Some(lift)), fact_of(1, load)];
        (weight, facts)
    });
    let certificate = Certificate::new(fingerprint(&task), Claim::Bound(7), 1, 0, features);
    let certificate = certificate.unwrap();
    let stuck = (fact(0, 1), fact(1, 1));
    let layers = vec![Layer::new(&task, Direction::Backward, [stuck]).unwrap()];
    assert_eq!(verify(&task, &certificate.clone().with_layers(layers)).unwrap().initial, "7");
    assert_eq!(optimal_cost(&task), Some(7));
    assert_eq!(
        verify(&task, &certificate).unwrap_err().to_string(),
        "the potential is not consistent: where lift = 'ground', load = 'yes', operator 'start' \
         takes it from 7 to 0, which is 6 more than its cost of 1"
    );
}
