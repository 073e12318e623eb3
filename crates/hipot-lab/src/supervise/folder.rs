//! How much a run has written to its folder.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The most files to look at.
const MAX_ENTRIES: usize = 100_000;

/// The disk space in bytes that the files below `folder` take, up to [`MAX_ENTRIES`] of them.
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
            if seen == MAX_ENTRIES {
                return bytes;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_subfolders_count() {
        let scratch = tempfile::tempdir().expect("a folder");
        fs::create_dir(scratch.path().join("a")).expect("a folder");
        fs::write(scratch.path().join("a/b"), vec![1; 100_000]).expect("a file");
        assert!((100_000..200_000).contains(&bytes_in(scratch.path())));
    }
}
