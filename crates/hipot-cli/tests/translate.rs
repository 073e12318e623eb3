//! PDDL on the command line: `hipot translate`, and PDDL where a task is due.

mod sandbox;

use std::path::Path;
use std::time::{Duration, Instant};

use sandbox::{Sandbox, code, json, stderr, stdout};
use serde_json::Value;

fn example(name: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    examples.join(name).to_str().unwrap().to_owned()
}

type Sizes = [u64; 7];

/// Variables, derived variables, facts, operators, goals, mutex groups and
/// axioms of each example by Fast Downward's translator, version 26.06; and
/// by ours where they differ. (It does not read `either`: `seating`. `greenhouse` was not compared.)
const SIZES: [(&str, Option<Sizes>, Sizes); 9] = [
    ("tea", Some([5, 0, 10, 5, 2, 0, 0]), [5, 0, 10, 5, 2, 0, 0]),
    ("frogs", Some([5, 0, 23, 44, 4, 5, 0]), [5, 0, 23, 44, 4, 5, 0]),
    ("raft", Some([3, 0, 6, 4, 2, 0, 0]), [3, 0, 6, 4, 2, 0, 0]),
    ("darkroom", Some([14, 0, 28, 12, 3, 0, 0]), [14, 0, 28, 12, 3, 0, 0]),
    ("hike", Some([5, 0, 21, 33, 3, 1, 0]), [5, 0, 21, 33, 3, 1, 0]),
    ("seating", None, [6, 0, 36, 386, 5, 6, 0]),
    // Universal preconditions and the goal need no axioms.
    ("flock", Some([24, 7, 49, 37, 1, 0, 22]), [17, 0, 35, 37, 5, 0, 0]),
    ("greenhouse", None, [15, 0, 30, 7, 5, 0, 0]),
    // A derived atom is always true.
    ("canals", Some([10, 5, 20, 10, 4, 0, 5]), [9, 4, 18, 10, 4, 0, 4]),
];

fn sizes(task: &Value) -> Sizes {
    let names =
        ["variables", "derived_variables", "facts", "operators", "goals", "mutex_groups", "axioms"];
    names.map(|name| task[name].as_u64().unwrap())
}

#[test]
fn examples_have_the_sizes_of_fast_downward_or_smaller_ones() {
    for (folder, peer, expected) in SIZES {
        let sandbox = Sandbox::new();
        let problem = example(&format!("{folder}/problem.pddl"));
        let output = sandbox.run(&["translate", "--json", &problem, "-o", "task.sas"]);
        assert_eq!(code(&output), 0, "{folder}");
        let report = json(&output);
        assert_eq!(report["schema"], "hipot.translate/1");
        assert_eq!(report["status"], "translated");
        assert_eq!(sizes(&report["task"]), expected, "{folder}");
        // Variables, derived variables, facts, operators.
        let is_no_larger = |peer: Sizes| (0..4).all(|size| expected[size] <= peer[size]);
        assert!(peer.is_none_or(is_no_larger), "{folder}");
    }
}

#[test]
fn what_is_written_is_the_same_task() {
    let sandbox = Sandbox::new();
    for (folder, ..) in SIZES {
        let (domain, problem) =
            (example(&format!("{folder}/domain.pddl")), example(&format!("{folder}/problem.pddl")));
        let to_file = sandbox.run(&["translate", &domain, &problem, "-o", "task.sas"]);
        assert!(stdout(&to_file).starts_with("Translator variables: "), "{folder}");
        let to_output = sandbox.run(&["translate", "-q", &problem]);
        assert_eq!(stdout(&to_output), sandbox.read("task.sas"), "{folder}");
        let cost = |arguments: &[&str]| {
            let arguments = [&["solve", "--json", "-q"], arguments].concat();
            json(&sandbox.run(&arguments))["cost"].as_u64()
        };
        assert_eq!(cost(&["task.sas"]), cost(&[&domain, &problem]), "{folder}");
    }
}

#[test]
fn all_commands_take_pddl() {
    let sandbox = Sandbox::new();
    let problem = example("frogs/problem.pddl");
    assert_eq!(code(&sandbox.run(&["solve", &problem])), 0);
    assert_eq!(code(&sandbox.run(&["validate", &problem, "sas_plan"])), 0);
    assert_eq!(code(&sandbox.run(&["bound", &problem, "--certificate", "bound.cert"])), 0);
    let verified = sandbox.run(&["verify", &problem, "bound.cert", "--plan", "sas_plan"]);
    assert_eq!(code(&verified), 0, "{}", stderr(&verified));
    assert!(stdout(&verified).contains("it is optimal."));
    let explained = sandbox.run(&["explain", &problem]);
    assert!(stdout(&explained).contains("on(bufo, "), "{}", stdout(&explained));
    sandbox.write("potential.json", "{\"features\": []}");
    assert_eq!(code(&sandbox.run(&["check", &problem, "potential.json"])), 0);
}

