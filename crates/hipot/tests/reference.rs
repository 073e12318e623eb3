//! Bounds against an independent program's, where its table lies beside the
//! repository: dimension 1 for every task, dimension 2 for those with LPs
//! that take a moment. `experiments/reference` does all of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use hipot::certificate::certificate;
use hipot::heuristic::{Spec, compute};
use hipot_check::verify;
use hipot_task::{Limits, Task, sas};

/// Plain LPs with more rows are left to the experiment.
const MOST_ROWS: u32 = 9000;

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared")
}

/// Unpacks the tasks into a folder of this test's own.
fn unpack() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference");
    std::fs::create_dir_all(&folder).unwrap();
    let mut tar = Command::new("tar");
    tar.arg("-xJf").arg(shared().join("reference-sas.tar.xz")).arg("-C").arg(&folder);
    assert!(tar.arg("--strip-components=1").status().unwrap().success());
    folder
}

/// The certified bound must be the table's value rounded up, and its
/// certificate must hold.
fn check(name: &str, task: &Task, dimension: usize, expected: &str) {
    let computed = compute(task, &Spec::dimension(dimension), &Limits::none(), None).unwrap();
    let potential = computed.best_potential().expect("no lower dimension took its place");
    let expected: f64 = expected.parse().unwrap();
    let rounded = (expected - 1e-4).ceil().max(0.0);
    let bound = potential.bound().unwrap();
    assert!(
        (bound as f64 - rounded).abs() < 0.5,
        "{name}, dim={dimension}: {bound}, not {expected}"
    );
    let verified = verify(task, &certificate(task, potential));
    assert!(verified.is_ok(), "{name}: {}", verified.unwrap_err());
}

#[test]
fn bounds_are_those_of_the_table() {
    if !shared().join("reference.tsv").exists() {
        println!("skipped: there is no table of reference values beside the repository");
        return;
    }
    let folder = unpack();
    let table = std::fs::read_to_string(shared().join("reference.tsv")).unwrap();
    let mut rows = table.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = rows.next().unwrap().split('\t').collect();
    let column = |name: &str| columns.iter().position(|&column| column == name).unwrap();
    let (pot1, pot2, size) = (column("pot1"), column("pot2"), column("pot2_lp_rows"));
    let mut two_dimensional = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let task = sas::read(&std::fs::read(folder.join(cells[0])).unwrap()).unwrap();
        check(cells[0], &task, 1, cells[pot1]);
        if cells[size].parse().is_ok_and(|rows: u32| rows <= MOST_ROWS) {
            check(cells[0], &task, 2, cells[pot2]);
            two_dimensional += 1;
        }
    }
    assert!(two_dimensional >= 30, "only {two_dimensional} tasks were small enough");
}
