//! Cancels jobs, for `lab run --cancel` and `lab run --redo`.

use super::error::Error;
use super::queue::Queue;
use super::spool::{FinishedRun, Spool};

/// Cancels all jobs of a spool and returns their number. Records that have been written stay
/// for the next `lab run`. A `lab run` that waits for the jobs ends.
pub fn cancel(spool: &Spool, queue: &dyn Queue) -> Result<usize, Error> {
    let mut named = Vec::new();
    let mut jobs = Vec::new();
    for number in spool.numbers()? {
        let Some(submission) = spool.read_submission(number)? else { continue };
        // Before its jobs end, so that nobody takes their end for a failure.
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

/// Cancels all jobs of a spool and removes the records of some configurations, because their
/// runs are to be made again.
pub fn forget(spool: &Spool, queue: &dyn Queue, configurations: &[String]) -> Result<(), Error> {
    cancel(spool, queue)?;
    for path in spool.record_files()? {
        // A record that cannot be read is set aside later, when records are merged.
        let finished = FinishedRun::read(&path).ok().flatten();
        let name = finished.map(|finished| finished.run.configuration.name);
        if name.is_some_and(|name| configurations.contains(&name)) {
            std::fs::remove_file(&path).map_err(Error::file(&path))?;
        }
    }
    Ok(())
}
