//! `docs/paper-map.md` stays true, in both directions.
//!
//! From the map: every file that it names exists, and defines the item that is
//! named after it. To the map: every tag `[PHB17, …]` in the sources names
//! theorems and equations that have a row, and that row names the tag's file;
//! every test file of a theorem or a proposition is in the map.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const NOT_THERE_YET: &str = "not there yet";

/// The crates that the paper is about.
const CRATES: [&str; 2] = ["crates/hipot-potential", "crates/hipot-partition"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/NAME").to_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A row of the map's table.
struct Row {
    /// What it is about, as `Theorem 1`, `Eq. 8`, …
    about: BTreeSet<String>,
    label: String,
    /// The files and items named in it.
    places: Vec<(String, Option<String>)>,
    tests: Vec<String>,
    text: String,
}

/// What is between backticks.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn place(code: &str) -> (String, Option<String>) {
    match code.split_once("::") {
        Some((file, item)) => (file.to_owned(), Some(item.to_owned())),
        None => (code.to_owned(), None),
    }
}

fn rows() -> Vec<Row> {
    let map = read(&root().join("docs/paper-map.md"));
    let lines = map.lines().filter(|line| line.starts_with('|')).skip(2);
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [about, label, places, tests] = cells[..] else { panic!("four cells: {line}") };
        Row {
            about: references(about),
            label: label.to_owned(),
            places: code(places).map(place).collect(),
            tests: code(tests).map(str::to_owned).collect(),
            text: line.to_owned(),
        }
    };
    lines.map(row).collect()
}

/// `Theorems 3 and 4; Eq. 11–13` as the five things that it names.
fn references(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut kind = None;
    let mut last = 0;
    let mut is_range = false;
    for word in text.split_inclusive([' ', '–', '-', ',', ';', ':', '.']) {
        let name = word.trim_end_matches([' ', '–', '-', ',', ';', ':', '.']);
        match name {
            "Theorem" | "Theorems" => kind = Some("Theorem"),
            "Eq" => kind = Some("Eq."),
            "Corollary" => kind = Some("Corollary"),
            "Proposition" => kind = Some("Proposition"),
            "Definition" => kind = Some("Definition"),
            "" | "and" => {}
            _ => match (name.parse::<u32>(), kind) {
                (Ok(number), Some(kind)) => {
                    let first = if is_range { last + 1 } else { number };
                    found.extend((first..=number).map(|number| format!("{kind} {number}")));
                    last = number;
                }
                _ => kind = None,
            },
        }
        is_range = word.ends_with(['–', '-']);
    }
    found
}

#[test]
fn references_are_understood() {
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(references(text), expected.iter().map(|&name| name.to_owned()).collect());
    };
    check("Theorems 3 and 4.", &["Theorem 3", "Theorem 4"]);
    check("before Eq. 11.", &["Eq. 11"]);
    check("Theorem 6, Corollary 1", &["Theorem 6", "Corollary 1"]);
    check("Theorem 5, Eq. 11–13", &["Theorem 5", "Eq. 11", "Eq. 12", "Eq. 13"]);
    check("Eq. 9; constraint:bound-ge-max", &["Eq. 9"]);
    check("Definition of features", &[]);
    check("Definition 2: h^TCP; Proposition 1", &["Definition 2", "Proposition 1"]);
    let found: Vec<&str> = labels("Eq. 9; `constraint:bound-ge-max`.").collect();
    assert_eq!(found, ["constraint:bound-ge-max"]);
}

/// Whether `source` defines `item`.
fn defines(source: &str, item: &str) -> bool {
    let keywords = ["fn", "struct", "enum", "trait", "const", "type", "mod"];
    keywords.iter().any(|keyword| {
        let definition = format!("{keyword} {item}");
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        source.match_indices(&definition).any(|(at, text)| ends(&source[at + text.len()..]))
    })
}

#[test]
fn every_place_in_the_map_exists() {
    let rows = rows();
    assert!(rows.len() >= 15, "the table has {} rows", rows.len());
    for Row { places, tests, text, .. } in rows {
        if text.contains(NOT_THERE_YET) {
            continue;
        }
        assert!(!places.is_empty() && !tests.is_empty(), "no place or no test: {text}");
        let tests = tests.iter().map(|test| place(test));
        for (file, item) in places.into_iter().chain(tests) {
            let source = read(&root().join(&file));
            if let Some(item) = item {
                let name = item.rsplit("::").next().expect("at least one part");
                assert!(defines(&source, name), "{file} does not define {item}");
            }
        }
    }
}

/// All Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The tags `[PHB17, …]` of a file, what is between the brackets.
fn tags(source: &str) -> Vec<String> {
    let after = source.split("[PHB17, ").skip(1);
    after.map(|text| text.split(']').next().unwrap_or(text).to_owned()).collect()
}

/// The LaTeX labels in a tag: words with a colon inside.
fn labels(tag: &str) -> impl Iterator<Item = &str> {
    let words = tag.split_whitespace().map(|word| word.trim_matches(['`', '.', ',', ';', ':']));
    words.filter(|word| word.contains(':'))
}

#[test]
fn every_tag_is_in_the_map() {
    let rows = rows();
    let mut count = 0;
    for path in CRATES.iter().flat_map(|name| sources(&root().join(name).join("src"))) {
        let file = path.strip_prefix(root()).expect("below the root").display().to_string();
        for tag in tags(&read(&path)) {
            count += 1;
            let named = references(&tag);
            assert!(!named.is_empty(), "{file}: [PHB17, {tag}] names nothing");
            for reference in named {
                let mut of_tag = rows.iter().filter(|row| row.about.contains(&reference));
                let names_file = |row: &Row| row.places.iter().any(|(place, _)| *place == file);
                assert!(of_tag.any(names_file), "{reference} of {file} is not in the map");
            }
            for label in labels(&tag) {
                let has_label = |row: &Row| code(&row.label).any(|own| own == label);
                assert!(rows.iter().any(has_label), "{file}: {label} is not in the map");
            }
        }
    }
    assert!(count >= 8, "only {count} tags were found");
}

#[test]
fn every_test_of_a_theorem_is_in_the_map() {
    let named: BTreeSet<String> = rows().into_iter().flat_map(|row| row.tests).collect();
    for path in CRATES.iter().flat_map(|name| sources(&root().join(name).join("tests"))) {
        let file = path.strip_prefix(root()).expect("below the root").display().to_string();
        if file.contains("theorem_") || file.contains("proposition_") {
            let begins = |test: &String| test.starts_with(&file);
            assert!(named.iter().any(begins), "{file} is not in the map");
        }
    }
}

#[test]
fn all_theorems_and_the_equations_in_use_have_a_row() {
    let about: BTreeSet<String> = rows().into_iter().flat_map(|row| row.about).collect();
    let theorems = (1..=7).map(|number| format!("Theorem {number}"));
    let equations = (1..=16).map(|number| format!("Eq. {number}"));
    let others = ["Corollary 1", "Proposition 1", "Proposition 2", "Definition 1", "Definition 2"];
    for name in theorems.chain(equations).chain(others.map(str::to_owned)) {
        assert!(about.contains(&name), "{name} has no row");
    }
}
