//! Heuristics of the normal form by cases, from the spec to the plan.

mod sandbox;

use sandbox::{Sandbox, code, json, stderr, stdout};

/// Tea takes hot water, which takes a full kettle; nothing asks for what it sets.
const TEA: &str = "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n3\n\
    begin_variable\nkettle\n-1\n2\nempty\nfull\nend_variable\n\
    begin_variable\nwater\n-1\n2\ncold\nhot\nend_variable\n\
    begin_variable\ntea\n-1\n2\nmissing\nready\nend_variable\n0\n\
    begin_state\n0\n0\n0\nend_state\nbegin_goal\n1\n2 1\nend_goal\n3\n\
    begin_operator\nfill\n0\n1\n0 0 -1 1\n1\nend_operator\n\
    begin_operator\nboil\n1\n0 1\n1\n0 1 -1 1\n1\nend_operator\n\
    begin_operator\nbrew\n1\n1 1\n1\n0 2 -1 1\n1\nend_operator\n0\n";

/// The value unknown loses a step; by cases it is proved, and without search.
#[test]
fn the_command_line_knows_cases() {
    let sandbox = Sandbox::new();
    sandbox.write("tea.sas", TEA);
    let bound = |spec: &str| {
        let output = sandbox.run(&[
            "bound",
            "-q",
            "--json",
            "--heuristic",
            spec,
            "--certificate",
            "proof",
            "tea.sas",
        ]);
        assert_eq!(code(&output), 0, "{spec}: {}", stderr(&output));
        let report = json(&output);
        let verified = sandbox.run(&["verify", "tea.sas", "proof"]);
        assert_eq!(code(&verified), 0, "{spec}: {}", stdout(&verified));
        (report["lower_bound"].as_u64().unwrap(), report["heuristic"]["spec"].to_string())
    };
    assert_eq!(bound("pot(dim=2, mutexes=none)").0, 2);
    assert!(sandbox.read("proof").starts_with("hipot certificate 1\n"));
    let (height, spec) = bound("pot(dim=2, mutexes=none, open=cases)");
    assert_eq!((height, spec.as_str()), (3, "\"pot(dim=2, mutexes=none, open=cases)\""));
    let proof = sandbox.read("proof");
    assert!(
        proof.starts_with("hipot certificate 3\n") && proof.contains("\nopen cases\nlayers 0\n")
    );

    // The same function is not one of the other form.
    let (head, tail) = proof.split_once("open cases\nlayers 0\n").unwrap();
    sandbox.write("tampered", &format!("{head}{tail}").replace("certificate 3", "certificate 1"));
    let output = sandbox.run(&["verify", "tea.sas", "tampered"]);
    assert_ne!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("not consistent"), "{}", stdout(&output));
}

/// A list of features may mention a value that only the goal needs, and no other
/// unknown value.
#[test]
fn features_from_a_file_are_facts_of_the_form() {
    let sandbox = Sandbox::new();
    sandbox.write("tea.sas", TEA);
    let run = |variable: &str| {
        let text = format!(
            "{{\"features\": [{{\"facts\": [[\"{variable}\", \"unknown\"]]}}, \
             {{\"facts\": [[\"tea\", \"missing\"]]}}]}}"
        );
        sandbox.write("features.json", &text);
        let spec = "pot(features=features.json, open=cases)";
        sandbox.run(&["bound", "-q", "--json", "--heuristic", spec, "tea.sas"])
    };
    let known = run("water");
    assert_eq!(code(&known), 0, "{}", stderr(&known));
    assert_eq!(json(&known)["lower_bound"], 1);
    let missing = run("tea");
    assert_ne!(code(&missing), 0);
    assert!(stderr(&missing).contains("unknown"), "{}", stderr(&missing));
}
