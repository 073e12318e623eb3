//! Files that appear whole and stay: each is written under another name, synced and
//! renamed, and then its folder is synced too, so that what somebody has seen survives a
//! crash.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::Error;

/// The paths in a folder; none where it does not exist.
pub(super) fn list(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(Error::file(folder))?,
    };
    entries.map(|entry| Ok(entry.map_err(Error::file(folder))?.path())).collect()
}

pub(super) fn write_json<T: Serialize + ?Sized>(path: &Path, value: &T) -> Result<(), Error> {
    let malformed = |error: serde_json::Error| Error::Malformed {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    write(path, &serde_json::to_vec(value).map_err(malformed)?)
}

pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Error> {
    let malformed = |error: serde_json::Error| Error::Malformed {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    read(path)?.map(|bytes| serde_json::from_slice(&bytes).map_err(malformed)).transpose()
}

/// Writes a file that appears whole and stays. Two writers of one file each have a
/// temporary one of their own, on whatever machines they are.
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

/// A number that nobody else has: the time, to the nanosecond.
pub(super) fn nonce() -> u128 {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos())
}

pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file(path)(error)),
    }
}

pub(super) fn tail(path: &Path, bytes: u64) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(bytes)))?;
    let mut text = Vec::new();
    file.take(bytes).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
