//! Standard output, for us alone.
//!
//! Users are promised that only the result is printed there. The LP solver
//! prints a line now and then whatever its options say. So what libraries
//! print is discarded, and the result goes to a copy of the descriptor.

#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicI32, Ordering};

/// The descriptor of standard output if a log goes there, otherwise −1.
static LOG: AtomicI32 = AtomicI32::new(-1);

/// Ends a log on standard output, if there is one, without allocating memory.
#[cfg(unix)]
pub fn end_log(line: &[u8]) -> bool {
    let descriptor = LOG.load(Ordering::Relaxed);
    // SAFETY: the bytes are there; at worst the descriptor is closed, which is an error.
    descriptor >= 0 && unsafe { libc::write(descriptor, line.as_ptr().cast(), line.len()) } > 0
}

/// On other systems no log is ended.
#[cfg(not(unix))]
pub fn end_log(_: &[u8]) -> bool {
    false
}

/// Standard output.
#[derive(Debug)]
pub(crate) struct Output {
    /// A copy of the descriptor; `None` if it could not be copied.
    copy: Option<File>,
}

impl Output {
    /// Takes standard output away from all other code.
    pub(crate) fn take() -> Self {
        Self { copy: divert().ok() }
    }

    /// Standard output as a file, for logs; `None` if it could not be copied.
    pub(crate) fn file(&self) -> Option<File> {
        let file = self.copy.as_ref()?;
        #[cfg(unix)]
        LOG.store(std::os::fd::AsRawFd::as_raw_fd(file), Ordering::Relaxed);
        file.try_clone().ok()
    }

    /// Standard output for a command that writes to it by itself.
    pub(crate) fn stream(&self) -> io::Result<Box<dyn Write>> {
        Ok(match &self.copy {
            Some(file) => Box::new(file.try_clone()?),
            None => Box::new(io::stdout()),
        })
    }

    /// Writes to standard output. A reader that has gone away is not an error: it has seen
    /// all it wanted.
    pub(crate) fn print(&self, text: &str) -> io::Result<()> {
        let written = match &self.copy {
            Some(file) => (&*file).write_all(text.as_bytes()),
            None => io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }
}

/// Copies the descriptor of standard output and points the old one to `/dev/null`.
#[cfg(unix)]
fn divert() -> io::Result<File> {
    use std::os::fd::{AsFd, AsRawFd};
    let copy = io::stdout().as_fd().try_clone_to_owned()?;
    let nowhere = File::options().write(true).open("/dev/null")?;
    // SAFETY: both are open descriptors; this changes what the second one
    // refers to and nothing else.
    match unsafe { libc::dup2(nowhere.as_raw_fd(), io::stdout().as_raw_fd()) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(copy.into()),
    }
}

/// On other systems standard output stays as it is.
#[cfg(not(unix))]
fn divert() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}
