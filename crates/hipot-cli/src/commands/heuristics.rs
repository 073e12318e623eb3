//! `hipot heuristics`, which `hipot help heuristics` shows as well.

use std::fmt::Write;

use clap::Args;
use hipot::spec::reference::{Argument, COMPONENTS, Entry, HEURISTICS};
use hipot::{Failure, Status};
use serde::Serialize;

use super::context::Context;
use super::examples::examples;

/// The heuristics are printed as they are for `--help`; there is nothing to choose.
#[derive(Debug, Args)]
#[command(about = "List all heuristics with their arguments", long_about = text())]
#[command(after_long_help = examples(&[
    "hipot heuristics --json",
    "hipot solve task.sas --heuristic 'max(pot(dim=2), seq)'",
]))]
pub(super) struct Arguments {}

/// All heuristics, schema `hipot.heuristics/1`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schema: &'static str,
    heuristics: &'static [Entry],
    /// What `scp` takes besides `pot`.
    components: &'static [Entry],
}

impl Report {
    pub(super) const SCHEMA: &'static str = "hipot.heuristics/1";
}

pub(super) fn run(_arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let report = Report { schema: Report::SCHEMA, heuristics: HEURISTICS, components: COMPONENTS };
    context.reporter.write(&report, &text())?;
    Ok(Status::Complete)
}

/// The longest line, so that nothing has to be broken again in a terminal of usual width.
const WIDTH: usize = 79;

/// Where what is said about arguments begins.
const COLUMN: usize = 24;

fn text() -> String {
    let begin = "The heuristics of --heuristic SPEC. docs/heuristics.md tells which to take when, and \
                 docs/usage.md has the details.";
    let mut text = wrapped(begin, 0) + "\n\n";
    for entry in HEURISTICS {
        add(&mut text, entry);
    }
    text += "Components of scp, besides pot(…) with objective=initial:\n\n";
    for entry in COMPONENTS {
        add(&mut text, entry);
    }
    text.trim_end().to_owned() + "\n"
}

fn add(text: &mut String, entry: &Entry) {
    let _ = writeln!(text, "{}", entry.forms.join(", "));
    let _ = writeln!(text, "    {}", wrapped(entry.meaning, 4));
    if !entry.arguments.is_empty() {
        text.push('\n');
    }
    for argument in entry.arguments {
        let head = format!("    {}", head(argument));
        let said = wrapped(&meaning(argument), COLUMN);
        let _ = if head.chars().count() + 2 > COLUMN {
            writeln!(text, "{head}\n{:COLUMN$}{said}", "")
        } else {
            writeln!(text, "{head:COLUMN$}{said}")
        };
    }
    text.push('\n');
}

/// An argument as it is typed.
fn head(argument: &Argument) -> String {
    let Argument { name, values, .. } = argument;
    if values.is_empty() { (*name).to_owned() } else { format!("{name}={}", values.join("|")) }
}

fn meaning(argument: &Argument) -> String {
    let default = argument.default.map_or(String::new(), |it| format!(" [default: {it}]"));
    format!("{}{default}", argument.meaning)
}

/// The text in lines of at most [`WIDTH`], all but the first of which begin with `indent` spaces.
/// The first begins in that column, too.
fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = indent;
    for (index, word) in text.split_whitespace().enumerate() {
        let width = word.chars().count();
        if index > 0 && column + 1 + width > WIDTH {
            let _ = write!(lines, "\n{:indent$}", "");
            column = indent;
        } else if index > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += width;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_listed_in_lines_that_fit() {
        let text = text();
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH || line.contains('|'), "{line}");
            assert_eq!(line, line.trim_end());
        }
        for entry in HEURISTICS.iter().chain(COMPONENTS) {
            assert!(entry.forms.iter().all(|form| text.contains(form)), "{}", entry.name);
            for argument in entry.arguments {
                assert!(text.contains(&head(argument)), "{}", argument.name);
            }
        }
    }
}
