//! What is said about command lines and files that are wrong, and that it is said before any work.

mod sandbox;

use sandbox::{Sandbox, code, json, stderr, stdout};

/// A sandbox with a small task in `task.sas`.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "shuttle", "2", "1", "-o", "task.sas"])), 0);
    sandbox
}

/// Runs a command line that is wrong and returns what it says.
fn message(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let output = sandbox.run(arguments);
    let text = stderr(&output);
    assert_eq!(code(&output), 2, "{arguments:?}: {text}");
    assert!(stdout(&output).is_empty(), "{arguments:?}: nothing was done");
    text
}

#[test]
fn a_message_in_json_is_whole() {
    let sandbox = sandbox();
    let output = sandbox.run(&["solve", "--json"]);
    let report = json(&output);
    let message = "the following required arguments were not provided: <TASK>...";
    assert_eq!((code(&output), report["message"].as_str()), (2, Some(message)));
}

#[test]
fn options_of_other_planners_are_known() {
    let sandbox = sandbox();
    for (option, tip) in [
        ("--search", "--heuristic"),
        ("--alias", "--heuristic"),
        ("--evaluator", "--heuristic"),
        ("--overall-time-limit", "--time-limit 30m"),
        ("--overall-memory-limit", "--memory-limit 4G"),
    ] {
        let text = message(&sandbox, &["solve", option, "x", "task.sas"]);
        assert!(text.contains(&format!("unexpected argument '{option}'")), "{text}");
        assert!(text.contains(tip) && !text.contains("as a value"), "{text}");
    }
    let text = message(&sandbox, &["solve", "--heuristik", "x", "task.sas"]);
    assert!(text.contains("'--heuristic'"), "{text}");
}

#[test]
fn heuristics_with_a_typing_mistake_are_recognized() {
    let sandbox = sandbox();
    for (wrong, right) in [("blnd", "blind"), ("pot4", "pot"), ("atuo", "auto")] {
        let text = message(&sandbox, &["solve", "--heuristic", wrong, "task.sas"]);
        assert!(text.contains(&format!("did you mean '{right}")), "{text}");
    }
    let text = message(&sandbox, &["solve", "--heuristic", "lmcut", "task.sas"]);
    assert!(!text.contains("did you mean") && text.contains("known are: blind"), "{text}");
}

#[test]
fn a_memory_limit_without_unit_is_not_taken_for_megabytes() {
    let sandbox = sandbox();
    let text = message(&sandbox, &["solve", "--memory-limit", "3584", "task.sas"]);
    assert!(text.contains("3584 bytes are too few; with a unit: 3584M"), "{text}");
    // As the lab gives it.
    let bytes = ["solve", "--memory-limit", "2147483648", "task.sas"];
    assert_eq!(code(&sandbox.run(&bytes)), 0);
}

#[test]
fn files_that_cannot_be_written_are_noticed_before_the_work() {
    let sandbox = sandbox();
    for command in [
        ["solve", "task.sas", "--plan-file", "none/plan"],
        ["solve", "task.sas", "--certificate", "none/proof"],
        ["bound", "task.sas", "--certificate", "none/proof"],
        ["explain", "task.sas", "-o", "none/page.html"],
    ] {
        let text = message(&sandbox, &command);
        assert!(text.contains("there is no folder 'none'"), "{text}");
    }
    let text = message(&sandbox, &["solve", "task.sas", "--plan-file", "."]);
    assert!(text.contains("it is a folder"), "{text}");
}

#[test]
fn a_folder_is_not_a_task() {
    let sandbox = sandbox();
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    for command in [&["solve", "folder"][..], &["validate", "task.sas", "folder"]] {
        let output = sandbox.run(command);
        let text = stderr(&output);
        assert_eq!(code(&output), 31, "{text}");
        assert!(text.contains("cannot read 'folder': it is a folder, not a file"), "{text}");
    }
    let output = sandbox.run(&["solve", "none.sas"]);
    assert!(!stderr(&output).contains("os error"), "{}", stderr(&output));
}

#[test]
fn check_says_that_the_function_is_missing() {
    let sandbox = sandbox();
    let text = message(&sandbox, &["check", "domain.pddl", "problem.pddl"]);
    assert!(text.contains("the potential function is missing after 'problem.pddl'"), "{text}");
    assert!(text.contains("hipot solve"), "{text}");
}

#[test]
fn explanations_are_not_written_in_a_form_that_the_file_does_not_have() {
    let sandbox = sandbox();
    let text = message(&sandbox, &["explain", "task.sas", "-o", "x.pdf"]);
    assert!(text.contains("there is no form for 'x.pdf'") && text.contains("--format"), "{text}");
    assert!(!sandbox.path("x.pdf").exists());
    for file in ["x.txt", "x", "x.html", "x.JSON", "x.dot"] {
        assert_eq!(code(&sandbox.run(&["explain", "task.sas", "-o", file])), 0, "{file}");
    }
    let forced = ["explain", "task.sas", "-o", "x.pdf", "--format", "text"];
    assert_eq!(code(&sandbox.run(&forced)), 0);
}
