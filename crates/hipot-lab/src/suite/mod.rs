//! Suites: which tasks there are, and which of them are run.
//!
//! A suite is a folder that contains a folder for each domain, or the tasks of one domain. Every
//! `.sas` file is a task. A `.pddl` file is a task unless it is the domain of another, or is
//! named like a domain. Tasks are named by their folder and file, and sorted as people sort: `p2`
//! before `p10`.
//!
//! Of the tasks found, globs choose some, and a sample chooses some of those. Globs are matched
//! against names with and without the file's extension, so that `*/p2?` means what it seems to
//! mean. A problem whose domain is missing is an error only if it is chosen.

mod find;
mod order;
mod sample;

use std::collections::BTreeSet;
use std::path::PathBuf;

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::model::{Task, TaskFiles};
use find::{Error, Found, find_tasks};
use order::natural;

pub(crate) use sample::Sample;

/// A suite of tasks.
#[derive(Clone, Debug)]
pub(crate) struct Suite {
    /// Its name.
    pub(crate) name: String,
    /// The folder of its domains or tasks.
    pub(crate) folder: PathBuf,
    /// Globs of the tasks to take; `None`: all.
    pub(crate) include: Option<Vec<Glob>>,
    /// Globs of the tasks to leave out of those.
    pub(crate) exclude: Vec<Glob>,
    /// The part of the remaining tasks that is run; `None`: all.
    pub(crate) sample: Option<Sample>,
}

impl Suite {
    /// The tasks of the suite, in their order.
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
        if let Some(sample) = self.sample {
            found = sample.choose(found);
        }
        found.into_iter().map(Found::into_task).collect()
    }
}

/// The globs of a suite.
struct Filter {
    include: Option<Vec<GlobSet>>,
    exclude: Vec<GlobSet>,
}

impl Filter {
    fn new(suite: &Suite) -> Self {
        let matcher = |glob: &Glob| matcher(glob).expect("each of them was checked");
        let matchers = |globs: &[Glob]| globs.iter().map(matcher).collect();
        Self { include: suite.include.as_deref().map(matchers), exclude: matchers(&suite.exclude) }
    }

    fn takes(&self, task: &Found) -> bool {
        let name = format!("{}/{}", task.domain, task.problem);
        let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
        let matches = |globs: &Vec<GlobSet>| {
            globs.iter().any(|glob| glob.is_match(&name) || glob.is_match(stem))
        };
        self.include.as_ref().is_none_or(matches) && !matches(&self.exclude)
    }
}

/// A glob that is ready to match. Some have a form that is right but cannot be matched: braces
/// within braces, hundreds of them.
pub(crate) fn matcher(glob: &Glob) -> Result<GlobSet, globset::Error> {
    GlobSetBuilder::new().add(glob.clone()).build()
}

/// The tasks without those whose files are the same as those of an earlier one.
pub(crate) fn without_duplicates(tasks: Vec<Task>) -> Vec<Task> {
    let mut seen = BTreeSet::new();
    let mut is_new = |task: &Task| {
        seen.insert(match &task.files {
            TaskFiles::Pddl { domain, problem } => (Some(domain.clone()), problem.clone()),
            TaskFiles::Sas(file) => (None, file.clone()),
        })
    };
    tasks.into_iter().filter(|task| is_new(task)).collect()
}
