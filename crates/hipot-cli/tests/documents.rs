//! The commands in the documents do what the documents say.
//!
//! In `docs/course.md` a block of kind `console` is a session: lines that begin with `$ ` are
//! commands, and what follows is their output, errors included. A line `…` stands for any
//! number of lines, and `…` within a line for any text. `echo $?` shows the last exit code. A
//! block of another kind whose first words before it are a file's name in backquotes and a
//! colon is that file. Commands run in a folder of their own with a link to `examples`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A block of code in a document.
struct Block<'a> {
    kind: &'a str,
    /// The last line of text before it.
    before: &'a str,
    lines: Vec<&'a str>,
    /// The number of its first line.
    line: usize,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let (mut before, mut open) = ("", false);
    for (index, line) in text.lines().enumerate() {
        match line.trim_end().strip_prefix("```") {
            Some(kind) if !open => {
                blocks.push(Block { kind, before, lines: Vec::new(), line: index + 2 });
                open = true;
            }
            Some(_) => open = false,
            None if open => blocks.last_mut().expect("a block is open").lines.push(line),
            None if !line.trim().is_empty() => before = line,
            None => {}
        }
    }
    assert!(!open, "a block is not closed");
    blocks
}

/// Commands, each with its line and the output that the document shows.
fn commands<'a>(block: &Block<'a>) -> Vec<(usize, &'a str, Vec<&'a str>)> {
    let mut commands: Vec<(usize, &str, Vec<&str>)> = Vec::new();
    for (index, line) in block.lines.iter().enumerate() {
        match line.strip_prefix("$ ") {
            Some(command) => commands.push((block.line + index, command, Vec::new())),
            None => commands.last_mut().expect("a command comes first").2.push(line),
        }
    }
    commands
}

/// Whether lines match a pattern in which `…` stands for anything.
fn matches(pattern: &[&str], lines: &[&str]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((&"…", rest)) => (0..=lines.len()).any(|skip| matches(rest, &lines[skip..])),
        Some((first, rest)) => lines.split_first().is_some_and(|(line, others)| {
            matches_line(first, line.trim_end()) && matches(rest, others)
        }),
    }
}

fn matches_line(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(place) = rest.find(part) else { return false };
        rest = &rest[place + part.len()..];
    }
    rest.ends_with(last)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root")
}

/// Runs all commands of a document; returns their number.
fn run(document: &str) -> usize {
    let text = fs::read_to_string(root().join(document)).expect("the document is readable");
    let folder = TempDir::new().expect("a folder");
    std::os::unix::fs::symlink(root().join("examples"), folder.path().join("examples"))
        .expect("a link to the examples");
    let binary = Path::new(env!("CARGO_BIN_EXE_hipot")).parent().expect("a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let (mut count, mut exit_code) = (0, 0);
    for block in blocks(&text) {
        if block.kind != "console" {
            let name = block.before.strip_suffix("`:").and_then(|it| it.rsplit_once('`'));
            if let Some((_, name)) = name {
                let content = block.lines.join("\n") + "\n";
                fs::write(folder.path().join(name), content).expect("the file is writable");
            }
            continue;
        }
        for (line, command, expected) in commands(&block) {
            let script = format!("exec 2>&1\n(exit {exit_code})\n{command}");
            let output = Command::new("sh")
                .args(["-c", &script])
                .current_dir(folder.path())
                .env("PATH", &path)
                .output()
                .expect("a shell");
            exit_code = output.status.code().expect("no signal");
            let found = String::from_utf8(output.stdout).expect("text");
            let found: Vec<&str> = found.lines().collect();
            assert!(
                matches(&expected, &found),
                "{document}:{line}: {command}\nprints\n{}\ninstead of\n{}",
                found.join("\n"),
                expected.join("\n")
            );
            count += 1;
        }
    }
    count
}

#[test]
fn the_course_is_true() {
    assert!(run("docs/course.md") >= 20);
}

#[test]
fn patterns_match_what_they_should() {
    for (pattern, lines, expected) in [
        ("a\n…\nd", "a\nb\nc\nd", true),
        ("a\n…\nd", "a\nd", true),
        ("a\n…", "a", true),
        ("a\n…\nd", "a\nb", false),
        ("in …s", "in 0.1s", true),
        ("in …s, …", "in 0.1s, 5", true),
        ("in …s", "in 0.1", false),
        ("in …s", "on 0.1s", false),
        ("a", "a\nb", false),
        ("", "a", false),
    ] {
        let pattern: Vec<&str> = pattern.lines().collect();
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(matches(&pattern, &lines), expected, "{pattern:?}, {lines:?}");
    }
}

/// The cells of all tables of a document, row by row, without heads.
fn cells(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|line| line.starts_with('|'));
    let cells = |row: &str| -> Vec<String> {
        let row = row.replace("\\|", "\u{0}");
        let inner = row.trim().trim_matches('|');
        inner.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect()
    };
    let rows: Vec<Vec<String>> = rows.map(cells).collect();
    let is_rule = |row: &[String]| row.iter().all(|cell| cell.chars().all(|c| "-:".contains(c)));
    let is_head = |index: usize| rows.get(index + 1).is_some_and(|next| is_rule(next));
    let kept = (0..rows.len()).filter(|&index| !is_head(index) && !is_rule(&rows[index]));
    kept.map(|index| rows[index].clone()).collect()
}

/// Whether `text` is something in backquotes.
fn code(text: &str) -> Option<&str> {
    text.strip_prefix('`')?.strip_suffix('`')
}

#[test]
fn the_checklist_of_the_paper_is_true() {
    let text = fs::read_to_string(root().join("docs/paper-checklist.md")).expect("readable");
    let binary = Path::new(env!("CARGO_BIN_EXE_hipot")).parent().expect("a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let folder = TempDir::new().expect("a folder");
    std::os::unix::fs::symlink(root().join("examples"), folder.path().join("examples"))
        .expect("a link to the examples");
    let (mut done, mut rows) = (BTreeSet::new(), 0);
    for row in cells(&text) {
        let [what, place, command, test, verdict] = &row[..] else { continue };
        rows += 1;
        assert!(!verdict.is_empty() && !verdict.contains("missing"), "{what}: {verdict}");
        for file in [place, test].into_iter().filter_map(|cell| code(cell)) {
            assert!(root().join(file).exists(), "{what}: there is no {file}");
        }
        // Scripts of experiments take hours.
        let Some(command) = code(command).filter(|it| !it.starts_with("python3 ")) else {
            continue;
        };
        if done.insert(command.to_owned()) {
            let output = Command::new("sh")
                .args(["-c", command])
                .current_dir(folder.path())
                .env("PATH", &path)
                .output()
                .expect("a shell");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{what}: {command}: {errors}");
        }
    }
    assert!(rows >= 50 && done.len() >= 30, "{rows} rows, {} commands", done.len());
}
