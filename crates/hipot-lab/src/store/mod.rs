//! The results of an experiment: one SQLite file.
//!
//! It holds what the experiment is made of (tasks, configurations), what came out (runs,
//! and apart from them their logs, so that tables are read without them), and who does
//! what now (owners, claims). Everything that must hold together is one transaction:
//!
//! * a run is claimed by one owner or by none, and claims of dead owners are nobody's
//!   ([`claim`](Store::claim));
//! * a run has one row or none, and a row is written together with its log, its claim
//!   given up by the same stroke ([`finish`](Store::finish), [`insert`](Store::insert)).
//!
//! So a process may be killed at any moment, and any number of them may work on one file.
//! They do not wait for one another while planners run, and a reader never waits: the file
//! is in SQLite's WAL mode, with every commit flushed to the disk. Where a file system
//! cannot do that the old journal takes its place, and only speed is lost.

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
pub(crate) use rows::FROM;
pub use rows::RunKey;

/// `hpot` in SQLite's field for the kind of a file.
const APPLICATION: i32 = 0x6870_6f74;
/// The version of the schema.
const VERSION: i32 = 1;
/// How long to wait for others, who hold the file for milliseconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// An open database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    file: PathBuf,
    /// This process among the owners, once it has claimed something, and the position
    /// after which it looks for runs.
    worker: Option<Worker>,
}

impl Store {
    /// Opens a database to write to it, and makes it where there is none.
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

    /// Opens a database that is there, to read it; it may stand where nothing can be
    /// written.
    pub fn open_existing(file: &Path) -> Result<Self, Error> {
        if !file.exists() {
            let problem = "is not there: nothing has been run yet".to_owned();
            return Err(Error::Database { file: file.to_owned(), problem });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Self::connect(file, flags).and_then(Self::checked);
        opened.or_else(|error| Self::open_immutable(file).unwrap_or(Err(error)))
    }

    /// In a folder where nothing can be written, SQLite reads a WAL file only if it is
    /// told that nobody writes to it; which is true where there is no log of writes.
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

    /// Whether this is a file of ours that this program understands.
    fn check(&self) -> Result<(), Error> {
        let wrong = |problem: &str| {
            Err(Error::Database { file: self.file.clone(), problem: problem.to_owned() })
        };
        let read = (self.pragma("application_id"), self.pragma("user_version"));
        match (read.0.map_err(|e| unusable(&self.file, &e))?, read.1?) {
            (APPLICATION, VERSION) => Ok(()),
            (APPLICATION, version) if version > VERSION => {
                wrong("was made by a newer hipot, and cannot be used by this one")
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
        // Another process may have been faster.
        let tables = "SELECT count(*) FROM sqlite_schema";
        if transaction.query_row(tables, [], |row| row.get::<_, i64>(0))? == 0 {
            transaction.execute_batch(include_str!("schema.sql"))?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        Ok(transaction.commit()?)
    }

    /// Turns WAL on. SQLite does not wait where two processes do so at once.
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
                    tracing::warn!("{file}: no WAL on this file system; journal mode {mode}");
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

/// Begins to write; whoever else does waits.
fn begin(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// SQLite's word in ours.
fn unusable(file: &Path, error: &rusqlite::Error) -> Error {
    let problem = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "is not a database of hipot lab".to_owned(),
        Some(ErrorCode::CannotOpen) => "cannot be opened as a database".to_owned(),
        Some(ErrorCode::ReadOnly) => "cannot be written".to_owned(),
        _ => format!("cannot be used: {error}"),
    };
    Error::Database { file: file.to_owned(), problem }
}
