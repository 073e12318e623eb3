//! The spool folder: the files through which `lab run` and the array elements communicate.
//!
//! The head of [`super`] shows the layout. Every file is written by one side only and appears
//! complete, so nothing is ever locked. A file that is missing has a meaning: no
//! `submission.json` means that the submission was never complete, or is being removed.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::Error;
use super::files::{list, read, read_json, tail, write, write_json};
use crate::{Configuration, Record, Task};

/// A run to make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The task.
    pub task: Task,
    /// The configuration.
    pub configuration: Configuration,
}

/// Suite, domain, problem and configuration.
pub(super) type Key = (String, String, String, String);

impl Run {
    /// The run's name in messages.
    pub(super) fn key_text(&self) -> String {
        let Task { domain, problem, .. } = &self.task;
        format!("{domain}/{problem} with {}", self.configuration.name)
    }

    pub(super) fn key(&self) -> Key {
        let Task { suite, domain, problem, .. } = self.task.clone();
        (suite, domain, problem, self.configuration.name.clone())
    }
}

/// A run, and how often it was submitted before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Attempt {
    pub(super) run: Run,
    pub(super) before: u32,
}

/// A run with its record. The record alone would not say which command was run.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FinishedRun {
    pub(super) run: Run,
    pub(super) record: Record,
}

impl FinishedRun {
    pub(super) fn write(&self, path: &Path) -> Result<(), Error> {
        write_json(path, self)
    }

    /// Reads a record file, and checks that the record belongs to the run.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, Error> {
        let finished: Option<Self> = read_json(path)?;
        match finished {
            Some(finished) if !finished.is_consistent() => Err(Error::Malformed {
                path: path.to_owned(),
                reason: "the record belongs to another run".to_owned(),
            }),
            finished => Ok(finished),
        }
    }

    fn is_consistent(&self) -> bool {
        let Record { suite, domain, problem, configuration, .. } = self.record.clone();
        (suite, domain, problem, configuration) == self.run.key()
    }
}

/// What is known of a submission before sbatch is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Submission {
    /// Its name in Slurm.
    pub(super) name: String,
    /// The number of its elements.
    pub(super) elements: usize,
}

/// The spool folder.
#[derive(Clone, Debug)]
pub struct Spool {
    folder: PathBuf,
}

impl Spool {
    /// The spool of an experiment, next to its database.
    pub fn beside(database: &Path) -> Self {
        Self { folder: database.with_extension("spool") }
    }

    /// The spool in this folder.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Whether the folder exists.
    pub fn exists(&self) -> bool {
        self.folder.exists()
    }

    /// Creates the folders, and makes their path absolute.
    pub(super) fn create(&mut self) -> Result<(), Error> {
        let records = self.records();
        fs::create_dir_all(&records).map_err(Error::file(&records))?;
        self.folder = self.folder.canonicalize().map_err(Error::file(&self.folder))?;
        Ok(())
    }

