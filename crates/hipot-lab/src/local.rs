//! The engine that makes runs on this machine.
//!
//! Each worker claims a run, makes it and stores the result, until there is nothing left to
//! claim. The calling thread only listens: it passes events on, sends heartbeats to other
//! processes, and checks whether to stop. Nothing of a run that is stopped is kept; its claim
//! is released, so that the next engine starts it again.
//!
//! How a run is made is up to the caller: anything that turns a task and a configuration into
//! a [`Record`] will do.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::model::{Configuration, Record, Task};
use crate::store::{ClaimedRun, Next, Store};

/// How often to check whether to stop.
const INTERVAL: Duration = Duration::from_millis(50);
/// How often to send a heartbeat.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// How often to check on an owner that may be dead.
const DOUBT_INTERVAL: Duration = Duration::from_secs(2);

/// What happens while runs are made.
#[derive(Debug)]
pub enum Event<'a> {
    /// A run has started.
    Began(&'a ClaimedRun),
    /// A run has ended, with this result; the log is empty here.
    Ended(&'a Record),
    /// Nothing happened for a while.
    Tick,
}

/// What a worker reports.
enum Message {
    Began(Box<ClaimedRun>),
    Ended(Box<Record>),
    Failed(Error),
}

struct Engine<'a, E> {
    store: Mutex<&'a mut Store>,
    execute: &'a E,
    stop: AtomicBool,
}

/// Makes all remaining runs, `cores` at a time or as many as there are threads for, until `should_stop` is true, and calls `see`
/// with what happens. An error of `execute` ends everything, except for
/// [`Error::Interrupted`], with which a run ends that was told to stop.
pub fn run_local<E>(
    store: &mut Store,
    cores: usize,
    execute: &E,
    should_stop: impl Fn() -> bool,
    see: impl FnMut(Event<'_>),
) -> Result<(), Error>
where
    E: Fn(&Task, &Configuration, &AtomicBool) -> Result<Record, Error> + Sync,
{
    let workers = cores.clamp(1, store.runs()?.len().max(1));
    let engine = Engine { store: Mutex::new(store), execute, stop: AtomicBool::new(false) };
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        for worker in 0..workers {
            let (engine, sender) = (&engine, sender.clone());
            let work = move || engine.work(&sender);
            match Builder::new().name(format!("run {worker}")).spawn_scoped(scope, work) {
                Ok(_) => {}
                Err(error) if worker > 0 => {
                    tracing::warn!("{worker} runs at once; there is no thread for more: {error}");
                    break;
                }
                Err(error) => return Err(Error::NoThread(error)),
            }
        }
        drop(sender);
        engine.listen(&receiver, should_stop, see)
    })
}

impl<'a, E> Engine<'a, E>
where
    E: Fn(&Task, &Configuration, &AtomicBool) -> Result<Record, Error> + Sync,
{
    /// The work of one worker thread.
    fn work(&self, sender: &Sender<Message>) {
        let tell = |message| sender.send(message).expect("the engine outlives its workers");
        while !self.stop.load(Ordering::Relaxed) {
            let next = self.store().claim();
            match next {
                Ok(Next::Run(claim)) => match self.make(&claim, &tell) {
                    Ok(()) => {}
                    Err(Error::Interrupted) => return,
                    Err(error) => return tell(Message::Failed(error)),
                },
                Ok(Next::Wait) => self.wait(DOUBT_INTERVAL),
                Ok(Next::Nothing) => return,
                Err(error) => return tell(Message::Failed(error)),
            }
        }
    }

    fn make(&self, claim: &ClaimedRun, tell: &impl Fn(Message)) -> Result<(), Error> {
        tell(Message::Began(Box::new(claim.clone())));
        let made = (self.execute)(&claim.task, &claim.configuration, &self.stop);
        let mut store = self.store();
        let mut record = match made {
            Ok(record) => record,
            Err(error) => {
                store.release(claim)?;
                return Err(error);
            }
        };
        store.finish(claim, &record)?;
        drop(store);
        record.log = String::new();
        tell(Message::Ended(Box::new(record)));
        Ok(())
    }

    fn wait(&self, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end && !self.stop.load(Ordering::Relaxed) {
            thread::sleep(INTERVAL);
        }
    }

    /// Passes on what the workers report, until all of them have ended.
    fn listen(
        &self,
        receiver: &Receiver<Message>,
        should_stop: impl Fn() -> bool,
        mut see: impl FnMut(Event<'_>),
    ) -> Result<(), Error> {
        let (mut result, mut beat) = (Ok(()), Instant::now());
        loop {
            match receiver.recv_timeout(INTERVAL) {
                Ok(Message::Began(claim)) => see(Event::Began(&claim)),
                Ok(Message::Ended(record)) => see(Event::Ended(&record)),
                Ok(Message::Failed(error)) => {
                    self.stop.store(true, Ordering::Relaxed);
                    result = result.and(Err(error));
                }
                Err(RecvTimeoutError::Timeout) => see(Event::Tick),
                Err(RecvTimeoutError::Disconnected) => return result,
            }
            if should_stop() {
                self.stop.store(true, Ordering::Relaxed);
            }
            if beat.elapsed() >= HEARTBEAT {
                beat = Instant::now();
                // A failed heartbeat does no harm; an error that matters also hits a worker.
                let _ = self.store().beat();
            }
        }
    }

    fn store(&self) -> MutexGuard<'_, &'a mut Store> {
        // Every change of the store is a transaction, so a panic elsewhere leaves it intact.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
