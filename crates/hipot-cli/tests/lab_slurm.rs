//! The lab on a real Slurm: munged, slurmctld and two slurmd on this machine, which
//! `scripts/slurm-for-tests` installs, starts, and stops when this process ends. Skipped
//! with a word where that is impossible.

mod sandbox;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use hipot_lab::{Record, Status, Store};
use tempfile::TempDir;

use sandbox::signal;

const HIPOT: &str = env!("CARGO_BIN_EXE_hipot");
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/slurm-for-tests");

/// A Slurm that ends with its owner, however that ends: its script waits for the end of
/// its standard input.
struct Cluster {
    script: Child,
    folder: TempDir,
}

impl Cluster {
    /// `None`, with a word: there can be no Slurm here.
    fn start() -> Option<Self> {
        let installed = Command::new(SCRIPT).arg("install").output().expect("a script");
        if installed.status.code() == Some(3) {
            eprintln!("skipped: {}", String::from_utf8_lossy(&installed.stderr).trim());
            return None;
        }
        let folder = TempDir::new().expect("a temporary folder");
        let mut command = Command::new(SCRIPT);
        command.arg("run").arg(folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut script = command.spawn().expect("a script");
        let mut line = String::new();
        let stdout = script.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        if line.is_empty() {
            let code = script.wait().expect("a child").code();
            assert_eq!(code, Some(3), "Slurm does not start");
            eprintln!("skipped: no Slurm can be started here");
            return None;
        }
        Some(Self { script, folder })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        command
    }

    /// Array elements by state: job, index, node.
    fn elements(&self, state: &str) -> Vec<(String, String)> {
        let states = format!("--states={state}");
        let words = ["--me", "--array", "--noheader", &states, "--format=%i %N"];
        let output = self.command("squeue").args(words).output().expect("squeue");
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let pairs = text.lines().filter_map(|line| line.split_once(' '));
        pairs.map(|(id, node)| (id.to_owned(), node.to_owned())).collect()
    }

    /// Waits until this many elements run.
    fn wait_for_running(&self, count: usize) -> Vec<(String, String)> {
        wait("elements to run", || {
            let running = self.elements("RUNNING");
            (running.len() == count).then_some(running)
        })
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.script.stdin.take());
        let _ = self.script.wait();
    }
}

fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_secs(90), "waited in vain for {what}");
        thread::sleep(Duration::from_millis(100));
    }
}

/// An experiment in a folder whose name would be a pattern, a variable and the end of a
/// string to those who do not quote.
struct Experiment {
    folder: TempDir,
    file: PathBuf,
}

impl Experiment {
    fn new(name: &str, text: &str) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let inner = folder.path().join("it's $HOME %a \"100%\" \\ ");
        fs::create_dir(&inner).expect("a folder");
        let file = inner.join(format!("{name}.toml"));
        fs::write(&file, text).expect("a file");
        Self { folder, file }
    }

    /// Writes `count` small tasks of each of some families into the folder `tasks`.
    fn generate(&self, families: &[&str], sizes: &[&str]) {
        for family in families {
            let folder = self.file.with_file_name("tasks").join(family);
            fs::create_dir_all(&folder).expect("a folder");
            for size in sizes {
                let task = folder.join(format!("p{size}.sas"));
                let mut command = Command::new(HIPOT);
                let output = command.args(["generate", family, size, "-o"]).arg(task).output();
                assert!(output.expect("hipot").status.success());
            }
        }
    }

    fn run(&self, cluster: &Cluster, options: &[&str]) -> Command {
        let mut command = cluster.command(HIPOT);
        command.args(["lab", "run"]).arg(&self.file).args(options);
        command
    }

    fn records(&self, database: &str) -> BTreeMap<[String; 3], Record> {
        let store = Store::open_existing(&self.file.with_file_name(database)).expect("a database");
        let records = store.records().expect("records");
        let count = records.len();
        let key = |record: &Record| {
            [record.domain.clone(), record.problem.clone(), record.configuration.clone()]
        };
        let by_key: BTreeMap<_, _> = records.into_iter().map(|r| (key(&r), r)).collect();
        assert_eq!(by_key.len(), count, "rows are doubled");
        by_key
    }

    fn spool(&self) -> PathBuf {
        self.file.with_extension("spool")
    }
}

