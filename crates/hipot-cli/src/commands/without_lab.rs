//! `hipot lab` in a build without the feature `lab`: known, but refused.

use std::ffi::OsString;

use clap::Args;
use hipot::{Failure, Status};

use super::context::Context;

pub(super) const SCHEMA: &str = "hipot.lab/1";

/// Run experiments (not part of this build: use the hipot binary)
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A command of the lab and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    words: Vec<OsString>,
}

impl Arguments {
    /// No command of the lab runs before anything else is started.
    #[allow(clippy::unused_self, reason = "the lab's own arguments need it")]
    pub(super) fn run_inner(&self) -> Option<u8> {
        None
    }
}

pub(super) fn run(arguments: &Arguments, _: &Context) -> Result<Status, Failure> {
    let command = arguments.words.first().map(|word| word.to_string_lossy());
    tracing::debug!("lab {}", command.unwrap_or_default());
    Err(Failure::Usage(
        "hipot lab is not part of this build (the Python package has no SQLite): use the hipot \
         binary"
            .to_owned(),
    ))
}
