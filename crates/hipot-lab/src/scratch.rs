//! Folders for what runs write.
//!
//! Each process has one of its own among the system's temporary files, and removes it when
//! it ends. A process that is killed cannot; so its folder's name tells who it belongs to,
//! and the next one that begins removes the folders of the dead.

use std::fs::{DirBuilder, read_dir, remove_dir_all};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::owner::Owner;

const PREFIX: &str = "hipot-lab";

/// A folder for what runs write, removed in the end.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// A folder for this process.
    pub fn new() -> Result<Self, Error> {
        let (folder, owner) = (std::env::temp_dir(), Owner::this());
        sweep(&folder, &owner);
        let path = folder.join(name(&owner));
        create(&path).map_err(|error| Error::Unwritable { path: path.clone(), error })?;
        Ok(Self(path))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = remove_dir_all(&self.0);
    }
}

/// Others must not read or change what planners write.
fn create(path: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Namespace of processes, process and the time at which it began: all that is needed to
/// see whether the owner lives.
fn name(owner: &Owner) -> String {
    format!("{PREFIX}-{}-{}-{}", namespace(owner), owner.pid, owner.began)
}

fn namespace(owner: &Owner) -> String {
    owner.place.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Removes the folders of the dead, as far as one can see them from here.
fn sweep(folder: &Path, here: &Owner) {
    let Ok(entries) = read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| owner_of(name, here));
        if owner.and_then(|owner| owner.is_alive(here)) == Some(false) {
            let _ = remove_dir_all(entry.path());
        }
    }
}

fn owner_of(name: &str, here: &Owner) -> Option<Owner> {
    let parts: Vec<&str> = name.strip_prefix(PREFIX)?.strip_prefix('-')?.split('-').collect();
    let [place, pid, began] = parts[..] else { return None };
    let owner = Owner { pid: pid.parse().ok()?, began: began.parse().ok()?, ..here.clone() };
    (place == namespace(here)).then_some(owner)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_dead_are_removed_and_no_others() {
        let folder = tempfile::TempDir::new().unwrap();
        let here = Owner::this();
        let dead = Owner { began: here.began + 1, ..here.clone() };
        let elsewhere = Owner { place: "elsewhere".to_owned(), ..dead.clone() };
        let names = [&here, &dead, &elsewhere].map(name);
        for name in names.iter().map(String::as_str).chain(["hipot-lab-x", "other"]) {
            create(&folder.path().join(name)).unwrap();
        }
        sweep(folder.path(), &here);
        let is_there = |name: &str| folder.path().join(name).exists();
        assert!(is_there(&names[0]) && !is_there(&names[1]) && is_there(&names[2]));
        assert!(is_there("hipot-lab-x") && is_there("other"));
    }
}
