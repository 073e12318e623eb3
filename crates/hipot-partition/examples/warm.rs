//! Evaluations a second of processor time: one LP that goes on from state to state (warm),
//! against one that forgets its last solution (restarted), against a new LP in
//! each state (new). The states are the first of a breadth-first search. The slower two
//! evaluate one state in ten and must agree with the first. Tasks with a large LP or few
//! states are left out.
//!
//! ```text
//! cargo run --release -p hipot-partition --example warm -- seq|ocp2 STATES TASK.sas…
//! ```

use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::sync::LazyLock;
use std::time::Instant;

use hipot_check::{State, applicable, apply, initial_state};
use hipot_partition::certify::Constraints;
use hipot_partition::{PartitionHeuristic, ocp, operator_cost, seq};
use hipot_task::{Estimate, Limits, Task, sas};

/// The slower two evaluate one state in so many.
const STRIDE: usize = 10;

/// Fewer states are too few to measure.
const MIN_STATES: usize = 100;

/// The nonzeros of the largest LP that is measured: a larger one takes too long to write
/// anew in each state.
const MAX_NONZEROS: u64 = 16_000;

fn breadth_first(task: &Task, most: usize) -> Vec<State> {
    let initial = initial_state(task);
    let mut seen = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    let mut states = Vec::new();
    while let Some(state) = queue.pop_front() {
        for operator in task.operators().iter().filter(|operator| applicable(operator, &state)) {
            let successor = apply(task, operator, &state);
            if seen.len() < most && seen.insert(successor.clone()) {
                queue.push_back(successor);
            }
        }
        states.push(state);
    }
    states
}

/// Processor time of this thread, so that other processes do not count; elapsed time
/// where the system does not tell. (LPs of this size are solved on this thread.)
fn seconds() -> f64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split_ascii_whitespace().next().and_then(|field| field.parse().ok());
    nanoseconds.map_or_else(|| BEGIN.elapsed().as_secs_f64(), |time: f64| time / 1e9)
}

/// The estimates of some states, and evaluations a second.
fn measure<'a>(
    states: impl Iterator<Item = &'a State>,
    estimate: impl FnMut(&'a State) -> Estimate,
) -> (Vec<Estimate>, f64) {
    let begin = seconds();
    let estimates: Vec<Estimate> = states.map(estimate).collect();
    let rate = estimates.len() as f64 / (seconds() - begin);
    (estimates, rate)
}

fn compare<C: Constraints>(name: &str, states: &[State], new: impl Fn() -> PartitionHeuristic<C>) {
    let mut warm = new();
    if warm.size().nonzeros > MAX_NONZEROS || states.len() < MIN_STATES {
        return;
    }
    let (all, warm_rate) = measure(states.iter(), |state| warm.bound(state).estimate());
    let expected: Vec<Estimate> = all.into_iter().step_by(STRIDE).collect();
    let some = || states.iter().step_by(STRIDE);
    let mut forgetful = new();
    let (restarted, restarted_rate) = measure(some(), |state| {
        forgetful.forget();
        forgetful.bound(state).estimate()
    });
    let (anew, new_rate) = measure(some(), |state| new().bound(state).estimate());
    assert!(restarted == expected && anew == expected, "{name}: values differ");
    let statistics = warm.statistics();
    println!(
        "{name}\t{}\t{}\t{}\t{}\t{warm_rate:.1}\t{restarted_rate:.1}\t{new_rate:.1}\t{:.1}\t{:.1}",
        warm.size().nonzeros,
        states.len(),
        statistics.dead_ends,
        statistics.earlier,
        warm_rate / restarted_rate,
        warm_rate / new_rate,
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, spec, count, files @ ..] = &arguments[..] else {
        panic!("seq|ocp2 STATES TASK.sas…")
    };
    println!(
        "task\tnonzeros\tstates\tdead ends\tearlier\twarm/s\trestarted/s\tnew/s\twarm : restarted\twarm : new"
    );
    for file in files {
        let task = sas::read(&std::fs::read(file).expect("a file")).expect("a task");
        let states = breadth_first(&task, count.parse().expect("a number"));
        let name = Path::new(file).file_stem().expect("a file").to_string_lossy();
        let params = operator_cost::Params::default();
        let limits = Limits::none();
        match spec.as_str() {
            "seq" => compare(&name, &states, || seq(&task, &limits).expect("no axioms")),
            "ocp2" => compare(&name, &states, || ocp(&task, &params, &limits).expect("small")),
            _ => panic!("seq or ocp2, not {spec}"),
        }
    }
}
