//! What an array element does: `lab work`.

use std::error::Error as StdError;

use super::error::Error;
use super::spool::{Finished, Run, Spool};
use crate::Record;

/// What came of an element's runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// Runs with a record.
    pub done: usize,
    /// Runs that could not be done; Slurm is told of them by the exit code.
    pub failed: usize,
}

/// Does the runs of an element by `execute`, which gives `None` when it was interrupted.
/// Those with a record are left out: Slurm may start an element twice.
pub fn work(
    spool: &Spool,
    submission: u64,
    element: usize,
    mut execute: impl FnMut(&Run) -> Result<Option<Record>, Box<dyn StdError + Send + Sync>>,
) -> Result<Worked, Error> {
    let mut worked = Worked::default();
    let attempts = spool.read_element(submission, element)?.unwrap_or_default();
    for (index, attempt) in attempts.into_iter().enumerate() {
        let path = spool.record(submission, element, index);
        if spool.is_void(submission) {
            break;
        }
        if path.exists() {
            continue;
        }
        match execute(&attempt.run) {
            // Canceled meanwhile: whoever did so does not expect a record any more.
            Ok(Some(_)) if spool.is_void(submission) => break,
            Ok(Some(record)) => {
                Finished { run: attempt.run, record }.write(&path)?;
                worked.done += 1;
            }
            Ok(None) => {
                worked.failed += 1;
                break;
            }
            Err(error) => {
                tracing::error!("{}: {error}", attempt.run.key_text());
                worked.failed += 1;
            }
        }
    }
    Ok(worked)
}
