//! The documents' links lead somewhere, and the book has all pages.
//!
//! Read are all documents of the repository: those in its root, `docs/`, `examples/`,
//! `experiments/` and `fuzz/`. Of each, every relative link must lead to a file or a folder,
//! and every `#anchor` to a heading, named as GitHub and mdbook name them. Code is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root")
}

/// All documents, by their path in the repository.
fn documents() -> BTreeMap<PathBuf, String> {
    let root = root();
    let mut found = BTreeMap::new();
    let folders = ["docs", "examples", "experiments", "fuzz"].map(|folder| root.join(folder));
    let mut open = folders.to_vec();
    let mut files: Vec<PathBuf> = entries(&root).into_iter().filter(|it| it.is_file()).collect();
    while let Some(folder) = open.pop() {
        let (inner, others): (Vec<_>, Vec<_>) =
            entries(&folder).into_iter().partition(|it| it.is_dir());
        // What cargo-fuzz writes is not ours.
        open.extend(inner.into_iter().filter(|it| !it.ends_with("target")));
        files.extend(others);
    }
    for file in files.into_iter().filter(|file| file.extension().is_some_and(|it| it == "md")) {
        let text = fs::read_to_string(&file).expect("a document is readable");
        found.insert(file.strip_prefix(&root).expect("inside").to_owned(), text);
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder is readable");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

/// The lines of a document outside of blocks of code, with their numbers, inline code blanked.
fn prose(text: &str) -> Vec<(usize, String)> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let begin = line.trim_start();
        if begin.starts_with("```") || begin.starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code {
            lines.push((index + 1, without_code(line)));
        }
    }
    lines
}

/// The line with a space instead of each piece of code in backquotes.
fn without_code(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(begin) = rest.find('`') {
        let length = rest[begin..].chars().take_while(|it| *it == '`').count();
        let after = &rest[begin + length..];
        let Some(end) = after.find(&rest[begin..begin + length]) else { break };
        text.push_str(&rest[..begin]);
        text.push(' ');
        rest = &after[end + length..];
    }
    text + rest
}

/// The targets of the links in a line: `[text](target)`, `![text](target)` and `[name]: target`.
fn targets(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    if let Some((name, target)) = line.split_once("]: ")
        && name.starts_with('[')
    {
        found.push(target.trim());
    }
    let mut rest = line;
    while let Some(begin) = rest.find("](") {
        rest = &rest[begin + 2..];
        let mut depth = 0_usize;
        let end = rest.find(|character| {
            match character {
                '(' => depth += 1,
                ')' if depth == 0 => return true,
                ')' => depth -= 1,
                _ => {}
            }
            false
        });
        let Some(end) = end else { break };
        found.extend(rest[..end].split_whitespace().next());
        rest = &rest[end..];
    }
    found
}

/// The anchors of a document: its headings in lower case, with hyphens for spaces and without
/// punctuation. Of several with the same name, the second one ends in `-1`, and so on.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let begin = line.trim_start();
        if begin.starts_with("```") || begin.starts_with("~~~") {
            is_code = !is_code;
        }
        let heading = line.trim_start_matches('#');
        let depth = line.len() - heading.len();
        if is_code || !(1..=6).contains(&depth) || !heading.starts_with(' ') {
            continue;
        }
        let name = anchor(heading.trim());
        let count = counts.entry(name.clone()).or_default();
        found.insert(if *count == 0 { name } else { format!("{name}-{count}") });
        *count += 1;
    }
    found
}

fn anchor(heading: &str) -> String {
    // Of a link in a heading only the text counts.
    let mut text = String::new();
    let mut rest = heading;
    while let Some(begin) = rest.find("](") {
        text.push_str(&rest[..begin]);
        rest = rest[begin..].split_once(')').map_or("", |(_, after)| after);
    }
    let text = (text + rest).to_lowercase();
    let kept = text.chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.map(|it| if it == ' ' { '-' } else { it }).collect()
}

