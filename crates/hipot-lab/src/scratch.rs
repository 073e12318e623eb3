//! Folders for what runs write, each removed when its value is dropped.
//!
//! There are two kinds, one inside the other:
//!
//! * Each process of the lab has one among the system's temporary files
//!   ([`Scratch::new`]). A process that is killed cannot remove its folder, so the
//!   folder's name says which process owns it, and the next process that starts removes
//!   the folders of dead ones.
//! * Each run has one inside that ([`Scratch::for_run`]), in which the planner starts and
//!   keeps its temporary files.
//!
//! Planners can do anything to their folders, such as take away our rights to them;
//! [`remove_folder`] copes with that.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::owner::Owner;

const PREFIX: &str = "hipot-lab";

/// A folder for what runs write, removed when dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Creates a folder for this process, and removes those of dead processes.
    pub fn new() -> Result<Self, Error> {
        let (parent, owner) = (std::env::temp_dir(), Owner::this());
        sweep(&parent, &owner);
        let path = parent.join(folder_name(&owner));
        create(&path).map_err(|error| Error::Unwritable { path: path.clone(), error })?;
        Ok(Self(path))
    }

    /// Creates a folder for one run in `parent`, which is created if it is missing. No
    /// other process has the same folder, on this machine or another.
    pub(crate) fn for_run(parent: &Path) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        fs::create_dir_all(parent)?;
        let parent = parent.canonicalize()?;
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("run-{}-{number}", process::id()));
            match create(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                created => return created.map(|()| Self(path)),
            }
        }
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = remove_folder(&self.0) {
            tracing::warn!("cannot remove '{}': {error}", self.0.display());
        }
    }
}

/// Creates a folder that other users can neither read nor change.
fn create(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// The name of a process's folder: its PID namespace, its number and its start time, which
/// is all it takes to tell whether the owner is alive.
fn folder_name(owner: &Owner) -> String {
    format!("{PREFIX}-{}-{}-{}", namespace(owner), owner.pid, owner.began)
}

fn namespace(owner: &Owner) -> String {
    owner.place.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Removes the folders of dead processes, as far as they can be seen from here.
fn sweep(parent: &Path, here: &Owner) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| owner_of(name, here));
        if owner.and_then(|owner| owner.is_alive(here)) == Some(false) {
            let _ = remove_folder(&entry.path());
        }
    }
}

fn owner_of(name: &str, here: &Owner) -> Option<Owner> {
    let parts: Vec<&str> = name.strip_prefix(PREFIX)?.strip_prefix('-')?.split('-').collect();
    let [place, pid, began] = parts[..] else { return None };
    let owner = Owner { pid: pid.parse().ok()?, began: began.parse().ok()?, ..here.clone() };
    (place == namespace(here)).then_some(owner)
}

/// Removes a folder and everything in it, even where the permissions of folders inside
/// forbid it. Symbolic links are removed, not followed. A folder that is already gone is
/// not an error.
pub(crate) fn remove_folder(folder: &Path) -> io::Result<()> {
    let removed = fs::remove_dir_all(folder).or_else(|error| match error.kind() {
        ErrorKind::PermissionDenied => {
            open_folders(folder.to_owned())?;
            fs::remove_dir_all(folder)
        }
        _ => Err(error),
    });
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Gives us all rights to `folder` and all folders below it.
fn open_folders(folder: PathBuf) -> io::Result<()> {
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        fs::set_permissions(&folder, Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn folders_of_the_dead_are_removed_and_no_others() {
        let folder = tempfile::TempDir::new().unwrap();
        let here = Owner::this();
        let dead = Owner { began: here.began + 1, ..here.clone() };
        let elsewhere = Owner { place: "elsewhere".to_owned(), ..dead.clone() };
        let names = [&here, &dead, &elsewhere].map(folder_name);
        for name in names.iter().map(String::as_str).chain(["hipot-lab-x", "other"]) {
            create(&folder.path().join(name)).unwrap();
        }
        sweep(folder.path(), &here);
        let is_there = |name: &str| folder.path().join(name).exists();
        assert!(is_there(&names[0]) && !is_there(&names[1]) && is_there(&names[2]));
        assert!(is_there("hipot-lab-x") && is_there("other"));
    }

    #[test]
    fn folders_of_runs_are_apart_and_removed() {
        let parent = tempfile::tempdir().expect("a folder");
        let parent = parent.path().join("new");
        let [first, second] = [(); 2].map(|()| Scratch::for_run(&parent).expect("a folder"));
        assert_ne!(first.path(), second.path());
        fs::write(first.path().join("file"), "").expect("ours");
        drop((first, second));
        assert_eq!(fs::read_dir(&parent).expect("a folder").count(), 0);
    }

    #[test]
    fn folders_without_rights_are_opened_and_links_are_not_followed() {
        let scratch = tempfile::tempdir().expect("a folder");
        let (outside, folder) = (scratch.path().join("outside"), scratch.path().join("run"));
        let inner = folder.join("a/b");
        fs::create_dir(&outside).expect("a folder");
        fs::create_dir_all(&inner).expect("a folder");
        std::os::unix::fs::symlink(&outside, inner.join("link")).expect("a link");
        for folder in [&inner, &outside, &folder.join("a")] {
            fs::set_permissions(folder, Permissions::from_mode(0o500)).expect("ours");
        }
        // Called directly, because root is never refused.
        open_folders(folder.clone()).expect("ours");
        assert_eq!(inner.metadata().expect("there").mode() & 0o777, 0o700);
        assert_eq!(outside.metadata().expect("there").mode() & 0o777, 0o500);
        remove_folder(&folder).expect("removed");
        assert!(!folder.exists() && outside.exists());
        remove_folder(&folder).expect("no error");
    }
}
