//! Formatting keeps every word and comment in order, and does not change what it has made.

use std::fs;
use std::path::{Path, PathBuf};

use hipot_pddl::format::format;

/// The words, parentheses and comments of a text.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        let (code, comment) = match line.find(';') {
            Some(at) => (&line[..at], Some(line[at..].trim_end().to_owned())),
            None => (line, None),
        };
        let spaced = code.replace('(', " ( ").replace(')', " ) ");
        pieces.extend(spaced.split_whitespace().map(str::to_owned));
        pieces.extend(comment);
    }
    pieces
}

fn check(name: &str, text: &str) {
    let Some(formatted) = format(text) else { return };
    assert_eq!(pieces(&formatted), pieces(text), "{name}");
    assert_eq!(format(&formatted).as_deref(), Some(&*formatted), "{name}:\n{formatted}");
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pddl") {
            found.push(path);
        }
    }
}

#[test]
fn of_all_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    files(&root.join("examples"), &mut found);
    assert!(found.len() >= 10);
    // And of the archive, where it is unpacked: every tenth file of a size that is edited by hand.
    let mut archive = Vec::new();
    files(&root.join("target/ipc"), &mut archive);
    archive.sort();
    found.extend(archive.into_iter().step_by(10));
    for file in found {
        let text = fs::read_to_string(&file).unwrap_or_default();
        if text.len() < 100_000 {
            check(&file.display().to_string(), &text);
        }
    }
}

#[test]
fn of_texts_with_comments_in_odd_places() {
    for text in [
        "( ; a\n ; b\n define ; c\n (domain ; d\n x) ; e\n)\n; f",
        "(a ; x\n) (b\n\n\n c)",
        "(:action ; name follows\n go :parameters ; none\n () :effect (and ; both\n (p) ; one\n\n (q)))",
        "(:objects a ; first\n b - t ; its type\n c)",
        ":a (b) :c",
        "(? ?x- -y)",
    ] {
        check(text, text);
    }
}
