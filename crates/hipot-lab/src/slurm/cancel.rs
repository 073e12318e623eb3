//! `lab run --cancel` and `--redo`.

use super::error::Error;
use super::queue::Queue;
use super::spool::{Finished, Spool};

/// Cancels all jobs of a spool: how many there were. Records that have been written stay
/// for the next `lab run`; a `lab run` that waits for the jobs ends.
pub fn cancel(spool: &Spool, queue: &dyn Queue) -> Result<usize, Error> {
    let mut named = Vec::new();
    let mut jobs = Vec::new();
    for number in spool.numbers()? {
        let Some(submission) = spool.read_submission(number)? else { continue };
        // First, so that nobody takes the end of its jobs for a failure.
        spool.void(number)?;
        match spool.read_job(number)? {
            Some(job) => jobs.push(job),
            None => named.push(submission.name),
        }
    }
    if !named.is_empty() {
        let activity = queue.states()?;
        jobs.extend(named.iter().filter_map(|name| activity.names.get(name).cloned()));
    }
    queue.cancel(&jobs)?;
    Ok(jobs.len())
}

/// Cancels all jobs of a spool, and removes the records of some configurations: they are
/// to be made anew.
pub fn forget(spool: &Spool, queue: &dyn Queue, configurations: &[String]) -> Result<(), Error> {
    cancel(spool, queue)?;
    for path in spool.record_files()? {
        // What cannot be read is put aside by whoever merges.
        let finished = Finished::read(&path).ok().flatten();
        let name = finished.map(|finished| finished.run.configuration.name);
        if name.is_some_and(|name| configurations.contains(&name)) {
            std::fs::remove_file(&path).map_err(Error::file(&path))?;
        }
    }
    Ok(())
}
