//! Conditions, effects and costs.

use hipot_check::pddl::Semantics;
use hipot_testing::TooLarge;
use hipot_testing::pddl::{OptimalPlan, explore};

use crate::{atoms, check, message, step, task};

/// Three objects of which `(p a)`, `(q a b)` and `(q b b)` hold.
const DOMAIN: &str = "(:requirements :adl) (:types t u) (:constants a b - t c - u)
    (:predicates (p ?x) (q ?x ?y) (z))";
const INIT: &str = "(:init (p a) (q a b) (q b b))";

/// Whether the condition holds.
fn holds(condition: &str) -> bool {
    let task = task(DOMAIN, &format!("{INIT} (:goal {condition})"));
    let semantics = Semantics::new(&task).unwrap();
    semantics.is_goal(&semantics.initial_state())
}

#[test]
fn conditions_mean_what_they_say() {
    for condition in [
        "(p a)",
        "(not (p b))",
        "(and)",
        "(and (p a) (q a b))",
        "(not (or))",
        "(or (z) (p a))",
        "(imply (z) (p c))",
        "(imply (p a) (q a b))",
        "(not (imply (p a) (z)))",
        "(= a a)",
        "(not (= a b))",
        "(exists (?x - t) (p ?x))",
        "(not (exists (?x - u) (p ?x)))",
        "(forall (?x - t) (q ?x b))",
        "(not (forall (?x) (q ?x b)))",
        "(exists (?x) (and (q ?x ?x) (not (p ?x))))",
        "(forall (?x - t) (exists (?y - t) (and (q ?x ?y) (exists (?x - u) (not (= ?x ?y))))))",
        "(exists (?x ?y - t) (and (not (= ?x ?y)) (q ?x ?y) (= ?y b)))",
        "(forall (?x ?y - t) (imply (q ?x ?y) (= b ?y)))",
        "(not (exists (?x ?y - u) (not (= ?x ?y))))",
    ] {
        assert!(holds(condition), "{condition}");
        assert!(!holds(&format!("(not {condition})")), "not {condition}");
    }
}

#[test]
fn nothing_exists_in_a_type_without_objects() {
    let goal = |goal: &str| {
        let goal = format!("(:init (z)) (:goal {goal})");
        let task = task("(:types t empty) (:constants a - t) (:predicates (z))", &goal);
        let semantics = Semantics::new(&task).unwrap();
        semantics.is_goal(&semantics.initial_state())
    };
    assert!(!goal("(exists (?x - empty) (z))"));
    assert!(!goal("(exists (?x - t ?y - empty) (= ?x ?x))"));
    assert!(goal("(forall (?x - empty) (not (z)))"));
    assert!(goal("(forall (?x - t) (exists (?y - t) (= ?x ?y)))"));
    assert!(!goal("(or (exists (?x - empty) (not (z))) (exists (?x - empty) (and)))"));
}

#[test]
fn types_limit_what_quantifiers_see() {
    let domain = "(:types a b c - s s - r) (:predicates (p ?x))
        (:constants k l - a m - b n - c o - (either a c))";
    let seen = |types: &str| {
        let goal = format!("(:init (p n)) (:goal (exists (?x - {types}) (p ?x)))");
        let task = task(domain, &goal);
        let semantics = Semantics::new(&task).unwrap();
        semantics.is_goal(&semantics.initial_state())
    };
    assert!(seen("c") && seen("s") && seen("r") && seen("object") && seen("(either b c)"));
    assert!(!seen("a") && !seen("b") && !seen("(either a b)"));
}

/// What holds after the only action has been applied to `(p a)`, `(q a b)`
/// and `(q b b)`.
fn after(effect: &str) -> Vec<String> {
    let action = format!("{DOMAIN} (:action act :parameters (?x) :effect {effect})");
    let task = task(&action, &format!("{INIT} (:goal (and))"));
    let semantics = Semantics::new(&task).unwrap();
    let mut state = semantics.initial_state();
    semantics.apply(&step(&task, "act a"), &mut state);
    atoms(&semantics, &state)
}

#[test]
fn effects_mean_what_they_say() {
    let unchanged = ["(p a)", "(q a b)", "(q b b)"];
    assert_eq!(after("(and)"), unchanged);
    assert_eq!(after("(z)"), ["(p a)", "(q a b)", "(q b b)", "(z)"]);
    assert_eq!(after("(not (p ?x))"), ["(q a b)", "(q b b)"]);
    // What is deleted and added is added, in any order and nesting.
    assert_eq!(after("(and (p a) (not (p ?x)))"), unchanged);
    assert_eq!(after("(and (not (z)) (when (p a) (z)))").last().unwrap(), "(z)");
    // Conditions speak of the state before.
    assert_eq!(after("(and (z) (not (p a)) (when (z) (p b)) (when (p a) (p c)))").len(), 4);
    assert_eq!(after("(and (z) (when (p a) (when (z) (p b))))").len(), 4);
    assert_eq!(
        after("(forall (?y) (and (when (q ?x ?y) (not (q ?x ?y))) (when (= ?y c) (q ?y ?x))))"),
        ["(p a)", "(q b b)", "(q c a)"]
    );
    assert_eq!(after("(forall (?y - t) (forall (?z - u) (q ?z ?y)))").len(), 5);
    assert_eq!(
        after("(forall (?y) (when (q ?y b) (forall (?z - t) (when (q ?y ?z) (not (q ?y ?z))))))"),
        ["(p a)"]
    );
    // A variable that hides a parameter.
    assert_eq!(after("(forall (?x - u) (p ?x))"), ["(p a)", "(p c)", "(q a b)", "(q b b)"]);
}

