//! The fingerprint by which a certificate names its task.
//!
//! The fingerprint is the SHA-256 of the task as a `.sas` file, in the very
//! bytes that [`hipot_task::sas::write`] gives: names, order and costs matter.
//! It only protects from mix-ups. No proof rests on it, since the verifier
//! checks every condition against the task that it is given.

use std::fmt::Write as _;
use std::io;

use hipot_task::{Task, sas};
use sha2::{Digest, Sha256};

/// The number of digits of a fingerprint.
const DIGITS: usize = 64;

/// The SHA-256 of the task as a `.sas` file, as 64 hexadecimal digits.
///
/// # Panics
/// If a name in the task has a line break or white space at its end, so that
/// the task cannot be written; no reader returns such a task.
pub fn fingerprint(task: &Task) -> String {
    let mut hash = Hash(Sha256::new());
    {
        let mut buffered = io::BufWriter::new(&mut hash);
        sas::write(task, &mut buffered).expect("the task's names fit on lines");
        io::Write::flush(&mut buffered).expect("a hash takes everything");
    }
    let mut digits = String::with_capacity(DIGITS);
    for byte in hash.0.finalize() {
        write!(digits, "{byte:02x}").expect("a string takes everything");
    }
    digits
}

/// Whether `text` has the form of a [`fingerprint`].
pub(super) fn is_well_formed(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A hash that can be written to.
struct Hash(Sha256);

impl io::Write for Hash {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
