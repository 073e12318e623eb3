//! Experiments from the command line: run, killed, run again.

mod sandbox;

use std::collections::BTreeSet;
use std::fs::{read_dir, read_to_string, write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use hipot_lab::{Record, Status, Store};
use hipot_task::Rng;

use sandbox::{Sandbox, code, json, signal, stderr, stdout};

const LAB: &str = r#"
[limits]
time = "20s"
memory = "1G"

[suites.small]
folder = "tasks"

[configurations.blind]
heuristic = "blind"

[configurations.pot1]
heuristic = "pot(dim=1)"

[configurations.outside]
command = ["HIPOT", "solve", "--plan-file", "{plan}", "--heuristic", "blind", "{problem}"]
revision = "the one"
"#;

/// A sandbox with an experiment over generated tasks.
fn lab(tasks: &[&[&str]]) -> Sandbox {
    let sandbox = Sandbox::new();
    for family in tasks {
        let folder = sandbox.path("tasks").join(family[0]);
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("p{}.sas", family[1..].join("-")));
        let mut arguments = vec!["generate", "-q", "-o", file.to_str().unwrap()];
        arguments.extend(*family);
        let output = sandbox.run(&arguments);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
    sandbox.write("lab.toml", &LAB.replace("HIPOT", env!("CARGO_BIN_EXE_hipot")));
    sandbox
}

fn store(sandbox: &Sandbox) -> Store {
    Store::open_existing(&sandbox.path("lab.sqlite")).unwrap()
}

/// What a table is made of: task, configuration, status, cost, initial value.
type Row = (String, String, Status, Option<u64>, Option<u64>);

fn table(sandbox: &Sandbox) -> Vec<Row> {
    let row = |r: Record| {
        let task = format!("{}/{}", r.domain, r.problem);
        (task, r.configuration, r.status, r.measures.cost, r.measures.initial_h)
    };
    store(sandbox).records().unwrap().into_iter().map(row).collect()
}

fn rows(sandbox: &Sandbox) -> usize {
    // Before the first row there may be no database yet.
    let store = Store::open_existing(&sandbox.path("lab.sqlite"));
    store.and_then(|store| store.records()).map_or(0, |records| records.len())
}

#[test]
fn an_experiment_is_run_and_shown() {
    let sandbox = lab(&[&["hanoi", "2"], &["hanoi", "3"], &["parity", "3"]]);
    let output = sandbox.run(&["lab", "run", "-v", "lab.toml"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let lines: Vec<String> = stdout(&output)
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let expected = [
        "configuration done solved unsolvable",
        "blind 3/3 2 1",
        "pot1 3/3 2 1",
        "outside 3/3 2 1",
    ];
    assert_eq!(lines, expected);
    assert!(stderr(&output).contains("hanoi/p2.sas blind: solved, cost 3"), "{}", stderr(&output));

    let records = store(&sandbox).records().unwrap();
    let problems: Vec<&str> = records.iter().map(|record| &*record.problem).collect();
    assert_eq!(problems[..4], ["p2.sas", "p2.sas", "p2.sas", "p3.sas"], "task by task");
    assert!(records[0].revision.starts_with("hipot "), "{}", records[0].revision);
    assert_eq!(records[2].revision, "the one");
    assert_eq!(records[2].measures.cost, Some(3));
    let mut logs = 0;
    store(&sandbox).for_each_log(|_, log| logs += usize::from(!log.is_empty())).unwrap();
    assert_eq!(logs, 9);

    // A second time there is nothing to do.
    let again = json(&sandbox.run(&["lab", "run", "--json", "lab.toml"]));
    assert_eq!((&again["schema"], &again["status"]), (&"hipot.lab/1".into(), &"complete".into()));
    assert_eq!((&again["done"], &again["runs"]), (&9.into(), &9.into()));
    assert_eq!(store(&sandbox).records().unwrap(), records);

    let status = sandbox.run(&["lab", "status", "lab.toml"]);
    assert_eq!(code(&status), 0);
    let text = stdout(&status);
    assert!(text.starts_with("lab: 9 of 9 runs done\n"), "{text}");
    assert!(text.contains("the one (3)") && text.contains("machines"), "{text}");
    let status = json(&sandbox.run(&["lab", "status", "--json", "lab.toml"]));
    assert_eq!(status["configurations"][0]["statuses"]["solved"], 2);
}

#[test]
fn before_the_first_run_there_is_a_plan() {
    let sandbox = lab(&[&["hanoi", "2"], &["hanoi", "3"]]);
    let status = sandbox.run(&["lab", "status", "lab.toml"]);
    assert!(stdout(&status).starts_with("lab: 0 of 6 runs done\n"), "{}", stdout(&status));
    assert!(stderr(&status).contains("nothing was run yet"), "{}", stderr(&status));
    let plan = sandbox.run(&["lab", "run", "--dry-run", "lab.toml"]);
    let lines: Vec<_> = stdout(&plan).lines().map(str::to_owned).collect();
    assert_eq!((lines.len(), lines[0].as_str()), (6, "hanoi/p2.sas blind"));
    assert!(stderr(&plan).contains("6 runs to make, at most 2m on one core"), "{}", stderr(&plan));
    assert_eq!(code(&status), code(&plan), "both are incomplete");
    assert!(!sandbox.path("lab.sqlite").exists(), "nothing was written");

    assert_eq!(code(&sandbox.run(&["lab", "run", "lab.toml"])), 0);
    let plan = sandbox.run(&["lab", "run", "--dry-run", "lab.toml"]);
    assert_eq!((code(&plan), stdout(&plan).as_str()), (0, ""));
}

#[test]
fn what_is_wrong_is_told() {
    let sandbox = lab(&[&["hanoi", "2"]]);
    let fails = |arguments: &[&str], expected: i32, part: &str| {
        let output = sandbox.run(arguments);
        let text = stderr(&output);
        assert_eq!(code(&output), expected, "{text}");
        assert!(text.contains(part), "{part} in {text}");
    };
    fails(&["lab", "run", "none.toml"], 31, "cannot read 'none.toml'");
    let good = sandbox.read("lab.toml");
    for (old, new, part) in [
        ("folder = \"tasks\"", "folder = \"task\"", "lab.toml:7:10: cannot read the folder"),
        ("pot(dim=1)", "pot(dam=1)", "lab.toml:13:13: invalid value 'pot(dam=1)'"),
        ("\"blind\"\n", "\"blind\"\noptions = [\"--json\"]\n", "lab.toml:10:13: the argument"),
        ("{plan}", "{plam}", "lab.toml:16:11: '{plam}' is not known"),
    ] {
        assert!(good.contains(old));
        sandbox.write("lab.toml", &good.replacen(old, new, 1));
        fails(&["lab", "run", "lab.toml"], 31, part);
    }
    sandbox.write("lab.toml", &good);
    sandbox.write("diary", "Dear diary, today I wrote more than sixteen bytes.");
    fails(&["lab", "run", "--database", "diary", "lab.toml"], 31, "not a database of hipot lab");
    fails(&["lab", "run", "--redo", "nobody", "lab.toml"], 2, "no configuration 'nobody'");

    assert_eq!(code(&sandbox.run(&["lab", "run", "lab.toml"])), 0);
    sandbox.write("lab.toml", &good.replace("20s", "21s"));
    fails(&["lab", "run", "lab.toml"], 31, "--redo blind");
    let redo = ["--redo", "blind", "--redo", "pot1", "--redo", "outside"];
    let output = sandbox.run(&[&["lab", "run", "lab.toml"][..], &redo].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(store(&sandbox).records().unwrap()[0].limits.time, Duration::from_secs(21));
}

#[test]
fn a_planner_that_is_not_there_crashes_with_a_hint() {
    let sandbox = lab(&[&["hanoi", "2"]]);
    let text = sandbox.read("lab.toml").replace(env!("CARGO_BIN_EXE_hipot"), "no-such-planner");
    sandbox.write("lab.toml", &text);
    let output = sandbox.run(&["lab", "run", "lab.toml"]);
    assert_eq!(code(&output), 0, "runs may fail");
    let text = stderr(&output);
    assert!(text.contains("all runs of 'outside' crashed") && text.contains("no-such-planner"));
    assert_eq!(table(&sandbox)[2].2, Status::Crashed);
}

/// Fifty tasks of a moment each.
fn fifty() -> Sandbox {
    let numbers: Vec<String> = (2..=11).map(|number| number.to_string()).collect();
    let families = ["hanoi", "rings", "toll", "circuit", "parity"];
    let pairs = families.iter().flat_map(|family| numbers.iter().map(move |n| vec![*family, n]));
    let tasks: Vec<Vec<&str>> = pairs.collect();
    let tasks: Vec<&[&str]> = tasks.iter().map(Vec::as_slice).collect();
    lab(&tasks)
}

/// `lab run`, with a word in its environment that all its children inherit.
fn start(sandbox: &Sandbox, marker: &str) -> Child {
    let mut command = sandbox.command(&["lab", "run", "-q", "--cores", "3", "lab.toml"]);
    command.env("HIPOT_TEST_MARKER", marker).stdout(Stdio::null()).spawn().unwrap()
}

/// The processes that have the word in their environment.
#[cfg(target_os = "linux")]
fn marked(marker: &str) -> Vec<String> {
    let word = format!("HIPOT_TEST_MARKER={marker}");
    let mut found = Vec::new();
    for entry in read_dir("/proc").unwrap().flatten() {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        if environment.split(|&byte| byte == 0).any(|entry| entry == word.as_bytes()) {
            let command = read_to_string(entry.path().join("cmdline")).unwrap_or_default();
            found.push(command.replace('\0', " "));
        }
    }
    found
}

/// Waits until `done`, and says whether it came to that.
fn wait(limit: Duration, done: impl Fn() -> bool) -> bool {
    let begin = Instant::now();
    while !done() {
        if begin.elapsed() > limit {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

#[cfg(target_os = "linux")]
#[test]
fn killed_at_random_moments_it_gives_the_same_table() {
    let (disturbed, undisturbed) = (fifty(), fifty());
    let tasks: usize = read_dir(disturbed.path("tasks"))
        .unwrap()
        .map(|domain| read_dir(domain.unwrap().path()).unwrap().count())
        .sum();
    assert_eq!(tasks, 50);
    let marker = format!("kill-{}", std::process::id());
    let mut rng = Rng::new(7);
    let mut before = 0;
    for round in 1..=3 {
        let mut child = start(&disturbed, &marker);
        // So many rows later, in the middle of something.
        let moment = (round - 1) * 45 + 5 + rng.below(30) as usize;
        assert!(wait(Duration::from_secs(60), || rows(&disturbed) >= moment), "too slow");
        std::thread::sleep(Duration::from_millis(u64::from(rng.below(40))));
        child.kill().unwrap();
        child.wait().unwrap();
        let all_dead = wait(Duration::from_secs(10), || marked(&marker).is_empty());
        assert!(all_dead, "these outlive the lab: {:?}", marked(&marker));
        let now = rows(&disturbed);
        assert!(now > before && now < 150, "{now} rows after {before}");
        before = now;
    }
    assert!(start(&disturbed, &marker).wait().unwrap().success());
    assert!(marked(&marker).is_empty());
    assert!(start(&undisturbed, &marker).wait().unwrap().success());

    let (rows, expected) = (table(&disturbed), table(&undisturbed));
    assert_eq!(rows, expected);
    let keys: BTreeSet<(&String, &String)> = rows.iter().map(|row| (&row.0, &row.1)).collect();
    assert_eq!((rows.len(), keys.len()), (150, 150));
    let statuses: BTreeSet<Status> = rows.iter().map(|row| row.2).collect();
    let expected = [Status::Solved, Status::Unsolvable];
    assert_eq!(statuses, BTreeSet::from(expected));
}

#[cfg(target_os = "linux")]
#[test]
fn two_at_once_share_the_work_and_an_interrupt_keeps_what_is_done() {
    let sandbox = fifty();
    let marker = format!("share-{}", std::process::id());
    let (mut first, mut second) = (start(&sandbox, &marker), start(&sandbox, &marker));
    assert!(wait(Duration::from_secs(60), || rows(&sandbox) >= 10));
    signal(&first, "INT");
    assert_eq!(first.wait().unwrap().code(), Some(130));
    let status = json(&sandbox.run(&["lab", "status", "--json", "lab.toml"]));
    assert_eq!(status["runs"], 150);
    assert_eq!(second.wait().unwrap().code(), Some(0));
    assert!(marked(&marker).is_empty());
    // What the first had begun was free for the second, unless that had just ended.
    assert!(start(&sandbox, &marker).wait().unwrap().success());
    assert_eq!(rows(&sandbox), 150);
    let folder = std::env::temp_dir();
    let ids = [first.id(), second.id()].map(|id| format!("-{id}-"));
    let left =
        |name: String| name.starts_with("hipot-lab-") && ids.iter().any(|id| name.contains(id));
    let mut names =
        read_dir(folder).unwrap().flatten().map(|e| e.file_name().into_string().unwrap());
    assert!(!names.any(left), "scratch folders are removed");
}

#[test]
fn a_time_limit_of_the_lab_itself_ends_it_well() {
    let sandbox = lab(&[&["hanoi", "2"]]);
    let text = sandbox.read("lab.toml");
    let sleeper = "[configurations.sleeper]\ncommand = [\"sleep\", \"30\", \"{problem}\"]\n";
    let program = sandbox.path("sleep");
    write(&program, "#!/bin/sh\nexec sleep 30\n").unwrap();
    let sleeper = sleeper.replace("\"sleep\"", &format!("\"sh\", \"{}\"", program.display()));
    sandbox.write("lab.toml", &(text + &sleeper));
    let begin = Instant::now();
    let output = sandbox.run(&["lab", "run", "--time-limit", "3", "lab.toml"]);
    assert_eq!(code(&output), 23, "{}", stderr(&output));
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert_eq!(rows(&sandbox), 3, "the sleeper has no row");
}

#[test]
fn the_version_tells_the_revision() {
    let sandbox = Sandbox::new();
    let version = stdout(&sandbox.run(&["--version"]));
    assert!(version.starts_with("hipot 0."), "{version}");
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output()
    };
    if git(&["rev-parse", "HEAD"]).is_ok_and(|output| output.status.success()) {
        // HEAD may have moved since the program was built.
        let revision = version.trim_end().trim_end_matches(')').rsplit('(').next().unwrap();
        let commit = git(&["rev-parse", "--verify", &format!("{revision}^{{commit}}")]).unwrap();
        assert!(commit.status.success(), "{version}");
        let expected = format!("hipot {} ({revision})\n", env!("CARGO_PKG_VERSION"));
        assert_eq!(version, expected);
    }
}
