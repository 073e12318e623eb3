//! The memory limit with several threads, in a process of its own: other tests would count too.
#![cfg(target_os = "linux")]

use hipot_search::{Blind, Outcome, SearchParams, parallel_astar};
use hipot_task::{Limits, Packing, Stop, resident_bytes};
use hipot_testing::switches;

#[test]
fn a_memory_limit_is_used_and_kept_by_all_threads_together() {
    // Thirty independent switches: the search never ends by itself.
    let task = switches(30, 1, false);
    let packing = Packing::new(&task);
    let limit = resident_bytes().unwrap() + (150 << 20);
    let limits = Limits::new(None, Some(limit));
    let heuristics = &mut vec![Blind::new(&task, &packing); 3];
    let params = SearchParams::default().into();
    let result = parallel_astar(&task, &packing, heuristics, params, &limits, &mut |_| {});
    assert_eq!(result.outcome, Outcome::Stopped(Stop::MemoryLimit));
    // 12 bytes a record, 4 to 10 in the table, 5 in the open list: less than
    // that many states would mean that memory was left unused.
    assert!(result.statistics.evaluated > 3_000_000, "{}", result.statistics.evaluated);
    let peak = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = peak.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak << 10 < limit + (20 << 20), "{peak} kB, limit {limit}");
}
