//! Work in a thread of its own, which Python can interrupt.
//!
//! The calling thread waits without the interpreter's lock, and takes it every few
//! milliseconds to let Python handle signals: Ctrl-C asks the work to stop through its
//! [`Limits`]. The command's watch ends the whole process if a stage does not stop in time;
//! a library must not. Here the caller gets its answer (the exception, or the limit that was
//! reached), and the thread ends by itself when it next checks the limits: it owns all that
//! it works on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use hipot::Failure;
use hipot_task::{Limits, Stop, resident_bytes};
use pyo3::prelude::*;

use crate::errors;

/// The time between two checks.
const INTERVAL: Duration = Duration::from_millis(10);
/// How long a stage may take to end after it was asked to stop.
const GRACE: Duration = Duration::from_millis(200);
/// The stack size, as large as a process's main thread has, for deeply nested PDDL.
const STACK: usize = 8 << 20;

type Answer<T> = Result<Result<T, Failure>, Box<dyn Any + Send>>;

/// Does `work`, and calls `look` now and then meanwhile.
pub(crate) fn supervise<T: Send + 'static>(
    py: Python<'_>,
    limits: &Limits,
    look: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<Result<T, Failure>> {
    let (sender, mut receiver) = sync_channel::<Answer<T>>(1);
    let body = move || {
        // If this fails, nobody is waiting any more.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
    };
    let builder = thread::Builder::new().name("hipot".to_owned()).stack_size(STACK);
    builder.spawn(body).map_err(|error| errors::no_thread(&error))?;
    let mut stopping = None;
    loop {
        let answer;
        (receiver, answer) = py.detach(move || wait(receiver, INTERVAL));
        match answer {
            Ok(Ok(result)) => return Ok(result),
            Ok(Err(panic)) => return Err(errors::defect(py, &*panic)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(errors::defect(py, &"no answer")),
        }
        if let Err(exception) = py.check_signals().and_then(|()| look(py)) {
            limits.request(Stop::Interrupted);
            // Most stages end in time and leave nothing behind.
            let _ = py.detach(move || wait(receiver, GRACE));
            return Err(exception);
        }
        if let Some(stop) = overdue(limits, &mut stopping) {
            return Ok(Err(stop.into()));
        }
    }
}

/// Waits for the answer. The receiver is passed through, because it belongs to one thread.
fn wait<T: Send>(
    receiver: Receiver<Answer<T>>,
    time: Duration,
) -> (Receiver<Answer<T>>, Result<Answer<T>, RecvTimeoutError>) {
    let answer = receiver.recv_timeout(time);
    (receiver, answer)
}

/// Asks the work to stop if a limit is reached. Returns the limit if the work has not
/// stopped in time.
fn overdue(limits: &Limits, stopping: &mut Option<(Stop, Instant)>) -> Option<Stop> {
    if let Some((stop, since)) = *stopping {
        return (since.elapsed() > GRACE).then_some(stop);
    }
    let is_full = limits.memory().zip(resident_bytes()).is_some_and(|(limit, used)| used > limit);
    let memory = if is_full { Err(Stop::MemoryLimit) } else { Ok(()) };
    if let Err(stop) = limits.check().and(memory) {
        limits.request(stop);
        *stopping = Some((stop, Instant::now()));
    }
    None
}
