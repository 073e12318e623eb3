//! Evaluations a second, warm against cold: one LP that goes on from state to
//! state, against one that starts anew in each. The states are the first of a
//! breadth-first search; cold, every so many-th of them, since it takes long.
//!
//! ```text
//! cargo run --release -p hipot-partition --example warm -- seq|ocp2 STATES TASK.sas…
//! ```

use std::collections::{HashSet, VecDeque};
use std::time::Instant;

use hipot_check::{State, applicable, apply, initial_state};
use hipot_partition::reoptimize::Formulation;
use hipot_partition::{Reoptimized, ocp, operator_cost, seq};
use hipot_task::{Limits, Task, sas};

/// Of so many states one is also evaluated cold.
const STRIDE: usize = 10;

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

fn compare<F: Formulation>(name: &str, states: &[State], new: impl Fn() -> Reoptimized<F>) {
    let mut warm = new();
    let begin = Instant::now();
    let bounds: Vec<_> = states.iter().map(|state| warm.bound(state).estimate()).collect();
    let warm_rate = states.len() as f64 / begin.elapsed().as_secs_f64();
    let mut cold = new();
    let mut cold_states = 0;
    let begin = Instant::now();
    for (state, bound) in states.iter().zip(&bounds).step_by(STRIDE) {
        cold.forget();
        assert_eq!(cold.bound(state).estimate(), *bound, "{name}, {state:?}");
        cold_states += 1;
    }
    let cold_rate = f64::from(cold_states) / begin.elapsed().as_secs_f64();
    let statistics = warm.statistics();
    println!(
        "{name}\t{}\t{}\t{warm_rate:.1}\t{cold_rate:.1}\t{:.1}\t{:.2}\t{}\t{}",
        warm.size().nonzeros,
        states.len(),
        warm_rate / cold_rate,
        statistics.certify_seconds / (statistics.certify_seconds + statistics.lp_seconds),
        statistics.dead_ends,
        statistics.earlier,
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, spec, count, files @ ..] = &arguments[..] else {
        panic!("seq|ocp2 STATES TASK.sas…")
    };
    println!("task\tnonzeros\tstates\twarm/s\tcold/s\tratio\tcertifying\tdead ends\tearlier");
    for file in files {
        let task = sas::read(&std::fs::read(file).expect("a file")).expect("a task");
        let states = breadth_first(&task, count.parse().expect("a number"));
        let params = operator_cost::Params::default();
        let limits = Limits::none();
        match spec.as_str() {
            "seq" => compare(file, &states, || seq(&task, &limits).expect("a task without axioms")),
            "ocp2" => compare(file, &states, || ocp(&task, &params, &limits).expect("small")),
            _ => panic!("seq or ocp2, not {spec}"),
        }
    }
}
