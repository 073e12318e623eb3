//! Made-up results, for tests of reports.

#![allow(dead_code, reason = "each test file uses a part")]

use std::path::PathBuf;
use std::time::Duration;

use hipot_lab::{Limits, Measures, Record, Status, Task, TaskFiles};

/// Names of domains for tests.
pub(crate) const DOMAINS: [&str; 8] =
    ["barman", "blocks", "depot", "elevators-08", "gripper", "logistics00", "miconic", "visitall"];

/// A linear congruential generator: the same numbers everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below the bound.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A task of a suite `ipc`.
pub(crate) fn task(domain: &str, problem: &str) -> Task {
    let files = TaskFiles::Sas(PathBuf::from(format!("/tasks/{domain}/{problem}.sas")));
    Task { suite: "ipc".to_owned(), domain: domain.to_owned(), problem: problem.to_owned(), files }
}

/// A record with this status, and no numbers but times and memory.
pub(crate) fn record(task: &Task, configuration: &str, status: Status) -> Record {
    Record {
        suite: task.suite.clone(),
        domain: task.domain.clone(),
        problem: task.problem.clone(),
        configuration: configuration.to_owned(),
        revision: "hipot 0.1.0 (6fae578)".to_owned(),
        machine: "node01".to_owned(),
        imported: false,
        limits: Limits { time: Duration::from_secs(1800), memory: 2 << 30, output: 16 << 20 },
        started: 1_794_783_600,
        status,
        reason: None,
        exit_code: Some(if status == Status::Solved { 0 } else { 23 }),
        measures: Measures {
            cpu_seconds: 1.5,
            wall_seconds: 1.6,
            peak_memory: 64 << 20,
            ..Measures::default()
        },
        log: String::new(),
    }
}

/// A record of a solved task, with its cost, initial value, and expansions before the last f
/// layer.
pub(crate) fn solved(
    task: &Task,
    configuration: &str,
    cost: u64,
    initial: u64,
    expanded: u64,
) -> Record {
    let mut record = record(task, configuration, Status::Solved);
    let measures = &mut record.measures;
    measures.cost = Some(cost);
    measures.plan_length = Some(cost);
    measures.initial_h = Some(initial);
    measures.expanded_until_last_jump = Some(expanded);
    measures.expanded = Some(expanded + cost);
    measures.evaluated = Some(3 * expanded + 1);
    measures.generated = Some(9 * expanded + 2);
    record
}

/// An experiment with this many tasks of all domains, like an evaluation of heuristics: later
/// configurations are better.
pub(crate) fn experiment(
    tasks: usize,
    configurations: &[&str],
) -> (Vec<(Task, String)>, Vec<Record>) {
    let mut random = Random(7);
    let (mut expected, mut records) = (Vec::new(), Vec::new());
    for index in 0..tasks {
        let task = task(DOMAINS[index * DOMAINS.len() / tasks], &format!("p{:02}", index + 1));
        let cost = 4 + random.below(60);
        let size = random.below(8) as u32;
        for (rank, configuration) in configurations.iter().enumerate() {
            expected.push((task.clone(), (*configuration).to_owned()));
            records.push(run(&mut random, &task, configuration, (cost, size, rank as u64)));
        }
    }
    (expected, records)
}

fn run(
    random: &mut Random,
    task: &Task,
    configuration: &str,
    (cost, size, rank): (u64, u32, u64),
) -> Record {
    let missing = cost * random.below(100) / (100 + 80 * rank);
    let is_perfect = random.below(10) < 1 + 3 * rank.min(2);
    let initial = if is_perfect { cost } else { cost - missing };
    let effort = 10u64.pow(size) * (1 + random.below(40)) / (1 + 4 * rank);
    let expanded = if initial == cost { 0 } else { effort };
    let limit = 40_000_000;
    let mut record = if expanded < limit {
        solved(task, configuration, cost, initial, expanded)
    } else {
        let status = [Status::TimeLimit, Status::MemoryLimit][random.below(2) as usize];
        let mut record = record(task, configuration, status);
        record.measures.initial_h = (random.below(8) > 0).then_some(initial);
        record
    };
    let seconds = (20 + expanded.min(limit) / 25) as f64 / 1000.0;
    record.measures.cpu_seconds = seconds;
    record.measures.wall_seconds = record.measures.cpu_seconds;
    record.measures.search_seconds =
        record.measures.cost.map(|_| (seconds * 1000.0 - 15.0).round() / 1000.0);
    record.measures.total_seconds = record.measures.cost.map(|_| seconds);
    record.measures.peak_memory = (20 << 20) + expanded.min(limit) * 40;
    record
}
