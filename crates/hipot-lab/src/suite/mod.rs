//! Suites: which tasks there are, and which of them are run.
//!
//! A folder holds a folder for each domain, or the tasks of one domain themselves. What
//! ends in `.sas` is a task; what ends in `.pddl` is one unless it is the domain of
//! another, or is called as domains are. Tasks are named by their folder and file and
//! sorted as people sort, `p2` before `p10`. Globs are tried with and without the file's
//! ending, so that `*/p2?` means what it seems to.

mod find;
mod order;
mod sample;

use std::collections::BTreeSet;
use std::path::PathBuf;

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::model::{Task, TaskFiles};
use find::{Found, find_tasks};
use order::natural;

pub(crate) use find::Error;
pub use sample::Sample;

/// A suite of tasks.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// Where its domains or tasks are.
    pub folder: PathBuf,
    /// The tasks to take, `None` for all.
    pub include: Option<Vec<Glob>>,
    /// The tasks to leave out of those.
    pub exclude: Vec<Glob>,
    /// Which part of the rest is run, `None` for all.
    pub sample: Option<Sample>,
}

impl Suite {
    /// The tasks of the suite in their order.
    pub(crate) fn tasks(&self) -> Result<Vec<Task>, Error> {
        let mut found = find_tasks(&self.name, &self.folder)?;
        let (all, chosen) = (found.len(), Filter::new(self));
        found.retain(|task| chosen.takes(task));
        if found.is_empty() {
            return Err(Error::NoneLeft(all));
        }
        found.sort_by(|a, b| {
            natural(&a.domain, &b.domain).then_with(|| natural(&a.problem, &b.problem))
        });
        let found = self.sample.map_or(found.clone(), |sample| sample.choose(found));
        found.into_iter().map(Found::into_task).collect()
    }
}

/// The globs of a suite.
struct Filter {
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl Filter {
    fn new(suite: &Suite) -> Self {
        let set = |globs: &[Glob]| {
            let mut builder = GlobSetBuilder::new();
            for glob in globs {
                builder.add(glob.clone());
            }
            builder.build().expect("each of them is a glob")
        };
        Self { include: suite.include.as_deref().map(set), exclude: set(&suite.exclude) }
    }

    fn takes(&self, task: &Found) -> bool {
        let name = format!("{}/{}", task.domain, task.problem);
        let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
        let matches = |set: &GlobSet| set.is_match(&name) || set.is_match(stem);
        self.include.as_ref().is_none_or(matches) && !matches(&self.exclude)
    }
}

/// The tasks without those whose files an earlier one has.
pub(crate) fn without_duplicates(tasks: Vec<Task>) -> Vec<Task> {
    let mut seen = BTreeSet::new();
    let is_new = |task: &Task| {
        seen.insert(match &task.files {
            TaskFiles::Pddl { domain, problem } => (Some(domain.clone()), problem.clone()),
            TaskFiles::Sas(file) => (None, file.clone()),
        })
    };
    let mut is_new = is_new;
    tasks.into_iter().filter(|task| is_new(task)).collect()
}
