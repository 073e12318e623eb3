//! `hipot lab run` on a cluster.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use hipot_lab::slurm::{
    self, Ended, Engine, Pace, Params, Progress, Run, Sink, SlurmCommands, Spool,
};
use hipot_lab::{ClaimedRun, Error, Event, Experiment, Record, RunKey, Store};

use super::failure::LabFailure;
use super::follow::Follower;
use crate::commands::context::Context;
use crate::wording::counted;

/// The time between two signs of life.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// How long to wait for claims whose owner may be dead.
const DOUBT: Duration = Duration::from_secs(2);

/// Runs on the cluster, and waits for the results.
pub(super) fn make_on_slurm(
    store: &mut Store,
    experiment: &Experiment,
    database: &Path,
    context: &Context,
) -> Result<(), LabFailure> {
    let overview = store.overview()?;
    let (mut follower, mut proven) =
        (Follower::new(&overview, &context.terminal), overview.done > 0);
    let spool = Spool::beside(database);
    while context.limits.check().is_ok() {
        let (claims, in_doubt) = store.claim_all()?;
        if claims.is_empty() && !in_doubt {
            break;
        }
        if claims.is_empty() {
            thread::sleep(DOUBT);
            continue;
        }
        let engine = Engine {
            experiment: experiment.name.clone(),
            hipot: context.program.clone(),
            params: Params::from(&experiment.engine.slurm),
            spool: spool.clone(),
            queue: &SlurmCommands,
            pace: Pace::default(),
            proven,
        };
        let (runs, claims) = runs_and_claims(claims);
        let mut sink = Merge { store, claims, follower: &mut follower, beat: Instant::now() };
        let ended = engine.run(runs, &mut sink, || context.limits.check().is_err());
        match ended.map_err(Error::from)? {
            Ended::Done => proven = true,
            Ended::Interrupted => {
                tracing::warn!(
                    "the jobs continue; the same command waits for them again, and cancels them \
                     with --cancel"
                );
                return Ok(());
            }
            Ended::Canceled => {
                tracing::warn!("the jobs were canceled");
                return Ok(());
            }
        }
    }
    remove_spool(store, &spool)
}

/// Cancels the jobs of an experiment.
pub(super) fn cancel(database: &Path) -> Result<(), LabFailure> {
    let jobs = slurm::cancel(&Spool::beside(database), &SlurmCommands).map_err(Error::from)?;
    tracing::info!("{} canceled", counted(jobs, "array job"));
    Ok(())
}

/// Cancels the jobs of an experiment, if any, and deletes their results for these
/// configurations.
pub(super) fn forget(database: &Path, configurations: &[String]) -> Result<(), LabFailure> {
    let spool = Spool::beside(database);
    if spool.exists() {
        slurm::forget(&spool, &SlurmCommands, configurations).map_err(Error::from)?;
    }
    Ok(())
}

/// Warns if jobs may still be making the runs that are about to be made here.
pub(super) fn warn_of_jobs(database: &Path) {
    if Spool::beside(database).exists() {
        tracing::warn!(
            "Slurm jobs may be making the same runs; `lab run --cancel` ends them; the first \
             result of a run is kept"
        );
    }
}

/// Removes the spool when all runs are done, unless it has files to look at.
fn remove_spool(store: &Store, spool: &Spool) -> Result<(), LabFailure> {
    let overview = store.overview()?;
    if overview.done == overview.runs && !spool.has_files_aside() {
        spool.remove().map_err(Error::from)?;
    }
    Ok(())
}

type Claims = BTreeMap<RunKey, ClaimedRun>;

fn runs_and_claims(claims: Vec<ClaimedRun>) -> (Vec<Run>, Claims) {
    let mut runs = Vec::new();
    let mut by_key = Claims::new();
    for claim in claims {
        let (task, configuration) = (claim.task.clone(), claim.configuration.clone());
        let key = RunKey {
            suite: task.suite.clone(),
            domain: task.domain.clone(),
            problem: task.problem.clone(),
            configuration: configuration.name.clone(),
        };
        by_key.insert(key, claim);
        runs.push(Run { task, configuration });
    }
    (runs, by_key)
}

/// Inserts records into the database.
struct Merge<'a> {
    store: &'a mut Store,
    claims: Claims,
    follower: &'a mut Follower,
    beat: Instant,
}

impl Sink for Merge<'_> {
    fn insert(&mut self, record: &Record) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let key = RunKey {
            suite: record.suite.clone(),
            domain: record.domain.clone(),
            problem: record.problem.clone(),
            configuration: record.configuration.clone(),
        };
        if let Some(claim) = self.claims.remove(&key) {
            self.store.finish(&claim, record)?;
            self.follower.see(&Event::Ended(record));
        }
        Ok(())
    }

    fn progress(&mut self, progress: &Progress) {
        self.follower.see_queue(progress);
        if self.beat.elapsed() >= HEARTBEAT {
            self.beat = Instant::now();
            // A missed beat does no harm; real errors show when a record is inserted.
            let _ = self.store.beat();
        }
    }
}
