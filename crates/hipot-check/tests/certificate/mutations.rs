//! One certificate, changed in every way one can think of.

use hipot_check::{
    Certificate, Claim, FeatureFact, Malformed, fingerprint, read_certificate, verify,
};
use hipot_task::{Fact, Operator, TaskBuilder, Variable, VariableId};
use hipot_testing::RandomTask;

use super::{Parts, door, text};

fn rejection(parts: &Parts) -> String {
    verify(&door::task(), &parts.certificate()).unwrap_err().to_string()
}

#[test]
fn the_certificate_itself_is_right() {
    let verified = verify(&door::task(), &door::parts().certificate()).unwrap();
    assert_eq!(verified.claim, Claim::Bound(5));
    assert_eq!(verified.initial, "5");
    assert_eq!((verified.features, verified.dimension, verified.operators), (3, 2, 4));
}

#[test]
fn a_smaller_bound_is_right_too() {
    let parts = Parts { claim: Claim::Bound(4), ..door::parts() };
    assert!(verify(&door::task(), &parts.certificate()).is_ok());
}

#[test]
fn raising_a_weight_breaks_a_binding_constraint() {
    let raised = |feature: usize| {
        let mut parts = door::parts();
        parts.features[feature].0 += 1;
        rejection(&parts)
    };
    assert_eq!(
        raised(0),
        "the potential is not consistent: where door = 'open', robot = 'outside', operator \
         'enter' takes it from 7/2 to 0, which is 1/2 more than its cost of 3"
    );
    assert_eq!(
        raised(1),
        "the potential is not consistent: where door = 'closed', robot = 'outside', operator \
         'push' takes it from 11/2 to 3, which is 1/2 more than its cost of 2"
    );
}

#[test]
fn lowering_a_weight_can_break_one_too() {
    let mut parts = door::parts();
    parts.features[2].0 -= 1;
    assert_eq!(
        rejection(&parts),
        "the potential is not consistent: where door = 'closed', robot = 'outside', operator \
         'forget door = 'closed'' takes it from 5 to 9/2, which is 1/2 more than its cost of 0"
    );
}

#[test]
fn a_larger_claim_is_rejected() {
    let parts = Parts { claim: Claim::Bound(6), ..door::parts() };
    assert_eq!(
        rejection(&parts),
        "the potential is 5 in the initial state, which proves a bound of 5 at most, not the \
         claimed 6"
    );
    let parts = Parts { claim: Claim::Unsolvable, ..door::parts() };
    assert_eq!(
        rejection(&parts),
        "the potential is not consistent: where door = 'closed', robot = 'outside', operator \
         'push' takes it from 5 to 3, a fall by 2, and a proof of unsolvability allows none"
    );
    let parts = Parts { constant: -10, ..parts };
    assert_eq!(
        rejection(&parts),
        "the potential is 0 in the initial state, which must be positive to prove that there \
         is no plan"
    );
}

#[test]
fn a_constant_makes_it_blind_to_the_goal() {
    let parts = Parts { constant: 3, ..door::parts() };
    let message = "the potential is not goal-aware: it is 3/2 in the goal state, which is more \
                   than 0";
    assert_eq!(rejection(&parts), message);
}

#[test]
fn another_task_is_noticed() {
    let other = RandomTask::default().generate(1);
    let certificate = door::parts().certificate();
    let message = format!(
        "the certificate is for the task sha256:{}, but this one is sha256:{}",
        fingerprint(&door::task()),
        fingerprint(&other)
    );
    assert_eq!(verify(&other, &certificate).unwrap_err().to_string(), message);
}

#[test]
fn facts_must_be_facts_of_the_task() {
    let with = |variable, value| {
        let mut parts = door::parts();
        parts.features.push((0, vec![FeatureFact::new(VariableId::new(variable), value)]));
        rejection(&parts)
    };
    assert_eq!(with(2, Some(0)), "feature 4 mentions 2=0, but the task has only 2 variables");
    assert_eq!(with(0, Some(2)), "feature 4 mentions 0=2, but variable 'door' has only 2 values");
    assert_eq!(
        with(1, None),
        "feature 4 mentions 1=u, but variable 'robot' is never unknown: the goal asks for it, \
         and so does every operator that sets it"
    );
}

