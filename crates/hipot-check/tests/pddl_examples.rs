//! The examples in PDDL have the costs that their table says.

use std::path::{Path, PathBuf};

use hipot_check::pddl::{Semantics, validate};
use hipot_pddl::{Source, Task, read};
use hipot_task::{Amount, read_plan};
use hipot_testing::pddl::explore;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn task(folder: &str) -> Task {
    let source = |name: &str| Source::open(&examples().join(folder).join(name)).unwrap();
    read(&source("domain.pddl"), &source("problem.pddl"))
        .unwrap_or_else(|errors| panic!("{errors}"))
}

/// Folder and optimal cost, or `unsolvable`, from the table of folders in the README.
fn folders_with_costs() -> Vec<(String, String)> {
    let readme = std::fs::read_to_string(examples().join("README.md")).unwrap();
    let mut rows = Vec::new();
    for line in readme.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let folder = cells[0].trim_matches('`');
        if !folder.contains('.') {
            assert!(cells[3] == "unsolvable" || cells[3].parse::<f64>().is_ok(), "{line}");
            rows.push((folder.to_owned(), cells[3].to_owned()));
        }
    }
    rows
}

#[test]
fn every_folder_has_the_cost_that_its_table_says() {
    let rows = folders_with_costs();
    let entries = std::fs::read_dir(examples()).unwrap();
    let folders = entries.filter(|entry| entry.as_ref().unwrap().path().is_dir());
    assert_eq!(folders.count(), rows.len(), "a row for each folder");
    for (folder, cost) in rows {
        let task = task(&folder);
        let semantics = Semantics::new(&task).unwrap();
        let plan = explore(&semantics, 100_000).unwrap().plan;
        let found = plan.as_ref().map_or("unsolvable".to_owned(), |plan| {
            Amount { units: plan.cost, decimals: task.decimals }.to_string()
        });
        assert_eq!(found, cost, "{folder}");
        if let Some(plan) = plan {
            let text: String = plan.steps.iter().flat_map(|step| ["(", step, ")\n"]).collect();
            assert_eq!(validate(&semantics, &read_plan(&text).unwrap()), Ok(plan.cost), "{folder}");
        }
    }
}
