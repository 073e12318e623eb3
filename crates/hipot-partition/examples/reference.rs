//! `seq` and `ocp(dim=2)`, with all abstract states and without unreachable
//! ones, against a table of values from an independent program.
//!
//! ```text
//! cargo run --release -p hipot-partition --example reference -- TABLE.tsv FOLDER
//! ```

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hipot_partition::certify::Constraints;
use hipot_partition::operator_cost::Params;
use hipot_partition::projection::AbstractStates;
use hipot_partition::{Error, PartitionHeuristic, ocp, seq};
use hipot_task::{Limits, Rational, Task, sas};

const MAX_TIME: Duration = Duration::from_secs(300);
const MAX_MEMORY: u64 = 4 << 30;

/// Prints a line; whether the value is the table's, or the table has none.
fn compare<C: Constraints>(
    name: &str,
    task: &Task,
    expected: &str,
    new: impl Fn(&Limits) -> Result<PartitionHeuristic<C>, Error>,
) -> bool {
    let begin = Instant::now();
    let limits = Limits::new(Some(begin + MAX_TIME), Some(MAX_MEMORY));
    let mut heuristic = match new(&limits) {
        Ok(heuristic) => heuristic,
        Err(error) => {
            println!("{name}\t{error}");
            return false;
        }
    };
    let bound = heuristic.bound(task.initial());
    let size = heuristic.size();
    let value = bound.value.map_or(f64::INFINITY, Rational::to_f64);
    let is_same = match expected.parse::<f64>() {
        Ok(expected) => (value - expected).abs() <= 1e-5 * (1.0 + expected),
        Err(_) => true,
    };
    println!(
        "{name}\t{}\t{}\t{}\t{value:.6}\t{expected}\t{:?}\t{:.2}\t{}",
        size.rows,
        size.columns,
        size.nonzeros,
        bound.source,
        begin.elapsed().as_secs_f64(),
        if is_same { "" } else { "DIFFERS" },
    );
    is_same
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, table, folder] = &arguments[..] else { panic!("TABLE.tsv FOLDER") };
    let table = std::fs::read_to_string(table).expect("a table");
    let mut rows = table.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = rows.next().expect("a head").split('\t').collect();
    let column = |name: &str| columns.iter().position(|&own| own == name).expect("a column");
    let mut failures = 0;
    println!("task\theuristic\trows\tcolumns\tnonzeros\tvalue\ttable\tsource\tseconds\t");
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let text = std::fs::read(Path::new(folder).join(cells[0])).expect("a task");
        let task = sas::read(&text).expect("a valid task");
        let name = format!("{}\tseq", cells[0]);
        let is_same = compare(&name, &task, cells[column("seq")], |limits| seq(&task, limits));
        failures += u32::from(!is_same);
        for states in [AbstractStates::All, AbstractStates::Reachable] {
            let params = Params { states, ..Params::default() };
            let name = format!("{}\tocp2, {states:?}", cells[0]);
            let is_same =
                compare(&name, &task, cells[column("ocp2")], |limits| ocp(&task, &params, limits));
            failures += u32::from(!is_same);
        }
    }
    println!("{failures} failures");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
