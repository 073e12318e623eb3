//! Log lines about tasks and heuristics.

use std::time::Duration;

use hipot::heuristic::{Computed, Potential, ProvedPart};
use hipot::partitioning::Partitioning;
use hipot::sums::Saturated;
use hipot_abstraction::Abstraction;
use hipot_potential::Extent;
use hipot_task::{Rational, Task};

use crate::wording::counted;

/// Logs what each part of a heuristic is.
pub(super) fn log_heuristic(heuristic: &Computed, decimals: u32) {
    for part in heuristic.parts() {
        match part {
            ProvedPart::Potential(potential) => log_potential(potential, decimals),
            ProvedPart::Partition(partitioning) => log_partitioning(partitioning, decimals),
            ProvedPart::Saturated(saturated) => log_saturated(saturated, decimals),
        }
    }
}

fn log_potential(potential: &Potential, decimals: u32) {
    let report = &potential.report;
    tracing::info!(
        "{}: {}{}, LP with {}, {}, {}, {:.3}s; initial value {}",
        potential.spec,
        counted(potential.function.features().len(), "feature"),
        match report.extent {
            Extent::Complete => String::new(),
            chosen => format!(" on {chosen}"),
        },
        counted(report.size.rows, "row"),
        counted(report.size.columns, "column"),
        counted(report.size.nonzeros, "nonzero"),
        report.seconds,
        shown(potential.exact(), decimals),
    );
}

fn log_partitioning(partitioning: &Partitioning, decimals: u32) {
    tracing::info!(
        "{}: LP with {}, {}, {}, {:.3}s; initial value {}",
        partitioning.spec,
        counted(partitioning.size.rows, "row"),
        counted(partitioning.size.columns, "column"),
        counted(partitioning.size.nonzeros, "nonzero"),
        partitioning.seconds,
        shown(partitioning.exact(), decimals),
    );
}

fn log_saturated(saturated: &Saturated, decimals: u32) {
    let collection = &saturated.collection;
    let states: usize = collection.abstractions().iter().map(Abstraction::size).sum();
    let orders: usize = saturated.sums.iter().map(|sum| sum.tables.len()).sum();
    tracing::info!(
        "{}: {} with {}, {}, {:.3}s; initial value {}",
        saturated.spec,
        counted(collection.len(), "abstraction"),
        counted(states, "state"),
        counted(orders, "order"),
        saturated.seconds,
        shown(saturated.exact(), decimals),
    );
}

/// The value of the initial state, in the problem's unit.
fn shown(exact: Option<Rational>, decimals: u32) -> String {
    exact.map_or("infinity".to_owned(), |value| value.from_units(decimals).to_string())
}

/// Logs the task's sizes.
pub(super) fn log_task(task: &Task, read_time: Duration) {
    tracing::info!(
        "task: {}, {}, {}, {}, read in {:.3}s",
        counted(task.variables().len(), "variable"),
        counted(task.fact_count(), "fact"),
        counted(task.operators().len(), "operator"),
        counted(task.goal().len(), "goal"),
        read_time.as_secs_f64(),
    );
}
