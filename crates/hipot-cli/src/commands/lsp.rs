//! `hipot lsp`.

use std::io::{self, BufReader};

use clap::Args;
use hipot::{Failure, Status};

use super::context::Context;
use super::examples::examples;
use crate::version::VERSION;

/// Serve editors with a language server for PDDL
///
/// Editors start it; see docs/editors.md. It shows mistakes and warnings as one types, goes to
/// definitions, completes names, explains them, and formats documents.
#[derive(Debug, Args)]
#[command(after_long_help = examples(&[
    "hipot lsp        # editors start it: docs/editors.md",
]))]
pub(super) struct Arguments {
    /// Talk over standard input and output, which is the only way; editors give it
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(super) fn run(_arguments: &Arguments, context: &Context) -> Result<Status, Failure> {
    let (mut input, mut output) = (BufReader::new(io::stdin()), context.reporter.stream()?);
    match hipot_lsp::run(&mut input, &mut output, VERSION) {
        Ok(true) => Ok(Status::Complete),
        // The protocol wants an exit code of 1 for a client that did not say goodbye.
        Ok(false) => Ok(Status::Invalid),
        Err(error) => {
            context.terminal.clear();
            Err(Failure::Usage(error.to_string()))
        }
    }
}
