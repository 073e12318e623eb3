//! What users get where something cannot be written, or a run ends early.

mod sandbox;

use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use sandbox::{Sandbox, code, json, signal, stderr, stdout};

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_plan_is_saved_where_standard_output_is_full() {
    let sandbox = Sandbox::new();
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        return eprintln!("skipped: there is no /dev/full");
    };
    let coffee = example("coffee.sas");
    let status = sandbox.command(&["solve", "-q", &coffee]).stdout(full).status().unwrap();
    assert_eq!(status.code(), Some(2));
    assert!(sandbox.read("sas_plan").ends_with("; cost = 29 (general cost)\n"));
}

#[test]
fn a_bound_is_printed_where_its_certificate_cannot_be_written() {
    let sandbox = Sandbox::new();
    let coffee = example("coffee.sas");
    let output = sandbox.run(&["bound", "-q", &coffee, "--certificate", "/dev/full"]);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).starts_with("Lower bound: 23\n"), "{}", stdout(&output));
    assert!(stderr(&output).contains("cannot write '/dev/full'"), "{}", stderr(&output));
}

/// A run whose certificate cannot be written ends before the search, with that error.
#[test]
fn a_certificate_that_cannot_be_written_ends_the_search() {
    let sandbox = Sandbox::new();
    let coffee = example("coffee.sas");
    for heuristic in ["auto", "pot(dim=2)", "max(seq, pot(dim=1))"] {
        let arguments = ["solve", "--json", &coffee, "--certificate", "/dev/full"];
        let output = sandbox.run(&[&arguments[..], &["--heuristic", heuristic]].concat());
        let report = json(&output);
        assert_eq!((code(&output), report["schema"].as_str()), (2, Some("hipot.error/1")));
        assert_eq!(report["file"], "/dev/full");
        assert!(!sandbox.path("sas_plan").exists(), "{heuristic}");
    }
}

/// With a cost in the log, Downward Lab would count the task as solved.
#[test]
fn a_log_has_no_cost_where_the_plan_cannot_be_written() {
    let sandbox = Sandbox::new();
    let coffee = example("coffee.sas");
    let output = sandbox.run(&["solve", "--downward-log", &coffee, "--plan-file", "no/folder"]);
    assert_eq!(code(&output), 2);
    assert!(!stdout(&output).contains("Plan cost"), "{}", stdout(&output));
}

#[test]
fn what_cannot_be_an_output_is_refused() {
    let sandbox = Sandbox::new();
    let coffee = example("coffee.sas");
    std::fs::copy(&coffee, sandbox.path("task.sas")).unwrap();
    let task = sandbox.read("task.sas");
    for (arguments, expected, words) in [
        (["solve", &coffee, "--plan-file", "-"], 2, "'-' is not supported here; give a file name"),
        (
            ["bound", &coffee, "--certificate", "-"],
            2,
            "'-' is not supported here; give a file name",
        ),
        (["explain", &coffee, "-o", "-"], 2, "'-' is not supported here; give a file name"),
        (["solve", "task.sas", "--plan-file", "./task.sas"], 2, "it is the task"),
    ] {
        let output = sandbox.run(&arguments);
        assert_eq!(code(&output), expected, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    }
    assert_eq!(sandbox.read("task.sas"), task);
    for file in ["domain.pddl", "problem.pddl"] {
        std::fs::copy(example(&format!("tea/{file}")), sandbox.path(file)).unwrap();
    }
    let output = sandbox.run(&["solve", "problem.pddl", "--plan-file", "domain.pddl"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(sandbox.read("domain.pddl").contains("(:action"));
    assert!(!sandbox.path("-").exists());
}

#[test]
fn a_certificate_of_nothing_is_told_so() {
    let sandbox = Sandbox::new();
    let blind = ["bound", &example("coffee.sas"), "--heuristic", "blind", "--certificate", "c"];
    let output = sandbox.run(&blind);
    assert!(stderr(&output).contains("claims a bound of 0"), "{}", stderr(&output));
    assert!(sandbox.read("c").contains("claim bound 0"));
}

#[test]
fn a_wrong_command_line_has_its_json_too() {
    let sandbox = Sandbox::new();
    let coffee = example("coffee.sas");
    for arguments in [["--nonsense", "x"], ["--heuristic", "nonsense"]] {
        let output = sandbox.run(&[&["solve", "--json", &coffee], &arguments[..]].concat());
        let report = json(&output);
        assert_eq!((code(&output), report["schema"].as_str()), (2, Some("hipot.error/1")));
        assert_eq!(report["status"], "usage-error");
        assert!(report["message"].as_str().unwrap().contains(arguments[0]), "{report}");
        assert!(stderr(&output).contains("For more information"), "{}", stderr(&output));
    }
}

#[test]
fn a_bound_that_is_cut_short_is_still_a_bound() {
    let sandbox = Sandbox::new();
    let arguments = ["bound", "--json", "--time-limit", "0", &example("coffee.sas")];
    let output = sandbox.run(&arguments);
    let report = json(&output);
    assert_eq!((code(&output), report["schema"].as_str()), (23, Some("hipot.bound/1")));
    assert_eq!((&report["status"], &report["lower_bound"]), (&"time-limit".into(), &0.into()));
}

/// An LP in dimension 3 begins with smaller ones: what they prove is not lost.
#[test]
fn an_interrupted_lp_leaves_what_is_proved() {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "hanoi", "14", "-q", "-o", "hanoi.sas"])), 0);
    for command in ["bound", "solve"] {
        let child = sandbox
            .command(&[command, "--json", "hanoi.sas", "--heuristic", "pot(dim=3)"])
            .stdout(Stdio::piped())
            .stderr(File::create(sandbox.path("log")).unwrap())
            .spawn()
            .unwrap();
        let begin = Instant::now();
        while !sandbox.read("log").contains(" bound ") {
            assert!(begin.elapsed() < Duration::from_secs(60), "{}", sandbox.read("log"));
            sleep(Duration::from_millis(20));
        }
        signal(&child, "INT");
        let output = child.wait_with_output().unwrap();
        let report = json(&output);
        assert_eq!((code(&output), report["status"].as_str()), (130, Some("interrupted")));
        assert!(report["lower_bound"].as_u64().unwrap() > 0, "{report}");
    }
}

/// The LP of the paper can be too large even where the one that is solved is not.
#[test]
fn a_textbook_lp_is_not_written_beyond_the_limits() {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "shuttle", "30", "-q", "-o", "s.sas"])), 0);
    let arguments = ["bound", "s.sas", "--json", "--write-lp-plain", "s.lp"];
    let heuristic = ["--heuristic", "pot(dim=5)", "--memory-limit", "300M"];
    let output = sandbox.run(&[&arguments[..], &heuristic].concat());
    assert_eq!(code(&output), 22, "{}", stderr(&output));
    assert_eq!(json(&output)["schema"], "hipot.bound/1");
    assert!(!sandbox.path("s.lp").exists());
}

#[test]
fn a_strict_heuristic_of_dimension_three_ends_with_the_code_of_a_limit() {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "shuttle", "30", "-q", "-o", "s.sas"])), 0);
    let output = sandbox.run(&["bound", "s.sas", "--heuristic", "pot(dim=3)", "--strict"]);
    assert_eq!(code(&output), 22, "{}", stderr(&output));
}
