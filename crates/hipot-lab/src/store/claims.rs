//! Who makes which run.
//!
//! A claim belongs to an owner, and lives as long as that: it is gone with its owner's
//! row, which whoever looks for work deletes once the owner is dead. On the owner's own
//! machine that is seen at once. From elsewhere it shows in a heartbeat that has not been
//! renewed for two minutes; clocks of machines are taken to differ by less. Should an
//! owner be taken for dead that was only asleep, its runs are made twice, and the first
//! result is kept.

use rusqlite::{OptionalExtension, Transaction, params};

use super::register::{configuration, json_column};
use super::worker::{BEFORE_ALL, Position, Worker};
use super::{Store, begin};
use crate::clock::now;
use crate::error::Error;
use crate::model::{Configuration, Task};
use crate::owner::Owner;

/// Seconds without a heartbeat after which an owner elsewhere is dead.
const DEAD: u64 = 120;
/// Seconds without a heartbeat after which it may be: one waits to know.
const DOUBTFUL: u64 = 40;

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

/// What there is to do.
#[derive(Debug)]
pub enum Next {
    /// This run.
    Run(
        /// The right to make it.
        Box<ClaimedRun>,
    ),
    /// Nothing yet: an owner may be dead.
    Wait,
    /// Nothing: every run is done or being made.
    Nothing,
}

impl Store {
    /// The next run that nobody makes, in the order of tasks, and of configurations for
    /// each task, so that configurations can be compared before all is done.
    pub fn claim(&mut self) -> Result<Next, Error> {
        self.claim_as(Owner::this)
    }

    pub(crate) fn claim_as(&mut self, owner: impl FnOnce() -> Owner) -> Result<Next, Error> {
        let transaction = begin(&mut self.connection)?;
        if self.worker.is_none() {
            let owner = owner();
            let id = enlist(&transaction, &owner)?;
            self.worker = Some(Worker { owner, id, last: BEFORE_ALL });
        }
        let worker = self.worker.as_mut().expect("just made");
        let doubt = bury_the_dead(&transaction, &worker.owner)?;
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

    /// All runs that nobody makes, in the same order, and whether there may be more of them
    /// soon because an owner may be dead.
    pub fn claim_all(&mut self) -> Result<(Vec<ClaimedRun>, bool), Error> {
        let transaction = begin(&mut self.connection)?;
        if self.worker.is_none() {
            let owner = Owner::this();
            let id = enlist(&transaction, &owner)?;
            self.worker = Some(Worker { owner, id, last: BEFORE_ALL });
        }
        let worker = self.worker.as_ref().expect("just made");
        let doubt = bury_the_dead(&transaction, &worker.owner)?;
        let (mut claims, mut last) = (Vec::new(), BEFORE_ALL);
        while let Some((claim, position)) = next_after(&transaction, last)? {
            add_claim(&transaction, &claim, worker.id)?;
            claims.push(*claim);
            last = position;
        }
        transaction.commit()?;
        Ok((claims, doubt))
    }

    /// Gives up a run that was not made.
    pub fn release(&mut self, claim: &ClaimedRun) -> Result<(), Error> {
        let Some(worker) = &self.worker else { return Ok(()) };
        let delete = "DELETE FROM claims WHERE task = ? AND configuration = ? AND owner = ?";
        let ids = [claim.task_id, claim.configuration_id, worker.id];
        self.connection.execute(delete, ids)?;
        Ok(())
    }

    /// Tells others that this process lives; to be called every few seconds.
    pub fn beat(&mut self) -> Result<(), Error> {
        let Some(worker) = &self.worker else { return Ok(()) };
        let beat = "UPDATE owners SET heartbeat = ? WHERE id = ?";
        let known = self.connection.execute(beat, params![now(), worker.id])?;
        if known == 0 {
            // Others took us for dead while the machine slept.
            self.worker = None;
        }
        Ok(())
    }

    /// How many runs others make now.
    pub fn claims_of_others(&self) -> Result<u64, Error> {
        let own = self.worker.as_ref().map_or(-1, |worker| worker.id);
        let count = "SELECT count(*) FROM claims WHERE owner != ?";
        Ok(self.connection.query_row(count, [own], |row| row.get(0))?)
    }

    /// Who makes runs now, and how many: machine, process, claims, and whether it is seen
    /// or believed to live.
    pub(crate) fn owners(&self) -> Result<Vec<(Owner, u64, bool)>, Error> {
        let select = "SELECT host, place, pid, began, heartbeat,
                      (SELECT count(*) FROM claims WHERE owner = owners.id) FROM owners ORDER BY id";
        let mut statement = self.connection.prepare(select)?;
        let here = Owner::this();
        let rows = statement.query_map([], |row| {
            let owner = owner(row, 0)?;
            let lives = life(&owner, row.get(4)?, &here) != Life::Dead;
            Ok((owner, row.get(5)?, lives))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Drop for Store {
    /// Gives up all claims. Where this fails, or is never reached, they are given up by
    /// the process's death.
    fn drop(&mut self) {
        if let Some(worker) = &self.worker {
            let _ = self.connection.execute("DELETE FROM owners WHERE id = ?", [worker.id]);
        }
    }
}

fn enlist(transaction: &Transaction<'_>, owner: &Owner) -> rusqlite::Result<i64> {
    let add = "INSERT INTO owners (host, place, pid, began, heartbeat) VALUES (?, ?, ?, ?, ?)";
    let Owner { host, place, pid, began } = owner;
    transaction.execute(add, params![host, place, pid, began, now()])?;
    Ok(transaction.last_insert_rowid())
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    Alive,
    Doubtful,
    Dead,
}

fn life(owner: &Owner, heartbeat: u64, here: &Owner) -> Life {
    match (owner.is_alive(here), now().saturating_sub(heartbeat)) {
        (Some(true), _) | (None, ..DOUBTFUL) => Life::Alive,
        (None, DOUBTFUL..DEAD) => Life::Doubtful,
        (Some(false), _) | (None, DEAD..) => Life::Dead,
    }
}

/// Deletes the dead with their claims. `true`: there may be more of them with claims.
fn bury_the_dead(transaction: &Transaction<'_>, here: &Owner) -> rusqlite::Result<bool> {
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
