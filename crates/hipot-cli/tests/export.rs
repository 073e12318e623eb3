//! Certificates for the checker of others. Tests that run it are skipped with a message if it is not
//! installed; `VERIPB` names one that is not on the path.

mod sandbox;

use std::path::Path;
use std::process::Command;

use hipot_testing::veripb;
use sandbox::{Sandbox, code, json, stderr, stdout};

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    folder.join(name).to_str().unwrap().to_owned()
}

impl Sandbox {
    fn bound(&self, task: &str, heuristic: &str) {
        let bound = ["bound", "-q", "--heuristic", heuristic, "--certificate", "proof", task];
        let output = self.run(&bound);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }

    /// Exports the certificate in a file, and says whether VeriPB accepts it.
    fn is_accepted(&self, veripb: &str, task: &str, certificate: &str) -> bool {
        let export = ["export", task, certificate, "--format", "veripb", "-o", "out"];
        let output = self.run(&export);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        self.is_proved(veripb)
    }

    fn is_proved(&self, veripb: &str) -> bool {
        let files = [self.path("out.opb"), self.path("out.pbp")];
        let output = Command::new(veripb).args(files).output().unwrap();
        let proved = stdout(&output).contains("s VERIFIED UNSATISFIABLE\n");
        assert_eq!(proved, output.status.success(), "{}", stdout(&output));
        proved
    }
}

#[test]
fn another_checker_accepts_what_is_proved() {
    let Some(veripb) = veripb() else { return };
    let sandbox = Sandbox::new();
    let names = ["blocks", "cat", "coffee", "hanoi", "jugs", "parity", "rings", "river", "toll"];
    for name in names {
        let task = example(&format!("{name}.sas"));
        for dimension in 1..=2 {
            sandbox.bound(&task, &format!("pot(dim={dimension}, mutexes=none)"));
            if sandbox.read("proof").contains("claim bound 0\n") {
                continue;
            }
            assert!(sandbox.is_accepted(&veripb, &task, "proof"), "{name}, dimension {dimension}");
        }
    }
}

#[test]
fn another_checker_accepts_whole_searches() {
    let Some(veripb) = veripb() else { return };
    let sandbox = Sandbox::new();
    for name in ["blocks", "cat", "hanoi", "jugs", "parity", "rings", "river"] {
        let task = example(&format!("{name}.sas"));
        for heuristic in ["blind", "pot(dim=1, mutexes=none)", "pot(dim=2, mutexes=none)"] {
            let solve = ["solve", "-q", "--heuristic", heuristic, "--certificate", "proof", &task];
            assert_eq!(code(&sandbox.run(&solve)), if name == "parity" { 11 } else { 0 });
            assert!(sandbox.is_accepted(&veripb, &task, "proof"), "{name}, {heuristic}");
        }
    }
}

/// Each line of a certificate with its last number changed, where it has one.
fn forged(certificate: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = certificate.lines().collect();
    let mut forged = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let words: Vec<&str> = line.split(' ').collect();
        let (place, change): (usize, &[i64]) = match words[0] {
            "claim" => (2, &[1, 7]),
            "denominator" => (1, &[1]),
            "constant" => (1, &[-1, 1]),
            word if word.parse::<i64>().is_ok() => (0, &[-1, 1]),
            _ => continue,
        };
        for change in change {
            let number = words[place].parse::<i64>().unwrap() + change;
            let number = number.to_string();
            let mut words = words.clone();
            words[place] = &number;
            let joined = words.join(" ");
            let mut lines = lines.clone();
            lines[index] = &joined;
            forged.push((format!("{joined} for {line}"), lines.join("\n") + "\n"));
        }
    }
    forged
}

#[test]
fn another_checker_rejects_what_is_not_proved() {
    let Some(veripb) = veripb() else { return };
    let sandbox = Sandbox::new();
    for (name, cost) in [("cat", 4), ("river", 5), ("rings", 5)] {
        let task = example(&format!("{name}.sas"));
        sandbox.bound(&task, "pot(dim=2, mutexes=none)");
        let mut rejected = 0;
        for (change, certificate) in forged(&sandbox.read("proof")) {
            sandbox.write("forged", &certificate);
            let is_accepted = sandbox.is_accepted(&veripb, &task, "forged");
            let claim = certificate.lines().find_map(|line| line.strip_prefix("claim bound "));
            let is_true = claim.unwrap().parse::<i64>().unwrap() <= cost;
            assert!(is_true || !is_accepted, "{name}: {change}");
            let output = sandbox.run(&["verify", &task, "forged"]);
            assert!(is_accepted || code(&output) == 1, "{name}: {change} {}", stdout(&output));
            rejected += u32::from(!is_accepted);
        }
        assert!(rejected >= 10, "{name}: {rejected} rejected");
    }
}

