//! Every case in `malformed/` is refused with exactly the message it contains.
//!
//! A case is one file with the parts `=== domain`, `=== problem` and, last,
//! `=== wrong` or `=== unsupported`, followed by the message. A domain or
//! problem that a case leaves out is `domain.pddl` or `problem.pddl` of the
//! folder. With `HIPOT_BLESS=1` in the environment, the test replaces the
//! messages by the actual ones; read them all before you keep them.

use std::fs;
use std::path::{Path, PathBuf};

use hipot_pddl::{Source, read};

const MIN_CASES: usize = 65;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/malformed")
}

fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
    let is_case = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "case");
    let mut paths: Vec<_> = paths.filter(is_case).collect();
    paths.sort();
    paths
}

/// The parts of a case that are given, and where the message begins.
struct Case {
    domain: Vec<u8>,
    problem: Vec<u8>,
    message: usize,
}

/// The part with this title, and where its title begins.
fn part<'a>(text: &'a [u8], title: &str) -> Option<(&'a [u8], usize)> {
    let title = format!("=== {title}\n");
    let begin = text.windows(title.len()).position(|window| window == title.as_bytes())?;
    let rest = &text[begin + title.len()..];
    let length = rest.windows(5).position(|window| window == b"\n=== ");
    Some((length.map_or(rest, |length| &rest[..=length]), begin))
}

fn parse(text: &[u8]) -> Case {
    let valid = |name: &str| fs::read(folder().join(name)).expect("the valid files are there");
    let given = |title: &str| part(text, title).map(|(part, _)| part.to_vec());
    let message = part(text, "wrong").or_else(|| part(text, "unsupported"));
    Case {
        domain: given("domain").unwrap_or_else(|| valid("domain.pddl")),
        problem: given("problem").unwrap_or_else(|| valid("problem.pddl")),
        message: message.map_or(text.len(), |(_, begin)| begin),
    }
}

/// The last part that the case should have.
fn outcome(case: Case) -> String {
    let domain = Source::new("domain.pddl", case.domain);
    let problem = Source::new("problem.pddl", case.problem);
    match read(&domain, &problem) {
        Ok(_) => "=== accepted\n".to_owned(),
        Err(errors) if errors.is_unsupported() => format!("=== unsupported\n{errors}"),
        Err(errors) => format!("=== wrong\n{errors}"),
    }
}

#[test]
fn every_case_gives_its_message() {
    let is_blessed = std::env::var_os("HIPOT_BLESS").is_some();
    let mut differences = Vec::new();
    for path in cases() {
        let text = fs::read(&path).expect("a listed file can be read");
        let case = parse(&text);
        let (input, expected) = text.split_at(case.message);
        let found = outcome(case);
        if found.as_bytes() == expected {
            continue;
        }
        let expected = String::from_utf8_lossy(expected);
        differences.push(format!("{}\n{expected}\nbut found\n{found}", path.display()));
        if is_blessed {
            fs::write(&path, [input, found.as_bytes()].concat()).expect("the case can be written");
        }
    }
    assert!(is_blessed || differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn the_files_that_cases_leave_out_are_valid() {
    let valid = parse(b"");
    assert_eq!(outcome(valid), "=== accepted\n");
}

#[test]
fn the_corpus_is_large_enough() {
    let cases = cases().len();
    assert!(cases >= MIN_CASES, "{cases} cases; expected at least {MIN_CASES}");
}
