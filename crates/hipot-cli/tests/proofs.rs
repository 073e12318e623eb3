//! Certificates of searches, from the command line to the accepted proof.

mod sandbox;

use std::path::Path;

use sandbox::{Sandbox, code, json, stderr, stdout};

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    folder.join(name).to_str().unwrap().to_owned()
}

/// A task with conditional effects and axioms is among them.
const TASKS: [(&str, &[&str]); 7] = [
    ("hanoi.sas", &["--heuristic", "pot(dim=1)"]),
    ("hanoi.sas", &["--heuristic", "blind"]),
    ("hanoi.sas", &["--heuristic", "max(blind, ocp(dim=1))"]),
    ("rings.sas", &[]),
    ("circuit.sas", &[]),
    ("lights.sas", &[]),
    ("parity.sas", &["--heuristic", "blind"]),
];

#[test]
fn every_answer_has_its_proof() {
    let sandbox = Sandbox::new();
    for (name, options) in TASKS {
        let task = example(name);
        let solve = ["solve", "-q", "--json", "--certificate", "proof", &task];
        let solved = sandbox.run(&[&solve[..], options].concat());
        let report = json(&solved);
        let context = format!("{name} {options:?}: {report} {}", stderr(&solved));
        assert_eq!(report["certificate"]["optimal"], true, "{context}");
        assert_eq!(report["certificate"]["lower_bound"], report["cost"], "{context}");
        let mut verify = vec!["verify", "--json", "--require", "optimal", &task, "proof"];
        if report["cost"].is_u64() {
            verify.extend(["--plan", "sas_plan"]);
        }
        let verified = sandbox.run(&verify);
        assert_eq!(code(&verified), 0, "{context}: {}", stdout(&verified));
        let verdict = json(&verified);
        assert_eq!(verdict["lower_bound"], report["cost"], "{context}");
        let listed = verdict["states"].as_u64().unwrap_or(0);
        assert_eq!(Some(listed), report["certificate"]["states"].as_u64(), "{context}");
        assert!(!sandbox.path("proof.partial").exists(), "{context}");
    }
}

#[test]
fn one_line_says_what_is_proved() {
    let sandbox = Sandbox::new();
    let task = example("hanoi.sas");
    let solve = ["solve", "-q", "--heuristic", "blind", "--certificate", "proof", &task];
    let solved = stdout(&sandbox.run(&solve));
    let cost = solved.lines().find_map(|line| line.strip_prefix("; Plan cost: ")).unwrap();
    assert!(solved.contains(&format!("; Certificate: every plan costs at least {cost}\n")));
    let verdict = |arguments: &[&str]| {
        let output = sandbox.run(&[&["verify", &task, "proof"], arguments].concat());
        stdout(&output).lines().next().unwrap().to_owned()
    };
    let proved = format!("Proved: every plan costs at least {cost}");
    assert_eq!(verdict(&[]), format!("{proved}."));
    let with_plan = format!("{proved}, and this plan costs {cost}: it is optimal.");
    assert_eq!(verdict(&["--plan", "sas_plan"]), with_plan);

    // The state after the first one is missing.
    let proof = std::fs::read(sandbox.path("proof")).unwrap();
    let head = proof.windows(8).position(|part| part == b"\nstates\n").unwrap() + 8;
    std::fs::write(sandbox.path("proof"), &proof[..head]).unwrap();
    let refused = "Not verified: the list of states is damaged after 0 of them: it ends too early";
    assert_eq!(verdict(&["--plan", "sas_plan"]), refused);
}

#[test]
fn what_a_certificate_lacks_is_said_before_the_search() {
    let sandbox = Sandbox::new();
    let task = example("hanoi.sas");
    let spec = "scp(pot(dim=1), projections)";
    let solved = sandbox.run(&["solve", "--heuristic", spec, "--certificate", "proof", &task]);
    let warning = "abstractions have no certificates";
    assert!(stderr(&solved).contains(warning), "{}", stderr(&solved));
    let arguments = ["verify", "--require", "optimal", &task, "proof", "--plan", "sas_plan"];
    assert_eq!(code(&sandbox.run(&arguments)), 0);
}

/// `docs/proofs.md` shows what comes out.
#[test]
fn the_proof_that_is_explained_is_that_of_the_task() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/proofs.md");
    let document = std::fs::read_to_string(document).unwrap();
    let mut pddl = document.split("```pddl\n").skip(1).map(|it| it.split("```").next().unwrap());
    let sandbox = Sandbox::new();
    sandbox.write("domain.pddl", pddl.next().unwrap());
    sandbox.write("problem.pddl", pddl.next().unwrap());
    for (spec, listed) in [("pot(dim=1)", false), ("blind", true)] {
        let solve = ["solve", "-q", "--heuristic", spec, "--certificate", "proof", "problem.pddl"];
        assert_eq!(code(&sandbox.run(&solve)), 0);
        let proof = std::fs::read(sandbox.path("proof")).unwrap();
        let text = match proof.windows(8).position(|part| part == b"\nstates\n") {
            Some(end) if listed => &proof[..end + 8],
            _ => &proof[..],
        };
        let text = std::str::from_utf8(text).unwrap();
        assert!(document.contains(&format!("```text\n{text}```")), "{text}");
    }
    let verified = sandbox.run(&["verify", "problem.pddl", "proof", "--plan", "sas_plan"]);
    assert!(document.contains(&stdout(&verified)), "{}", stdout(&verified));
}