/// The formula is changed, but not the proof.
#[test]
fn a_proof_is_about_its_formula() {
    let Some(veripb) = veripb() else { return };
    let sandbox = Sandbox::new();
    let task = example("cat.sas");
    sandbox.bound(&task, "pot(dim=2, mutexes=none)");
    assert!(sandbox.is_accepted(&veripb, &task, "proof"));
    let formula = sandbox.read("out.opb");
    let lines: Vec<&str> = formula.lines().collect();
    let mut tried = 0;
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.starts_with('*')) {
        // A weaker constraint about the task, or a goal that lacks a fact.
        if line.contains("~op") || line.contains("~last") {
            let (terms, degree) = line.trim_end_matches(" ;").rsplit_once(' ').unwrap();
            let weaker = degree.parse::<i64>().unwrap() - 1;
            let changed = format!("{terms} {weaker} ;");
            let mut lines = lines.clone();
            lines[index] = &changed;
            sandbox.write("out.opb", &(lines.join("\n") + "\n"));
            tried += 1;
            assert!(!sandbox.is_proved(&veripb), "{changed}");
        }
    }
    assert!(tried > 3, "{tried} lines were changed");
}

/// All blocks of a kind are parts of what was written.
fn check_blocks(document: &str, kind: &str, written: &str) {
    let begin = format!("```{kind}\n");
    let blocks: Vec<&str> = document.split(&begin).skip(1).collect();
    assert!(blocks.len() > 2, "{} blocks of kind {kind}", blocks.len());
    for block in blocks {
        let block = block.split("```").next().unwrap();
        assert!(written.contains(block), "{block}is not part of\n{written}");
    }
}

/// `docs/veripb.md` shows what comes out, for the task of `docs/proofs.md`.
#[test]
fn the_formula_that_is_explained_is_that_of_the_task() {
    let read = |name: &str| {
        let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
        std::fs::read_to_string(document).unwrap()
    };
    let (proofs, document) = (read("proofs.md"), read("veripb.md"));
    let mut pddl = proofs.split("```pddl\n").skip(1).map(|it| it.split("```").next().unwrap());
    let sandbox = Sandbox::new();
    sandbox.write("domain.pddl", pddl.next().unwrap());
    sandbox.write("problem.pddl", pddl.next().unwrap());
    sandbox.bound("problem.pddl", "pot(dim=1)");
    let export = ["export", "problem.pddl", "proof", "--format", "veripb", "-o", "three"];
    assert_eq!(code(&sandbox.run(&export)), 0);
    let written = sandbox.read("three.opb") + &sandbox.read("three.pbp");
    check_blocks(&document, "text", &written);
    let solve = ["solve", "-q", "--heuristic", "blind", "--certificate", "proof", "problem.pddl"];
    assert_eq!(code(&sandbox.run(&solve)), 0);
    assert_eq!(code(&sandbox.run(&export)), 0);
    check_blocks(&document, "listed", &(sandbox.read("three.opb") + &sandbox.read("three.pbp")));
}

#[test]
fn the_files_are_named_and_measured() {
    let sandbox = Sandbox::new();
    let task = example("hanoi.sas");
    sandbox.bound(&task, "pot(dim=1, mutexes=none)");
    let export = ["export", "--json", &task, "proof", "--format", "veripb", "-o", "out"];
    let output = sandbox.run(&export);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let report = json(&output);
    assert_eq!(report["schema"], "hipot.export/1");
    assert_eq!(report["status"], "exported");
    for (file, size) in [("formula", "formula_bytes"), ("proof", "proof_bytes")] {
        let text = sandbox.read(report[file].as_str().unwrap());
        assert_eq!(report[size].as_u64(), Some(text.len() as u64));
    }
    assert!(sandbox.read("out.pbp").starts_with("pseudo-Boolean proof version 3.0\n"));
}

#[test]
fn what_cannot_be_exported_is_refused_before_anything_is_written() {
    let sandbox = Sandbox::new();
    let refused = |task: &str, heuristic: &str, status: i32, reason: &str| {
        sandbox.bound(&example(task), heuristic);
        let export = ["export", &example(task), "proof", "--format", "veripb", "-o", "out"];
        let output = sandbox.run(&export);
        assert_eq!(code(&output), status, "{}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
        assert!(!sandbox.path("out.opb").exists() && !sandbox.path("out.pbp").exists());
    };
    refused("lights.sas", "pot(dim=1)", 34, "conditional effects");
    refused("circuit.sas", "pot(dim=1)", 34, "axioms");
    refused("nap.sas", "pot(dim=1)", 34, "a bound of 0");
    let certificate = sandbox.read("proof");
    sandbox.write("other", &certificate);
    let export = ["export", &example("cat.sas"), "other", "--format", "veripb", "-o", "out"];
    let output = sandbox.run(&export);
    assert_eq!(code(&output), 31);
    assert!(stderr(&output).contains("another task"), "{}", stderr(&output));
}
