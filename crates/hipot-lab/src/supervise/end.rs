//! The end of all processes of a run.

use std::thread;
use std::time::{Duration, Instant};

use super::system::{reap, send};
use super::tree::{Process, all_descendants};

/// How long to wait for processes that the kernel cannot end now, such as those that
/// wait for a file server.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often to look for processes that appear while others are stopped.
const ROUNDS: usize = 10;

/// Tells all processes of the planner to end.
pub(super) fn tell_all(ours: usize) {
    for process in all_descendants().iter().skip(ours) {
        send(process.pid, libc::SIGTERM);
    }
}

/// Kills all descendants and waits for them. The `first` are a process or a group (by
/// its negative number) that take many others with them: the planner's process group,
/// whose members end at once and together, or the relay to a namespace.
///
/// Others are stopped before they are killed, until no new ones appear: a process that
/// is stopped makes no more of them, and does not notice the death of another.
pub(super) fn end_all(first: Option<i32>) {
    if let Some(first) = first {
        send(first, libc::SIGKILL);
    }
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        while let Ok(Some(_)) = reap() {}
        let processes = stop_all();
        if processes.is_empty() && reap().is_err() {
            return;
        }
        for process in &processes {
            send(process.pid, libc::SIGKILL);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// All descendants, stopped, unless new ones appear again and again.
fn stop_all() -> Vec<Process> {
    let mut known: Vec<i32> = Vec::new();
    let mut processes = Vec::new();
    for _ in 0..ROUNDS {
        processes = all_descendants();
        let is_new = |process: &&Process| known.binary_search(&process.pid).is_err();
        let new: Vec<i32> = processes.iter().filter(is_new).map(|process| process.pid).collect();
        if new.is_empty() {
            break;
        }
        for &pid in &new {
            send(pid, libc::SIGSTOP);
        }
        known.extend(new);
        known.sort_unstable();
    }
    processes
}
