//! Which process makes a run, and whether it is still alive.
//!
//! A process id alone says little: ids are reused, and they mean nothing on another machine
//! or in another container. So an owner is a place and a process. The place is the machine's
//! name, the id of its current boot (`boot_id`) and its PID namespace. The process is its id
//! and its start time. From the same place one can see whether the process is alive; from
//! anywhere else one cannot, and heartbeats have to do (see [`crate::store`]).

use std::fs::{read_link, read_to_string};

/// A process that makes runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    /// The machine's name, for people.
    pub(crate) host: String,
    /// The boot id and the PID namespace.
    pub(crate) place: String,
    /// The process id.
    pub(crate) pid: u32,
    /// When the process started, in ticks since boot.
    pub(crate) began: u64,
}

impl Owner {
    /// This process.
    pub(crate) fn this() -> Self {
        let boot = read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let namespace = read_link("/proc/self/ns/pid").unwrap_or_default();
        let place = format!("{} {}", boot.trim(), namespace.display());
        let pid = std::process::id();
        Self { host: host(), place, pid, began: began(pid).unwrap_or(0) }
    }

    /// Whether the process is alive; `None` if that cannot be seen from here.
    pub(crate) fn is_alive(&self, here: &Self) -> Option<bool> {
        let is_same_place = self.host == here.host && self.place == here.place;
        // Without /proc we know nothing, not even about this process.
        let can_tell = is_same_place && began(here.pid).is_some();
        can_tell.then(|| began(self.pid) == Some(self.began))
    }
}

/// The machine's name.
fn host() -> String {
    let name = read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "localhost".to_owned() } else { name.to_owned() }
}

/// A short description of this machine: name, processor, cores.
pub fn machine() -> String {
    let info = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim())
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (host, unit) = (host(), if cores == 1 { "core" } else { "cores" });
    match model {
        Some(model) => format!("{host}: {model}, {cores} {unit}"),
        None => format!("{host}: {cores} {unit}"),
    }
}

/// The start time of a process: field 22 of its `stat`, the 20th after its name, which is in
/// parentheses and may contain anything. A dead process that its parent has not waited for
/// yet (`Z`, `X`) counts as ended.
fn began(pid: u32) -> Option<u64> {
    let stat = read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    match fields.next()? {
        "Z" | "X" => None,
        _ => fields.nth(18)?.parse().ok(),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_living_and_the_dead_are_told_apart() {
        let this = Owner::this();
        assert_eq!(this.is_alive(&this), Some(true));
        let later = Owner { began: this.began + 1, ..this.clone() };
        assert_eq!(later.is_alive(&this), Some(false), "the same id, reused");
        let elsewhere = Owner { place: "another".to_owned(), ..this.clone() };
        assert_eq!(elsewhere.is_alive(&this), None);

        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = child.id();
        let other = Owner { pid, began: began(pid).unwrap(), ..this.clone() };
        assert_eq!(other.is_alive(&this), Some(true));
        child.kill().unwrap();
        // Dead from here on, even before anybody has waited for it.
        let ended = (0..100).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            other.is_alive(&this) == Some(false)
        });
        assert!(ended);
        child.wait().unwrap();
        assert_eq!(other.is_alive(&this), Some(false));
    }
}
