//! `hipot manual`: for those who package hipot.

use std::fs::{create_dir_all, write};
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;
use hipot::{Failure, Status};
use serde::Serialize;

use super::context::Context;
use super::examples::examples;

/// Write the manual pages, one for each command
#[derive(Debug, Args)]
#[command(after_long_help = examples(&["hipot manual share/man/man1"]))]
pub(super) struct Arguments {
    /// The folder for them; it is made if it does not exist
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// The result of `hipot manual`, schema `hipot.manual/1`.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    schema: &'static str,
    folder: &'a Path,
}

impl Report<'_> {
    pub(super) const SCHEMA: &'static str = "hipot.manual/1";
}

/// Writes the pages of `command`, which is the whole command line.
pub(super) fn run(
    arguments: &Arguments,
    command: Command,
    context: &Context,
) -> Result<Status, Failure> {
    let folder = &arguments.folder;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    create_dir_all(folder)
        .and_then(|()| write_pages(command, folder))
        .map_err(|error| Failure::Unwritable { file: folder.clone(), error })?;
    context.reporter.write(&Report { schema: Report::SCHEMA, folder }, "")?;
    Ok(Status::Complete)
}

/// Writes the page of a command, and those of the commands below it.
fn write_pages(command: Command, folder: &Path) -> io::Result<()> {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        write_pages(inner.clone(), folder)?;
    }
    let (page, mut text) = (Man::new(command), Vec::new());
    page.render(&mut text)?;
    write(folder.join(page.get_filename()), with_examples(&String::from_utf8_lossy(&text)))
}

/// The page with a section for what stands at the end of the help. Lines of examples stay as they
/// are.
fn with_examples(page: &str) -> String {
    let Some((begin, examples)) = page.split_once(".SH EXTRA\nExamples:\n") else {
        return page.replace(".SH EXTRA\n", ".SH NOTES\n");
    };
    let (examples, rest) = match examples.find("\n.SH ") {
        Some(end) => examples.split_at(end),
        None => (examples, ""),
    };
    format!("{begin}.SH EXAMPLES\n.nf\n{}\n.fi{rest}", examples.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_have_a_section() {
        let page = ".SH OPTIONS\na\n.SH EXTRA\nExamples:\n  b\n  c\n\n";
        let expected = ".SH OPTIONS\na\n.SH EXAMPLES\n.nf\n  b\n  c\n.fi";
        assert_eq!(with_examples(page), expected);
        let more = format!("{}\n.SH VERSION\n1\n", page.trim_end());
        assert_eq!(with_examples(&more), format!("{expected}\n.SH VERSION\n1\n"));
        assert_eq!(with_examples(".SH EXTRA\nd\n"), ".SH NOTES\nd\n");
    }
}
