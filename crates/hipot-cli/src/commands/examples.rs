//! The examples at the end of each command's help. `tests/help.rs` runs them.

use std::fmt::Write;

use clap::builder::{StyledStr, Styles};

/// Commands under a heading like those that clap writes.
pub(super) fn examples(commands: &[&str]) -> StyledStr {
    let styles = Styles::styled();
    let heading = styles.get_header();
    let mut text = StyledStr::new();
    let _ = write!(text, "{heading}Examples:{heading:#}");
    for command in commands {
        let _ = write!(text, "\n  {command}");
    }
    text
}