/// The path without `..`, if it stays in the repository.
fn normalized(path: &Path) -> Option<PathBuf> {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => clean.pop().then_some(())?,
            Component::Normal(name) => clean.push(name),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(clean)
}

/// What is wrong with a link of a document.
fn defect(documents: &BTreeMap<PathBuf, String>, document: &Path, target: &str) -> Option<String> {
    let is_outside = ["https://", "http://", "mailto:"].iter().any(|it| target.starts_with(it));
    if is_outside {
        return None;
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(a, b)| (a, Some(b)));
    let folder = document.parent().unwrap_or(Path::new(""));
    let file =
        if path.is_empty() { Some(document.to_owned()) } else { normalized(&folder.join(path)) };
    let Some(file) = file else { return Some("leaves the repository".to_owned()) };
    if !root().join(&file).exists() {
        return Some(format!("there is no {}", file.display()));
    }
    let anchor = anchor?;
    match documents.get(&file) {
        Some(text) if anchors(text).contains(anchor) => None,
        Some(_) => Some(format!("{} has no heading #{anchor}", file.display())),
        None => Some(format!("{} has no headings", file.display())),
    }
}

#[test]
fn every_link_leads_somewhere() {
    let documents = documents();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (document, text) in &documents {
        for (number, line) in prose(text) {
            for target in targets(&line) {
                count += 1;
                if let Some(defect) = defect(&documents, document, target) {
                    wrong.push(format!("{}:{number}: {target}: {defect}", document.display()));
                }
            }
        }
    }
    assert!(count > 400 && documents.len() > 50, "{count} links in {} pages", documents.len());
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// Tables of results, which are named by their date, come with the page that links them.
#[test]
fn the_book_has_all_pages() {
    let documents = documents();
    let summary = Path::new("docs/SUMMARY.md");
    let lines = prose(&documents[summary]);
    let linked = lines.iter().flat_map(|(_, line)| targets(line));
    let linked: Vec<PathBuf> =
        linked.filter_map(|it| normalized(&Path::new("docs").join(it))).collect();
    for document in documents.keys().filter(|it| *it != summary) {
        let name = document.file_name().unwrap_or_default().to_string_lossy();
        let times = linked.iter().filter(|it| *it == document).count();
        let is_result = name.starts_with("20");
        assert_eq!(
            times,
            usize::from(!is_result),
            "{} in {}",
            document.display(),
            summary.display()
        );
    }
}

#[test]
fn links_and_headings_are_understood() {
    let text = "# A `b`, c\n\n## [Two](x.md) (2)\n## Two 2\n```\n# not\n```\n####### nor\n#nor\n";
    let expected = ["a-b-c", "two-2", "two-2-1"].map(str::to_owned);
    assert_eq!(anchors(text), BTreeSet::from(expected));
    assert_eq!(targets("a [b](c.md#d) ![e](f(1).svg \"g\") [h]"), ["c.md#d", "f(1).svg"]);
    assert_eq!(targets("[a]: b.md"), ["b.md"]);
    let text = "`[a](b)` c\n```\n[d](e)\n```\n``[`f](g)`` [h](i)";
    assert_eq!(prose(text), [(1, "  c".to_owned()), (5, "  [h](i)".to_owned())]);
    let documents = BTreeMap::from([(PathBuf::from("docs/lab.md"), "# One\n".to_owned())]);
    for (target, is_right) in [
        ("#one", true),
        ("#two", false),
        ("usage.md", true),
        ("../README.md", true),
        ("../nothing.md", false),
        ("../../outside", false),
        ("/etc/passwd", false),
        ("https://example.org/nothing", true),
        ("../Cargo.toml#one", false),
    ] {
        let found = defect(&documents, Path::new("docs/lab.md"), target);
        assert_eq!(found.is_none(), is_right, "{target}: {found:?}");
    }
}
