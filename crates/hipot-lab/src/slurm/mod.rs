//! Runs on a cluster, by Slurm.
//!
//! The machines of a cluster share a file system and Slurm; we rely on nothing else. SQLite is
//! not safe on network file systems, so the nodes never see the database:
//!
//! 1. `lab run` writes the runs into a spool folder next to the database, and submits them as
//!    array jobs.
//! 2. Each array element (`lab work`) makes its runs one after the other, exactly as the local
//!    engine does, and writes each record into a file of its own.
//! 3. `lab run` merges these files into the database, and resubmits the runs whose element
//!    ended without a record.
//!
//! ```text
//! EXPERIMENT.spool/
//!   1/                   a submission: one array job
//!     element-0.json     the runs of its element 0, and how often each was submitted before
//!     script             the batch script
//!     submission.json    its name in Slurm; written after the files above
//!     job                its id in Slurm, once sbatch has printed it
//!     void               present if nobody waits for it any more
//!     log-0.txt          the output of element 0
//!   records/1-0-0.json   the first run of submission 1, element 0, with its record
//!   aside/               files that could not be read
//! ```
//!
//! **Nothing is lost.** A record is a file that is written under another name, synced and
//! renamed. It is removed only after the database has it.
//!
//! **Nothing is submitted twice.** Everything that `lab run` knows of a submission is in the
//! spool before sbatch is called. A `lab run` that was killed and is started again reads the
//! spool and continues to wait. The critical moment is after sbatch was called and before its
//! answer is written. Therefore each submission has a unique name, and one without an id is
//! looked up in the queue by that name. If it is not there, sbatch was never called or is just
//! about to submit. Then the submission is declared void, and an element that finds its
//! submission void ends at once.
//!
//! **Failures.** If an array element has ended without a record of one of its runs (a node
//! died, the job was preempted or canceled), the run is submitted again: alone, since other
//! runs of its element may be to blame. After some attempts it is recorded as crashed, with the
//! last state that Slurm reported. Slurm could do part of this itself (`--requeue`), but not
//! for canceled jobs; it would never stop if a run brings every node down; and it would not
//! give the reason. An element has ended only when squeue says so, or answers without knowing
//! it: while the controller does not answer, nothing is concluded.
//!
//! **Several processes** may use one spool, as long as no run is wanted by two of them. The
//! claims of the database ensure that. A submission is looked after by whoever wants one of its
//! runs, and everybody reads only the records of the runs they want.

mod cancel;
mod engine;
mod error;
mod files;
mod ledger;
mod queue;
mod script;
mod spool;
mod submit;
#[cfg(test)]
mod tests;
mod work;

pub use cancel::{cancel, forget};
pub use engine::{Ended, Engine, Pace, Progress, Sink};
pub use error::Error;
pub use queue::{Activity, ElementState, Queue, SlurmCommands, SubmitError};
pub use script::Params;
pub use spool::{Run, Spool};
pub use work::{Worked, work};
