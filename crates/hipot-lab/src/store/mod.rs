//! The database of an experiment: one SQLite file.
//!
//! It holds what the experiment consists of (tasks, configurations), the results (runs, and
//! their logs in a table of their own, so that tables are read without them), and who is doing
//! what (owners, claims). Changes that belong together are one transaction:
//!
//! * A run is claimed by at most one owner, and claims of dead owners do not count
//!   ([`claim`](Store::claim)).
//! * A run has at most one row. The row is written together with its log, and its claim is
//!   released in the same transaction ([`finish`](Store::finish), [`insert_all`](Store::insert_all)).
//!
//! So a process may be killed at any moment, and any number of processes may work on one file.
//! They do not wait for one another while planners run, and a reader never waits: the file is
//! in SQLite's WAL mode, with every commit flushed to disk. If a file system cannot do that, the
//! rollback journal takes its place, and only speed is lost.
//!
//! A configuration whose definition changes is a different configuration, and its old rows
//! would be wrong under its name. So [`register`](Store::register) refuses it until the rows
//! are deleted. Tasks and configurations that leave the experiment file are kept with their
//! rows, but lose their position, and are shown again should they come back.

mod claims;
mod register;
mod rows;
mod worker;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use crate::error::Error;
use worker::Worker;

pub use claims::{ClaimedRun, Next};
pub(crate) use rows::FROM_CURRENT_RUNS;
pub use rows::RunKey;

/// `hpot`, in the field by which SQLite files say whose they are.
const APPLICATION_ID: i32 = 0x6870_6f74;
/// The version of the schema.
const SCHEMA_VERSION: i32 = 1;
/// How long to wait for other processes. They lock the file for milliseconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// An open database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    file: PathBuf,
    /// This process as an owner, once it has claimed something.
    worker: Option<Worker>,
}

impl Store {
    /// Opens a database for writing, and creates it if it does not exist.
    pub fn open(file: &Path) -> Result<Self, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut store = Self::connect(file, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        if store.is_empty().map_err(|error| unusable(file, &error))? {
            store.use_wal()?;
            store.create()?;
        }
        store.check()?;
        store.use_wal()?;
        Ok(store)
    }

    /// Opens an existing database for reading. It may be in a folder where nothing can be
    /// written.
    pub fn open_existing(file: &Path) -> Result<Self, Error> {
        if !file.exists() {
            let problem = "does not exist: nothing has been run yet".to_owned();
            return Err(Error::Database { file: file.to_owned(), problem });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Self::connect(file, flags).and_then(Self::checked);
        opened.or_else(|error| Self::open_immutable(file).unwrap_or(Err(error)))
    }

    /// Opens a database in a folder where nothing can be written. SQLite reads a file in WAL
    /// mode there only if we promise that nobody writes to it. That holds if there is no
    /// write-ahead log.
    fn open_immutable(file: &Path) -> Option<Result<Self, Error>> {
        let mut log = file.as_os_str().to_owned();
        log.push("-wal");
        let path = file.canonicalize().ok()?.to_str()?.to_owned();
        if Path::new(&log).exists() {
            return None;
        }
        let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let uri = PathBuf::from(format!("file:{escaped}?immutable=1"));
        let connection = Connection::open_with_flags(uri, flags).ok()?;
        Self { connection, file: file.to_owned(), worker: None }.checked().ok().map(Ok)
    }

    fn connect(file: &Path, flags: OpenFlags) -> Result<Self, Error> {
        let opened = Connection::open_with_flags(file, flags);
        let connection = opened.map_err(|error| unusable(file, &error))?;
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(|e| unusable(file, &e))?;
        Ok(Self { connection, file: file.to_owned(), worker: None })
    }

    fn checked(self) -> Result<Self, Error> {
        self.check()?;
        Ok(self)
    }

    /// Checks that this is a file of ours, of a version that this program understands.
    fn check(&self) -> Result<(), Error> {
        let wrong = |problem: &str| {
            Err(Error::Database { file: self.file.clone(), problem: problem.to_owned() })
        };
        let read = (self.pragma("application_id"), self.pragma("user_version"));
        match (read.0.map_err(|e| unusable(&self.file, &e))?, read.1?) {
            (APPLICATION_ID, SCHEMA_VERSION) => Ok(()),
            (APPLICATION_ID, version) if version > SCHEMA_VERSION => {
                wrong("was made by a newer hipot; this version cannot use it")
            }
            _ => wrong("is not a database of hipot lab"),
        }
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    fn pragma(&self, name: &str) -> rusqlite::Result<i32> {
        self.connection.pragma_query_value(None, name, |row| row.get(0))
    }

    fn is_empty(&self) -> rusqlite::Result<bool> {
        let tables = "SELECT count(*) = 0 FROM sqlite_schema";
        Ok(self.pragma("application_id")? == 0
            && self.connection.query_row(tables, [], |row| row.get(0))?)
    }

    fn create(&mut self) -> Result<(), Error> {
        let transaction = begin(&mut self.connection)?;
        // Another process may have created the tables meanwhile.
        let tables = "SELECT count(*) FROM sqlite_schema";
        if transaction.query_row(tables, [], |row| row.get::<_, i64>(0))? == 0 {
            transaction.execute_batch(include_str!("schema.sql"))?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
        }
        Ok(transaction.commit()?)
    }

    /// Turns WAL mode on. SQLite does not wait if another process does so at the same time, so
    /// we do.
    fn use_wal(&self) -> Result<(), Error> {
        let begin = Instant::now();
        let set = || {
            let mode = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
            self.connection.pragma_update_and_check(None, "journal_mode", "WAL", mode)
        };
        loop {
            match set() {
                Ok(mode) if mode == "wal" => return Ok(()),
                Ok(mode) => {
                    let file = self.file.display();
                    tracing::warn!(
                        "{file}: this file system does not support WAL; using journal mode {mode}"
                    );
                    return Ok(());
                }
                Err(error) if is_busy(&error) && begin.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(error) => return Err(unusable(&self.file, &error)),
            }
        }
    }
}

/// Starts a transaction that writes. Other writers wait for it.
fn begin(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// SQLite's error in our words.
fn unusable(file: &Path, error: &rusqlite::Error) -> Error {
    let problem = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "is not a database of hipot lab".to_owned(),
        Some(ErrorCode::CannotOpen) => "cannot be opened as a database".to_owned(),
        Some(ErrorCode::ReadOnly) => "cannot be written".to_owned(),
        _ => format!("cannot be used: {error}"),
    };
    Error::Database { file: file.to_owned(), problem }
}
