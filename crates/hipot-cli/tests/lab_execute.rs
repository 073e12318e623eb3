//! From a task and a configuration to a record: our planner, and others that do as
//! they like.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use hipot_lab::{
    Configuration, Executor, Limits, Planner, Record, Status, SuperviseError, Task, TaskFiles,
};

const HIPOT: &str = env!("CARGO_BIN_EXE_hipot");

/// A folder for runs, which must be empty after each of them.
struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn run(&self, files: TaskFiles, planner: Planner, limits: Limits) -> Record {
        let scratch = self.folder.path().join("scratch");
        let executor = Executor {
            hipot: HIPOT.into(),
            revision: "hipot 1".to_owned(),
            machine: "here".to_owned(),
            scratch: scratch.clone(),
        };
        let [suite, domain, problem] = ["s", "d", "p"].map(str::to_owned);
        let task = Task { suite, domain, problem, files };
        let configuration = Configuration { name: "c".to_owned(), planner, limits };
        let record = executor.execute(&task, &configuration, &AtomicBool::new(false)).unwrap();
        let left: Vec<PathBuf> =
            fs::read_dir(scratch).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(left, Vec::<PathBuf>::new());
        record
    }

    /// Runs a shell script as a planner; `$1` is the plan's file, `$2` the problem.
    fn script(&self, script: &str) -> Record {
        let command = ["sh", "-c", script, "planner", "{plan}", "{problem}"];
        let planner = Planner::Command(command.map(str::to_owned).to_vec());
        self.run(toll(), planner, LIMITS)
    }

    fn generated(&self, arguments: &str) -> TaskFiles {
        let file = self.folder.path().join("task.sas");
        let mut command = Command::new(HIPOT);
        command.arg("generate").args(arguments.split(' ')).arg("-o").arg(&file);
        assert!(command.output().unwrap().status.success(), "{arguments}");
        TaskFiles::Sas(file)
    }
}

const LIMITS: Limits = Limits { time: Duration::from_secs(60), memory: 1 << 30, output: 1 << 20 };

fn example(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    folder.canonicalize().unwrap().join(name)
}

fn toll() -> TaskFiles {
    TaskFiles::Sas(example("toll.sas"))
}

fn hipot(heuristic: &str) -> Planner {
    Planner::Hipot { heuristic: heuristic.to_owned(), options: Vec::new() }
}

/// A plan for the toll road, as shell commands that write it to `$1`.
const PLAN: &str = "printf '(raise barrier1)\\n(drive home mill)\\n(drive mill bridge)\\n\
    (raise barrier2)\\n(drive bridge inn)\\n(drive inn pass)\\n(raise barrier3)\\n\
    (drive pass chapel)\\n(drive chapel coast)\\n' > $1";
const COST: u64 = 6_442_450_938;

#[test]
fn our_planner_solves_and_says_how() {
    let record = Lab::new().run(toll(), hipot("pot(dim=1)"), LIMITS);
    let Record { status, reason, exit_code, measures, .. } = &record;
    assert_eq!((*status, reason, *exit_code), (Status::Solved, &None, Some(0)));
    assert_eq!((measures.cost, measures.plan_length), (Some(COST), Some(9)));
    assert_eq!(measures.lower_bound, Some(COST));
    assert!(measures.initial_h.is_some() && measures.initial_exact.is_some());
    assert!(measures.expanded.is_some() && measures.expanded_until_last_jump.is_some());
    assert!(measures.wall_seconds > 0.0 && measures.cpu_seconds > 0.0);
    assert!(measures.peak_memory > 1 << 20);
    let statistics = measures.statistics.as_ref().unwrap();
    assert_eq!(statistics["task"]["variables"], 4);
    assert!(record.log.contains("[standard error]") && record.log.contains("task: 4 variables"));
    assert_eq!((&*record.revision, &*record.machine), ("hipot 1", "here"));
    assert_eq!((&*record.domain, &*record.configuration), ("d", "c"));
    assert!(record.started > 1_600_000_000);
}

#[test]
fn our_planner_takes_pddl_and_proves_that_there_is_no_plan() {
    let files = TaskFiles::Pddl {
        domain: example("raft/domain.pddl"),
        problem: example("raft/problem.pddl"),
    };
    let record = Lab::new().run(files, hipot("blind"), LIMITS);
    assert_eq!((record.status, record.exit_code), (Status::Unsolvable, Some(11)));
    assert_eq!(record.measures.cost, None);
}

/// It ends by itself just inside the limit, and so there are statistics.
#[test]
fn our_planner_reports_at_its_limits() {
    let lab = Lab::new();
    let limits = Limits { time: Duration::from_secs(2), ..LIMITS };
    let record = lab.run(lab.generated("hanoi 30"), hipot("blind"), limits);
    assert_eq!((record.status, record.exit_code), (Status::TimeLimit, Some(23)), "{record:?}");
    assert!(record.measures.expanded.is_some_and(|expanded| expanded > 0));
    assert!(record.measures.cpu_seconds < 2.0);

    let limits = Limits { memory: 100 << 20, ..LIMITS };
    let record = lab.run(lab.generated("hanoi 30"), hipot("blind"), limits);
    assert_eq!((record.status, record.exit_code), (Status::MemoryLimit, Some(22)), "{record:?}");
    assert!(record.measures.expanded.is_some_and(|expanded| expanded > 0));
    assert!(record.measures.peak_memory < 100 << 20);
}

