//! How long Rust takes to evaluate many states: what `experiments/python` compares
//! the Python package with.
//!
//! `evaluate_states TASK.sas SPEC STATES` reads states (32-bit integers, a value for
//! each variable, one state after the other), evaluates them, and prints the processor
//! seconds of the fastest of five runs and the sum of the values.

use std::error::Error;
use std::path::PathBuf;

use hipot::compute::compute;
use hipot::events::Events;
use hipot::heuristic::Computed;
use hipot::input::read_task;
use hipot::settings::Settings;
use hipot::spec::Spec;
use hipot_potential::PotentialHeuristic;
use hipot_task::{Limits, Value};

/// The processor time of this thread: other programs may run meanwhile.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = text.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e9)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [task, spec, states] = arguments.as_slice() else {
        return Err("usage: evaluate_states TASK.sas SPEC STATES".into());
    };
    let limits = Limits::none();
    let task = read_task(&[PathBuf::from(task)], &limits, &Events::none())?.task;
    let spec: Spec = spec.parse()?;
    let computed = compute(&task, &spec, &Settings::default(), &limits)?;
    let Computed::Potential(potential) = computed else { return Err("no potential".into()) };
    let mut heuristic = PotentialHeuristic::new(&potential.function, &task);

    let bytes = std::fs::read(states)?;
    let values: Vec<Value> =
        bytes.as_chunks().0.iter().map(|bytes| Value::from_ne_bytes(*bytes)).collect();
    let mut fastest = f64::INFINITY;
    let mut sum = 0;
    for _ in 0..5 {
        let begin = processor_seconds()?;
        let estimates: Vec<u64> = values
            .chunks_exact(task.variables().len())
            .map(|state| heuristic.estimate_values(state).cost().unwrap_or(u64::MAX))
            .collect();
        fastest = fastest.min(processor_seconds()? - begin);
        sum = estimates.iter().sum();
    }
    println!("{fastest} {sum}");
    Ok(())
}
