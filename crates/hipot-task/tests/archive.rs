//! Reads and writes back the reference tasks, which are stored next to the
//! repository, and compares their sizes with the table there.
//!
//! Fast Downward lists prevail conditions in an order of its own and ends the
//! names of operators without arguments with a space; the writer sorts the
//! conditions and leaves out the space. All else comes back byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hipot_task::{Task, sas};

/// Numbers of variables, operators and operators that cost nothing.
type Sizes = [usize; 3];

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared")
}

/// The tasks' sizes as the table gives them, by file name.
fn expected_sizes(table: &str) -> BTreeMap<&str, Sizes> {
    let mut rows = table.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = rows.next().expect("a row of column names").split('\t').collect();
    assert_eq!(columns[..4], ["task", "variables", "operators", "zero_cost_operators"]);
    rows.map(expected_row).collect()
}

fn expected_row(row: &str) -> (&str, Sizes) {
    let cells: Vec<&str> = row.split('\t').collect();
    let size = |column: usize| cells[column].parse().expect("a size is a number");
    (cells[0], [size(1), size(2), size(3)])
}

fn sizes(task: &Task) -> Sizes {
    let free = task.operators().iter().filter(|operator| operator.cost == 0).count();
    [task.variables().len(), task.operators().len(), free]
}

/// Unpacks the archive into a new folder and lists its `.sas` files.
fn unpack(archive: &Path) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference-sas");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the old folder can be removed");
    }
    fs::create_dir_all(&folder).expect("the folder can be made");
    let mut tar = Command::new("tar");
    tar.arg("-xJf").arg(archive).arg("-C").arg(&folder).arg("--strip-components=1");
    assert!(tar.status().expect("tar can be run").success(), "tar failed");
    let entries = fs::read_dir(&folder).expect("the folder can be listed");
    let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "sas")).collect()
}

/// The lines without space at their ends, each operator's prevail conditions
/// sorted.
fn comparable(text: &[u8]) -> Vec<&str> {
    let text = str::from_utf8(text).expect("the reference tasks are ASCII");
    let mut lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    for begin in 0..lines.len() {
        if lines[begin] == "begin_operator" {
            let count: usize = lines[begin + 2].parse().expect("a number of prevail conditions");
            lines[begin + 3..][..count].sort_unstable();
        }
    }
    lines
}

/// Reads and writes one file; its name and sizes.
fn check(path: &Path) -> (String, Sizes) {
    let name = path.file_name().and_then(|name| name.to_str()).expect("names are ASCII");
    let text = fs::read(path).expect("an unpacked file can be read");
    let task = sas::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut written = Vec::new();
    sas::write(&task, &mut written).expect("names that were read can be written");
    assert_eq!(sas::read(&written).as_ref(), Ok(&task), "{name} is read back as another task");
    assert!(comparable(&written) == comparable(&text), "{name} is written back as another text");
    (name.to_owned(), sizes(&task))
}

#[test]
fn reference_tasks_are_read_and_written_back() {
    let (archive, table) = (shared().join("reference-sas.tar.xz"), shared().join("reference.tsv"));
    if !archive.exists() || !table.exists() {
        println!("skipped: the reference tasks are not beside the repository");
        return;
    }
    let table = fs::read_to_string(table).expect("the table can be read");
    let found: BTreeMap<String, Sizes> = unpack(&archive).iter().map(|path| check(path)).collect();
    let found: BTreeMap<&str, Sizes> = found.iter().map(|(name, &n)| (name.as_str(), n)).collect();
    assert!(!found.is_empty(), "the archive holds no task");
    assert_eq!(found, expected_sizes(&table));
}