#[test]
fn wrong_tasks_and_wrong_options_are_told() {
    let lab = Lab::new();
    let file = lab.folder.path().join("wrong.sas");
    fs::write(&file, "begin_version\n4\n").unwrap();
    let record = lab.run(TaskFiles::Sas(file), hipot("blind"), LIMITS);
    assert_eq!(record.status, Status::InputError);
    assert!(record.reason.is_some_and(|reason| reason.contains("version")));
    let record = lab.run(toll(), hipot("pot(dim=nothing)"), LIMITS);
    assert_eq!((record.status, record.exit_code), (Status::Crashed, Some(2)));
    assert!(record.log.contains("dim=nothing"), "{}", record.log);
}

#[test]
fn plans_of_others_are_validated() {
    let lab = Lab::new();
    let record = lab.script(&format!("{PLAN}; echo 'Expanded 7 state(s).'"));
    assert_eq!((record.status, record.measures.cost), (Status::Solved, Some(COST)), "{record:?}");
    assert_eq!((record.measures.plan_length, record.measures.expanded), (Some(9), Some(7)));
    assert_eq!(record.revision, "");

    let record = lab.script(&format!("{PLAN}.3; echo '(raise barrier1)' > $1.2"));
    assert_eq!(record.status, Status::Solved, "the last one counts: {record:?}");

    let record = lab.script("echo '(raise barrier1)' > $1");
    assert_eq!((record.status, record.measures.cost), (Status::InvalidPlan, None));
    assert!(record.reason.is_some_and(|reason| reason.contains("goal")));
    let record = lab.script("head -c 100000 /dev/zero > $1");
    assert_eq!(record.status, Status::InvalidPlan, "{record:?}");
    let record = lab.script("ln -s /dev/zero $1");
    assert_eq!(record.reason.as_deref(), Some("the plan is not a file"));
}

#[test]
fn other_costs_than_the_plans_are_not_believed() {
    let lab = Lab::new();
    for script in ["echo 'Plan cost: 3'", "echo '; cost = 3 (unit cost)' >> $1"] {
        let record = lab.script(&format!("{PLAN}; {script}"));
        let reason = format!("the plan costs {COST}, but the planner claims 3");
        assert_eq!((record.status, record.reason), (Status::InvalidPlan, Some(reason)));
    }
    let record = lab.script(&format!("{PLAN}; echo 'Plan cost: {COST}'"));
    assert_eq!(record.status, Status::Solved);
}

#[test]
fn without_a_plan_nothing_is_solved() {
    let lab = Lab::new();
    for (script, status) in [
        ("echo 'Plan cost: 3'", Status::Unsolved),
        ("exit 1", Status::Crashed),
        ("exit 12", Status::Unsolved),
        ("exit 11", Status::Unsolvable),
        ("kill -9 $$", Status::Crashed),
        ("yes", Status::OutputLimit),
    ] {
        assert_eq!(lab.script(script).status, status, "{script}");
    }
    let missing = Planner::Command(["no-such-planner", "{problem}"].map(str::to_owned).to_vec());
    let record = lab.run(toll(), missing, LIMITS);
    assert_eq!(record.status, Status::Crashed);
    assert!(record.reason.is_some_and(|reason| reason.contains("no-such-planner")));
}

#[test]
fn a_domain_is_not_to_be_had_for_every_task() {
    let words = ["planner", "{domain}", "{problem}"].map(str::to_owned);
    let record = Lab::new().run(toll(), Planner::Command(words.to_vec()), LIMITS);
    assert_eq!(record.status, Status::Unsupported);
    assert!(record.reason.is_some_and(|reason| reason.contains("{domain}")));
}

/// The folder is gone afterwards, as after every run here.
#[test]
fn folders_that_are_closed_are_removed_and_their_plans_read() {
    let script = format!("{PLAN}; mkdir -p a/b; touch a/b/c; chmod 0 a/b a . $1");
    let record = Lab::new().script(&script);
    let expected = if is_root() { Status::Solved } else { Status::InvalidPlan };
    assert_eq!(record.status, expected, "{record:?}");
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout == b"0\n"
}

#[test]
fn runs_that_are_stopped_are_not_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let executor = Executor {
        hipot: HIPOT.into(),
        revision: String::new(),
        machine: String::new(),
        scratch: folder.path().to_owned(),
    };
    let [suite, domain, problem] = ["s", "d", "p"].map(str::to_owned);
    let task = Task { suite, domain, problem, files: toll() };
    let words = ["tail", "-f", "{problem}"].map(str::to_owned);
    let planner = Planner::Command(words.to_vec());
    let configuration = Configuration { name: "c".to_owned(), planner, limits: LIMITS };
    let ended = executor.execute(&task, &configuration, &AtomicBool::new(true));
    assert!(matches!(ended, Err(SuperviseError::Interrupted)), "{ended:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
