//! Measures h² on a `.sas` file and prints one JSON object.
//!
//!     h2 TASK.sas [--time-limit SECONDS] [--memory-limit BYTES]
//!                 [--check yes] [--compare SECONDS]
//!
//! With `--check`, `hipot_check` checks the proof. With `--compare`, the
//! straightforward implementation of the tests also computes forward h², for at
//! most this many seconds, and the two results are compared.

#[path = "../tests/h2/straightforward.rs"]
mod straightforward;

use std::error::Error;
use std::time::{Duration, Instant};

use hipot_analysis::h2::{Direction, H2, Params, h2};
use hipot_analysis::{Mutexes, prune};
use hipot_check::mutexes;
use hipot_task::{FactId, Limits, Task, sas};

struct Arguments {
    task: String,
    time_limit: Duration,
    memory_limit: Option<u64>,
    check: bool,
    compare: Option<Duration>,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut given = std::env::args().skip(1);
    let mut read = Arguments {
        task: given.next().ok_or("expected a .sas file")?,
        time_limit: Params::default().time_limit,
        memory_limit: None,
        check: false,
        compare: None,
    };
    while let Some(option) = given.next() {
        let value = given.next().ok_or_else(|| format!("{option} needs a value"))?;
        match &option[..] {
            "--time-limit" => read.time_limit = Duration::from_secs_f64(value.parse()?),
            "--memory-limit" => read.memory_limit = Some(value.parse()?),
            "--check" => read.check = value == "yes",
            "--compare" => read.compare = Some(Duration::from_secs_f64(value.parse()?)),
            _ => return Err(format!("unknown option {option}").into()),
        }
    }
    Ok(read)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = arguments()?;
    let task = sas::read(&std::fs::read(&arguments.task)?)?;
    let limits = Limits::new(None, arguments.memory_limit);
    let params = Params { time_limit: arguments.time_limit, ..Params::default() };

    let begin = Instant::now();
    let forward = h2(&task, &Params { passes: 1, ..params.clone() }, &limits)?;
    let forward_seconds = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    let all = h2(&task, &params, &limits)?;
    let seconds = begin.elapsed().as_secs_f64();

    print!("{{\"facts\": {}, \"operators\": {}", task.fact_count(), task.operators().len());
    print!(", \"forward_seconds\": {forward_seconds:.4}, \"seconds\": {seconds:.4}");
    print_found(&all);
    print_pruned(&task, &all);
    if arguments.check {
        check(&task, &all)?;
    }
    if let Some(limit) = arguments.compare {
        compare(&task, forward.forward(), limit)?;
    }
    println!("}}");
    Ok(())
}

fn print_found(found: &H2) {
    let layers: Vec<u64> = found.layers().iter().map(|layer| layer.mutexes.count()).collect();
    print!(", \"end\": \"{:?}\", \"layers\": {layers:?}", found.end());
    print!(", \"pairs\": {}", found.mutexes().count());
    print!(", \"dead\": {}", found.mutexes().dead().count());
    print!(", \"useless\": {}", found.useless().len());
}

fn print_pruned(task: &Task, found: &H2) {
    let begin = Instant::now();
    let (facts, operators) = prune(task, found, &Limits::none())
        .map_or((0, 0), |pruned| (pruned.task().fact_count(), pruned.task().operators().len()));
    print!(", \"prune_seconds\": {:.4}", begin.elapsed().as_secs_f64());
    print!(", \"facts_left\": {facts}, \"operators_left\": {operators}");
}

/// Checks the proof.
fn check(task: &Task, found: &H2) -> Result<(), Box<dyn Error>> {
    let begin = Instant::now();
    let mut layers = Vec::new();
    for layer in found.layers() {
        let direction = match layer.direction {
            Direction::Forward => mutexes::Direction::Forward,
            Direction::Backward => mutexes::Direction::Backward,
        };
        layers.push(mutexes::Layer::new(task, direction, layer.mutexes.pairs())?);
    }
    mutexes::check(task, layers)?;
    print!(", \"check_seconds\": {:.4}", begin.elapsed().as_secs_f64());
    Ok(())
}

/// Runs the straightforward implementation and compares its result.
fn compare(task: &Task, found: &Mutexes, limit: Duration) -> Result<(), Box<dyn Error>> {
    let begin = Instant::now();
    let reached = straightforward::reached_pairs(task, Some(begin + limit));
    print!(", \"straightforward_seconds\": {:.4}", begin.elapsed().as_secs_f64());
    print!(", \"straightforward_finished\": {}", reached.is_some());
    let Some(reached) = reached else { return Ok(()) };
    for (p, row) in (0..).zip(&reached) {
        for (q, &reached) in (0..).zip(row) {
            let [p, q] = [p, q].map(|number| found.facts().fact(FactId::new(number)));
            if reached == found.are_mutex(p, q) {
                return Err(format!("the results differ on {p:?}, {q:?}").into());
            }
        }
    }
    Ok(())
}
