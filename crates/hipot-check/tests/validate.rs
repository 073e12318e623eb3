//! Plans that are valid, and the reasons of those that are not.

use hipot_check::validate;
use hipot_task::{Effect, Fact, Operator, Task, TaskBuilder, Variable, VariableId, read_plan};

/// A door: closed or open; a robot: outside or inside. Two operators are
/// called `push`: one opens the door, one does nothing and costs 7.
fn door() -> Task {
    let mut builder = TaskBuilder::new(true);
    let door = Variable::new("door", ["Atom closed()", "Atom open()"]);
    let robot = Variable::new("robot", ["Atom outside()", "Atom inside()"]);
    let door = builder.add_variable(door).unwrap();
    let robot = builder.add_variable(robot).unwrap();
    builder.set_initial(vec![0, 0]).unwrap();
    builder.set_goal(vec![Fact::new(robot, 1), Fact::new(door, 1)]).unwrap();
    let mut add = |name: &str, pre: &[(VariableId, u32)], eff: &[(VariableId, u32)], cost| {
        let facts = |list: &[(VariableId, u32)]| -> Vec<Fact> {
            list.iter().map(|&(variable, value)| Fact::new(variable, value)).collect()
        };
        let effects = facts(eff).into_iter().map(Effect::new).collect();
        let name = name.to_owned();
        builder.add_operator(Operator { name, preconditions: facts(pre), effects, cost }).unwrap();
    };
    add("push door", &[], &[], 7);
    add("push door", &[(door, 0)], &[(door, 1)], 2);
    add("enter", &[(door, 1), (robot, 0)], &[(robot, 1)], 3);
    builder.build()
}

fn check(plan: &str) -> Result<u64, String> {
    validate(&door(), &read_plan(plan).unwrap()).map_err(|invalid| invalid.to_string())
}

#[test]
fn a_valid_plan_has_its_cheapest_cost() {
    assert_eq!(check("(push door)\n(enter)"), Ok(5));
    assert_eq!(check("(PUSH  door)\n(push door)\n(enter)\n; cost = 12"), Ok(12));
}

#[test]
fn invalid_plans_have_a_reason() {
    let no_action = "line 2: the task has no action (leave)";
    assert_eq!(check("(push door)\n(leave)").unwrap_err(), no_action);
    let closed = "line 3: step 1, (enter), cannot be applied: \
                  it needs 'Atom open()' but finds 'Atom closed()'";
    assert_eq!(check("; first\n\n(enter)").unwrap_err(), closed);
    let outside = "the plan does not reach the goal: it needs 'Atom open()' but finds \
                   'Atom closed()', and 'Atom inside()' but finds 'Atom outside()'";
    assert_eq!(check("").unwrap_err(), outside);
}
