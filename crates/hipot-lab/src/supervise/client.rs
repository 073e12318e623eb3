//! The lab's side of a supervised run: starts `hipot lab supervise`, hands it a job, and
//! waits for the outcome.
//!
//! The pipe to the supervisor's standard input is its lifeline. The lab closes it to stop the
//! run, and the kernel closes it if the lab dies.

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::job::{End, Job, Outcome};

/// How often to check whether to stop.
const INTERVAL: Duration = Duration::from_millis(50);

/// Why there is no outcome.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The run was stopped on request.
    #[error("interrupted")]
    Interrupted,
    /// This program cannot be started a second time, as a supervisor.
    #[error("cannot start a supervisor: {0}")]
    Supervisor(io::Error),
    /// The supervisor died: it was killed, or has a bug.
    #[error("the supervisor ended without a result: {0}")]
    Lost(String),
    /// The run's folder cannot be created.
    #[error("cannot create a folder in '{folder}': {error}")]
    Scratch {
        /// The folder in which it should have been created.
        folder: String,
        /// Why not.
        error: io::Error,
    },
}

/// Runs a job under `hipot lab supervise`, where `hipot` is this program. When `stop`
/// becomes true, the run is ended and the result is [`Error::Interrupted`].
///
/// The supervisor has a process group of its own, so that Ctrl-C reaches only the lab.
pub fn run_supervised(hipot: &Path, job: &Job, stop: &AtomicBool) -> Result<Outcome, Error> {
    let mut command = Command::new(hipot);
    command.args(["lab", "supervise"]).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(Error::Supervisor)?;
    let answer = child.stdout.take().map(read_all);
    let answer = answer.expect("asked for").map_err(Error::Supervisor)?;
    let mut lifeline = child.stdin.take();
    let mut line = serde_json::to_string(job).expect("text and numbers");
    line.push('\n');
    // If this fails, the supervisor is dead, and its missing answer will say so.
    let _ = lifeline.as_mut().map(|pipe| pipe.write_all(line.as_bytes()));
    let text = loop {
        match answer.recv_timeout(INTERVAL) {
            Ok(text) => break text,
            Err(RecvTimeoutError::Disconnected) => break String::new(),
            Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => lifeline = None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    };
    drop(lifeline);
    outcome(&text, child, stop)
}

fn outcome(text: &str, mut child: Child, stop: &AtomicBool) -> Result<Outcome, Error> {
    let status = child.wait().map_err(Error::Supervisor)?;
    match serde_json::from_str(text) {
        Ok(Outcome { end: End::Interrupted, .. }) => Err(Error::Interrupted),
        Ok(outcome) => Ok(outcome),
        Err(_) if stop.load(Ordering::Relaxed) => Err(Error::Interrupted),
        Err(_) => Err(Error::Lost(status.to_string())),
    }
}

/// Reads everything that the supervisor says, in a thread, so that the caller can wait for
/// other things too.
fn read_all(mut stream: ChildStdout) -> io::Result<Receiver<String>> {
    let (sender, receiver) = channel();
    let read = move || {
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        let _ = sender.send(text);
    };
    thread::Builder::new().name("supervised".to_owned()).spawn(read)?;
    Ok(receiver)
}
