//! Ends all processes of a run.
//!
//! Killing a tree of processes one by one is a race: while we read the list, members fork, and
//! a parent that sees its child die may start another. So all processes are stopped (SIGSTOP)
//! before any is killed: a stopped process neither forks nor notices the death of another.
//! Looking, stopping and looking again goes on until no new process appears. A PID namespace
//! makes this unnecessary; see [`system`](super::system).

use std::thread;
use std::time::{Duration, Instant};

use super::system::{reap, send};
use super::tree::{Process, all_descendants};

/// How long to wait for processes that the kernel cannot end yet, such as those that
/// wait for a file server.
const PATIENCE: Duration = Duration::from_secs(60);

/// The most times to look for new processes while stopping the others.
const MAX_ROUNDS: usize = 10;

/// Asks all processes of the planner to end. The first `own_processes` descendants are ours.
pub(super) fn terminate_all(own_processes: usize) {
    for process in all_descendants().iter().skip(own_processes) {
        send(process.pid, libc::SIGTERM);
    }
}

/// Kills all descendants and waits for them. `kill_first` is a process, or a group by its
/// negative number, whose end takes many others with it: the planner's process group, or
/// the relay to a namespace.
pub(super) fn end_all(kill_first: Option<i32>) {
    if let Some(pid) = kill_first {
        send(pid, libc::SIGKILL);
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

/// Stops all descendants and lists them; gives up if new ones keep appearing.
fn stop_all() -> Vec<Process> {
    let mut known: Vec<i32> = Vec::new();
    let mut processes = Vec::new();
    for _ in 0..MAX_ROUNDS {
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
