//! Suites: which tasks there are, and which of them are run.
//!
//! A folder holds a folder for each domain, or the tasks of one domain themselves. What
//! ends in `.sas` is a task; what ends in `.pddl` is one unless it is the domain of
//! another, or is called as domains are. Tasks are named by their folder and file and
//! sorted as people sort, `p2` before `p10`. Globs are tried with and without the file's
//! ending, so that `*/p2?` means what it seems to.

mod order;
mod sample;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use globset::{Glob, GlobSet, GlobSetBuilder};
use hipot_pddl::{domain_beside, is_pddl};

use crate::error;
use crate::experiment::check_name;
use crate::model::{Task, TaskFiles};
use order::natural;

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

/// Why a suite has no tasks; the experiment file adds the place.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Lab(#[from] error::Error),
    #[error("cannot read the folder '{}': {error}", folder.display())]
    Folder { folder: PathBuf, error: std::io::Error },
    #[error(
        "no domain stands beside '{}'; name it domain.pddl or leave the task out with exclude",
        .0.display()
    )]
    NoDomain(PathBuf),
    #[error("the folder '{}' has no .pddl or .sas file", .0.display())]
    NoTask(PathBuf),
    #[error("the patterns leave none of the {0} tasks in the folder")]
    NoneLeft(usize),
    #[error("the file '{}' cannot stand in a table: {message}", file.display())]
    Name { file: PathBuf, message: String },
}

impl Suite {
    /// The tasks of the suite in their order.
    pub(crate) fn tasks(&self) -> Result<Vec<Task>, Error> {
        let failed = |error| Error::Folder { folder: self.folder.clone(), error };
        let folder = self.folder.canonicalize().map_err(failed)?;
        let mut found = self.tasks_in(&folder)?;
        for domain in entries(&folder)?.into_iter().filter(|path| path.is_dir()) {
            found.extend(self.tasks_in(&domain)?);
        }
        if found.is_empty() {
            return Err(Error::NoTask(self.folder.clone()));
        }
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

    /// The tasks that stand in a folder itself.
    fn tasks_in(&self, folder: &Path) -> Result<Vec<Found>, Error> {
        let is_task = |path: &PathBuf| is_pddl(path) || is_sas(path);
        let files: Vec<PathBuf> =
            entries(folder)?.into_iter().filter(|path| is_task(path) && path.is_file()).collect();
        let domain_of = |file: &PathBuf| if is_pddl(file) { domain_beside(file) } else { None };
        let domains: BTreeSet<PathBuf> = files.iter().filter_map(domain_of).collect();
        let problems = files
            .into_iter()
            .filter(|file| is_sas(file) || !(domains.contains(file) || is_named_as_domain(file)));
        problems.map(|file| Found::new(&self.name, folder, file)).collect()
    }
}

/// A task whose domain may be missing, which is no error where it is not wanted.
#[derive(Clone, Debug)]
struct Found {
    suite: String,
    domain: String,
    problem: String,
    file: PathBuf,
}

impl Found {
    fn new(suite: &str, folder: &Path, file: PathBuf) -> Result<Self, Error> {
        let name = |part: Option<&OsStr>| {
            let part = part.unwrap_or_default();
            let text = part.to_str().ok_or_else(|| "its name is not UTF-8".to_owned());
            let checked = text.and_then(|text| check_name(text).map(|()| text.to_owned()));
            checked.map_err(|message| Error::Name { file: file.clone(), message })
        };
        let (domain, problem) = (name(folder.file_name())?, name(file.file_name())?);
        Ok(Self { suite: suite.to_owned(), domain, problem, file })
    }

    fn into_task(self) -> Result<Task, Error> {
        let Self { suite, domain, problem, file } = self;
        let files = if is_sas(&file) {
            TaskFiles::Sas(file)
        } else {
            match domain_beside(&file) {
                Some(domain) => TaskFiles::Pddl { domain, problem: file },
                None => return Err(Error::NoDomain(file)),
            }
        };
        Ok(Task { suite, domain, problem, files })
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

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |error| Error::Folder { folder: folder.to_owned(), error };
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let paths: Result<Vec<_>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths.map_err(failed)?;
    paths.sort();
    Ok(paths)
}

fn is_sas(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sas"))
}

/// A domain that no problem uses is still none.
fn is_named_as_domain(file: &Path) -> bool {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    stem.starts_with("domain") || stem.ends_with("-domain")
}
