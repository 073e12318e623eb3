//! The memory limit with several threads, in a process of its own: other tests would count too.
#![cfg(target_os = "linux")]

use hipot_search::{Blind, Outcome, SearchParams, parallel_astar};
use hipot_task::{
    Effect, Fact, Limits, Operator, Packing, Stop, TaskBuilder, Variable, resident_bytes,
};

#[test]
fn a_memory_limit_is_used_and_kept_by_all_threads_together() {
    // Thirty independent switches: the search never ends by itself.
    let mut builder = TaskBuilder::new(false);
    for number in 0..30 {
        builder.add_variable(Variable::new(number.to_string(), ["off", "on"])).unwrap();
    }
    let impossible = builder.add_variable(Variable::new("x", ["no", "yes"])).unwrap();
    builder.set_initial(vec![0; 31]).unwrap();
    builder.set_goal(vec![Fact::new(impossible, 1)]).unwrap();
    for number in 0..30 {
        let switch = |value| builder.fact(number, value).unwrap();
        let (off, on) = (switch(0), switch(1));
        let name = format!("switch {number}");
        let effects = vec![Effect::new(on)];
        let operator = Operator { name, preconditions: vec![off], effects, cost: 1 };
        builder.add_operator(operator).unwrap();
    }
    let task = builder.build();
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
