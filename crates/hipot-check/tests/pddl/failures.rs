//! Wrong plans, and what is said about them.

use hipot_check::pddl::{FalsePart, Reason};
use hipot_pddl::Task;

use crate::{check, message, task};

fn kitchen(goal: &str) -> Task {
    let domain = "(:requirements :adl)
        (:types cup plate - dish cook)
        (:predicates (clean ?d - dish) (holds ?c - cook ?d - dish) (hot) (above ?d ?e - dish))
        (:action wash :parameters (?c - cook ?d - (either cup plate))
          :precondition (and (holds ?c ?d) (not (clean ?d))) :effect (clean ?d))
        (:action take :parameters (?c - cook ?d - dish)
          :precondition (and (not (exists (?other - cook) (holds ?other ?d)))
                             (forall (?e - dish) (not (above ?e ?d))))
          :effect (and (holds ?c ?d) (forall (?e - dish) (not (above ?d ?e)))))
        (:action serve :parameters (?c - cook)
          :precondition (and (or (hot) (exists (?d - plate) (and (clean ?d) (holds ?c ?d))))
                             (imply (hot) (exists (?d - cup) (clean ?d)))
                             (forall (?d - cup) (imply (holds ?c ?d) (clean ?d)))))
        (:action heat :effect (hot))";
    let problem = format!(
        "(:objects ann bob - cook mug glass - cup saucer - plate)
         (:init (above mug saucer)) (:goal {goal})"
    );
    task(domain, &problem)
}

#[test]
fn names_and_arguments_are_checked() {
    let task = kitchen("(and)");
    for (plan, expected) in [
        (
            "(heat)\n\n(wsh ann mug)",
            "line 3: step 2, the domain has no action 'wsh'; did you mean 'wash'?",
        ),
        ("(juggle)", "line 1: step 1, the domain has no action 'juggle'"),
        ("(take ann)", "line 1: step 1, (take ann): the action takes 2 arguments, not 1"),
        (
            "(serve ann bob mug)",
            "line 1: step 1, (serve ann bob mug): the action takes 1 argument, not 3",
        ),
        (
            "(take ann glas)",
            "line 1: step 1, (take ann glas): there is no object 'glas'; did you mean 'glass'?",
        ),
        (
            "(take ann xylophone)",
            "line 1: step 1, (take ann xylophone): there is no object 'xylophone'",
        ),
        (
            "(take mug mug)",
            "line 1: step 1, (take mug mug): 'mug' is of type cup, but ?c must be of type cook",
        ),
        (
            "(wash bob ann)",
            "line 1: step 1, (wash bob ann): 'ann' is of type cook, but ?d must be of type (either cup plate)",
        ),
    ] {
        assert_eq!(message(&task, plan), expected);
    }
    assert_eq!(check(&task, "(TAKE Ann mug)"), Ok(1));
}

#[test]
fn preconditions_are_blamed_by_their_smallest_false_parts() {
    let task = kitchen("(and)");
    for (plan, expected) in [
        (
            "(wash ann mug)",
            "line 1: step 1, (wash ann mug), cannot be applied: it needs (holds ann mug)",
        ),
        (
            "(take ann mug)\n(wash ann mug)\n(wash ann mug)",
            "line 3: step 3, (wash ann mug), cannot be applied: it needs (not (clean mug))",
        ),
        (
            "(take ann mug)\n(take bob mug)",
            "line 2: step 2, (take bob mug), cannot be applied: it needs (not (holds ann mug)) for ?other = ann",
        ),
        (
            "(take bob saucer)",
            "line 1: step 1, (take bob saucer), cannot be applied: it needs (not (above mug saucer)) for ?e = mug",
        ),
        (
            "(serve ann)",
            "line 1: step 1, (serve ann), cannot be applied: it needs \
             (or (hot) (exists (?d - plate) (and (clean ?d) (holds ann ?d))))",
        ),
        (
            "(heat)\n(take ann glass)\n(serve ann)",
            "line 3: step 3, (serve ann), cannot be applied: it needs \
             (imply (hot) (exists (?d - cup) (clean ?d))), and \
             (imply (holds ann glass) (clean glass)) for ?d = glass",
        ),
    ] {
        assert_eq!(message(&task, plan), expected);
    }
}

#[test]
fn goals_are_blamed_by_their_parts() {
    let goal = "(and (hot) (not (clean mug)) (forall (?c - cook ?d - cup) (holds ?c ?d))
                     (not (imply (hot) (clean glass))) (exists (?c - cook) (holds ?c mug)))";
    let failure = check(&kitchen(goal), "(take bob mug)").unwrap_err();
    assert_eq!((failure.step, failure.line), (None, None));
    assert_eq!(
        failure.to_string(),
        "the plan does not reach the goal: it needs (hot), and \
         (holds ann mug) for ?c = ann and ?d = mug, and (hot)"
    );
    let Reason::GoalNotReached { unsatisfied } = *failure.reason else { panic!("{failure}") };
    let witness = [("?c", "ann"), ("?d", "mug")];
    let witness = witness.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    assert_eq!(unsatisfied[1], FalsePart { condition: "(holds ann mug)".to_owned(), witness });
    let many = "(and (clean mug) (clean glass) (clean saucer) (holds ann mug) (holds bob mug)
                     (holds ann glass) (holds bob glass))";
    assert!(message(&kitchen(many), "").ends_with("(holds bob mug), and 2 more"));
}

#[test]
fn sums_that_are_too_large_are_refused() {
    let most = hipot_pddl::MAX_COST;
    let domain = format!(
        "(:functions (total-cost) - number)
         (:action pay :effect (increase (total-cost) {most}))"
    );
    let mut task = task(&domain, "(:init) (:goal (and)) (:metric minimize (total-cost))");
    assert_eq!(check(&task, "(pay)\n(pay)\n(pay)"), Ok(3 * most));
    task.actions[0].cost = vec![hipot_pddl::ast::Cost::Number(u64::MAX); 1];
    let too_much = "cannot be applied: its cost exceeds 18446744073709551615";
    assert_eq!(check(&task, "(pay)"), Ok(u64::MAX));
    assert_eq!(message(&task, "(pay)\n(pay)"), format!("line 2: step 2, (pay), {too_much}"));
    task.actions[0].cost = vec![hipot_pddl::ast::Cost::Number(u64::MAX); 2];
    assert_eq!(message(&task, "(pay)"), format!("line 1: step 1, (pay), {too_much}"));
}
