//! `hipot validate` with tasks in PDDL.

mod sandbox;

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use sandbox::{Sandbox, code, json, stderr, stdout};

fn example(name: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    examples.join(name).to_str().unwrap().to_owned()
}

const TEA: &str = "(fill-kettle)\n(spoon-leaves)\n(boil)\n(brew)\n(fill-kettle)\n(boil)\n(pour)\n";

/// A sandbox with the tea example and its plan.
fn tea() -> Sandbox {
    let sandbox = Sandbox::new();
    for file in ["domain.pddl", "problem.pddl"] {
        std::fs::copy(example(&format!("tea/{file}")), sandbox.path(file)).unwrap();
    }
    sandbox.write("plan", TEA);
    sandbox
}

#[test]
fn a_valid_plan_has_its_cost() {
    let sandbox = tea();
    for files in [vec!["domain.pddl", "problem.pddl", "plan"], vec!["problem.pddl", "plan"]] {
        let output = sandbox.run(&[vec!["validate"], files].concat());
        assert_eq!((code(&output), stdout(&output).as_str()), (0, "Plan valid\nFinal value: 7\n"));
    }
    let report = json(&sandbox.run(&["validate", "--json", "problem.pddl", "plan"]));
    assert_eq!(report["schema"], "hipot.validate/1");
    assert_eq!((&report["status"], &report["cost"]), (&"valid".into(), &7.into()));
    assert_eq!((&report["length"], &report["reason"]), (&7.into(), &().into()));
}

#[test]
fn costs_come_from_functions() {
    let sandbox = Sandbox::new();
    let plan = "(walk village mill)\n(pack key mill)\n(walk mill meadow)\n(walk meadow saddle)\n\
                (walk saddle summit)\n(unlock summit key)\n(put-down key summit)\n\
                (climb summit meadow)\n(pack firewood meadow)\n(walk meadow saddle)\n\
                (walk saddle summit)\n(put-down firewood summit)\n(climb summit meadow)\n\
                (walk meadow village)\n; cost = 338 (general cost)\n";
    sandbox.write("plan", plan);
    let output = sandbox.run(&["validate", &example("hike/problem.pddl"), "plan"]);
    assert_eq!(stdout(&output), "Plan valid\nFinal value: 338\n");
}

#[test]
fn a_wrong_step_is_named_with_its_line_and_reason() {
    let sandbox = tea();
    sandbox.write("plan", &format!("; too early\n{}", TEA.replacen("(boil)\n", "", 1)));
    let output = sandbox.run(&["validate", "problem.pddl", "plan"]);
    let reason = "step 3, (brew), cannot be applied: it needs (boiling)";
    assert_eq!(code(&output), 1);
    assert_eq!(stdout(&output), format!("Plan failed to execute\nplan: line 4: {reason}\n"));
    let report = json(&sandbox.run(&["validate", "--json", "problem.pddl", "plan"]));
    assert_eq!((&report["status"], &report["cost"]), (&"invalid".into(), &().into()));
    assert_eq!((&report["reason"], &report["line"]), (&reason.into(), &4.into()));
}

#[test]
fn a_goal_that_is_not_reached_is_named() {
    let sandbox = tea();
    sandbox.write("plan", &TEA.replace("(pour)\n", ""));
    let output = sandbox.run(&["validate", "domain.pddl", "problem.pddl", "plan"]);
    assert_eq!(code(&output), 1);
    let expected =
        "Goal not satisfied\nplan: the plan does not reach the goal: it needs (poured)\n";
    assert_eq!(stdout(&output), expected);
}

#[test]
fn the_domain_is_found_beside_the_problem() {
    for (domain, problem) in [
        ("domain.pddl", "p01.pddl"),
        ("p01-domain.pddl", "p01.pddl"),
        ("p01-domain.pddl", "p01-airport.pddl"),
        ("domain_p01.pddl", "p01.pddl"),
        ("domain-p01.pddl", "p01.pddl"),
        ("domain01.pddl", "prob01.pddl"),
    ] {
        let sandbox = Sandbox::new();
        std::fs::copy(example("tea/domain.pddl"), sandbox.path(domain)).unwrap();
        std::fs::copy(example("tea/problem.pddl"), sandbox.path(problem)).unwrap();
        sandbox.write("plan", TEA);
        assert_eq!(code(&sandbox.run(&["validate", problem, "plan"])), 0, "{domain} {problem}");
    }
    let sandbox = Sandbox::new();
    std::fs::copy(example("tea/problem.pddl"), sandbox.path("p01.pddl")).unwrap();
    sandbox.write("plan", TEA);
    let output = sandbox.run(&["validate", "p01.pddl", "plan"]);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("no domain file found next to 'p01.pddl'"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_plan_comes_from_standard_input() {
    let sandbox = tea();
    let mut command = sandbox.command(&["validate", "problem.pddl", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(TEA.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), stdout(&output).as_str()), (0, "Plan valid\nFinal value: 7\n"));
}

#[test]
fn mistakes_in_pddl_are_shown_with_their_places() {
    let sandbox = tea();
    let problem = sandbox.read("problem.pddl").replace("(poured)", "(pored)");
    sandbox.write("problem.pddl", &problem);
    let output = sandbox.run(&["validate", "--json", "problem.pddl", "plan"]);
    assert_eq!(code(&output), 31);
    let message = stderr(&output);
    assert!(message.starts_with("error: unknown predicate 'pored'\n"), "{message}");
    assert!(message.contains("problem.pddl:5:"), "{message}");
    assert!(message.contains("did you mean 'poured'?"), "{message}");
    let error = json(&output);
    assert_eq!(
        (&error["schema"], &error["status"]),
        (&"hipot.error/1".into(), &"input-error".into())
    );
    assert_eq!(error["message"], "unknown predicate 'pored'; did you mean 'poured'?");
    assert_eq!((&error["file"], &error["line"]), (&"problem.pddl".into(), &5.into()));
    assert!(error["column"].as_u64().unwrap() > 10);
}

#[test]
fn unsupported_features_have_their_own_exit_code() {
    let sandbox = tea();
    let domain = sandbox.read("domain.pddl");
    let durative = "(:durative-action wait :parameters () :duration (= ?duration 1)
        :condition (and) :effect (and))";
    sandbox.write(
        "domain.pddl",
        &domain.replace("(:action pour", &format!("{durative} (:action pour")),
    );
    let output = sandbox.run(&["validate", "--json", "problem.pddl", "plan"]);
    assert_eq!(code(&output), 34, "{}", stderr(&output));
    assert_eq!(
        (&json(&output)["status"], &json(&output)["file"]),
        (&"unsupported".into(), &"domain.pddl".into())
    );

    let rules = "(:predicates (strong) (weak) (filled)";
    let cycle = "(:derived (strong) (not (weak))) (:derived (weak) (not (strong))) (:action boil";
    let domain = domain.replace("(:predicates (filled)", rules).replace("(:action boil", cycle);
    sandbox.write("domain.pddl", &domain);
    let output = sandbox.run(&["validate", "problem.pddl", "plan"]);
    assert_eq!(code(&output), 34, "{}", stderr(&output));
    assert!(
        stderr(&output).contains("'strong' depends on the negation of 'weak'"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let sandbox = tea();
    let output = sandbox.run(&["validate", "missing.pddl", "problem.pddl", "plan"]);
    assert_eq!(code(&output), 31);
    assert!(stderr(&output).contains("cannot read 'missing.pddl'"), "{}", stderr(&output));
}
