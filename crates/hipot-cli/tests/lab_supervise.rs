//! Planners that misbehave are ended at their limits, and leave nothing behind.
//!
//! Each one runs in all ways that this machine has: isolated as root, isolated in a user
//! namespace, and as a plain child.

#![cfg(target_os = "linux")]

mod sandbox;

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use hipot_lab::{End, Job, Limits, Outcome, SuperviseError, run_supervised};

use sandbox::signal;

const HIPOT: &str = env!("CARGO_BIN_EXE_hipot");

/// Ways to start the supervisor, as words before its command. The first one is what
/// users get; the others need root, to take rights away.
fn ways() -> Vec<&'static str> {
    let plain = "setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin";
    let user = "setpriv --reuid=65534 --regid=65534 --clear-groups";
    let works = |way: &&str| {
        let mut words = way.split(' ');
        let ran =
            Command::new(words.next().unwrap()).args(words).args([HIPOT, "--version"]).output();
        ran.is_ok_and(|output| output.status.success())
    };
    let mut ways = vec!["exec"];
    ways.extend([plain, user].into_iter().filter(works));
    ways
}

/// A folder for a run, and a program that starts our program in one of the ways.
struct Setting {
    folder: tempfile::TempDir,
    hipot: PathBuf,
}

impl Setting {
    fn new(way: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let hipot = folder.path().join("hipot");
        fs::create_dir(folder.path().join("run")).unwrap();
        fs::write(
            &hipot,
            format!("#!/bin/sh\nexec {way} {HIPOT} \"$@\"\n").replace("exec exec", "exec"),
        )
        .unwrap();
        for path in [folder.path(), &folder.path().join("run"), &hipot] {
            fs::set_permissions(path, Permissions::from_mode(0o777)).unwrap();
        }
        // A process that another thread has just forked may still have the file open.
        while Command::new(&hipot)
            .arg("--version")
            .output()
            .is_err_and(|error| error.kind() == std::io::ErrorKind::ExecutableFileBusy)
        {
            sleep(Duration::from_millis(1));
        }
        Self { folder, hipot }
    }

    /// The run's folder. Every process of the run has it in its environment.
    fn run(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    fn job(&self, command: &[&str], limits: Limits) -> Job {
        let command = command.iter().map(|&word| word.to_owned()).collect();
        Job { command, directory: self.run(), limits }
    }

    /// The processes that belong to the run.
    fn alive(&self) -> Vec<String> {
        let marker = self.run().to_str().unwrap().to_owned();
        let marked = |path: PathBuf| {
            String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).contains(&marker)
        };
        let processes = fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
            marked(entry.path().join("environ")) || marked(entry.path().join("cmdline"))
        });
        let name = |path: PathBuf| {
            let command = fs::read(path.join("cmdline")).unwrap_or_default();
            format!("{}: {}", path.display(), String::from_utf8_lossy(&command))
        };
        processes.map(|entry| name(entry.path())).collect()
    }
}

const MEGABYTE: u64 = 1 << 20;

fn limits(seconds: f64, megabytes: u64) -> Limits {
    Limits {
        time: Duration::from_secs_f64(seconds),
        memory: megabytes * MEGABYTE,
        output: MEGABYTE,
    }
}

/// Runs a script in all ways and checks that it leaves nothing alive.
fn run(script: &str, limits: Limits) -> Vec<Outcome> {
    run_command(&["sh", "-c", script], limits)
}

