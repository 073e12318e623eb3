//! What the program says, and its exit codes.

use std::fs;
use std::process::{Command, Output};

use hipot_check::{Claim, SearchCertificate, State, StateCode, StatesWriter, fingerprint};
use hipot_task::{Task, sas};
use hipot_testing::counter;
use tempfile::TempDir;

/// A counter to 3 whose steps cost 2, with all that is needed to prove that it takes 6.
fn folder(claim: Claim, list: &[(u64, [u32; 2])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let task = counter(2, 2);
    let mut text = Vec::new();
    sas::write(&task, &mut text).unwrap();
    fs::write(folder.path().join("task.sas"), text).unwrap();
    let plan = "(carry 0)\n(carry 1)\n(carry 0)\n";
    fs::write(folder.path().join("plan"), plan).unwrap();
    fs::write(folder.path().join("short"), "(carry 0)\n").unwrap();
    fs::write(folder.path().join("proof"), certificate(&task, claim, list)).unwrap();
    folder
}

fn certificate(task: &Task, claim: Claim, list: &[(u64, [u32; 2])]) -> Vec<u8> {
    let mut file = Vec::new();
    SearchCertificate::new(fingerprint(task), claim).write(&mut file).unwrap();
    let code = StateCode::new(task);
    let mut writer = StatesWriter::new(&code, file);
    for (cost, state) in list {
        let state: State = state.to_vec();
        let mut bytes = Vec::new();
        code.encode(|variable| state[variable], &mut bytes);
        writer.write_run(*cost, &bytes).unwrap();
    }
    writer.finish().unwrap()
}

fn run(folder: &TempDir, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hipot-verify"));
    command.args(arguments.split_whitespace()).current_dir(folder.path());
    command.output().unwrap()
}

fn answer(folder: &TempDir, arguments: &str) -> (i32, String) {
    let output = run(folder, arguments);
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

const LIST: [(u64, [u32; 2]); 2] = [(0, [0, 0]), (2, [1, 0])];

#[test]
fn a_plan_is_proved_optimal() {
    let folder = folder(Claim::Bound(6), &LIST);
    let expected = "Proved: every plan costs at least 6, and this plan costs 6: it is optimal.\n\
                    The proof rests on the task and 2 listed states, checked.\n";
    let found = answer(&folder, "task.sas proof --plan plan --require optimal");
    assert_eq!(found, (0, expected.to_owned()));
    let (code, text) = answer(&folder, "task.sas proof");
    assert_eq!((code, text.lines().next()), (0, Some("Proved: every plan costs at least 6.")));
    assert_eq!(answer(&folder, "task.sas proof --require optimal").0, 1);
}

#[test]
fn what_is_not_proved_is_told() {
    let folder = folder(Claim::Bound(7), &LIST);
    let (code, text) = answer(&folder, "task.sas proof --plan plan");
    assert_eq!(code, 1);
    assert!(
        text.starts_with("Not verified: operator 'carry 1' leads from listed state 2"),
        "{text}"
    );

    let folder = self::folder(Claim::Bound(6), &LIST);
    let (code, text) = answer(&folder, "task.sas proof --plan short");
    assert_eq!(code, 1);
    assert!(text.starts_with("Not verified: short: "), "{text}");
}

#[test]
fn errors_have_their_exit_codes() {
    let folder = folder(Claim::Bound(6), &LIST);
    for (arguments, code, words) in [
        ("", 2, "a task and a certificate are needed"),
        ("task.sas proof --plan", 2, "--plan needs a file"),
        ("none.sas proof", 31, "none.sas: "),
        ("task.sas none", 31, "none: "),
        ("task.sas task.sas", 31, "task.sas: line 1, column 1: expected 'hipot certificate 1'"),
        ("proof proof", 31, "proof: line 1, column 1: "),
        ("task.sas proof --plan task.sas", 31, "task.sas: line 1, column 1: "),
        ("--help", 0, "Usage: hipot-verify TASK CERTIFICATE"),
    ] {
        let found = answer(&folder, arguments);
        assert_eq!(found.0, code, "{arguments}: {}", found.1);
        assert!(found.1.contains(words), "{arguments}: {}", found.1);
    }
}
