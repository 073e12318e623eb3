//! The engine on a simulated cluster: a queue in memory, whose elements work when squeue is
//! asked.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::spool::{FinishedRun, Run, Spool};
use super::*;
use crate::{Configuration, Limits, Measures, Planner, Record, Status, Task, TaskFiles};

pub(super) fn run(problem: &str, seconds: u64) -> Run {
    let limits = Limits { time: Duration::from_secs(seconds), memory: 1 << 30, output: 1 << 20 };
    let file = PathBuf::from(format!("/tasks/d/{problem}.sas"));
    Run {
        task: Task {
            suite: "suite".to_owned(),
            domain: "d".to_owned(),
            problem: problem.to_owned(),
            files: TaskFiles::Sas(file),
        },
        configuration: Configuration {
            name: "blind".to_owned(),
            planner: Planner::Hipot { heuristic: "blind()".to_owned(), options: Vec::new() },
            limits,
        },
    }
}

fn runs(count: usize) -> Vec<Run> {
    (0..count).map(|i| run(&format!("p{i}"), 1)).collect()
}

fn record(run: &Run) -> Record {
    Record {
        suite: run.task.suite.clone(),
        domain: run.task.domain.clone(),
        problem: run.task.problem.clone(),
        configuration: run.configuration.name.clone(),
        revision: String::new(),
        machine: "n1".to_owned(),
        limits: run.configuration.limits,
        started: 1,
        status: Status::Solved,
        reason: None,
        exit_code: Some(0),
        imported: false,
        measures: Measures::default(),
        log: String::new(),
    }
}