fn run_command(command: &[&str], limits: Limits) -> Vec<Outcome> {
    let outcome = move |way| {
        let setting = Setting::new(way);
        let job = setting.job(command, limits);
        let outcome = run_supervised(&setting.hipot, &job, &AtomicBool::new(false));
        assert_eq!(setting.alive(), Vec::<String>::new(), "{way}: {command:?}");
        let outcome = outcome.unwrap_or_else(|error| panic!("{way}: {error}"));
        eprintln!("{way}: {outcome:?}");
        outcome
    };
    thread::scope(|scope| {
        let runs: Vec<_> =
            ways().into_iter().map(|way| scope.spawn(move || outcome(way))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    })
}

#[test]
fn output_and_exit_code_arrive() {
    for outcome in run("echo out; echo error >&2; sleep 0.1; exit 3", limits(9.0, 500)) {
        assert_eq!((outcome.end, outcome.exit_code), (End::Exited(3), Some(3)));
        assert_eq!((&*outcome.output, &*outcome.errors), ("out\n", "error\n"));
        assert!((0.1..5.0).contains(&outcome.wall_seconds), "{}", outcome.wall_seconds);
        assert!(outcome.cpu_seconds < 1.0, "{}", outcome.cpu_seconds);
        let megabytes = outcome.peak_memory / MEGABYTE;
        assert!(outcome.peak_memory > 0 && megabytes < 20, "{megabytes}");
    }
}

#[test]
fn numbers_of_processes_agree_with_proc() {
    for outcome in run("read pid rest < /proc/self/stat; [ $pid = $$ ]", limits(9.0, 500)) {
        assert_eq!(outcome.end, End::Exited(0));
    }
}

#[test]
fn daemons_do_not_outlive_the_planner() {
    let script = "i=0; while [ $i -lt 200 ]; do (setsid sleep 1000 & trap '' TERM HUP) & \
                  i=$((i+1)); done; exit 4";
    for outcome in run(script, limits(60.0, 2000)) {
        assert_eq!(outcome.end, End::Exited(4));
    }
}

#[test]
fn many_processes_that_multiply_are_ended() {
    let script = "many() { [ $1 = 0 ] || { many $(($1 - 1)) & many $(($1 - 1)) & }; \
                  trap '' TERM; while :; do :; done; }; many 4";
    for outcome in run(script, limits(0.4, 2000)) {
        assert_eq!(outcome.end, End::TimeLimit);
    }
}

#[test]
fn deafness_to_signals_does_not_help() {
    for outcome in run("trap '' TERM XCPU INT HUP; while :; do :; done", limits(0.5, 500)) {
        assert_eq!((outcome.end, outcome.exit_code), (End::TimeLimit, None));
        assert!(outcome.cpu_seconds < 4.0, "{}", outcome.cpu_seconds);
    }
}

#[test]
fn a_planner_can_still_report() {
    let script = "trap 'echo told; exit 23' TERM; while :; do :; done";
    for outcome in run(script, limits(0.5, 500)) {
        assert_eq!((outcome.end, outcome.exit_code), (End::TimeLimit, Some(23)));
        assert_eq!(outcome.output, "told\n");
    }
}

#[test]
fn output_without_end_is_ended() {
    for outcome in run("yes", limits(60.0, 500)) {
        assert_eq!(outcome.end, End::OutputLimit);
        assert!(outcome.output.starts_with("y\ny\n") && outcome.output.ends_with("y\n"));
        assert!(outcome.output.len() < 3 << 20, "{}", outcome.output.len());
    }
    for outcome in run("yes >&2", limits(60.0, 500)) {
        assert_eq!(outcome.end, End::OutputLimit);
    }
}

#[test]
fn files_without_end_are_ended() {
    for outcome in run("exec cat /dev/zero > file", limits(60.0, 40)) {
        assert_eq!(outcome.end, End::OutputLimit);
    }
    let many = "while :; do i=$((i+1)); head -c 4000000 /dev/zero > $i; sleep 0.05; done";
    for outcome in run(many, limits(60.0, 40)) {
        assert_eq!(outcome.end, End::OutputLimit);
    }
}

#[test]
fn memory_of_one_process_is_limited() {
    for outcome in run("exec tail /dev/zero", limits(60.0, 100)) {
        assert_eq!(outcome.end, End::MemoryLimit);
        assert!(outcome.peak_memory > 100 * MEGABYTE, "{}", outcome.peak_memory);
    }
}

#[test]
fn memory_of_many_processes_is_limited() {
    let script = "i=0; while [ $i -lt 40 ]; do \
                  { head -c 8000000 /dev/zero; sleep 1000; } | tail & i=$((i+1)); done; wait";
    for outcome in run(script, limits(60.0, 200)) {
        assert_eq!(outcome.end, End::MemoryLimit);
    }
}

#[test]
fn shared_memory_counts_once() {
    let script = "x=$(head -c 20000000 /dev/zero | tr '\\0' x); i=0; while [ $i -lt 15 ]; do \
                  (sleep 1; :) & i=$((i+1)); done; wait";
    for outcome in run(script, limits(60.0, 250)) {
        assert_eq!(outcome.end, End::Exited(0));
        let megabytes = outcome.peak_memory / MEGABYTE;
        assert!((20..200).contains(&megabytes), "{megabytes}");
    }
}

#[test]
fn time_of_many_processes_is_limited() {
    let script = "for i in 1 2 3 4; do while :; do :; done & done; wait";
    for outcome in run(script, limits(0.4, 500)) {
        assert_eq!(outcome.end, End::TimeLimit);
        assert!(outcome.cpu_seconds < 6.0, "{}", outcome.cpu_seconds);
    }
}

#[test]
fn time_of_dead_processes_counts() {
    let script = "while :; do sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done'; done";
    for outcome in run(script, limits(0.4, 500)) {
        assert_eq!(outcome.end, End::TimeLimit);
        // The clock would have ended it after 10.8 s.
        assert!(outcome.wall_seconds < 10.5, "{}", outcome.wall_seconds);
        assert!(outcome.cpu_seconds > 0.4, "{}", outcome.cpu_seconds);
    }
}

#[test]
fn a_planner_that_waits_is_ended() {
    let setting = Setting::new("exec");
    let job = setting.job(&["sleep", "1000"], limits(0.1, 500));
    let outcome = run_supervised(&setting.hipot, &job, &AtomicBool::new(false)).unwrap();
    assert_eq!(outcome.end, End::TimeLimit);
    assert!((10.2..15.0).contains(&outcome.wall_seconds), "{}", outcome.wall_seconds);
    assert!(setting.alive().is_empty());
}

#[test]
fn closed_streams_are_no_end() {
    for outcome in run("exec >&- 2>&- <&-; sleep 0.3; exit 7", limits(60.0, 500)) {
        assert_eq!(outcome.end, End::Exited(7));
    }
}

#[test]
fn death_by_signal_is_told() {
    for outcome in run("kill -SEGV $$", limits(60.0, 500)) {
        assert_eq!((outcome.end, outcome.exit_code), (End::Signaled(11), None));
    }
}

#[test]
fn programs_that_cannot_be_started_are_told() {
    for outcome in run_command(&["no-such-planner-4711"], limits(60.0, 500)) {
        let End::NotStarted(reason) = outcome.end else { panic!("{outcome:?}") };
        assert!(reason.contains("no-such-planner-4711"), "{reason}");
    }
    for outcome in run_command(&["/etc/passwd"], limits(60.0, 500)) {
        assert!(matches!(outcome.end, End::NotStarted(_)), "{outcome:?}");
    }
}

/// A planner that does all it can to live on; its first process says when it is ready.
const SURVIVOR: &str = "trap '' TERM HUP INT; setsid sh -c \"trap '' TERM HUP; sleep 1000; :\" & \
                        (setsid sleep 1000 &); echo > ready; sleep 1000; :";

fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < Duration::from_secs(20), "{what}");
        sleep(Duration::from_millis(5));
    }
}

