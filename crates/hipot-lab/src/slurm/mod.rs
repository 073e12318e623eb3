//! Runs on a cluster, by Slurm.
//!
//! The machines of a cluster share a file system and a Slurm, and nothing else is used
//! between them. SQLite is not safe over network file systems, so the nodes never see
//! the database: `lab run` writes the runs into a spool folder beside it and submits
//! them as array jobs; each array element (`lab work`) does its runs one after the
//! other, exactly as the local engine does them, and writes each record into a file of
//! its own; `lab run` merges these files into the database and submits again what ended
//! without a record.
//!
//! ```text
//! EXPERIMENT.spool/
//!   1/                   a submission: one array job
//!     element-0.json     what its element 0 runs, and for the how manieth time
//!     script             what Slurm is given
//!     submission.json    its name in Slurm; written last of these
//!     job                its id in Slurm, as soon as sbatch has told it
//!     void               nobody waits for it any more
//!     log-0.txt          what element 0 said
//!   records/1-0-0.json   a run of submission 1, element 0, and its record
//!   aside/               files that could not be read
//! ```
//!
//! **Nothing is lost.** A record is a file that is written under another name, synced
//! and renamed; it is removed after the database has it.
//!
//! **Nothing is submitted twice.** All that `lab run` knows of its jobs stands in the
//! spool before sbatch is called; one that was killed and is started again reads it and
//! goes on waiting. In between lies the moment when sbatch has been called and its
//! answer has not been written: a submission therefore has a name that no other job has,
//! and where there is no id it is looked for in the queue by that name. If it is not
//! there, then sbatch was never called, or is just about to submit: the submission is
//! declared void, and an element that finds its submission void ends at once.
//!
//! **Failures.** A run without a record whose array element has ended (a node died, the
//! job was preempted or canceled) is submitted again, alone, since whatever else was in
//! its element may be to blame; after some attempts it is recorded as crashed, with the
//! last state that Slurm gave. Slurm could do part of this itself (`--requeue`), but not
//! for canceled jobs, without an end where a run brings every node down, and without
//! word of the reason. An element has ended only when squeue says so, or answers and
//! does not know it: while the controller does not answer, nothing is concluded.
//!
//! Two processes on one spool do no harm as long as no run is wanted by both, which the
//! claims of the database see to: a submission is looked after by whoever wants one of
//! its runs, and everybody reads only the records of runs that they want.

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
