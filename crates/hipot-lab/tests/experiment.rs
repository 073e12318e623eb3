//! Experiment files as people write them, right and wrong.

use std::fs::{create_dir_all, write};
use std::path::Path;
use std::time::Duration;

use hipot_lab::{EngineKind, Error, Experiment, Planner, Task, TaskFiles};
use tempfile::TempDir;

const CONFIGURATION: &str = "[configurations.blind]\nheuristic = \"blind\"\n";
const SUITE: &str = "[suites.all]\nfolder = \"tasks\"\n";

fn parse(text: &str) -> Result<Experiment, Error> {
    Experiment::parse(Path::new("lab.toml"), text)
}

#[test]
fn a_whole_file_is_read() {
    let experiment = parse(
        r#"
        name = "paper"
        [limits]
        time = "30s"
        memory = "2G"
        output = 1000
        [suites.ipc]
        folder = "../ipc"
        include = ["gripper/*", "blocks*/*"]
        exclude = ["*/p2?"]
        sample = { per-domain = 3, seed = 7 }
        [configurations.zeta]
        heuristic = "pot(dim=2)"
        options = ["--lp-time-limit", "10m"]
        time = "1m"
        [configurations.alpha]
        command = ["fd", "{domain}", "{problem}"]
        revision = "24.06"
        memory = "1G"
        [engine]
        kind = "slurm"
        cores = 2
        array-limit = 100
        setup = ["module load gcc"]
        "#,
    )
    .unwrap();
    assert_eq!(experiment.name, "paper");
    assert_eq!(experiment.database(), Path::new("lab.sqlite"));
    let names: Vec<&str> = experiment.configurations.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["zeta", "alpha"], "the file's order");
    let [zeta, alpha] = &experiment.configurations[..] else { unreachable!() };
    assert_eq!((zeta.limits.time, zeta.limits.memory), (Duration::from_secs(60), 2 << 30));
    assert_eq!((alpha.limits.time, alpha.limits.memory), (Duration::from_secs(30), 1 << 30));
    assert_eq!(alpha.limits.output, 1000);
    assert!(matches!(&zeta.planner, Planner::Hipot { options, .. } if options.len() == 2));
    assert_eq!(experiment.revisions["alpha"], "24.06");
    assert_eq!(experiment.engine.kind, EngineKind::Slurm);
    assert_eq!(experiment.engine.slurm.array_limit, Some(100));
}

/// A glob with so many braces within braces.
fn nested_glob(levels: usize) -> String {
    format!("{}a{}", "{a,".repeat(levels), "}".repeat(levels))
}

/// Each case: a file, the position of its mistake, and a part of the message.
#[test]
fn mistakes_are_reported_with_their_position() {
    let with_suite = |text: &str| format!("{SUITE}{text}");
    let both = |text: &str| format!("{SUITE}{CONFIGURATION}{text}");
    let cases: Vec<(String, (usize, usize), &str)> = vec![
        (String::new(), (1, 1), "expected a suite"),
        (CONFIGURATION.to_owned(), (1, 1), "expected a suite"),
        (SUITE.to_owned(), (1, 1), "expected a configuration"),
        (both("[limits]\ntime = \"soon\""), (6, 8), "expected a time such as"),
        (both("[limits]\ntime = \"0\""), (6, 8), "a limit of 0"),
        (both("[limits]\ntime = -3"), (6, 8), "expected a time"),
        (both("[limits]\nmemory = \"0\""), (6, 10), "expected a size"),
        (both("[limits]\noutput = 0"), (6, 10), "expected a size"),
        (both("[limits]\nmemory = true"), (6, 10), "expected a size"),
        (both("[limits]\ntyme = 3"), (6, 1), "unknown field `tyme`, expected"),
        (both("[engine]\nkind = \"pbs\""), (6, 8), "unknown variant `pbs`, expected"),
        (both("[engine]\ncores = 0"), (6, 9), "from 1"),
        (both("[engine]\ncores = \"all\""), (6, 9), "invalid type"),
        (both("[suites.x]\nfolder = \"\""), (6, 10), "expected a folder"),
        (both("[suites.x]"), (5, 1), "missing field `folder`"),
        (both("[suites.\"a/b\"]\nfolder = \"x\""), (5, 9), "it has a slash"),
        (both("[suites.\"\\u0007\"]\nfolder = \"x\""), (5, 9), "control character"),
        (both("[suites.\"\"]\nfolder = \"x\""), (5, 9), "it is empty"),
        (format!("name = \" x\"\n{}", both("")), (1, 8), "white space"),
        (both("[suites.x]\nfolder = \"x\"\ninclude = [\"a\", \"[\"]"), (7, 17), "not a glob"),
        (
            both(&format!("[suites.x]\nfolder = \"x\"\ninclude = [\"{}\"]", nested_glob(250))),
            (7, 12),
            "too many braces within braces",
        ),
        (both("[suites.x]\nfolder = \"x\"\nsample = {}"), (7, 10), "expected one of per-domain"),
        (
            both("[suites.x]\nfolder = \"x\"\nsample = { every = 2, seed = 1 }"),
            (7, 10),
            "expected no seed",
        ),
        (both("[suites.x]\nfolder = \"x\"\nsample = { tasks = 0 }"), (7, 20), "from 1"),
        (with_suite("[configurations.x]\n"), (3, 1), "expected either heuristic"),
        (
            with_suite("[configurations.x]\nheuristic = \"a\"\ncommand = [\"b\"]"),
            (3, 1),
            "expected either heuristic",
        ),
        (with_suite("[configurations.x]\ncommand = []"), (4, 11), "the command is empty"),
        (with_suite("[configurations.x]\ncommand = \"fd\""), (4, 11), "invalid type"),
        (with_suite("[configurations.x]\ncommand = [\"a\", \"{plam}\"]"), (4, 11), "{plam}"),
        (
            with_suite("[configurations.x]\ncommand = [\"a\"]\noptions = [\"b\"]"),
            (5, 11),
            "goes with a heuristic",
        ),
        (
            with_suite("[configurations.x]\nheuristic = \"a\"\nrevision = \"b\""),
            (5, 12),
            "goes with a command",
        ),
        (both("[configurations.blind]\nheuristic = \"x\""), (5, 17), "duplicate"),
        (both("# é\n\"é\" = = 3"), (6, 7), "extra `=`"),
    ];
    for (text, place, part) in cases {
        let error = parse(&text).expect_err(&text);
        let Error::Text { line, column, message, .. } = &error else { panic!("{error}") };
        assert!(message.contains(part), "{text}\n{message}");
        assert_eq!((*line, *column), place, "{text}\n{message}");
    }
}

