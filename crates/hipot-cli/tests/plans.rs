//! What is written as a plan is what was found, whatever the names are.

mod sandbox;

use std::fmt::Write;

use sandbox::{Sandbox, code, json, stderr, stdout};

/// Two roads lead to the goal; their names differ in the case of a letter beyond ASCII.
#[test]
fn objects_that_differ_in_case_beyond_ascii_are_different() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "domain.pddl",
        "(define (domain roads) (:requirements :action-costs)
           (:predicates (road ?r) (there))
           (:functions (total-cost) (toll ?r))
           (:action go :parameters (?r) :precondition (road ?r)
             :effect (and (there) (increase (total-cost) (toll ?r)))))",
    );
    sandbox.write(
        "problem.pddl",
        "(define (problem p) (:domain roads) (:objects ä Ä)
           (:init (road Ä) (road ä) (= (toll Ä) 1) (= (toll ä) 5) (= (total-cost) 0))
           (:goal (there)) (:metric minimize (total-cost)))",
    );
    let solved = sandbox.run(&["solve", "--json", "problem.pddl"]);
    assert_eq!(
        (code(&solved), json(&solved)["cost"].as_u64()),
        (0, Some(1)),
        "{}",
        stderr(&solved)
    );
    assert_eq!(sandbox.read("sas_plan").lines().next(), Some("(go Ä)"));
    let valid = sandbox.run(&["validate", "problem.pddl", "sas_plan"]);
    assert!(stdout(&valid).contains("Final value: 1"), "{}", stdout(&valid));
    sandbox.run(&["bound", "problem.pddl", "--certificate", "proof"]);
    let verify = |arguments: &[&str]| {
        sandbox.run(&[&["verify", "problem.pddl", "proof"], arguments].concat())
    };
    let proved = verify(&["--plan", "sas_plan", "--require", "optimal", "--json"]);
    let report = json(&proved);
    assert_eq!((code(&proved), report["optimal"].as_bool()), (0, Some(true)));
    assert_eq!((report["valid"].as_bool(), report["bound"].as_u64()), (Some(true), Some(1)));
    // Without a plan, or with another one, nothing is proved optimal.
    assert_eq!((code(&verify(&[])), code(&verify(&["--require", "optimal"]))), (0, 1));
    sandbox.write("other", "(go ä)\n");
    assert_eq!(code(&verify(&["--plan", "other"])), 0);
    assert_eq!(code(&verify(&["--plan", "other", "--require", "optimal"])), 1);
}

/// A task of one variable that each operator sets to 1.
fn task_with(names: &[&str]) -> String {
    let mut text = "begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n1\n\
        begin_variable\nv\n-1\n2\noff\non\nend_variable\n0\n\
        begin_state\n0\nend_state\nbegin_goal\n1\n0 1\nend_goal\n"
        .to_owned();
    writeln!(text, "{}", names.len()).unwrap();
    for name in names {
        write!(text, "begin_operator\n{name}\n0\n1\n0 0 -1 1\n1\nend_operator\n").unwrap();
    }
    text + "0\n"
}

#[test]
fn names_that_no_plan_can_have_are_refused() {
    let sandbox = Sandbox::new();
    for name in ["b) ;x", "f(x)", "go; fast", "(go"] {
        sandbox.write("task.sas", &task_with(&["fine", name]));
        let output = sandbox.run(&["solve", "task.sas"]);
        assert_eq!(code(&output), 31, "{name}");
        let message = stderr(&output);
        assert!(message.contains("task.sas:") && message.contains("no plan file"), "{message}");
    }
    for name in ["Go  Home", "1:2 [3]", "ÄÖ \"x\"", "a:b"] {
        sandbox.write("task.sas", &task_with(&[name]));
        let output = sandbox.run(&["solve", "task.sas"]);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        let output = sandbox.run(&["validate", "task.sas", "sas_plan"]);
        assert_eq!(code(&output), 0, "{name}: {}", stdout(&output));
    }
}

/// Forty binary counters: each step is one of two operators with the same name.
#[test]
fn operators_that_share_a_name_do_not_take_long() {
    let sandbox = Sandbox::new();
    let count = 40;
    let mut text =
        format!("begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n{}\n", count + 1);
    for number in 0..count {
        write!(text, "begin_variable\nv{number}\n-1\n3\nopen\na\nb\nend_variable\n").unwrap();
    }
    let values = count + 1;
    write!(text, "begin_variable\nstep\n-1\n{values}\n").unwrap();
    (0..values).for_each(|number| writeln!(text, "{number}").unwrap());
    write!(text, "end_variable\n0\nbegin_state\n{}end_state\n", "0\n".repeat(values)).unwrap();
    write!(text, "begin_goal\n1\n{count} {count}\nend_goal\n{}\n", 2 * count).unwrap();
    for number in 0..count {
        for value in [1, 2] {
            let next = number + 1;
            write!(
                text,
                "begin_operator\nchoose {number}\n0\n2\n0 {number} -1 {value}\n\
                 0 {count} {number} {next}\n1\nend_operator\n"
            )
            .unwrap();
        }
    }
    sandbox.write("task.sas", &(text + "0\n"));
    let solve = ["solve", "--heuristic", "pot(dim=1)", "--time-limit", "60s", "task.sas"];
    let output = sandbox.run(&solve);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let output = sandbox.run(&["validate", "task.sas", "sas_plan"]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("several actions are called"), "{}", stdout(&output));
}
