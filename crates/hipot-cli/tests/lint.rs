//! `hipot lint`: exit codes, text and JSON, and what reachability adds.

mod sandbox;

use sandbox::{Sandbox, code, json, stdout};

const DOMAIN: &str = "(define (domain doors)
  (:predicates (in ?r) (leads ?a ?b) (key ?r))
  (:action walk :parameters (?a ?b)
    :precondition (and (in ?a) (leads ?a ?b))
    :effect (and (in ?b) (not (in ?a))))
  (:action jump :parameters (?a ?b)
    :precondition (and (in ?a) (key ?b))
    :effect (in ?b)))";

const PROBLEM: &str = "(define (problem two) (:domain doors)
  (:objects hall attic cellar)
  (:init (in hall) (leads hall attic))
  (:goal (and (in attic) (in cellar))))";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("domain.pddl", DOMAIN);
    sandbox.write("problem.pddl", PROBLEM);
    sandbox
}

#[test]
fn actions_and_goals_out_of_reach_are_named_with_the_reason() {
    let output = sandbox().run(&["lint", "--json", "domain.pddl", "problem.pddl"]);
    let report = json(&output);
    assert_eq!((code(&output), report["status"].as_str()), (0, Some("valid")));
    let found = report["diagnostics"].as_array().unwrap();
    let codes: Vec<_> = found
        .iter()
        .map(|it| (it["code"].as_str().unwrap(), it["line"].as_u64().unwrap()))
        .collect();
    assert_eq!(codes, [("never-applied", 6), ("never-true", 7), ("unreachable-goal", 4)]);
    assert_eq!(found[0]["severity"], "warning");
    let help = found[2]["help"].as_str().unwrap();
    assert!(help.contains("(leads ?a cellar)") || help.contains("(key cellar)"), "{help}");
    assert_eq!(found[1]["notes"][0]["line"], 2);
}

#[test]
fn a_problem_finds_its_domain_and_a_domain_may_be_alone() {
    let sandbox = sandbox();
    let text = stdout(&sandbox.run(&["lint", "problem.pddl"]));
    assert!(text.contains("warning: the action 'jump' is never applied [never-applied]"), "{text}");
    assert!(text.contains("--> domain.pddl:6:12") && text.ends_with("3 messages\n"), "{text}");
    let alone = sandbox.run(&["lint", "domain.pddl"]);
    assert_eq!((code(&alone), stdout(&alone).as_str()), (0, "No warnings.\n"));
}

#[test]
fn strict_makes_warnings_an_error() {
    let sandbox = sandbox();
    assert_eq!(code(&sandbox.run(&["lint", "--strict", "problem.pddl"])), 1);
    assert_eq!(code(&sandbox.run(&["lint", "--strict", "domain.pddl"])), 0);
}

#[test]
fn all_mistakes_are_in_the_json() {
    let sandbox = sandbox();
    sandbox.write(
        "problem.pddl",
        &PROBLEM.replace("(in hall)", "(inn hall)").replace("(in cellar)", "(in celar)"),
    );
    let output = sandbox.run(&["lint", "--json", "domain.pddl", "problem.pddl"]);
    let lint = json(&output);
    assert_eq!((code(&output), lint["status"].as_str()), (31, Some("input-error")));
    let output = sandbox.run(&["solve", "--json", "domain.pddl", "problem.pddl"]);
    let solve = json(&output);
    assert_eq!((code(&output), solve["schema"].as_str()), (31, Some("hipot.error/1")));
    assert_eq!(lint["diagnostics"], solve["diagnostics"]);
    let found = lint["diagnostics"].as_array().unwrap();
    let messages: Vec<_> = found.iter().map(|it| it["message"].as_str().unwrap()).collect();
    assert_eq!(messages, ["unknown predicate 'inn'", "unknown object 'celar'"]);
    assert!(found.iter().all(|it| it["severity"] == "error" && it["code"].is_null()));
}
