//! Which task of an experiment a run of a `properties` file is about.
//!
//! Such files name domain and problem. Problems are named as files, with or without
//! their extension; here neither matters. A task that several suites have is meant in
//! all of them, unless the domain is written `suite/domain`, as our own files do then.

use std::collections::BTreeMap;

use crate::{Record, Task};

/// Tasks by the names that such files give them.
#[derive(Debug)]
pub struct Places<'a> {
    tasks: BTreeMap<(&'a str, &'a str), Vec<&'a Task>>,
}

impl<'a> Places<'a> {
    /// The places that these tasks are.
    pub fn new(tasks: &'a [Task]) -> Self {
        let mut places: BTreeMap<_, Vec<&Task>> = BTreeMap::new();
        for task in tasks {
            places.entry((task.domain.as_str(), stem(&task.problem))).or_default().push(task);
        }
        Self { tasks: places }
    }

    /// The record for each task that it is about; none where the experiment has no such.
    pub fn place(&self, record: &Record) -> Vec<Record> {
        let problem = stem(&record.problem);
        let find = |domain| self.tasks.get(&(domain, problem)).map_or(&[][..], Vec::as_slice);
        let mut tasks = find(&record.domain).to_vec();
        if let (true, Some((suite, domain))) = (tasks.is_empty(), record.domain.split_once('/')) {
            tasks = find(domain).iter().copied().filter(|task| task.suite == suite).collect();
        }
        let placed = |task: &Task| Record {
            suite: task.suite.clone(),
            domain: task.domain.clone(),
            problem: task.problem.clone(),
            ..record.clone()
        };
        tasks.into_iter().map(placed).collect()
    }
}

/// The name of a problem without its extension.
fn stem(problem: &str) -> &str {
    [".pddl", ".sas"]
        .iter()
        .find_map(|extension| problem.strip_suffix(extension))
        .unwrap_or(problem)
}
