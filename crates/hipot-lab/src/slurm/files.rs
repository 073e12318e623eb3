//! Files that appear complete and survive a crash.
//!
//! A file is written under another name, synced and renamed; then its folder is synced too. So
//! what another process has seen is still there after a crash.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::Error;

/// The paths in a folder; none if it does not exist.
pub(super) fn list(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(Error::file(folder))?,
    };
    entries.map(|entry| Ok(entry.map_err(Error::file(folder))?.path())).collect()
}

/// Writes a value as JSON, as [`write`] does.
pub(super) fn write_json<T: Serialize + ?Sized>(path: &Path, value: &T) -> Result<(), Error> {
    let malformed = |error: serde_json::Error| Error::Malformed {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    write(path, &serde_json::to_vec(value).map_err(malformed)?)
}

/// Reads a value from JSON; `None` if there is no such file.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Error> {
    let malformed = |error: serde_json::Error| Error::Malformed {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    read(path)?.map(|bytes| serde_json::from_slice(&bytes).map_err(malformed)).transpose()
}

/// Writes a file that appears complete and survives a crash. Two writers of one file use
/// different temporary files, even on different machines.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let temporary = folder.join(format!(
        ".{}-{}-{:x}",
        path.file_name().unwrap_or_default().display(),
        std::process::id(),
        nonce()
    ));
    let written = File::create_new(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        File::open(folder)?.sync_all()
    });
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        Error::file(path)(error)
    })
}

/// A number that nobody else has: the time in nanoseconds.
pub(super) fn nonce() -> u128 {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos())
}

/// The content of a file; `None` if there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file(path)(error)),
    }
}

/// The last bytes of a file, as text.
pub(super) fn tail(path: &Path, bytes: u64) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(bytes)))?;
    let mut text = Vec::new();
    file.take(bytes).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
