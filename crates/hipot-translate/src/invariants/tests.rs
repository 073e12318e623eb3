//! Invariants of small tasks.

use hipot_task::{Limits, Stop};

use super::test_tasks::{blocks, gripper, task};
use super::{Argument, Invariant, InvariantPart, Params, synthesize};
use crate::normal::NormalTask;

/// The invariants as text, sorted, `*` for what is counted.
fn found(task: &NormalTask) -> Vec<String> {
    found_with(task, &vec![Vec::new(); task.schemas.len()])
}

fn found_with(task: &NormalTask, unequal: &[Vec<(usize, usize)>]) -> Vec<String> {
    let invariants = synthesize(task, unequal, &Params::default(), &Limits::none()).unwrap();
    let argument = |argument: &Argument| match argument {
        Argument::Counted => " *".to_owned(),
        Argument::Parameter(parameter) => format!(" {parameter}"),
    };
    let part = |part: &InvariantPart| {
        let arguments: String = part.arguments.iter().map(argument).collect();
        format!("{}{arguments}", task.predicates[part.predicate.index()].name)
    };
    let text =
        |invariant: &Invariant| invariant.parts.iter().map(part).collect::<Vec<_>>().join(", ");
    let mut texts: Vec<_> = invariants.iter().map(text).collect();
    texts.sort();
    texts
}

#[test]
fn gripper_has_three_invariants() {
    let expected = ["at 0 *, carry 0 *", "at-robby *", "carry * 0, free 0"];
    assert_eq!(found(&gripper()), expected);
}

#[test]
fn blocks_has_three_invariants() {
    let expected =
        ["clear 0, holding 0, on * 0", "handempty, holding *", "holding 0, on 0 *, ontable 0"];
    assert_eq!(found(&blocks()), expected);
}

#[test]
fn nothing_balances_an_atom_that_is_only_added() {
    let task = task(&[("here", 1), ("visited", 1)], 2).schema(
        2,
        &["here 0"],
        &["here 1", "visited 1", "! here 0"],
    );
    assert_eq!(found(&task), ["here *"]);
}

#[test]
fn what_is_deleted_must_have_been_true() {
    let move_from =
        |precondition| task(&[("here", 1)], 2).schema(2, precondition, &["here 1", "! here 0"]);
    assert_eq!(found(&move_from(&["here 0"])), ["here *"]);
    assert!(found(&move_from(&[])).is_empty());
}

/// A briefcase that takes along what is inside.
fn briefcase(condition: &[&str]) -> NormalTask {
    task(&[("at", 2), ("case", 1), ("in", 1)], 3)
        .schema(2, &["case 0"], &["case 1", "! case 0"])
        .forall(1, 3, condition, "at 2 1")
        .forall(1, 3, condition, "! at 2 0")
}

#[test]
fn conditional_universal_effects_balance_each_other() {
    assert_eq!(found(&briefcase(&["in 2", "at 2 0"])), ["at 0 *", "case *"]);
    assert_eq!(found(&briefcase(&["in 2"])), ["case *"]);
}

#[test]
fn a_universal_effect_is_too_heavy_with_itself() {
    let task = task(&[("lit", 1), ("dark", 0)], 2).schema(0, &["dark"], &["! dark"]).forall(
        1,
        2,
        &[],
        "lit 0",
    );
    assert_eq!(found(&task), ["dark"]);
}

#[test]
fn a_delete_effect_balances_within_its_range() {
    let drive = |trucks| {
        task(&[("at", 2)], 3).schema(3, &["at 0 1"], &["at 0 2"]).forall(1, trucks, &[], "! at 3 1")
    };
    assert_eq!(found(&drive(3)), ["at 0 *"]);
    assert!(found(&drive(2)).is_empty());
}

#[test]
fn parameters_that_differ_make_a_schema_lighter() {
    let part = task(&[("at", 2)], 3).schema(
        5,
        &["at 0 2", "at 1 2"],
        &["at 0 3", "at 1 4", "! at 0 2", "! at 1 2"],
    );
    assert!(found(&part).is_empty());
    assert_eq!(found_with(&part, &[vec![(0, 1)]]), ["at 0 *"]);
}

#[test]
fn an_atom_that_is_added_back_balances_nothing() {
    let restoring =
        task(&[("c", 0), ("d", 1)], 2).schema(2, &["d 0", "d 1"], &["d 0", "! d 1", "c"]);
    assert!(!found(&restoring).contains(&"c, d *".to_owned()));
    let deleting = task(&[("c", 0), ("d", 1)], 2).schema(2, &["d 0"], &["! d 0", "c"]);
    assert!(found(&deleting).contains(&"c, d *".to_owned()));
}

#[test]
fn limits_end_the_search() {
    let task = gripper();
    let unequal = vec![Vec::new(); task.schemas.len()];
    let few = Params { max_candidates: 1, ..Params::default() };
    let found = synthesize(&task, &unequal, &few, &Limits::none()).unwrap();
    assert!(found.is_empty());
    let short = Params { max_comparisons: 0, ..Params::default() };
    assert_eq!(synthesize(&task, &unequal, &short, &Limits::none()), Ok(Vec::new()));
    let limits = Limits::none();
    limits.request(Stop::Interrupted);
    let stopped = synthesize(&task, &unequal, &Params::default(), &limits);
    assert_eq!(stopped, Err(Stop::Interrupted));
}
