//! The reader rejects every file in `malformed/` with exactly the message in
//! `malformed/expected.tsv`, which has rows of file name, tab, message.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hipot_task::sas;

const MIN_FILES: usize = 40;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/malformed")
}

/// The message for each file, by file name.
fn expected_messages() -> BTreeMap<String, String> {
    let table = fs::read_to_string(folder().join("expected.tsv")).expect("expected.tsv is there");
    let mut messages = BTreeMap::new();
    for row in table.lines() {
        let (file, message) = row.split_once('\t').expect("a row is a file, a tab, a message");
        let before = messages.insert(file.to_owned(), message.to_owned());
        assert_eq!(before, None, "expected.tsv has two rows for {file}");
    }
    messages
}

/// The reader's message for each file, by file name.
fn found_messages() -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder()).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
    let is_sas = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "sas");
    paths.filter(is_sas).map(|path| (file_name(&path), message(&path))).collect()
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().expect("a listed path has a name");
    name.to_str().expect("file names are ASCII").to_owned()
}

fn message(path: &Path) -> String {
    let text = fs::read(path).expect("a listed file can be read");
    match sas::read(&text) {
        Ok(_) => "(accepted)".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The rows of `these` that `others` does not have.
fn rows_only_in(these: &BTreeMap<String, String>, others: &BTreeMap<String, String>) -> String {
    let only = these.iter().filter(|(file, message)| others.get(*file) != Some(message));
    let rows: Vec<String> = only.map(|(file, message)| format!("{file}\t{message}")).collect();
    rows.join("\n")
}

#[test]
fn every_file_gives_its_message() {
    let (expected, found) = (expected_messages(), found_messages());
    let (missing, surplus) = (rows_only_in(&expected, &found), rows_only_in(&found, &expected));
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "wrong rows of expected.tsv:\n{missing}\n\nthe messages found instead:\n{surplus}"
    );
}

#[test]
fn the_corpus_is_large_enough() {
    let files = found_messages().len();
    assert!(files >= MIN_FILES, "only {files} files, expected at least {MIN_FILES}");
}
