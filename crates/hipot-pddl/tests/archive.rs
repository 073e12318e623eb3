//! Every task of the planning competitions is read without a complaint. The
//! archive is not part of the repository; without it, the test is skipped.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hipot_pddl::{Source, read};

fn archive() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/ipc")
}

/// The entries of a folder, sorted; none if there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> =
        entries.map(|entry| entry.expect("a folder can be listed").path()).collect();
    paths.sort();
    paths
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("names are ASCII")
}

fn is_problem(path: &Path) -> bool {
    let name = file_name(path);
    path.extension().is_some_and(|extension| extension == "pddl") && !name.contains("domain")
}

/// The file with the domain of a problem.
fn domain_of(problem: &Path) -> PathBuf {
    hipot_pddl::domain_beside(problem)
        .or_else(|| {
            let name = file_name(problem).replace("problem", "domain");
            Some(problem.with_file_name(name)).filter(|path| path != problem && path.exists())
        })
        .unwrap_or_else(|| panic!("no domain found for {}", problem.display()))
}

#[test]
fn every_task_of_the_archive_is_read() {
    let domains = entries(&archive()).into_iter().flat_map(|track| entries(&track));
    let problems = domains.flat_map(|domain| entries(&domain));
    let problems: Vec<_> = problems.filter(|path| is_problem(path)).collect();
    if problems.is_empty() {
        println!("skipped: no archive in {}", archive().display());
        return;
    }
    let begin = Instant::now();
    let mut refused: BTreeMap<PathBuf, String> = BTreeMap::new();
    for problem in &problems {
        let domain = Source::open(&domain_of(problem)).expect("a listed file can be read");
        let problem = Source::open(problem).expect("a listed file can be read");
        if let Err(errors) = read(&domain, &problem) {
            let folder = Path::new(&domain.name).parent().expect("files lie in folders");
            refused.entry(folder.to_owned()).or_insert_with(|| errors.to_string());
        }
    }
    println!("{} tasks in {:.1} s", problems.len(), begin.elapsed().as_secs_f64());
    let messages: Vec<_> = refused.into_values().collect();
    assert!(messages.is_empty(), "refused, one task of each folder:\n{}", messages.join("\n"));
}
