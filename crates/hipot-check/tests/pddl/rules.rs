//! Derived predicates.

use hipot_check::pddl::Semantics;

use crate::{atoms, check, step, task};

fn derived(rules: &str, init: &str) -> Vec<String> {
    let predicates = "(:predicates (e ?x ?y) (n ?x) (r ?x ?y) (s ?x) (t))";
    let domain = format!("(:constants a b c d) {predicates} {rules}");
    let task = task(&domain, &format!("(:init {init}) (:goal (and))"));
    let semantics = Semantics::new(&task).unwrap();
    let all = atoms(&semantics, &semantics.initial_state());
    all.into_iter().filter(|atom| !atom.starts_with("(e") && !atom.starts_with("(n")).collect()
}

const REACHABLE: &str = "(:derived (r ?x ?y)
    (or (e ?x ?y) (exists (?z) (and (r ?x ?z) (r ?z ?y)))))";

#[test]
fn rules_give_the_smallest_set() {
    assert_eq!(derived(REACHABLE, "(e a b) (e b c)"), ["(r a b)", "(r a c)", "(r b c)"]);
    assert_eq!(derived(REACHABLE, "(e a b) (e b a)").len(), 4);
    assert_eq!(derived("(:derived (t) (t))", ""), [""; 0]);
    assert_eq!(derived("(:derived (s ?x) (= ?x c)) (:derived (t) (s c))", ""), ["(s c)", "(t)"]);
    // Mutual recursion, one of the rules linear, over a path of four objects.
    let both = "(:derived (s ?x) (or (n ?x) (exists (?y) (and (e ?y ?x) (r ?y ?y)))))
                (:derived (r ?x ?y) (and (= ?x ?y) (s ?x)))";
    assert_eq!(derived(both, "(n a) (e a b) (e b c)").len(), 6);
}

#[test]
fn negation_waits_for_the_lower_stratum() {
    let sinks = format!("{REACHABLE} (:derived (s ?x) (not (exists (?y) (r ?x ?y))))");
    assert_eq!(derived(&sinks, "(e a b)"), ["(r a b)", "(s b)", "(s c)", "(s d)"]);
    let three = "(:derived (t) (forall (?x) (imply (s ?x) (n ?x))))
                 (:derived (s ?x) (not (r ?x ?x)))
                 (:derived (r ?x ?y) (e ?x ?y))";
    assert_eq!(
        derived(three, "(e a a) (e b b) (e c c) (n d)"),
        ["(r a a)", "(r b b)", "(r c c)", "(s d)", "(t)"]
    );
}

#[test]
fn recursion_through_forall_is_not_negative() {
    // An object is safe if all that it leads to is.
    let safe = "(:derived (s ?x) (forall (?y) (imply (e ?x ?y) (s ?y))))";
    assert_eq!(derived(safe, "(e a b) (e b c) (e d d)"), ["(s a)", "(s b)", "(s c)"]);
}

#[test]
fn a_negative_cycle_is_named() {
    let refused = |rules: &str| {
        let domain = format!("(:predicates (e ?x ?y) (n ?x) (r ?x ?y) (s ?x) (t)) {rules}");
        let task = task(&domain, "(:init) (:goal (and))");
        Semantics::new(&task).unwrap_err().to_string()
    };
    let rest = "; rules that are stratified only for the objects at hand are not supported";
    let beginning = "the rules of derived predicates are not stratified: ";
    assert_eq!(
        refused("(:derived (t) (not (t)))"),
        format!("{beginning}'t' depends on the negation of 't'{rest}")
    );
    assert_eq!(
        refused(
            "(:derived (s ?x) (imply (r ?x ?x) (n ?x))) (:derived (r ?x ?y) (t))
                 (:derived (t) (exists (?x) (s ?x)))"
        ),
        format!(
            "{beginning}'s' depends on the negation of 'r', which depends on 't', \
             which depends on 's'{rest}"
        )
    );
    assert!(refused("(:derived (s ?x) (forall (?y) (not (s ?y))))").contains("negation of 's'"));
}

#[test]
fn actions_change_what_follows() {
    let domain = format!(
        "(:predicates (e ?x ?y) (r ?x ?y) (at ?x) (noise)) {REACHABLE}
         (:action link :parameters (?x ?y) :effect (e ?x ?y))
         (:action cut :parameters (?x ?y) :effect (and (not (e ?x ?y)) (noise)))
         (:action jump :parameters (?x ?y) :precondition (and (at ?x) (r ?x ?y))
           :effect (and (at ?y) (not (at ?x)) (when (r ?y ?x) (noise))))"
    );
    let problem = "(:objects a b c) (:init (at a) (e a b)) (:goal (and (at c) (not (r a c))))";
    let task = task(&domain, problem);
    assert_eq!(check(&task, "(link b c)\n(jump a c)\n(cut a b)"), Ok(3));
    assert!(check(&task, "(link b c)\n(cut a b)\n(jump a c)").is_err());
    assert!(check(&task, "(link b c)\n(jump a c)").is_err());
    let semantics = Semantics::new(&task).unwrap();
    let mut state = semantics.initial_state();
    semantics.apply(&step(&task, "link b a"), &mut state);
    assert_eq!(atoms(&semantics, &state).iter().filter(|atom| atom.starts_with("(r")).count(), 4);
}

#[test]
fn long_chains_are_derived_quickly() {
    // 2,000 objects in a row and 500 steps, after each of which it is derived anew.
    let objects: Vec<String> = (0..2000).map(|number| format!("o{number}")).collect();
    let links: Vec<String> =
        objects.windows(2).map(|pair| format!("(e {})", pair.join(" "))).collect();
    let domain = "(:predicates (e ?x ?y) (wet ?x) (source ?x))
        (:derived (wet ?x) (or (source ?x) (exists (?y) (and (wet ?y) (e ?y ?x)))))
        (:derived (wet ?x) (exists (?y) (and (e ?y ?x) (wet ?y))))
        (:action open :parameters (?x) :precondition (not (wet ?x)) :effect (source ?x))
        (:action close :parameters (?x) :precondition (wet ?x) :effect (not (source ?x)))";
    let problem =
        format!("(:objects {}) (:init {}) (:goal (wet o0))", objects.join(" "), links.join(" "));
    let plan = "(open o1990)\n(close o1990)\n".repeat(250) + "(open o0)\n";
    let begin = std::time::Instant::now();
    assert_eq!(check(&task(domain, &problem), &plan), Ok(501));
    assert!(begin.elapsed().as_secs() < 10, "took {:?}", begin.elapsed());
}
