//! The processes of a run, as `/proc` shows them.
//!
//! *Processor time* of a tree of processes has three parts: what its living members and
//! zombies used, what the children used that they have waited for (`/proc/*/stat` holds
//! both), and what the children used that we have waited for. A process that ignores SIGCHLD
//! makes the kernel discard its children, and hides what they used; the limit on elapsed
//! time still applies to it.
//!
//! *Memory* of a single process is its resident set. Several processes may share pages (after
//! a fork, all of them), and the sum of resident sets would count these repeatedly. For them
//! it is the sum of proportional sets (`smaps_rollup`), in which a page that three processes
//! share counts a third for each. The kernel computes these page by page, which takes
//! milliseconds per gigabyte, so we ask only when the sum of resident sets exceeds the peak
//! so far.

use std::fs;
use std::process;
use std::time::Duration;

use super::system;

/// A process, from `/proc/PID/stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: i32,
    parent: i32,
    /// Processor time in ticks, including that of children it has waited for.
    ticks: u64,
    /// The number of resident pages.
    pages: u64,
}

impl Process {
    fn read(pid: i32) -> Option<Self> {
        let text = fs::read(format!("/proc/{pid}/stat")).ok()?;
        Self::parse(pid, &String::from_utf8_lossy(&text))
    }

    /// Parses a line of `stat`. The process name, in parentheses, can contain anything, so
    /// fields are counted from its end.
    fn parse(pid: i32, text: &str) -> Option<Self> {
        let (_, fields) = text.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
        // The first field after the name is number 3 in the manual.
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        let signed = |number: usize| fields.get(number - 3)?.parse::<i64>().ok();
        let waited: i64 = signed(16)? + signed(17)?;
        Some(Self {
            pid,
            parent: signed(4)? as i32,
            ticks: field(14)? + field(15)? + waited.unsigned_abs(),
            pages: signed(24)?.unsigned_abs(),
        })
    }

    /// Its proportional share of resident memory in bytes, 0 if it has just ended. `None` if
    /// the kernel does not say.
    fn proportional(self) -> Option<u64> {
        let text = match fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid)) {
            Ok(text) => text,
            Err(_) if Self::read(self.pid).is_none_or(|now| now.pages == 0) => return Some(0),
            Err(_) => return None,
        };
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        let number: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(number << 10)
    }
}

/// All processes that descend from this one.
///
/// The kernel lists children by thread; if it was built without these lists, we look at all
/// processes of the machine.
pub(super) fn descendants() -> Vec<Process> {
    let own = process::id().cast_signed();
    if fs::metadata(format!("/proc/{own}/task/{own}/children")).is_err() {
        return all_descendants();
    }
    let mut found: Vec<Process> = children(own).into_iter().filter_map(Process::read).collect();
    let mut next = 0;
    while let Some(&Process { pid, .. }) = found.get(next) {
        found.extend(children(pid).into_iter().filter_map(Process::read));
        next += 1;
    }
    found
}

fn children(pid: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| numbers(&list)).collect()
}

fn numbers(text: &str) -> Vec<i32> {
    text.split_ascii_whitespace().filter_map(|number| number.parse().ok()).collect()
}

/// All processes that descend from this one, found by looking at each process of the
/// machine. Slower than [`descendants`] but complete: a list of children can miss one while
/// another is removed from it; this misses none that lives throughout the call.
pub(super) fn all_descendants() -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut all: Vec<Process> = pids.filter_map(Process::read).collect();
    all.sort_unstable_by_key(|process| process.parent);
    let mut found = Vec::new();
    let mut parents = vec![process::id().cast_signed()];
    while let Some(parent) = parents.pop() {
        let begin = all.partition_point(|process| process.parent < parent);
        let children = all[begin..].iter().take_while(|process| process.parent == parent);
        for &child in children {
            found.push(child);
            parents.push(child.pid);
        }
    }
    found
}

/// What a run has used so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    pub(super) cpu: Duration,
    /// The peak of the memory of all processes together, in bytes.
    pub(super) peak_memory: u64,
}

/// Measures what all descendants use.
#[derive(Debug)]
pub(super) struct Meter {
    ticks_per_second: u64,
    page_size: u64,
    /// The number of descendants that are ours and not the planner's; they come first.
    own_processes: usize,
    usage: Usage,
}

impl Meter {
    /// A meter that ignores the memory of the first `own_processes` descendants.
    pub(super) fn new(own_processes: usize) -> Self {
        Self {
            ticks_per_second: system::ticks_per_second(),
            page_size: system::page_size(),
            own_processes,
            usage: Usage::default(),
        }
    }

    /// Measures what all descendants have used until now.
    pub(super) fn measure(&mut self) -> Usage {
        let waited = system::usage_of_children().cpu;
        let processes = descendants();
        let ticks: u64 = processes.iter().map(|process| process.ticks).sum();
        let alive = Duration::from_secs_f64(ticks as f64 / self.ticks_per_second as f64);
        self.usage.cpu = self.usage.cpu.max(waited + alive);
        let planner = processes.get(self.own_processes..).unwrap_or_default();
        self.usage.peak_memory = self.usage.peak_memory.max(self.memory(planner));
        self.usage
    }

    fn memory(&self, processes: &[Process]) -> u64 {
        let bytes = |process: &Process| process.pages * self.page_size;
        let resident: u64 = processes.iter().map(bytes).sum();
        if processes.len() < 2 || resident <= self.usage.peak_memory {
            return resident;
        }
        let share = |process: &Process| process.proportional().unwrap_or_else(|| bytes(process));
        processes.iter().map(share).sum()
    }

    /// What all descendants used, once all have been waited for. Now times are exact, and the
    /// kernel knows the largest resident set of a single process, even of one too short-lived
    /// for us to see. That number is at least our own resident set, because every process
    /// starts as a copy of us; if it is no larger, we use it only if nothing else is known.
    pub(super) fn finish(&mut self) -> Usage {
        let children = system::usage_of_children();
        self.usage.cpu = self.usage.cpu.max(children.cpu);
        let is_ours = children.resident <= system::usage_of_self().resident;
        if !is_ours || self.usage.peak_memory == 0 {
            self.usage.peak_memory = self.usage.peak_memory.max(children.resident);
        }
        self.usage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_no_fields() {
        let text = "7 (a) R 1 (b)) S 5 7 7 0 -1 4 1 2 3 4 10 20 30 40 20 0 1 0 99 1000 12 0";
        let expected = Process { pid: 7, parent: 5, ticks: 100, pages: 12 };
        assert_eq!(Process::parse(7, text), Some(expected));
        assert_eq!(Process::parse(7, "7 (sh) S 1"), None);
        assert_eq!(Process::parse(7, ""), None);
    }

    #[test]
    fn both_ways_find_a_child_that_waits() {
        let child = process::Command::new("sleep").arg("20").spawn();
        let mut child = child.expect("sleep is there");
        let is_child = |process: &Process| process.pid == child.id().cast_signed();
        assert!(descendants().iter().any(is_child));
        assert!(all_descendants().iter().any(is_child));
        child.kill().expect("it lives");
        child.wait().expect("it was ours");
    }
}
