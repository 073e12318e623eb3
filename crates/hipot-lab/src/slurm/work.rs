//! The work of an array element: `lab work`.
//!
//! An element knows nothing but its runs. Slurm may start it twice, so runs that already have a
//! record are skipped. It may also start it when nobody waits for it any more, so the element
//! ends if its submission is void.

use std::error::Error as StdError;

use super::error::Error;
use super::spool::{FinishedRun, Run, Spool};
use crate::Record;

/// The result of an element's work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// The number of runs with a new record.
    pub done: usize,
    /// The number of runs that could not be made; the exit code tells Slurm about them.
    pub failed: usize,
}

/// Makes the runs of an element with `execute`, which returns `None` if it was interrupted.
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
            // It was canceled meanwhile, and nobody expects a record any more.
            Ok(Some(_)) if spool.is_void(submission) => break,
            Ok(Some(record)) => {
                FinishedRun { run: attempt.run, record }.write(&path)?;
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
