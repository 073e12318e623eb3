//! The folder of a run.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// How many files are looked at.
const ENTRIES: usize = 100_000;

/// What the files below `folder` take on the disk, of the first hundred thousand.
pub(super) fn bytes_in(folder: &Path) -> u64 {
    let mut bytes = 0;
    let mut seen = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            bytes += metadata.blocks() * 512;
            if metadata.is_dir() {
                folders.push(entry.path());
            }
            seen += 1;
            if seen == ENTRIES {
                return bytes;
            }
        }
    }
    bytes
}

/// Removes a folder and all in it, also where the rights of folders in it forbid that.
/// Links are removed and not followed. One that is gone already is no error.
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

/// Gives us all rights to all folders below `folder`.
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

#[cfg(test)]
mod tests {
    use super::*;

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
        // What happens where removal is refused, which it never is for root.
        open_folders(folder.clone()).expect("ours");
        assert_eq!(inner.metadata().expect("there").mode() & 0o777, 0o700);
        assert_eq!(outside.metadata().expect("there").mode() & 0o777, 0o500);
        remove_folder(&folder).expect("removed");
        assert!(!folder.exists() && outside.exists());
        remove_folder(&folder).expect("no error");
    }

    #[test]
    fn files_of_subfolders_count() {
        let scratch = tempfile::tempdir().expect("a folder");
        fs::create_dir(scratch.path().join("a")).expect("a folder");
        fs::write(scratch.path().join("a/b"), vec![1; 100_000]).expect("a file");
        assert!((100_000..200_000).contains(&bytes_in(scratch.path())));
    }
}
