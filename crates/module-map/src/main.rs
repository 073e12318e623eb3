//! The command `module-map`: see the library.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use module_map::{Detail, Options, check};

/// Reads the imports of every crate of the workspace, fails if modules import
/// each other in a cycle, and keeps docs/architecture.md up to date
#[derive(Parser)]
struct Arguments {
    /// Rewrite the generated parts of docs/architecture.md
    #[arg(long)]
    write: bool,
    /// Show every cycle that must be broken, with every line that takes part
    #[arg(long)]
    all: bool,
    /// A folder of the workspace
    #[arg(default_value = ".")]
    folder: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let detail = if arguments.all { Detail::All } else { Detail::Shortest };
    match check(&arguments.folder, Options { write: arguments.write, detail }) {
        Ok(report) => {
            print!("{}", report.text);
            if report.holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("module-map: {error}");
            ExitCode::FAILURE
        }
    }
}