#[test]
fn mistakes_end_with_their_codes_and_places() {
    let sandbox = Sandbox::new();
    let domain = "(define (domain d)\n  (:predicates (p ?x))\n  (:action a :parameters (?x)\n    \
                  :effect (q ?x)))\n";
    sandbox.write("domain.pddl", domain);
    sandbox.write(
        "problem.pddl",
        "(define (problem x) (:domain d) (:objects o)\n(:init) (:goal (p oo)))\n",
    );
    let output = sandbox.run(&["translate", "--json", "problem.pddl", "-o", "task.sas"]);
    let report = json(&output);
    assert_eq!((code(&output), report["status"].as_str()), (31, Some("input-error")));
    assert_eq!((report["line"].as_u64(), report["column"].as_u64()), (Some(4), Some(14)));
    assert!(stderr(&output).contains("unknown predicate 'q'"), "{}", stderr(&output));
    assert!(stderr(&output).contains("unknown object 'oo'"), "{}", stderr(&output));

    sandbox.write("domain.pddl", "(define (domain d) (:predicates (p))\n  (:durative-action a))\n");
    sandbox.write("problem.pddl", "(define (problem x) (:domain d) (:init) (:goal (p)))\n");
    let output = sandbox.run(&["solve", "--json", "problem.pddl"]);
    assert_eq!((code(&output), json(&output)["status"].as_str()), (34, Some("unsupported")));
    assert_eq!(json(&output)["line"].as_u64(), Some(2));

    let river = example("river.sas");
    for (arguments, expected, words) in [
        (vec!["translate", &river], 2, "is not PDDL"),
        (vec!["translate", "--json", "problem.pddl"], 2, "-o FILE"),
        (vec!["translate", "domain.pddl", "missing.pddl"], 31, "missing.pddl"),
        (vec!["translate", "domain.pddl"], 2, "is a domain; give the problem file after it"),
        (vec!["solve", "missing.pddl"], 31, "missing.pddl"),
    ] {
        let output = sandbox.run(&arguments);
        assert_eq!(code(&output), expected, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn derived_predicates_that_depend_on_their_negation_are_refused() {
    let sandbox = Sandbox::new();
    let domain = "(define (domain d) (:predicates (p) (q) (r))
        (:derived (p) (not (q))) (:derived (q) (not (p)))
        (:action a :effect (r)))";
    sandbox.write("domain.pddl", domain);
    sandbox.write("problem.pddl", "(define (problem x) (:domain d) (:init) (:goal (and (p) (r))))");
    let output = sandbox.run(&["solve", "--json", "problem.pddl"]);
    assert_eq!((code(&output), json(&output)["status"].as_str()), (31, Some("input-error")));
    assert!(stderr(&output).contains("depends on its own negation"), "{}", stderr(&output));
}

/// A task with millions of instances.
fn huge(sandbox: &Sandbox) {
    let domain = "(define (domain huge) (:predicates (p ?a ?b ?c ?d) (goal))
        (:action a :parameters (?a ?b ?c ?d) :effect (p ?a ?b ?c ?d))
        (:action b :parameters (?a ?b ?c ?d) :precondition (p ?a ?b ?c ?d) :effect (goal)))";
    let objects: Vec<String> = (0..60).map(|number| format!("o{number}")).collect();
    let objects = objects.join(" ");
    let problem =
        format!("(define (problem x) (:domain huge) (:objects {objects}) (:init) (:goal (goal)))");
    sandbox.write("domain.pddl", domain);
    sandbox.write("problem.pddl", &problem);
}

#[test]
fn limits_hold_while_grounding() {
    let sandbox = Sandbox::new();
    huge(&sandbox);
    let begin = Instant::now();
    let arguments = ["translate", "--json", "problem.pddl", "-o", "task.sas"];
    let output = sandbox.run(&[&arguments[..], &["--time-limit", "0.5"]].concat());
    assert_eq!((code(&output), json(&output)["status"].as_str()), (23, Some("time-limit")));
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());

    let output = sandbox.run(&[&arguments[..], &["--memory-limit", "200M"]].concat());
    assert_eq!((code(&output), json(&output)["status"].as_str()), (22, Some("memory-limit")));
    assert!(!sandbox.path("task.sas").exists());
}
