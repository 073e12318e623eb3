//! The memory limit where others would join one thread, in a process of its own: other tests would
//! count too.
#![cfg(target_os = "linux")]

use hipot_search::{
    Blind, Orbits, Outcome, ParallelParams, SearchParams, StateBudget, ThreadedSearch,
};
use hipot_task::{Limits, Packing, Stop, resident_bytes};
use hipot_testing::switches;

/// States are divided only if there is memory to have them twice for a moment. Otherwise one thread
/// goes on, and uses the memory that there is.
#[test]
fn one_thread_goes_on_if_there_is_no_memory_to_divide_its_states() {
    // Thirty independent switches: the search never ends by itself.
    let task = switches(30, 1, false);
    let packing = Packing::new(&task);
    let budget = StateBudget::default();
    let find = || Orbits::new(&task, &packing, &[]);
    for (megabytes, is_parallel) in [(45, false), (150, true)] {
        let limit = resident_bytes().unwrap() + (megabytes << 20);
        let limits = Limits::new(None, Some(limit));
        let heuristics = &mut vec![Blind::new(&task, &packing); 2];
        // 12 bytes a record, 4 to 10 in the table, 5 in the open list: about 25 megabytes.
        let params = ParallelParams { alone: 3_000_000, ..SearchParams::default().into() };
        let mut search = ThreadedSearch::new(&task, &packing, params).unwrap();
        let scene = (&task, &packing);
        let result = search.advance(scene, heuristics, budget, &find, &limits, &mut |_| {});
        assert_eq!(result.outcome, Outcome::Stopped(Stop::MemoryLimit));
        assert_eq!(search.is_parallel(), is_parallel);
        assert!(result.statistics.evaluated > 1_100_000, "{}", result.statistics.evaluated);
    }
}
