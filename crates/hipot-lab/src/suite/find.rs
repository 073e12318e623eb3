//! Looks for tasks in folders.
//!
//! Whether a `.pddl` file is a domain is decided by name only, without opening it: it is one if
//! some file next to it would use it as its domain, or if it is called like one.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use hipot_pddl::{domain_beside, is_pddl};

use crate::model::{Task, TaskFiles};
use crate::name::check_name;
use crate::noun::counted;

/// Why a suite has no tasks. The experiment adds the position in its file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("cannot read the folder '{}': {error}", folder.display())]
    Folder { folder: PathBuf, error: std::io::Error },
    #[error(
        "no domain file found next to '{}': name it domain.pddl, or leave the task out with exclude",
        .0.display()
    )]
    NoDomain(PathBuf),
    #[error("the folder '{}' has no .pddl or .sas file that is a task", .0.display())]
    NoTask(PathBuf),
    #[error("the patterns leave no task; the folder has {}", counted(*.0 as u64, "task"))]
    NoneLeft(usize),
    #[error("the file '{}' cannot be a task: {message}", file.display())]
    Name { file: PathBuf, message: String },
}

/// The tasks in `folder`, and in the folders inside it.
pub(super) fn find_tasks(suite: &str, folder: &Path) -> Result<Vec<Found>, Error> {
    let failed = |error| Error::Folder { folder: folder.to_owned(), error };
    let canonical = folder.canonicalize().map_err(failed)?;
    let mut found = tasks_in(suite, &canonical)?;
    for domain in entries(&canonical)?.into_iter().filter(|path| path.is_dir()) {
        found.extend(tasks_in(suite, &domain)?);
    }
    if found.is_empty() { Err(Error::NoTask(folder.to_owned())) } else { Ok(found) }
}

/// The tasks directly in a folder.
fn tasks_in(suite: &str, folder: &Path) -> Result<Vec<Found>, Error> {
    let is_task = |path: &PathBuf| is_pddl(path) || is_sas(path);
    let files: Vec<PathBuf> =
        entries(folder)?.into_iter().filter(|path| is_task(path) && path.is_file()).collect();
    let domain_of = |file: &PathBuf| if is_pddl(file) { domain_beside(file) } else { None };
    let domains: BTreeSet<PathBuf> = files.iter().filter_map(domain_of).collect();
    let problems = files
        .into_iter()
        .filter(|file| is_sas(file) || !(domains.contains(file) || is_named_as_domain(file)));
    problems.map(|file| Found::new(suite, folder, file)).collect()
}

/// A task whose domain may be missing, which matters only if the task is chosen.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) suite: String,
    pub(super) domain: String,
    pub(super) problem: String,
    pub(super) file: PathBuf,
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

    pub(super) fn into_task(self) -> Result<Task, Error> {
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

/// Whether a file is named like a domain, even if no problem uses it.
fn is_named_as_domain(file: &Path) -> bool {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    stem.starts_with("domain") || stem.ends_with("-domain")
}
