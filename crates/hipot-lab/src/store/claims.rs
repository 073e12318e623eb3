//! Who makes which run.
//!
//! A claim belongs to an owner and lives as long as its owner's row. Whoever looks for work
//! deletes the rows of dead owners, and their claims with them. On the owner's own machine its
//! death shows at once. From elsewhere it shows only in a heartbeat that is two minutes old; the
//! clocks of machines are assumed to differ by less. While a heartbeat is late but not that
//! late, a process that finds nothing else to do waits for the verdict. Should an owner be
//! taken for dead that was only asleep, its runs are made twice, and the first result is kept.
//!
//! Runs are claimed task by task, so that configurations can be compared before all is done.
//! Each worker remembers the position of its last claim and continues from there; otherwise each
//! claim would search the whole table from its start.

use rusqlite::{OptionalExtension, Transaction, params};

use super::register::{configuration, json_column};
use super::worker::{BEFORE_ALL, Position, Worker};
use super::{Store, begin};
use crate::clock::now;
use crate::error::Error;
use crate::model::{Configuration, Task};
use crate::owner::Owner;

/// Seconds without a heartbeat after which an owner elsewhere counts as dead.
const DEAD_AFTER: u64 = 120;
/// Seconds without a heartbeat after which it may be dead.
const DOUBTFUL_AFTER: u64 = 40;

/// The right to make a run.
#[derive(Clone, Debug)]
pub struct ClaimedRun {
    /// The task.
    pub task: Task,
    /// The configuration.
    pub configuration: Configuration,
    pub(super) task_id: i64,
    pub(super) configuration_id: i64,
}

/// What to do next.
#[derive(Debug)]
pub enum Next {
    /// Make this run.
    Run(Box<ClaimedRun>),
    /// Wait: an owner of unfinished runs may be dead.
    Wait,
    /// Nothing: every run is done or being made.
    Nothing,
}

impl Store {
    /// Claims the next run that nobody makes, in the order of tasks, and for each task in the
    /// order of configurations.
    pub fn claim(&mut self) -> Result<Next, Error> {
        let transaction = begin(&mut self.connection)?;
        let worker = enlisted(&mut self.worker, &transaction)?;
        let doubt = remove_dead_owners(&transaction, &worker.owner)?;
        let mut found = next_after(&transaction, worker.last)?;
        if found.is_none() && worker.last != BEFORE_ALL {
            found = next_after(&transaction, BEFORE_ALL)?;
        }
        let next = match found {
            Some((claim, position)) => {
                add_claim(&transaction, &claim, worker.id)?;
                worker.last = position;
                Next::Run(claim)
            }
            None if doubt => Next::Wait,
            None => Next::Nothing,
        };
        transaction.commit()?;
        Ok(next)
    }

    /// Claims all runs that nobody makes, in the same order. `true`: more of them may become
    /// free soon, because an owner may be dead.
    pub fn claim_all(&mut self) -> Result<(Vec<ClaimedRun>, bool), Error> {
        let transaction = begin(&mut self.connection)?;
        let worker = enlisted(&mut self.worker, &transaction)?;
        let doubt = remove_dead_owners(&transaction, &worker.owner)?;
        let (mut claims, mut last) = (Vec::new(), BEFORE_ALL);
        while let Some((claim, position)) = next_after(&transaction, last)? {
            add_claim(&transaction, &claim, worker.id)?;
            claims.push(*claim);
            last = position;
        }
        transaction.commit()?;
        Ok((claims, doubt))
    }

    /// Gives up the claim of a run that was not made.
    pub(crate) fn release(&mut self, claim: &ClaimedRun) -> Result<(), Error> {
        let Some(worker) = &self.worker else { return Ok(()) };
        let delete = "DELETE FROM claims WHERE task = ? AND configuration = ? AND owner = ?";
        let ids = [claim.task_id, claim.configuration_id, worker.id];
        self.connection.execute(delete, ids)?;
        Ok(())
    }

    /// Sends a heartbeat, so that others know this process is alive. To be called every few
    /// seconds.
    pub fn beat(&mut self) -> Result<(), Error> {
        let Some(worker) = &self.worker else { return Ok(()) };
        let beat = "UPDATE owners SET heartbeat = ? WHERE id = ?";
        let known = self.connection.execute(beat, params![now(), worker.id])?;
        if known == 0 {
            // Others took us for dead, perhaps because this machine was asleep.
            self.worker = None;
        }
        Ok(())
    }

    /// The number of runs that other processes are making now.
    pub fn claims_of_others(&self) -> Result<u64, Error> {
        let own = self.worker.as_ref().map_or(-1, |worker| worker.id);
        let count = "SELECT count(*) FROM claims WHERE owner != ?";
        Ok(self.connection.query_row(count, [own], |row| row.get(0))?)
    }

