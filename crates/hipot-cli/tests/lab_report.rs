//! `hipot lab import` and `hipot lab report`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const EXPERIMENT: &str = r#"
name = "small"
[limits]
time = "30s"
memory = "1G"
[suites.s]
folder = "tasks"
[configurations.pot1]
heuristic = "pot(dim=1)"
"#;

const PROPERTIES: &str = r#"{
    "lmcut-gripper-p1.pddl": { "algorithm": "lmcut", "domain": "gripper", "problem": "p1.pddl",
        "coverage": 1, "cost": 11, "expansions": 12, "expansions_until_last_jump": 0,
        "initial_h_value": 9, "planner_time": 0.5, "planner_time_limit": 1800, "memory": 30000 },
    "lmcut-gripper-p2.pddl": { "algorithm": "lmcut", "domain": "gripper", "problem": "p2.pddl",
        "coverage": 0, "error": "search-out-of-time", "cost": "none" },
    "lmcut-gripper-p3.pddl": { "algorithm": "lmcut", "domain": "gripper", "problem": "p3.pddl" },
    "pot1-gripper-p1.pddl": { "algorithm": "pot1", "domain": "gripper", "problem": "p1.pddl" }
}"#;

/// A folder with an experiment of two tasks, and a properties file.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let tasks = folder.path().join("tasks/gripper");
    fs::create_dir_all(&tasks).expect("a folder");
    for name in ["p1.sas", "p2.sas"] {
        fs::write(tasks.join(name), "nobody reads this here").expect("a file");
    }
    fs::write(folder.path().join("small.toml"), EXPERIMENT).expect("a file");
    fs::write(folder.path().join("properties"), PROPERTIES).expect("a file");
    folder
}

fn lab(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hipot"));
    command.current_dir(folder).arg("lab").args(words).output().expect("hipot")
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn results_of_others_are_imported_and_reported() {
    let folder = folder();
    let import = lab(folder.path(), &["import", "small.toml", "properties"]);
    assert_eq!(words(&import.stdout), "2 rows imported, 2 have no place\n");
    let complaints = words(&import.stderr);
    for complaint in [
        "the experiment has no task gripper p3.pddl",
        "algorithm 'pot1' is one that the experiment runs itself",
        "cost was left out 1 time:",
    ] {
        assert!(complaints.contains(complaint), "{complaints}");
    }
    let again = lab(folder.path(), &["import", "small.toml", "properties"]);
    assert!(words(&again.stdout).starts_with("0 rows imported, 2 were there already"));
    let again = lab(folder.path(), &["import", "small.toml", "properties", "--replace"]);
    assert!(words(&again.stdout).starts_with("2 rows imported, 2 have no place"));
    let prefixed = ["import", "small.toml", "properties", "--prefix", "lab-"];
    assert!(words(&lab(folder.path(), &prefixed).stdout).starts_with("3 rows imported"));

    let report = lab(
        folder.path(),
        &[
            "report",
            "small.toml",
            "--csv",
            "rows.csv",
            "--properties",
            "back",
            "--plots",
            "plots",
            "--json",
        ],
    );
    assert!(report.status.success(), "{}", words(&report.stderr));
    let json: serde_json::Value = serde_json::from_slice(&report.stdout).expect("JSON");
    assert_eq!(json["schema"], "hipot.lab-report/1");
    assert_eq!((&json["status"], &json["runs_done"]), (&"incomplete".into(), &5.into()));
    assert_eq!(json["sums"]["coverage"]["total"]["lmcut"], 1);
    assert_eq!(json["statuses"]["time-limit"]["lab-lmcut"], 1);
    // Nobody validated these plans: they do not say what is optimal.
    assert_eq!(json["runs"][0]["imported"], true);
    assert_eq!(json["sums"]["initial_h_known"]["total"]["lmcut"], 0);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    assert!(read("small.html").contains("imported: plans not validated here"));
    assert_eq!(read("rows.csv").lines().count(), 6);
    assert!(read("back").contains("\"expansions_until_last_jump\":0"));
    assert!(read("plots/solved-by-time.svg").starts_with("<?xml"));
}

#[test]
fn what_is_wrong_is_said() {
    let folder = folder();
    let nothing = lab(folder.path(), &["report", "small.toml"]);
    assert!(!nothing.status.success());
    assert!(words(&nothing.stderr).contains("nothing has been run yet"));
    fs::write(folder.path().join("broken"), "{\n \"a\": {\"cost\": 1,}}").expect("a file");
    let broken = lab(folder.path(), &["import", "small.toml", "broken"]);
    assert_eq!(broken.status.code(), Some(31));
    assert!(
        words(&broken.stderr).contains("broken:2:18: trailing comma"),
        "{}",
        words(&broken.stderr)
    );
    let baseline = lab(folder.path(), &["report", "small.toml", "--baseline", "best"]);
    assert!(words(&baseline.stderr).contains("the experiment has no configuration 'best'"));
    let unwritable = lab(folder.path(), &["report", "small.toml", "-o", "no/such/folder.html"]);
    assert!(words(&unwritable.stderr).contains("cannot write 'no/such/folder.html'"));
}