#[test]
fn parts_that_make_no_certificate_are_refused() {
    let fact = |variable| FeatureFact::new(VariableId::new(variable), Some(0));
    let make = |fingerprint: &str, denominator, features: &[Vec<FeatureFact>]| {
        let features = features.iter().map(|facts| (1, facts));
        Certificate::new(fingerprint, Claim::Bound(0), denominator, 0, features).unwrap_err()
    };
    let right = fingerprint(&door::task());
    assert_eq!(make("ABC", 1, &[]), Malformed::Fingerprint("ABC".to_owned()));
    assert_eq!(make(&right, 0, &[]), Malformed::Denominator);
    assert_eq!(make(&right, -1, &[]), Malformed::Denominator);
    assert_eq!(make(&right, 1, &[vec![]]), Malformed::EmptyFeature { feature: 1 });
    let order = Malformed::VariableOrder { feature: 2, variable: VariableId::new(0) };
    assert_eq!(make(&right, 1, &[vec![fact(1)], vec![fact(1), fact(0)]]), order);
    assert_eq!(make(&right, 1, &[vec![fact(1)], vec![fact(0), fact(0)]]), order);
    let features = [vec![fact(1)], vec![fact(0)], vec![fact(1)], vec![fact(0)]];
    assert_eq!(make(&right, 1, &features), Malformed::Duplicate { first: 1, second: 3 });
}

#[test]
fn a_truncated_file_is_not_read() {
    let whole = text(&door::parts().certificate());
    assert_eq!(read_certificate(&whole).unwrap(), door::parts().certificate());
    assert!(read_certificate(whole.trim_end()).is_ok(), "the last line break is not needed");
    for end in 0..whole.len() - 1 {
        assert!(read_certificate(&whole[..end]).is_err(), "the first {end} bytes");
    }
}

#[test]
fn linked_variables_may_be_many() {
    // A switch, and a chain of features that link it with each two neighbors.
    let verify_chain = |lamps: usize| {
        let mut builder = TaskBuilder::new(true);
        for lamp in 0..=lamps {
            let name = format!("lamp{lamp}");
            builder.add_variable(Variable::new(name, ["off", "on"])).unwrap();
        }
        let switch = VariableId::new(0);
        let facts = |value| (0..=lamps).map(move |v| Fact::new(VariableId::new(v), value));
        builder.set_initial(vec![0; lamps + 1]).unwrap();
        builder.set_goal(facts(1).collect()).unwrap();
        let effects = vec![hipot_task::Effect::new(Fact::new(switch, 1))];
        let preconditions = vec![Fact::new(switch, 0)];
        let name = "switch".to_owned();
        builder.add_operator(Operator { name, preconditions, effects, cost: 1 }).unwrap();
        let task = builder.build();
        let fact = |v, value| FeatureFact::new(VariableId::new(v), Some(value));
        // The best context switches every second lamp on.
        let linked =
            |v| (1, vec![fact(0, 0), fact(v, v as u32 % 2), fact(v + 1, (v as u32 + 1) % 2)]);
        let features = (1..lamps).map(linked);
        let denominator = lamps as i128 - 2;
        let certificate =
            Certificate::new(fingerprint(&task), Claim::Bound(0), denominator, 0, features)
                .unwrap();
        verify(&task, &certificate).unwrap_err().to_string()
    };
    let message = "the potential is not consistent: where lamp0 = 'off', lamp1 = 'on', lamp2 = \
                   'off', lamp3 = 'on', operator 'switch' takes it from 2 to 0, which is 1 more \
                   than its cost of 1";
    assert_eq!(verify_chain(3), message);
    let excess = verify_chain(19);
    assert!(excess.contains("and 8 more facts, operator 'switch' takes it from 18/17"), "{excess}");
    // More joint values than anybody could look at.
    let excess = verify_chain(200);
    assert!(excess.contains("and 189 more facts, operator 'switch' takes it from 199/198"));
}
