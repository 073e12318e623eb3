//! The memory limit, in a process of its own: other tests would count too.
#![cfg(target_os = "linux")]

use hipot_search::{Blind, Outcome, SearchParams, astar};
use hipot_task::{Limits, Packing, Stop, resident_bytes};
use hipot_testing::switches;

#[test]
fn a_memory_limit_is_used_and_kept() {
    // Thirty independent switches: the search never ends by itself.
    let task = switches(30, 1, false);
    let packing = Packing::new(&task);
    let limit = resident_bytes().unwrap() + (100 << 20);
    let limits = Limits::new(None, Some(limit));
    let result = astar(
        &task,
        &packing,
        &mut Blind::new(&task, &packing),
        SearchParams::default(),
        &limits,
        &mut |_| {},
    );
    assert_eq!(result.outcome, Outcome::Stopped(Stop::MemoryLimit));
    // 12 bytes a record, 4 to 10 in the table, 5 in the open list: less than
    // that many states would mean that memory was left unused.
    assert!(result.statistics.evaluated > 3_000_000, "{}", result.statistics.evaluated);
    let peak = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = peak.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak << 10 < limit + (20 << 20), "{peak} kB, limit {limit}");
}