const TOLL: &str = "(:types place) (:predicates (at ?x - place))
    (:functions (total-cost) (toll ?from ?to - place) (tax) - number)
    (:action go :parameters (?from ?to - place) :precondition (at ?from)
      :effect (and (at ?to) (not (at ?from))
        (increase (total-cost) (toll ?from ?to)) (increase (total-cost) (tax))))
    (:action fly :parameters (?to - place)
      :effect (and (at ?to) (increase (total-cost) 90)))
    (:action rest)";
const PLACES: &str = "(:objects a b c - place) (:goal (at c))
    (:init (at a) (= (toll a b) 5) (= (toll b c) 0) (= (toll a a) 1) (= (tax) 2))";

#[test]
fn costs_are_sums_of_what_actions_add() {
    let with_metric = format!("{PLACES} (:metric minimize (total-cost))");
    let with_metric = task(TOLL, &with_metric);
    assert_eq!(check(&with_metric, "(go a b) (go b c)".replace(") ", ")\n").as_str()), Ok(9));
    assert_eq!(check(&with_metric, "(go a a)\n(rest)\n(fly c)"), Ok(93));
    let without_metric = task(TOLL, PLACES);
    assert_eq!(check(&without_metric, "(go a b)\n(go b c)"), Ok(2));
    // What has no value cannot be added, whether or not it counts.
    assert!(message(&without_metric, "(go a c)").ends_with("(toll a c) has no value"));
}

#[test]
fn a_step_without_a_cost_cannot_be_taken() {
    let task = task(TOLL, &format!("{PLACES} (:metric minimize (total-cost))"));
    assert_eq!(
        message(&task, "(rest)\n(go a c)"),
        "line 2: step 2, (go a c), cannot be applied: (toll a c) has no value"
    );
    let semantics = Semantics::new(&task).unwrap();
    let steps = vec!["go a b".to_owned(), "go b c".to_owned()];
    let plan = Some(OptimalPlan { cost: 9, steps });
    assert_eq!(explore(&semantics, 100).unwrap().plan, plan);
}

#[test]
fn exploration_ends_with_the_cheapest_plan_or_with_the_limit() {
    let switches = |goal: &str| {
        let domain = "(:predicates (on ?x))
            (:action on :parameters (?x) :effect (on ?x))
            (:action off :parameters (?x) :precondition (on ?x) :effect (not (on ?x)))";
        task(domain, &format!("(:objects a b c d) (:init (on a)) (:goal {goal})"))
    };
    let explored = |goal: &str, most| explore(&Semantics::new(&switches(goal)).unwrap(), most);
    let all = explored("(and (on b) (on c) (not (on a)))", 16).unwrap();
    assert_eq!(all.plan.unwrap().cost, 3);
    let impossible = explored("(and (on b) (not (on b)))", 16).unwrap();
    assert_eq!((impossible.states, impossible.plan), (16, None));
    assert_eq!(explored("(and (on b) (not (on b)))", 15), Err(TooLarge(15)));
}

#[test]
fn many_variables_do_not_explode() {
    // A chain of 300 objects: eight variables would have 300^8 values.
    let objects: Vec<String> = (0..300).map(|number| format!("o{number}")).collect();
    let links: Vec<String> =
        objects.windows(2).map(|pair| format!("(r {})", pair.join(" "))).collect();
    let condition = "(and (r ?a ?b) (r ?b ?c) (r ?c ?d) (r ?d ?e) (r ?e ?f) (r ?f ?g) (r ?g ?h))";
    let problem = format!(
        "(:objects {}) (:init {})
         (:goal (and (exists (?a ?b ?c ?d ?e ?f ?g ?h) (and {condition} (= ?h o299)))
                     (forall (?a ?b ?c ?d ?e ?f ?g ?h) (imply {condition} (not (= ?a ?h))))
                     (not (exists (?a ?b ?c ?d ?e ?f ?g ?h) (and {condition} (r o299 ?a))))))",
        objects.join(" "),
        links.join(" ")
    );
    let task = task("(:predicates (r ?x ?y))", &problem);
    assert_eq!(check(&task, ""), Ok(0));
}