fn start_survivor(setting: &Setting) -> std::process::Child {
    let mut command = Command::new(&setting.hipot);
    command.args(["lab", "supervise"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut supervisor = command.spawn().unwrap();
    let job = setting.job(&["sh", "-c", SURVIVOR], limits(60.0, 500));
    let line = serde_json::to_string(&job).unwrap() + "\n";
    supervisor.stdin.as_mut().unwrap().write_all(line.as_bytes()).unwrap();
    wait_for("a survivor", || setting.run().join("ready").exists());
    sleep(Duration::from_millis(50));
    assert!(setting.alive().len() >= 3, "{:?}", setting.alive());
    supervisor
}

#[test]
fn the_lifeline_takes_all_with_it() {
    for way in ways() {
        let setting = Setting::new(way);
        let mut supervisor = start_survivor(&setting);
        let begin = Instant::now();
        drop(supervisor.stdin.take());
        assert!(supervisor.wait().unwrap().success());
        eprintln!("{way}: {:?}", begin.elapsed());
        assert!(begin.elapsed() < Duration::from_secs(2), "{way}: {:?}", begin.elapsed());
        assert_eq!(setting.alive(), Vec::<String>::new(), "{way}");
        assert!(!setting.run().exists(), "{way}");
    }
}

#[test]
fn a_supervisor_that_is_told_to_end_takes_all_with_it() {
    for way in ways() {
        let setting = Setting::new(way);
        let mut supervisor = start_survivor(&setting);
        signal(&supervisor, "TERM");
        assert!(supervisor.wait().unwrap().success());
        assert_eq!(setting.alive(), Vec::<String>::new(), "{way}");
    }
}

/// Where isolation is possible.
#[test]
fn a_supervisor_that_is_killed_takes_all_with_it() {
    for way in ways() {
        let setting = Setting::new(way);
        let isolated = setting.job(&["sh", "-c", "[ $$ -lt 10 ]"], limits(60.0, 500));
        let outcome = run_supervised(&setting.hipot, &isolated, &AtomicBool::new(false)).unwrap();
        if outcome.end != End::Exited(0) {
            eprintln!("no isolation with '{way}': not tested");
            continue;
        }
        let mut supervisor = start_survivor(&setting);
        supervisor.kill().unwrap();
        supervisor.wait().unwrap();
        wait_for("the end of all", || setting.alive().is_empty());
    }
}

#[test]
fn runs_can_be_stopped() {
    let setting = Setting::new("exec");
    let job = setting.job(&["sh", "-c", SURVIVOR], limits(60.0, 500));
    let stop = AtomicBool::new(false);
    let ended = thread::scope(|scope| {
        let run = scope.spawn(|| run_supervised(&setting.hipot, &job, &stop));
        wait_for("a survivor", || setting.run().join("ready").exists());
        stop.store(true, Ordering::Relaxed);
        run.join().unwrap()
    });
    assert!(matches!(ended, Err(SuperviseError::Interrupted)), "{ended:?}");
    assert_eq!(setting.alive(), Vec::<String>::new());
    assert!(!setting.run().exists());
}

#[test]
fn a_supervisor_that_cannot_be_started_is_an_error() {
    let setting = Setting::new("exec");
    let job = setting.job(&["true"], limits(60.0, 500));
    let never = AtomicBool::new(false);
    let none = run_supervised(Path::new("/no/such/hipot"), &job, &never);
    assert!(matches!(none, Err(SuperviseError::Supervisor(_))), "{none:?}");
    let other = run_supervised(Path::new("/bin/true"), &job, &never);
    assert!(matches!(other, Err(SuperviseError::Lost(_))), "{other:?}");
}
