//! `seq` and `ocp(dim=2)` against an independent program's values, if its table
//! is next to the repository: `seq` for every task, `ocp(dim=2)` for those whose
//! LPs take a moment. The example `reference` checks all of them.

use std::path::{Path, PathBuf};
use std::process::Command;

use hipot_partition::certify::Constraints;
use hipot_partition::{PartitionHeuristic, Source, ocp, operator_cost, seq};
use hipot_task::{Limits, Task, sas};

/// Tasks whose potentials have LPs with more rows are left to the example.
const MAX_ROWS: u32 = 13_000;

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared")
}

/// Unpacks the tasks into a folder of this test's own.
fn unpack() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("partition-reference");
    std::fs::create_dir_all(&folder).unwrap();
    let mut tar = Command::new("tar");
    tar.arg("-xJf").arg(shared().join("reference-sas.tar.xz")).arg("-C").arg(&folder);
    assert!(tar.arg("--strip-components=1").status().unwrap().success());
    folder
}

/// The certified value must be the table's, up to its six decimals, and never
/// a unit above when rounded up.
fn check<C: Constraints>(
    name: &str,
    task: &Task,
    mut heuristic: PartitionHeuristic<C>,
    expected: &str,
) {
    let bound = heuristic.bound(task.initial());
    let expected: f64 = expected.parse().unwrap();
    let value = bound.value.expect("a plan").to_f64();
    assert_eq!(bound.source, Source::Optimized, "{name}");
    assert!((value - expected).abs() <= 1e-5 * (1.0 + expected), "{name}: {value}, not {expected}");
    let rounded = (expected - 1e-4).ceil().max(0.0);
    let bound = bound.estimate().cost().expect("a plan");
    assert!((bound as f64 - rounded).abs() < 0.5, "{name}: {bound}, not {expected}");
}

#[test]
fn values_are_those_of_the_table() {
    if !shared().join("reference.tsv").exists() {
        println!("skipped: no table of reference values next to the repository");
        return;
    }
    let folder = unpack();
    let table = std::fs::read_to_string(shared().join("reference.tsv")).unwrap();
    let mut rows = table.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = rows.next().unwrap().split('\t').collect();
    let column = |name: &str| columns.iter().position(|&column| column == name).unwrap();
    let (seq_column, ocp_column, size) = (column("seq"), column("ocp2"), column("pot2_lp_rows"));
    let (mut one, mut two) = (0, 0);
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let task = sas::read(&std::fs::read(folder.join(cells[0])).unwrap()).unwrap();
        check(cells[0], &task, seq(&task, &Limits::none()).unwrap(), cells[seq_column]);
        one += 1;
        let is_small = cells[size].parse().is_ok_and(|rows: u32| rows <= MAX_ROWS);
        if is_small && !cells[ocp_column].is_empty() {
            let params = operator_cost::Params::default();
            check(
                cells[0],
                &task,
                ocp(&task, &params, &Limits::none()).unwrap(),
                cells[ocp_column],
            );
            two += 1;
        }
    }
    assert!(one >= 60 && two >= 35, "only {one} and {two} values");
    println!("{one} values of seq, {two} of ocp(dim=2)");
}