    /// The owners, with the number of their claims, and whether they are alive or may be.
    pub(crate) fn owners(&self) -> Result<Vec<(Owner, u64, bool)>, Error> {
        let select = "SELECT host, place, pid, began, heartbeat,
                      (SELECT count(*) FROM claims WHERE owner = owners.id) FROM owners ORDER BY id";
        let mut statement = self.connection.prepare(select)?;
        let here = Owner::this();
        let rows = statement.query_map([], |row| {
            let owner = owner(row, 0)?;
            let is_alive = life(&owner, row.get(4)?, &here) != Life::Dead;
            Ok((owner, row.get(5)?, is_alive))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Drop for Store {
    /// Gives up all claims. If this fails or is never reached, the death of the process
    /// gives them up.
    fn drop(&mut self) {
        if let Some(worker) = &self.worker {
            let _ = self.connection.execute("DELETE FROM owners WHERE id = ?", [worker.id]);
        }
    }
}

/// This process as a worker; it becomes one if it is none yet.
fn enlisted<'a>(
    worker: &'a mut Option<Worker>,
    transaction: &Transaction<'_>,
) -> rusqlite::Result<&'a mut Worker> {
    if worker.is_none() {
        let owner = Owner::this();
        let add = "INSERT INTO owners (host, place, pid, began, heartbeat) VALUES (?, ?, ?, ?, ?)";
        let Owner { host, place, pid, began } = &owner;
        transaction.execute(add, params![host, place, pid, began, now()])?;
        let id = transaction.last_insert_rowid();
        *worker = Some(Worker { owner, id, last: BEFORE_ALL });
    }
    Ok(worker.as_mut().expect("just made"))
}

fn add_claim(
    transaction: &Transaction<'_>,
    claim: &ClaimedRun,
    owner: i64,
) -> rusqlite::Result<usize> {
    let add = "INSERT INTO claims (task, configuration, owner, since) VALUES (?, ?, ?, ?)";
    let mut statement = transaction.prepare_cached(add)?;
    statement.execute(params![claim.task_id, claim.configuration_id, owner, now()])
}

/// Whether an owner is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    Alive,
    Doubtful,
    Dead,
}

fn life(owner: &Owner, heartbeat: u64, here: &Owner) -> Life {
    match (owner.is_alive(here), now().saturating_sub(heartbeat)) {
        (Some(true), _) | (None, ..DOUBTFUL_AFTER) => Life::Alive,
        (None, DOUBTFUL_AFTER..DEAD_AFTER) => Life::Doubtful,
        (Some(false), _) | (None, DEAD_AFTER..) => Life::Dead,
    }
}

/// Deletes dead owners with their claims. `true`: other owners with claims may be dead.
fn remove_dead_owners(transaction: &Transaction<'_>, here: &Owner) -> rusqlite::Result<bool> {
    let select = "SELECT host, place, pid, began, heartbeat, id,
                  EXISTS (SELECT 1 FROM claims WHERE owner = owners.id) FROM owners";
    let mut statement = transaction.prepare_cached(select)?;
    let mut rows = statement.query([])?;
    let (mut dead, mut doubt) = (Vec::new(), false);
    while let Some(row) = rows.next()? {
        match life(&owner(row, 0)?, row.get(4)?, here) {
            Life::Alive => {}
            Life::Doubtful => doubt |= row.get::<_, bool>(6)?,
            Life::Dead => dead.push(row.get::<_, i64>(5)?),
        }
    }
    for id in dead {
        transaction.execute("DELETE FROM owners WHERE id = ?", [id])?;
    }
    Ok(doubt)
}

fn owner(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<Owner> {
    let (host, place) = (row.get(first)?, row.get(first + 1)?);
    Ok(Owner { host, place, pid: row.get(first + 2)?, began: row.get(first + 3)? })
}

/// The first run after a position that is neither done nor claimed, and its position.
fn next_after(
    transaction: &Transaction<'_>,
    (task, configuration_position): Position,
) -> rusqlite::Result<Option<(Box<ClaimedRun>, Position)>> {
    // CROSS JOIN: SQLite then keeps the order of the loops, and stops at the first.
    let select = "SELECT t.suite, t.domain, t.problem, t.files, c.name, c.definition,
                         t.id, c.id, t.position, c.position
                  FROM tasks t CROSS JOIN configurations c
                  WHERE t.position >= ?1 AND c.position IS NOT NULL
                  AND (t.position > ?1 OR c.position > ?2)
                  AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.task = t.id
                                  AND r.configuration = c.id)
                  AND NOT EXISTS (SELECT 1 FROM claims k WHERE k.task = t.id
                                  AND k.configuration = c.id)
                  ORDER BY t.position, c.position LIMIT 1";
    let mut statement = transaction.prepare_cached(select)?;
    let row = |row: &rusqlite::Row<'_>| {
        let (suite, domain, problem) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let task = Task { suite, domain, problem, files: json_column(row, 3)? };
        let configuration = configuration(row, 4)?;
        let (task_id, configuration_id) = (row.get(6)?, row.get(7)?);
        let claim = ClaimedRun { task, configuration, task_id, configuration_id };
        Ok((Box::new(claim), (row.get(8)?, row.get(9)?)))
    };
    statement.query_row(params![task, configuration_position], row).optional()
}
