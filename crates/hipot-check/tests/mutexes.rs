//! Proofs of mutexes that must be accepted or rejected, by hand.

use hipot_check::mutexes::{Direction, Layer, Rejection, check};
use hipot_task::{Effect, Fact, Operator, OperatorId, Task, TaskBuilder, Variable, VariableId};
use hipot_testing::RandomTask;

const NO_LAYERS: [Layer; 0] = [];

fn fact(variable: usize, value: u32) -> Fact {
    Fact::new(VariableId::new(variable), value)
}

fn operator(name: &str, preconditions: &[Fact], effects: &[Fact]) -> Operator {
    let effects = effects.iter().map(|&fact| Effect::new(fact)).collect();
    Operator { name: name.into(), preconditions: preconditions.to_vec(), effects, cost: 1 }
}

/// A variable for each size, all 0 at first.
fn task(sizes: &[u32], goal: &[Fact], operators: &[Operator]) -> Task {
    let mut builder = TaskBuilder::new(false);
    for (number, &size) in sizes.iter().enumerate() {
        let values = (0..size).map(|value| value.to_string());
        builder.add_variable(Variable::new(number.to_string(), values)).unwrap();
    }
    builder.set_initial(vec![0; sizes.len()]).unwrap();
    builder.set_goal(goal.to_vec()).unwrap();
    for operator in operators {
        builder.add_operator(operator.clone()).unwrap();
    }
    builder.build()
}

/// A corridor of four rooms, from 0 to 3, and a lamp, which is off and can be
/// switched on in room 0 and, at the end, in room 3.
fn corridor() -> Task {
    let walk = |from| operator(&format!("walk {from}"), &[fact(0, from)], &[fact(0, from + 1)]);
    let dark = operator("leave", &[fact(0, 0), fact(1, 0)], &[fact(0, 1)]);
    let light = operator("light", &[fact(0, 3), fact(1, 0)], &[fact(1, 1)]);
    let early = operator("waste", &[fact(0, 0), fact(1, 0)], &[fact(1, 1)]);
    task(&[4, 2], &[fact(0, 3), fact(1, 1)], &[dark, walk(1), walk(2), light, early])
}

fn layer(task: &Task, direction: Direction, pairs: &[(Fact, Fact)]) -> Layer {
    Layer::new(task, direction, pairs.iter().copied()).unwrap()
}

#[test]
fn true_mutexes_are_proved() {
    let task = corridor();
    // Who has wasted the lamp never leaves room 0: no light in rooms 1 and 2.
    let forward = [(fact(0, 1), fact(1, 1)), (fact(1, 1), fact(0, 2))];
    // No goal is reached from room 0 with light.
    let backward = [(fact(0, 0), fact(1, 1))];
    let layers =
        [layer(&task, Direction::Forward, &forward), layer(&task, Direction::Backward, &backward)];
    let proved = check(&task, layers).unwrap();
    assert!(proved.are_mutex(fact(1, 1), fact(0, 1)));
    assert!(proved.are_mutex(fact(0, 0), fact(1, 1)));
    assert!(!proved.are_mutex(fact(0, 3), fact(1, 1)));
    let useless: Vec<bool> = task.operator_ids().map(|id| proved.is_useless(id)).collect();
    assert_eq!(useless, [false, false, false, false, true]);
    assert!(!proved.is_unsolvable());
}

#[test]
fn false_mutexes_are_rejected_with_reasons() {
    let task = corridor();
    let reason =
        |direction, pair| check(&task, [layer(&task, direction, &[pair])]).map(|_| ()).unwrap_err();
    let pair = (fact(0, 0), fact(1, 0));
    assert_eq!(reason(Direction::Forward, pair), Rejection::Initial { layer: 0, pair });
    let pair = (fact(0, 3), fact(1, 1));
    assert_eq!(reason(Direction::Backward, pair), Rejection::Goal { layer: 0, pair });
    let rejection = reason(Direction::Forward, (fact(0, 1), fact(1, 0)));
    let operator = OperatorId::new(0);
    let pair = (fact(0, 1), fact(1, 0));
    assert_eq!(rejection, Rejection::Operator { layer: 0, operator, pair });
    let rejection = reason(Direction::Backward, (fact(0, 2), fact(1, 0)));
    let (operator, pair) = (OperatorId::new(2), (fact(0, 2), fact(1, 0)));
    assert_eq!(rejection, Rejection::Operator { layer: 0, operator, pair });
    let text = "layer 0: operator 2 may have the pair 0=2, 1=0 on one side only";
    assert_eq!(rejection.to_string(), text);
}

#[test]
fn a_dead_fact_is_a_pair_with_itself() {
    let stay = operator("stay", &[fact(0, 0)], &[fact(0, 1)]);
    let never = operator("never", &[fact(1, 1)], &[fact(0, 2)]);
    let task = task(&[3, 2], &[fact(0, 2)], &[stay, never]);
    let dead = [(fact(1, 1), fact(1, 1)), (fact(0, 2), fact(0, 2))];
    let proved = check(&task, [layer(&task, Direction::Forward, &dead)]).unwrap();
    assert!(proved.is_unsolvable());
    assert!(proved.is_useless(OperatorId::new(1)) && !proved.is_useless(OperatorId::new(0)));
    // The second alone rests on the first.
    let rejected = check(&task, [layer(&task, Direction::Forward, &dead[1..])]);
    assert!(matches!(rejected, Err(Rejection::Operator { .. })));
}

/// Room 2 is excused by room 1 before it, room 1 by room 2 after it: the plan
/// goes through both.
#[test]
fn layers_do_not_rest_on_later_ones() {
    let walk = |from| operator(&format!("walk {from}"), &[fact(0, from)], &[fact(0, from + 1)]);
    let task = task(&[4], &[fact(0, 3)], &[walk(0), walk(1), walk(2)]);
    let forward = layer(&task, Direction::Forward, &[(fact(0, 2), fact(0, 2))]);
    let backward = layer(&task, Direction::Backward, &[(fact(0, 1), fact(0, 1))]);
    assert!(check(&task, [forward.clone(), backward.clone()]).is_err());
    assert!(check(&task, [backward, forward]).is_err());
}

#[test]
fn what_is_not_of_the_task_is_rejected() {
    let task = corridor();
    for unknown in [fact(0, 4), fact(1, 2), fact(2, 0), fact(0, u32::MAX)] {
        let rejected = Layer::new(&task, Direction::Forward, [(fact(0, 1), unknown)]);
        assert_eq!(rejected.map(|_| ()), Err(Rejection::UnknownFact(unknown)));
    }
}

#[test]
fn axioms_and_conditional_effects_are_rejected() {
    for shape in [
        RandomTask { derived: 2, ..RandomTask::default() },
        RandomTask { percent_conditional: 60, ..RandomTask::default() },
    ] {
        let rejected =
            (0..).map(|seed| shape.generate(seed)).find_map(|task| check(&task, NO_LAYERS).err());
        assert!(matches!(rejected, Some(Rejection::Unsupported(_))));
    }
}
