//! What can go wrong while reading a workspace.

use std::io;
use std::path::PathBuf;

/// Why a workspace could not be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {cause}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// A source file is not Rust.
    #[error("{}:{}: {cause}", file.display(), cause.span().start().line)]
    Syntax {
        /// The file.
        file: PathBuf,
        /// What the parser said.
        cause: syn::Error,
    },
    /// A module is declared, but it has no file.
    #[error("{}:{line}: no file found for module `{name}`; looked for {}", file.display(), candidates(looked_for))]
    NoModuleFile {
        /// The file that declares the module.
        file: PathBuf,
        /// The line of the declaration.
        line: usize,
        /// The module.
        name: String,
        /// Where it could have been.
        looked_for: Vec<PathBuf>,
    },
    /// A run of `cargo` failed.
    #[error("`cargo {command}` failed: {message}")]
    Cargo {
        /// Its arguments.
        command: String,
        /// What it printed, or why it could not be started.
        message: String,
    },
}

fn candidates(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" and ")
}
