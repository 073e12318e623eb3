//! The folders that planners run in.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::supervise::{Error, remove_folder};

/// A folder for one run, removed with this value.
#[derive(Debug)]
pub(super) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Makes a folder in `parent` that nobody else has, on this machine or another.
    pub(super) fn new(parent: &Path) -> Result<Self, Error> {
        let made = make(parent).map(|path| Self { path });
        made.map_err(|error| Error::Scratch { folder: parent.display().to_string(), error })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

fn make(parent: &Path) -> io::Result<PathBuf> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    fs::create_dir_all(parent)?;
    let parent = parent.canonicalize()?;
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("run-{}-{number}", process::id()));
        match fs::create_dir(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|()| path),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = remove_folder(&self.path) {
            tracing::warn!("cannot remove '{}': {error}", self.path.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_apart_and_removed() {
        let parent = tempfile::tempdir().expect("a folder");
        let parent = parent.path().join("new");
        let (first, second) = (Scratch::new(&parent), Scratch::new(&parent));
        let (first, second) = (first.expect("made"), second.expect("made"));
        assert_ne!(first.path(), second.path());
        fs::write(first.path().join("file"), "").expect("ours");
        drop((first, second));
        assert_eq!(fs::read_dir(&parent).expect("there").count(), 0);
    }
}