/// The fate of an element when its turn comes: it makes this many of its runs and ends in
/// this state.
type Fate = Box<dyn Fn(u64, &str) -> (usize, &'static str)>;

/// A cluster with one processor.
struct Cluster {
    spool: Spool,
    largest: usize,
    /// The most elements that the queue takes.
    room: usize,
    fate: Fate,
    inside: RefCell<Inside>,
}

#[derive(Default)]
struct Inside {
    /// Submission, name, elements and their states, by job id.
    jobs: BTreeMap<u64, (u64, String, Vec<&'static str>)>,
    /// How often squeue fails from now on.
    silent: usize,
    /// Whether elements make no progress.
    frozen: bool,
    /// Whether somebody cancels all jobs when squeue is asked and some are pending.
    to_be_canceled: bool,
}

impl Cluster {
    fn new(spool: &Spool) -> Self {
        Self {
            spool: spool.clone(),
            largest: 4,
            room: usize::MAX,
            fate: Box::new(|_, _| (usize::MAX, "COMPLETED")),
            inside: RefCell::default(),
        }
    }

    fn submissions(&self) -> usize {
        self.inside.borrow().jobs.len()
    }

    fn pending(&self) -> usize {
        let inside = self.inside.borrow();
        let states = inside.jobs.values().flat_map(|(_, _, states)| states);
        states.filter(|&&state| state == "PENDING").count()
    }

    /// The next pending element does its work.
    fn step(&self) {
        let mut inside = self.inside.borrow_mut();
        if inside.frozen {
            return;
        }
        let pending = inside.jobs.iter_mut().find_map(|(&job, (submission, _, states))| {
            let index = states.iter().position(|&state| state == "PENDING")?;
            Some((job, *submission, index, states))
        });
        let Some((job, submission, index, states)) = pending else { return };
        let first = self.spool.read_element(submission, index).expect("a readable element");
        let first = first.map(|runs| runs[0].run.task.problem.clone()).unwrap_or_default();
        let (count, state) = (self.fate)(job, &first);
        let mut done = 0;
        let execute = |run: &Run| {
            done += 1;
            Ok((done <= count).then(|| record(run)))
        };
        work(&self.spool, submission, index, execute).expect("the spool can be written");
        states[index] = state;
    }
}

impl Queue for Cluster {
    fn submit(&self, options: &[OsString], script: &Path) -> Result<String, SubmitError> {
        let option = |name: &str| {
            let word = options.iter().find_map(|word| word.to_str()?.strip_prefix(name));
            word.expect("an option that is always there").to_owned()
        };
        let last: usize = option("--array=0-").parse().expect("a number");
        if last >= self.largest {
            let message = "Invalid job array specification".to_owned();
            return Err(SubmitError::Refused(Error::Command { program: "sbatch", message }));
        }
        if self.pending() + last + 1 > self.room {
            return Err(SubmitError::Full("AssocMaxSubmitJobLimit".to_owned()));
        }
        let folder = script.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        let submission = folder.expect("a folder").parse().expect("a number");
        let mut inside = self.inside.borrow_mut();
        let job = 100 + inside.jobs.len() as u64;
        inside.jobs.insert(job, (submission, option("--job-name="), vec!["PENDING"; last + 1]));
        Ok(job.to_string())
    }

    fn states(&self) -> Result<Activity, Error> {
        if self.inside.borrow().silent > 0 {
            self.inside.borrow_mut().silent -= 1;
            let message = "Unable to contact slurm controller".to_owned();
            return Err(Error::Command { program: "squeue", message });
        }
        if self.inside.borrow().to_be_canceled && self.pending() > 0 {
            cancel(&self.spool, self)?;
        }
        self.step();
        let mut activity = Activity::default();
        for (job, (_, name, states)) in &self.inside.borrow().jobs {
            for (index, &state) in states.iter().enumerate().filter(|(_, state)| **state != "GONE")
            {
                let state = ElementState { state: state.to_owned(), reason: "None".to_owned() };
                activity.add(&job.to_string(), name, index, state);
            }
        }
        Ok(activity)
    }

    fn cancel(&self, jobs: &[String]) -> Result<(), Error> {
        for job in jobs {
            let job: u64 = job.parse().expect("a number");
            let mut inside = self.inside.borrow_mut();
            let (_, _, states) = inside.jobs.get_mut(&job).expect("a job of ours");
            states.iter_mut().filter(|s| **s == "PENDING").for_each(|s| *s = "CANCELLED");
        }
        Ok(())
    }

    fn largest_array(&self) -> Result<usize, Error> {
        Ok(self.largest)
    }
}

/// Keeps the records, and stops when some are there.
#[derive(Default)]
struct Table {
    rows: BTreeMap<String, Record>,
    stop: Arc<AtomicBool>,
    stop_at: Option<usize>,
}

impl Sink for Table {
    fn insert(&mut self, record: &Record) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let before = self.rows.insert(record.problem.clone(), record.clone());
        assert!(before.is_none(), "{} is merged twice", record.problem);
        Ok(())
    }

    fn progress(&mut self, _: &Progress) {
        if self.stop_at.is_some_and(|count| self.rows.len() >= count) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// A spool in a folder of its own.
fn spool() -> (tempfile::TempDir, Spool) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut spool = Spool::new(&folder.path().join("e.spool"));
    spool.create().expect("a writable folder");
    (folder, spool)
}

fn execute(
    cluster: &Cluster,
    chunk: usize,
    runs: Vec<Run>,
    table: &mut Table,
) -> Result<Ended, Error> {
    let zero = Duration::ZERO;
    let engine = Engine {
        experiment: "e".to_owned(),
        hipot: PathBuf::from("/bin/hipot"),
        params: Params { chunk, ..Params::default() },
        spool: cluster.spool.clone(),
        queue: cluster,
        pace: Pace { spool: zero, queue: zero, queue_at_most: zero, settle: zero, full: zero },
        proven: false,
    };
    let stop = Arc::clone(&table.stop);
    stop.store(false, Ordering::Relaxed);
    engine.run(runs, table, || stop.load(Ordering::Relaxed))
}

/// The runs that are not done yet.
fn left(all: &[Run], table: &Table) -> Vec<Run> {
    all.iter().filter(|run| !table.rows.contains_key(&run.task.problem)).cloned().collect()
}

#[test]
fn every_run_gets_a_record() {
    let (_folder, spool) = spool();
    let cluster = Cluster::new(&spool);
    let mut table = Table::default();
    let ended = execute(&cluster, 2, runs(21), &mut table).expect("no error");
    assert_eq!((ended, table.rows.len()), (Ended::Done, 21));
    // 11 elements, 4 at most in an array.
    assert_eq!(cluster.submissions(), 3);
    assert!(table.rows.values().all(|record| record.status == Status::Solved));
    assert!(spool.record_files().expect("a folder").is_empty());
}

#[test]
fn a_failed_element_is_repeated_run_by_run() {
    let (_folder, spool) = spool();
    // The node fails at the second run of the first element, and once more.
    let fate = |job, first: &str| match (job, first) {
        (100, "p0") => (1, "NODE_FAIL"),
        (101, "p1") => (0, "PREEMPTED"),
        _ => (usize::MAX, "COMPLETED"),
    };
    let cluster = Cluster { fate: Box::new(fate), ..Cluster::new(&spool) };
    let mut table = Table::default();
    let ended = execute(&cluster, 3, runs(3), &mut table).expect("no error");
    assert_eq!((ended, table.rows.len()), (Ended::Done, 3));
    assert!(table.rows.values().all(|record| record.status == Status::Solved));
    let inside = cluster.inside.borrow();
    let sizes: Vec<usize> = inside.jobs.values().map(|(_, _, states)| states.len()).collect();
    assert_eq!(sizes, [1, 2, 1]);
}

#[test]
fn a_run_that_always_fails_is_recorded_with_the_reason() {
    let (_folder, spool) = spool();
    let fate =
        |_, first: &str| if first == "p2" { (0, "NODE_FAIL") } else { (usize::MAX, "COMPLETED") };
    let cluster = Cluster { fate: Box::new(fate), ..Cluster::new(&spool) };
    let mut table = Table::default();
    execute(&cluster, 1, runs(4), &mut table).expect("no error");
    let record = &table.rows["p2"];
    assert_eq!(record.status, Status::Crashed);
    assert_eq!(
        record.reason.as_deref(),
        Some("its array element ended 3 times without a record: NODE_FAIL")
    );
    assert_eq!(cluster.submissions(), 3);
}

#[test]
fn elements_that_never_work_are_an_error_and_not_results() {
    let (_folder, spool) = spool();
    let cluster = Cluster { fate: Box::new(|_, _| (0, "FAILED")), ..Cluster::new(&spool) };
    let mut table = Table::default();
    let error = execute(&cluster, 1, runs(3), &mut table).expect_err("nothing works");
    assert!(matches!(error, Error::NoRecords { .. }), "{error}");
    assert!(table.rows.is_empty());
    // Once the setup is corrected, everything starts again.
    let mended = Cluster::new(&spool);
    execute(&mended, 1, runs(3), &mut table).expect("no error");
    assert_eq!((table.rows.len(), mended.submissions()), (3, 1));
}

#[test]
fn whoever_comes_back_submits_nothing_twice() {
    let (_folder, spool) = spool();
    let cluster = Cluster::new(&spool);
    let all = runs(10);
    let mut table = Table { stop_at: Some(3), ..Table::default() };
    let ended = execute(&cluster, 1, all.clone(), &mut table).expect("no error");
    assert_eq!(ended, Ended::Interrupted);
    assert_eq!(cluster.submissions(), 3);
    // Some work is done while nobody waits.
    cluster.step();
    cluster.step();
    table.stop_at = None;
    let rest = left(&all, &table);
    let ended = execute(&cluster, 1, rest, &mut table).expect("no error");
    assert_eq!((ended, table.rows.len(), cluster.submissions()), (Ended::Done, 10, 3));
}

#[test]
fn a_job_whose_id_was_not_written_is_found_by_its_name() {
    let (_folder, spool) = spool();
    let cluster = Cluster::new(&spool);
    let mut table = Table { stop_at: Some(0), ..Table::default() };
    execute(&cluster, 1, runs(2), &mut table).expect("no error");
    fs::remove_file(spool.submission(1).join("job")).expect("it was there");
    table.stop_at = None;
    execute(&cluster, 1, runs(2), &mut table).expect("no error");
    assert_eq!((table.rows.len(), cluster.submissions()), (2, 1));
}

#[test]
fn a_job_that_comes_after_all_finds_its_submission_void() {
    let (_folder, spool) = spool();
    let cluster = Cluster::new(&spool);
    cluster.inside.borrow_mut().frozen = true;
    let mut table = Table { stop_at: Some(0), ..Table::default() };
    execute(&cluster, 1, runs(2), &mut table).expect("no error");
    // sbatch was called, but the controller does not have the job yet.
    fs::remove_file(spool.submission(1).join("job")).expect("it was there");
    cluster.inside.borrow_mut().jobs.clear();
    table.stop_at = None;
    cluster.inside.borrow_mut().frozen = false;
    execute(&cluster, 1, runs(2), &mut table).expect("no error");
    assert_eq!((table.rows.len(), cluster.submissions()), (2, 1));
    let worked = work(&spool, 1, 0, |run| Ok(Some(record(run)))).expect("no error");
    assert_eq!(worked, Worked::default());
}

#[test]
fn a_full_queue_is_waited_for() {
    let (_folder, spool) = spool();
    let cluster = Cluster { largest: 50, room: 5, ..Cluster::new(&spool) };
    let mut table = Table::default();
    execute(&cluster, 1, runs(40), &mut table).expect("no error");
    assert_eq!(table.rows.len(), 40);
    let closed = Cluster { room: 0, ..Cluster::new(&spool) };
    let error = execute(&closed, 1, runs(2), &mut Table::default()).expect_err("never room");
    assert!(error.to_string().contains("AssocMaxSubmitJobLimit"), "{error}");
}

#[test]
fn a_silent_controller_proves_nothing() {
    let (_folder, spool) = spool();
    let cluster = Cluster::new(&spool);
    cluster.inside.borrow_mut().silent = 20;
    let mut table = Table::default();
    execute(&cluster, 1, runs(4), &mut table).expect("no error");
    assert_eq!((table.rows.len(), cluster.submissions()), (4, 1));
}

#[test]
fn jobs_that_squeue_forgets_are_repeated() {
    let (_folder, spool) = spool();
    let fate = |job, _: &str| if job == 100 { (0, "GONE") } else { (usize::MAX, "COMPLETED") };
    let cluster = Cluster { fate: Box::new(fate), ..Cluster::new(&spool) };
    let mut table = Table::default();
    execute(&cluster, 1, runs(1), &mut table).expect("no error");
    assert_eq!((table.rows.len(), cluster.submissions()), (1, 2));
}

#[test]
fn records_that_cannot_be_read_are_kept_and_repeated() {
    let (_folder, spool) = spool();
    let cluster = Cluster::new(&spool);
    let other = FinishedRun { run: run("p0", 1), record: record(&run("p1", 1)) };
    let texts = ["{\"run\": ".to_owned(), serde_json::to_string(&other).expect("JSON")];
    for (index, text) in texts.iter().enumerate() {
        fs::write(spool.record(77, 0, index), text).expect("a writable folder");
    }
    let mut table = Table::default();
    execute(&cluster, 1, runs(2), &mut table).expect("no error");
    assert_eq!(table.rows.len(), 2);
    assert!(spool.has_files_aside());
    assert!(spool.path().join("aside/77-0-1.json").exists());
}

#[test]
fn results_of_another_configuration_of_that_name_are_not_taken() {
    let (_folder, spool) = spool();
    let cluster = Cluster::new(&spool);
    let mut table = Table { stop_at: Some(0), ..Table::default() };
    execute(&cluster, 1, runs(2), &mut table).expect("no error");
    cluster.step();
    table.stop_at = None;
    let slower: Vec<Run> = (0..2).map(|i| run(&format!("p{i}"), 9)).collect();
    execute(&cluster, 1, slower, &mut table).expect("no error");
    assert!(table.rows.values().all(|row| row.limits.time == Duration::from_secs(9)));
    assert_eq!(cluster.submissions(), 2);
}

#[test]
fn canceling_ends_the_jobs_and_whoever_waits_for_them() {
    let (_folder, spool) = spool();
    let cluster = Cluster::new(&spool);
    cluster.inside.borrow_mut().frozen = true;
    let mut table = Table { stop_at: Some(0), ..Table::default() };
    execute(&cluster, 1, runs(5), &mut table).expect("no error");
    assert_eq!(cancel(&spool, &cluster).expect("no error"), 2);
    let inside = cluster.inside.borrow();
    assert!(inside.jobs.values().flat_map(|(_, _, s)| s).all(|&s| s == "CANCELLED"));
    drop(inside);
    // Somebody waits, and another cancels.
    cluster.inside.borrow_mut().to_be_canceled = true;
    table.stop_at = None;
    let ended = execute(&cluster, 1, runs(5), &mut table).expect("no error");
    assert_eq!((ended, table.rows.len()), (Ended::Canceled, 0));
    cluster.inside.borrow_mut().frozen = false;
    cluster.inside.borrow_mut().to_be_canceled = false;
    execute(&cluster, 1, runs(5), &mut table).expect("no error");
    assert_eq!((table.rows.len(), cluster.submissions()), (5, 6));
}

/// Paths and setup lines pass through a shell unharmed.
#[test]
fn the_script_is_quoted() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path().join("it's \"$HOME\" `id`\n\\%a");
    fs::create_dir(&folder).expect("a folder");
    let hipot = folder.join("hi'pot");
    fs::write(&hipot, "#!/bin/sh\nprintf '%s|' \"$PWD\" \"$X\" \"$@\"\n").expect("a file");
    fs::set_permissions(&hipot, fs::Permissions::from_mode(0o755)).expect("ours");
    let params = Params { setup: vec!["export X='a  b'".to_owned()], ..Params::default() };
    let spool = folder.join("e.spool");
    fs::create_dir_all(spool.join("7")).expect("a folder");
    let path = folder.join("script");
    fs::write(&path, script::batch_script(&params, &hipot, &spool, 7)).expect("a file");
    let mut command = Command::new("/bin/bash");
    let status = command.arg(&path).env("SLURM_ARRAY_TASK_ID", "3").status().expect("bash");
    assert!(status.success());
    let log = fs::read_to_string(spool.join("7/log-3.txt")).expect("a log");
    let expected = format!("{}|a  b|lab|work|--|{}|7|3|", folder.display(), spool.display());
    assert_eq!(log, expected);
}

#[test]
fn options_that_hide_jobs_are_refused() {
    for option in ["--array=1-3", "-a1-3", "-Mother", "--clusters=other", "--wait", "-J x"] {
        let params = Params { options: vec![option.to_owned()], ..Params::default() };
        assert!(params.check().is_err(), "{option}");
    }
    let harmless = ["--exclusive", "--nice=100", "--wait-all-nodes=1", "-C", "avx2"];
    let options = harmless.map(str::to_owned).to_vec();
    Params { options, ..Params::default() }.check().expect("harmless options");
}

#[test]
fn what_is_to_be_made_anew_is_forgotten() {
    let (_folder, spool) = spool();
    let cluster = Cluster::new(&spool);
    let mut table = Table { stop_at: Some(0), ..Table::default() };
    execute(&cluster, 1, runs(3), &mut table).expect("no error");
    cluster.step();
    forget(&spool, &cluster, &["another".to_owned()]).expect("no error");
    assert_eq!(spool.record_files().expect("a folder").len(), 1);
    forget(&spool, &cluster, &["blind".to_owned()]).expect("no error");
    assert!(spool.record_files().expect("a folder").is_empty());
    assert_eq!(cluster.pending(), 0);
    table.stop_at = None;
    execute(&cluster, 1, runs(3), &mut table).expect("no error");
    assert_eq!((table.rows.len(), cluster.submissions()), (3, 2));
}
