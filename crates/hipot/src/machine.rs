//! The machine's memory, and this process's share of it.

use std::fs::read_to_string;

/// The memory that a process may use: what the system can give without swapping, within
/// the limits of the control groups. `None` if the system does not say.
pub fn available_memory() -> Option<u64> {
    let info = read_to_string("/proc/meminfo").ok()?;
    let available = kilobytes(&info, "MemAvailable:")?;
    Some(control_group_limits().into_iter().fold(available, u64::min))
}

/// The peak of this process's resident memory, in bytes.
pub fn peak_memory() -> Option<u64> {
    kilobytes(&read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// The number after `key`, which is in kB, in bytes.
fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let number: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(number << 10)
}

/// The limits of the control groups that this process is in, versions 1 and 2.
fn control_group_limits() -> Vec<u64> {
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mut limits = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let file = match controllers {
            "" => format!("/sys/fs/cgroup{path}/memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                format!("/sys/fs/cgroup/memory{path}/memory.limit_in_bytes")
            }
            _ => continue,
        };
        let limit: Option<u64> =
            read_to_string(file).ok().and_then(|text| text.trim().parse().ok());
        limits.extend(limit);
    }
    limits
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_machine_has_memory_and_we_use_some() {
        let (available, peak) = (available_memory().unwrap(), peak_memory().unwrap());
        assert!(available > 1 << 20, "{available}");
        assert!((1 << 18..1 << 40).contains(&peak), "{peak}");
    }

    #[test]
    fn kilobytes_are_found_by_key() {
        assert_eq!(kilobytes("A: 3 kB\nVmHWM:\t  12 kB\n", "VmHWM:"), Some(12 << 10));
        assert_eq!(kilobytes("A: 3 kB\n", "VmHWM:"), None);
    }
}
