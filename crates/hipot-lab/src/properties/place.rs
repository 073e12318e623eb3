//! Matches the runs of a `properties` file with the tasks of an experiment.
//!
//! Such files name a domain and a problem. Problems are named like files; extensions are
//! ignored. A run of a task that several suites contain counts for all of them, unless the
//! domain is written `suite/domain`, as our own files do in this case.

use std::collections::BTreeMap;

use crate::{Record, Task};

/// The tasks of an experiment, by the names that such files use.
#[derive(Debug)]
pub struct Places<'a> {
    tasks: BTreeMap<(&'a str, &'a str), Vec<&'a Task>>,
}

impl<'a> Places<'a> {
    /// Indexes tasks by their names.
    pub fn new(tasks: &'a [Task]) -> Self {
        let mut places: BTreeMap<_, Vec<&Task>> = BTreeMap::new();
        for task in tasks {
            places.entry((task.domain.as_str(), stem(&task.problem))).or_default().push(task);
        }
        Self { tasks: places }
    }

    /// The record once for each task that it is about; none if the experiment has no such task.
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
