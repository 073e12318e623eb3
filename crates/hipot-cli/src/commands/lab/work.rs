//! `hipot lab work`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use clap::Args;
use hipot::Status;
use hipot_lab::slurm::{Run, Spool, Worked, work};
use hipot_lab::{Error, Record, Status as RunStatus, SuperviseError};

use super::failure::LabFailure;
use super::scratch::executor;
use crate::commands::context::Context;
use crate::wording::counted;

/// The time between two checks whether to stop.
const INTERVAL: Duration = Duration::from_millis(50);
/// After this time, signals that were sent together have all arrived.
const SETTLED: Duration = Duration::from_millis(500);

/// Make the runs of an array element of a Slurm job
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The spool folder
    spool: PathBuf,

    /// The submission's number
    submission: u64,

    /// The array element
    element: usize,
}

/// Writes no report: only the log of the array element is ever seen.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Status, LabFailure> {
    let (scratch, executor) = executor(context)?;
    let spool = Spool::new(&arguments.spool);
    let stop = AtomicBool::new(false);
    let execute = |run: &Run| -> Result<Option<Record>, Box<dyn std::error::Error + Send + Sync>> {
        match executor.execute(&run.task, &run.configuration, &stop) {
            Ok(record) => Ok(Some(record).filter(|record| !is_cut_short(record, context))),
            Err(SuperviseError::Interrupted) => Ok(None),
            Err(error) => Err(error.into()),
        }
    };
    let over = AtomicBool::new(false);
    let worked = thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                stop.store(context.limits.check().is_err(), Ordering::Relaxed);
                thread::sleep(INTERVAL);
            }
        });
        let worked = work(&spool, arguments.submission, arguments.element, execute);
        over.store(true, Ordering::Relaxed);
        worked
    });
    drop(scratch);
    let Worked { done, failed } = worked.map_err(Error::from)?;
    context.limits.check()?;
    tracing::info!("{} made, {failed} failed", counted(done, "run"));
    Ok(if failed == 0 { Status::Complete } else { Status::InternalError })
}

/// Whether a run ended because its array element did. Slurm signals all processes of an
/// element at once, and the planner may be dead before we know.
fn is_cut_short(record: &Record, context: &Context) -> bool {
    if record.status == RunStatus::Crashed {
        thread::sleep(SETTLED);
    }
    context.limits.check().is_err()
}
