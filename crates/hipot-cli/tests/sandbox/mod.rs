//! `hipot` run in a folder of its own.
#![allow(dead_code, reason = "each test file uses a part of this")]

use std::path::PathBuf;
use std::process::{Child, Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own for each test, and `hipot` run in it.
pub(crate) struct Sandbox(TempDir);

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hipot"));
        command.args(arguments).current_dir(self.0.path());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// `hipot check` on the task and the potential function in `task.sas` and
    /// `potential.json`: exit code and report.
    pub(crate) fn check(&self) -> (i32, Value) {
        let output = self.run(&["check", "--json", "task.sas", "potential.json"]);
        (code(&output), json(&output))
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        std::fs::write(self.path(file), text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.path(file)).unwrap()
    }
}

/// Sends a signal. Every shell has `kill`, also where there is no program of that name.
pub(crate) fn signal(child: &Child, name: &str) {
    let script = format!("kill -{name} {}", child.id());
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub(crate) fn json(output: &Output) -> Value {
    let text = stdout(output);
    assert_eq!(text.lines().count(), 1, "one JSON object: {text}");
    serde_json::from_str(&text).unwrap()
}

/// Every tag is closed by its like, and text has no bare brackets.
pub(crate) fn assert_balanced(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(begin) = rest.find('<') {
        let end = begin + rest[begin..].find('>').expect("a tag ends");
        let tag = &rest[begin + 1..end];
        assert!(!rest[..begin].contains('>') || open.last() == Some(&"style"), "a bare bracket");
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "in {html}");
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?} in {html}");
}
