//! A task that one can think through, with its best certificate.

use hipot_check::{Claim, FeatureFact, OpenValues, fingerprint};
use hipot_task::{Effect, Fact, Operator, Task, TaskBuilder, Variable, VariableId};

use super::Parts;

/// A robot shall be inside; for 2 it opens the door, for 3 it enters. The goal
/// leaves the door open, so that it can be unknown; the robot cannot.
pub(super) fn task() -> Task {
    let mut builder = TaskBuilder::new(true);
    let door = builder.add_variable(Variable::new("door", ["closed", "open"])).unwrap();
    let robot = builder.add_variable(Variable::new("robot", ["outside", "inside"])).unwrap();
    builder.set_initial(vec![0, 0]).unwrap();
    builder.set_goal(vec![Fact::new(robot, 1)]).unwrap();
    let mut add = |name: &str, preconditions: Vec<Fact>, effect: Fact, cost| {
        let (name, effects) = (name.to_owned(), vec![Effect::new(effect)]);
        builder.add_operator(Operator { name, preconditions, effects, cost }).unwrap();
    };
    add("push", vec![Fact::new(door, 0)], Fact::new(door, 1), 2);
    add("enter", vec![Fact::new(door, 1), Fact::new(robot, 0)], Fact::new(robot, 1), 3);
    builder.build()
}

/// φ = 3 [outside] + 2 [closed, outside] + 2 [unknown, outside], over 2.
pub(super) fn parts() -> Parts {
    let fact = |variable, value| FeatureFact::new(VariableId::new(variable), value);
    let features = vec![
        (6, vec![fact(1, Some(0))]),
        (4, vec![fact(0, Some(0)), fact(1, Some(0))]),
        (4, vec![fact(0, None), fact(1, Some(0))]),
    ];
    Parts {
        fingerprint: fingerprint(&task()),
        claim: Claim::Bound(5),
        denominator: 2,
        constant: 0,
        open: OpenValues::Unknown,
        layers: Vec::new(),
        features,
    }
}
