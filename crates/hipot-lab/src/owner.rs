//! Who makes a run, and whether they are still alive.
//!
//! A process id alone says little: it is given anew, and it means nothing on another
//! machine or in another container. So an owner is a place and a process: the place is
//! the machine's name, the start of its system (`boot_id`) and the namespace of its
//! process ids; the process is its id with the time at which it began. From the same
//! place one can see whether the process lives. From any other place one cannot, and
//! heartbeats have to do.

use std::fs::{read_link, read_to_string};

/// A process that makes runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    /// The machine's name, for people.
    pub(crate) host: String,
    /// What else tells the place from others.
    pub(crate) place: String,
    /// The process.
    pub(crate) pid: u32,
    /// When it began, in ticks since the system's start.
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

    /// Whether the process lives; `None` where that cannot be seen from here.
    pub(crate) fn is_alive(&self, here: &Self) -> Option<bool> {
        let is_same_place = self.host == here.host && self.place == here.place;
        // Without /proc nothing is known, not even about this process.
        let can_tell = is_same_place && began(here.pid).is_some();
        can_tell.then(|| began(self.pid) == Some(self.began))
    }
}

/// The machine's name.
pub fn host() -> String {
    let name = read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "localhost".to_owned() } else { name.to_owned() }
}

/// The machine in a few words: name, processor, cores.
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

/// When a process began: the 22nd field of its `stat`, the 20th after its name, which is
/// in parentheses and may contain anything. A dead process whose parent has not asked for
/// it yet (`Z`, `X`) has ended for us.
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
    fn the_living_are_told_from_the_dead() {
        let this = Owner::this();
        assert_eq!(this.is_alive(&this), Some(true));
        let later = Owner { began: this.began + 1, ..this.clone() };
        assert_eq!(later.is_alive(&this), Some(false), "the same id given anew");
        let elsewhere = Owner { place: "another".to_owned(), ..this.clone() };
        assert_eq!(elsewhere.is_alive(&this), None);

        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = child.id();
        let other = Owner { pid, began: began(pid).unwrap(), ..this.clone() };
        assert_eq!(other.is_alive(&this), Some(true));
        child.kill().unwrap();
        // Dead from here on, whether or not anybody has waited for it.
        let ended = (0..100).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            other.is_alive(&this) == Some(false)
        });
        assert!(ended);
        child.wait().unwrap();
        assert_eq!(other.is_alive(&this), Some(false));
    }
}
