//! The end of all processes of a run.

use std::thread;
use std::time::{Duration, Instant};

use super::system::{reap, send};
use super::tree::{Process, all_descendants};

/// How long to wait for processes that the kernel cannot end now, such as those that
/// wait for a file server.
const PATIENCE: Duration = Duration::from_secs(60);

/// Tells all processes of the planner to end.
pub(super) fn tell_all(ours: usize) {
    for process in all_descendants().iter().skip(ours) {
        send(process.pid, libc::SIGTERM);
    }
}

/// Kills all descendants and waits for them, the planner's process group first: those
/// end at once and together.
///
/// Others are stopped before they are killed, until no new ones appear: a process that
/// is stopped makes no more of them, and does not notice the death of another.
pub(super) fn end_all(group: Option<i32>) {
    if let Some(group) = group {
        send(-group, libc::SIGKILL);
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

/// All descendants, stopped.
fn stop_all() -> Vec<Process> {
    let mut known = Vec::new();
    loop {
        let processes = all_descendants();
        let mut pids: Vec<i32> = processes.iter().map(|process| process.pid).collect();
        pids.sort_unstable();
        if pids.iter().all(|pid| known.binary_search(pid).is_ok()) {
            return processes;
        }
        for &pid in pids.iter().filter(|pid| known.binary_search(pid).is_err()) {
            send(pid, libc::SIGSTOP);
        }
        known = pids;
    }
}