#[test]
fn columns_are_characters_and_bytes_are_checked() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("lab.toml");
    write(&file, b"# \xc3\xa9\nname = \"\xc3\xa9\xff\"\n").unwrap();
    let error = Experiment::read(&file).unwrap_err();
    assert!(error.to_string().contains(":2:10: expected UTF-8"), "{error}");
    assert!(matches!(
        Experiment::read(&folder.path().join("none.toml")),
        Err(Error::Unreadable { .. })
    ));
}

fn names(tasks: &[Task]) -> Vec<String> {
    tasks.iter().map(|task| format!("{}/{}", task.domain, task.problem)).collect()
}

struct Folder(TempDir);

impl Folder {
    fn with(files: &[&str]) -> Self {
        let folder = Self(TempDir::new().unwrap());
        for file in files {
            let path = folder.0.path().join("tasks").join(file);
            create_dir_all(path.parent().unwrap()).unwrap();
            write(path, "").unwrap();
        }
        folder
    }

    fn tasks(&self, suites: &str) -> Result<Vec<Task>, Error> {
        let file = self.0.path().join("lab.toml");
        Experiment::parse(&file, &format!("{suites}\n{CONFIGURATION}")).unwrap().tasks()
    }
}

#[test]
fn tasks_are_found_with_their_domains() {
    let folder = Folder::with(&[
        "blocks/domain.pddl",
        "blocks/p10.pddl",
        "blocks/p2.pddl",
        "blocks/notes.txt",
        "rovers/p01-domain.pddl",
        "rovers/p01.pddl",
        "rovers/domain_p02.pddl",
        "rovers/p02.pddl",
        "sas/b.sas",
        "lonely/domain.pddl",
        "top.sas",
    ]);
    let tasks = folder.tasks(SUITE).unwrap();
    let expected = [
        "blocks/p2.pddl",
        "blocks/p10.pddl",
        "rovers/p01.pddl",
        "rovers/p02.pddl",
        "sas/b.sas",
        "tasks/top.sas",
    ];
    assert_eq!(names(&tasks), expected);
    let TaskFiles::Pddl { domain, problem } = &tasks[3].files else { panic!() };
    assert!(domain.is_absolute() && domain.ends_with("rovers/domain_p02.pddl"));
    assert!(problem.ends_with("rovers/p02.pddl"));
}

#[test]
fn patterns_choose_and_suites_do_not_repeat() {
    let folder = Folder::with(&["a/p1.sas", "a/p21.sas", "b/p1.sas", "b/p3.sas"]);
    let suite = |name: &str, rest: &str| format!("[suites.{name}]\nfolder = \"tasks\"\n{rest}\n");
    let tasks = folder.tasks(&suite("x", "include = [\"a/*\"]\nexclude = [\"*/p2?\"]"));
    assert_eq!(names(&tasks.unwrap()), ["a/p1.sas"]);
    let both = suite("x", "include = [\"*/p1.sas\"]") + &suite("y", "");
    let tasks = folder.tasks(&both).unwrap();
    assert_eq!(names(&tasks), ["a/p1.sas", "b/p1.sas", "a/p21.sas", "b/p3.sas"]);
    let suites: Vec<&str> = tasks.iter().map(|task| &*task.suite).collect();
    assert_eq!(suites, ["x", "x", "y", "y"]);
}

#[test]
fn suites_without_tasks_are_errors_at_their_position() {
    let folder = Folder::with(&["a/p1.sas", "lost/p1.pddl", "empty/readme"]);
    let suite = |folder: &str, rest: &str| format!("[suites.x]\nfolder = \"{folder}\"\n{rest}\n");
    for (text, part) in [
        (suite("nowhere", ""), "cannot read the folder"),
        (suite("tasks/a/p1.sas", ""), "cannot read the folder"),
        (suite("tasks/empty", ""), "no .pddl or .sas file"),
        (suite("tasks", "include = [\"z/*\"]"), "leave no task; the folder has 2 tasks"),
        (suite("tasks", ""), "no domain file found next to"),
    ] {
        let error = folder.tasks(&text).unwrap_err();
        let Error::Text { line: 2, column: 10, message, .. } = &error else { panic!("{error}") };
        assert!(message.contains(part), "{message}");
    }
    let without = folder.tasks(&suite("tasks", "exclude = [\"lost/*\"]")).unwrap();
    assert_eq!(names(&without), ["a/p1.sas"]);
}
