//! `seq` and `ocp(dim=2)` against a table of values from an independent
//! program.
//!
//! ```text
//! cargo run --release -p hipot-partition --example reference -- TABLE.tsv FOLDER
//! ```

use std::path::Path;
use std::time::Instant;

use hipot_partition::operator_cost::Params;
use hipot_partition::projection::Scope;
use hipot_partition::reoptimize::Formulation;
use hipot_partition::{Reoptimized, ocp, seq};
use hipot_task::{Limits, Task, sas};

fn show<F: Formulation>(
    name: &str,
    task: &Task,
    expected: &str,
    begin: Instant,
    heuristic: Result<Reoptimized<F>, hipot_partition::Error>,
) {
    let mut heuristic = match heuristic {
        Ok(heuristic) => heuristic,
        Err(error) => {
            println!("{name}\t{error}");
            return;
        }
    };
    let bound = heuristic.bound(task.initial());
    let size = heuristic.formulation().size();
    let value = bound.value.map_or(f64::INFINITY, hipot_partition::Rational::to_f64);
    let verdict = match expected.parse::<f64>() {
        Ok(expected) if (value - expected).abs() > 1e-5 * (1.0 + expected) => "DIFFERS",
        _ => "",
    };
    println!(
        "{name}\t{}\t{}\t{}\t{:.6}\t{value:.6}\t{expected}\t{:?}\t{:.2}\t{:.2}\t{verdict}",
        size.rows,
        size.columns,
        size.nonzeros,
        bound.objective,
        bound.source,
        heuristic.statistics().lp_seconds,
        begin.elapsed().as_secs_f64()
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, table, folder, rest @ ..] = &arguments[..] else { panic!("TABLE.tsv FOLDER") };
    let table = std::fs::read_to_string(table).expect("a table");
    let mut rows = table.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = rows.next().expect("a head").split('\t').collect();
    let column = |name: &str| columns.iter().position(|&own| own == name).expect("a column");
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        if rest.first().is_some_and(|pattern| !cells[0].contains(pattern.as_str())) {
            continue;
        }
        let text = std::fs::read(Path::new(folder).join(cells[0])).expect("a task");
        let task = sas::read(&text).expect("a valid task");
        let limit = || {
            let end = Instant::now() + std::time::Duration::from_secs(60);
            Limits::new(Some(end), Some(4 << 30))
        };
        let begin = Instant::now();
        show(
            &format!("{}\tseq", cells[0]),
            &task,
            cells[column("seq")],
            begin,
            seq(&task, &limit()),
        );
        for scope in [Scope::All, Scope::Reachable] {
            let begin = Instant::now();
            let params = Params { scope, ..Params::default() };
            let name = format!("{}\tocp2 {scope:?}", cells[0]);
            show(&name, &task, cells[column("ocp2")], begin, ocp(&task, &params, &limit()));
        }
    }
}
