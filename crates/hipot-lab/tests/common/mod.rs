//! Experiments without planners.
#![allow(dead_code, reason = "each test file uses a part of this")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hipot_lab::{
    Configuration, Experiment, Limits, Measures, Record, Status, Store, Task, TaskFiles,
};
use tempfile::TempDir;

/// A folder with an experiment's database.
pub(crate) struct Lab {
    folder: TempDir,
    pub(crate) experiment: Experiment,
    pub(crate) tasks: Vec<Task>,
}

impl Lab {
    /// An experiment with this many tasks and configurations, `c0`, `c1` and so on.
    pub(crate) fn new(tasks: usize, configurations: usize) -> Self {
        let folder = TempDir::new().unwrap();
        let experiment = experiment(folder.path(), configurations, "1s");
        Self { folder, experiment, tasks: (0..tasks).map(task).collect() }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.experiment.database()
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The database with everything registered.
    pub(crate) fn store(&self) -> Store {
        let mut store = Store::open(&self.file()).unwrap();
        store.register(&self.experiment, &self.tasks).unwrap();
        store
    }
}

pub(crate) fn experiment(folder: &Path, configurations: usize, time: &str) -> Experiment {
    let mut text = format!("[limits]\ntime = \"{time}\"\n[suites.s]\nfolder = \".\"\n");
    for number in 0..configurations {
        let _ = writeln!(text, "[configurations.c{number}]\nheuristic = \"blind\"");
    }
    Experiment::parse(&folder.join("lab.toml"), &text).unwrap()
}

pub(crate) fn task(number: usize) -> Task {
    Task {
        suite: "s".to_owned(),
        domain: format!("d{}", number / 10),
        problem: format!("p{number}.sas"),
        files: TaskFiles::Sas(format!("/nowhere/p{number}.sas").into()),
    }
}

/// A made-up result that depends on the task and the configuration.
pub(crate) fn record(task: &Task, configuration: &Configuration) -> Record {
    let number: u64 = task.problem[1..].trim_end_matches(".sas").parse().unwrap();
    let status = if number % 3 == 2 { Status::TimeLimit } else { Status::Solved };
    Record {
        suite: task.suite.clone(),
        domain: task.domain.clone(),
        problem: task.problem.clone(),
        configuration: configuration.name.clone(),
        revision: "1 (abc)".to_owned(),
        machine: "here".to_owned(),
        imported: false,
        limits: Limits { time: Duration::from_secs(1), memory: 1 << 30, output: 1 << 20 },
        started: 1_000_000 + number,
        status,
        reason: number.is_multiple_of(5).then(|| "so it is".to_owned()),
        exit_code: (!number.is_multiple_of(7)).then_some(0),
        measures: Measures {
            cost: (status == Status::Solved).then_some(number),
            expanded: Some(u64::MAX >> 1),
            initial_exact: Some("14/3".to_owned()),
            search_seconds: Some(0.25),
            wall_seconds: 0.5,
            statistics: Some(serde_json::json!({ "task": { "variables": number } })),
            ..Measures::default()
        },
        log: format!("log of {} {}\n\0é", task.problem, configuration.name),
    }
}