    /// Removes everything.
    pub fn remove(&self) -> Result<(), Error> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(Error::file(&self.folder)(error))
            }
            _ => Ok(()),
        }
    }

    /// Whether files were set aside.
    pub fn has_files_aside(&self) -> bool {
        self.folder.join("aside").exists()
    }

    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    pub(super) fn submission(&self, number: u64) -> PathBuf {
        self.folder.join(number.to_string())
    }

    fn records(&self) -> PathBuf {
        self.folder.join("records")
    }

    fn element(&self, number: u64, element: usize) -> PathBuf {
        self.submission(number).join(format!("element-{element}.json"))
    }

    /// The numbers of all submissions, oldest first.
    pub(super) fn numbers(&self) -> Result<Vec<u64>, Error> {
        let mut numbers = Vec::new();
        for entry in list(&self.folder)? {
            numbers.extend(entry.file_name().and_then(|name| name.to_str()?.parse::<u64>().ok()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Creates the folder of a new submission. Nobody else gets its number.
    pub(super) fn reserve(&self) -> Result<u64, Error> {
        let mut number = self.numbers()?.last().map_or(1, |last| last + 1);
        loop {
            let folder = self.submission(number);
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(number),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(Error::file(&folder)(error)),
            }
        }
    }

    /// Writes everything that is known before sbatch is called, and returns the script's path.
    pub(super) fn write_submission(
        &self,
        number: u64,
        name: &str,
        elements: &[Vec<Attempt>],
        script: &[u8],
    ) -> Result<PathBuf, Error> {
        for (element, attempts) in elements.iter().enumerate() {
            write_json(&self.element(number, element), attempts)?;
        }
        let path = self.submission(number).join("script");
        write(&path, script)?;
        let submission = Submission { name: name.to_owned(), elements: elements.len() };
        write_json(&self.submission(number).join("submission.json"), &submission)?;
        Ok(path)
    }

    /// Reads a submission; `None` if it was never complete.
    pub(super) fn read_submission(&self, number: u64) -> Result<Option<Submission>, Error> {
        read_json(&self.submission(number).join("submission.json"))
    }

    /// Reads the runs of an element; `None` if the submission is gone.
    pub(super) fn read_element(
        &self,
        number: u64,
        element: usize,
    ) -> Result<Option<Vec<Attempt>>, Error> {
        read_json(&self.element(number, element))
    }

    pub(super) fn write_job(&self, number: u64, job: &str) -> Result<(), Error> {
        write(&self.submission(number).join("job"), job.as_bytes())
    }

    pub(super) fn read_job(&self, number: u64) -> Result<Option<String>, Error> {
        let path = self.submission(number).join("job");
        let bytes = read(&path)?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()))
    }

    /// Declares that nobody waits for a submission any more.
    pub(super) fn void(&self, number: u64) -> Result<(), Error> {
        write(&self.submission(number).join("void"), b"")
    }

    pub(super) fn is_void(&self, number: u64) -> bool {
        let folder = self.submission(number);
        !folder.exists() || folder.join("void").exists()
    }

    /// Removes a submission's folder. If Slurm is still writing into it, some of it remains,
    /// which is harmless.
    pub(super) fn remove_submission(&self, number: u64) {
        let folder = self.submission(number);
        // This file first, so that what remains does not look like a submission.
        let removed = fs::remove_file(folder.join("submission.json"))
            .and_then(|()| fs::remove_dir_all(&folder));
        if let Err(error) = removed {
            tracing::debug!("{}: {error}", folder.display());
        }
    }

    /// The end of an element's output.
    pub(super) fn end_of_log(&self, number: u64, element: usize) -> String {
        let path = self.submission(number).join(format!("log-{element}.txt"));
        tail(&path, 4096).unwrap_or_default()
    }

    /// The file for a record.
    pub(super) fn record(&self, number: u64, element: usize, index: usize) -> PathBuf {
        self.records().join(format!("{number}-{element}-{index}.json"))
    }

    /// All record files. Clients of network file systems cache the content of a folder for up
    /// to a minute, unless they change it themselves; so we create and remove a file first.
    pub(super) fn record_files(&self) -> Result<Vec<PathBuf>, Error> {
        let folder = self.records();
        let touched = folder.join(format!(".touch-{}", std::process::id()));
        File::create(&touched)
            .and_then(|_| fs::remove_file(&touched))
            .map_err(Error::file(&touched))?;
        let mut files = list(&folder)?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
        files.sort();
        Ok(files)
    }

    /// Moves a file that cannot be read to a folder where it is kept and ignored.
    pub(super) fn set_aside(&self, path: &Path) -> Result<(), Error> {
        let aside = self.folder.join("aside");
        fs::create_dir_all(&aside).map_err(Error::file(&aside))?;
        let name = path.file_name().unwrap_or_default();
        fs::rename(path, aside.join(name)).map_err(Error::file(path))
    }
}