fn succeed(command: &mut Command) -> Output {
    let output = command.output().expect("hipot");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

#[test]
fn experiments_on_slurm() {
    let Some(cluster) = Cluster::start() else { return };
    slurm_and_this_machine_agree(&cluster);
    a_killed_lab_run_submits_nothing_twice(&cluster);
    an_interrupted_lab_run_leaves_jobs_that_can_be_canceled(&cluster);
    lost_elements_are_repeated(&cluster);
}

/// Fourteen tasks with three configurations; 14 array elements do not fit into one array
/// (`MaxArraySize=11`).
fn slurm_and_this_machine_agree(cluster: &Cluster) {
    let experiment = Experiment::new(
        "same",
        r#"
            [limits]
            time = "20s"
            memory = "1G"
            [suites.small]
            folder = "tasks"
            [configurations.blind]
            heuristic = "blind()"
            [configurations."pot 1"]
            heuristic = "pot(dim=1)"
            [configurations.other]
            command = ["sh", "-c", "echo 'Initial heuristic value for x: 7'; exit 12", "{problem}"]
            [engine]
            kind = "slurm"
            chunk = 3
            setup = ["export LANG=C  # it's a comment"]
            options = ["--nice=1"]
        "#,
    );
    experiment.generate(&["hanoi", "rings", "shuttle", "odometer", "parity"], &["2", "3"]);
    experiment.generate(&["hanoi", "rings"], &["4", "5"]);
    let local = ["--engine", "local", "--database"];
    let here = experiment.file.with_file_name("here.sqlite");
    succeed(experiment.run(cluster, &local).arg(here));
    succeed(&mut experiment.run(cluster, &[]));
    let (here, there) = (experiment.records("here.sqlite"), experiment.records("same.sqlite"));
    assert_eq!(here.len(), 14 * 3);
    let result = |record: &Record| {
        let Record { status, reason, exit_code, measures, limits, .. } = record.clone();
        let (cost, initial) = (measures.cost, measures.initial_h);
        (status, reason, exit_code, cost, measures.plan_length, initial, limits)
    };
    for (key, record) in &here {
        assert_eq!(result(record), result(&there[key]), "{key:?}");
    }
    assert_eq!(here.len(), there.len());
    let solved = here.values().filter(|record| record.status == Status::Solved).count();
    assert!(solved >= 14, "{solved} solved");
    assert!(!experiment.spool().exists(), "the spool is removed in the end");
}

/// An experiment whose runs write a line each when they begin, and end when they may.
fn slow(name: &str, tasks: &[&str]) -> Experiment {
    let text = r#"
            [suites.s]
            folder = "tasks"
            [configurations.sleep]
            command = ["sh", "-c", """
                echo "$0" >>"$1"
                until [ -e "$1.go" ]; do sleep 0.1; done
                exit 12""", "{problem}", "LOG"]
            [engine]
            kind = "slurm"
        "#;
    let experiment = Experiment::new(name, "");
    let log = experiment.folder.path().join("log");
    let text = text.replace("LOG", log.to_str().expect("a plain name"));
    fs::write(&experiment.file, text).expect("a file");
    experiment.generate(&["rings"], tasks);
    experiment
}

/// Lets the runs end.
fn let_go(experiment: &Experiment) {
    fs::write(experiment.folder.path().join("log.go"), "").expect("a file");
}

/// How often each task was begun.
fn begun(experiment: &Experiment) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(experiment.folder.path().join("log")).unwrap_or_default();
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        let name = Path::new(line).file_stem().expect("a file").to_string_lossy().into_owned();
        *counts.entry(name).or_default() += 1;
    }
    counts
}

fn all_unsolved(experiment: &Experiment, database: &str, count: usize) {
    let records = experiment.records(database);
    assert_eq!(records.len(), count);
    for record in records.values() {
        assert_eq!((record.status, record.exit_code), (Status::Unsolved, Some(12)), "{record:?}");
    }
}

fn a_killed_lab_run_submits_nothing_twice(cluster: &Cluster) {
    let experiment = slow("killed", &["2", "3", "4", "5", "6", "7"]);
    let mut lab = experiment
        .run(cluster, &[])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("hipot");
    cluster.wait_for_running(4);
    lab.kill().expect("it runs");
    lab.wait().expect("a child");
    assert!(experiment.records("killed.sqlite").len() < 6);
    let_go(&experiment);
    succeed(&mut experiment.run(cluster, &[]));
    all_unsolved(&experiment, "killed.sqlite", 6);
    let begun = begun(&experiment);
    assert!(begun.len() == 6 && begun.values().all(|&count| count == 1), "{begun:?}");
}

fn an_interrupted_lab_run_leaves_jobs_that_can_be_canceled(cluster: &Cluster) {
    cluster.wait_for_running(0);
    let experiment = slow("left", &["2", "3"]);
    let lab = experiment
        .run(cluster, &[])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("hipot");
    cluster.wait_for_running(2);
    signal(&lab, "INT");
    let output = lab.wait_with_output().expect("a child");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("the jobs continue"), "{output:?}");
    assert_eq!(cluster.elements("RUNNING").len(), 2);
    succeed(&mut experiment.run(cluster, &["--cancel"]));
    cluster.wait_for_running(0);
    assert!(experiment.records("left.sqlite").is_empty());
}

/// One element is canceled, and a node dies with two others: what they ran is repeated,
/// and what ran elsewhere is not.
fn lost_elements_are_repeated(cluster: &Cluster) {
    let experiment = slow("lost", &["2", "3", "4", "5"]);
    let lab = experiment
        .run(cluster, &[])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("hipot");
    let running = cluster.wait_for_running(4);
    wait("the runs to begin", || (begun(&experiment).len() == 4).then_some(()));
    let on = |node: &str| running.iter().find(|(_, n)| n == node).expect("both nodes work");
    let mut cancel = cluster.command("scancel");
    assert!(cancel.arg(&on("n2").0).status().expect("scancel").success());
    let killed = Command::new(SCRIPT).arg("kill").arg(cluster.folder.path()).arg("n1").status();
    assert!(killed.expect("a script").success());
    let canceled = &on("n2").0;
    wait("the canceled element to end", || {
        let elements = cluster.elements("RUNNING,COMPLETING");
        (!elements.iter().any(|(element, _)| element == canceled)).then_some(())
    });
    let_go(&experiment);
    let output = lab.wait_with_output().expect("a child");
    assert!(output.status.success(), "{output:?}");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.contains("CANCELLED") && words.contains("NODE_FAIL"), "{words}");
    all_unsolved(&experiment, "lost.sqlite", 4);
    let mut counts: Vec<usize> = begun(&experiment).into_values().collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 2, 2, 2]);
}

#[test]
fn without_slurm_there_is_a_word_about_it() {
    let experiment = slow("nowhere", &["2"]);
    let mut command = Command::new(HIPOT);
    command.env("PATH", experiment.folder.path()).args(["lab", "run"]).arg(&experiment.file);
    let output = command.output().expect("hipot");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("--engine local"), "{words}");
}
