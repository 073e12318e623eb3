//! Tiny workspaces in temporary folders.

use std::fs;
use std::path::Path;

use module_map::{Detail, Options, Report, check};
use tempfile::TempDir;

/// A workspace that is removed when dropped.
pub(crate) struct Workspace(TempDir);

impl Workspace {
    /// A workspace without members and with an empty document.
    pub(crate) fn new() -> Self {
        let workspace = Self(TempDir::new().unwrap());
        workspace.file("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n");
        workspace.file("docs/architecture.md", "");
        workspace
    }

    /// A workspace with one library, `tiny`, given by its source files.
    pub(crate) fn tiny(sources: &[(&str, &str)]) -> Self {
        let workspace = Self::new();
        workspace.package("tiny", "");
        for (name, text) in sources {
            workspace.file(&format!("crates/tiny/src/{name}"), text);
        }
        workspace
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, text: &str) {
        let file = self.0.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Adds a member with an empty library; `rest` continues its manifest.
    pub(crate) fn package(&self, name: &str, rest: &str) {
        let head = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n");
        self.file(&format!("crates/{name}/Cargo.toml"), &(head + rest));
        self.file(&format!("crates/{name}/src/lib.rs"), "//! A library.\n");
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The document as it is.
    pub(crate) fn document(&self) -> String {
        fs::read_to_string(self.0.path().join("docs/architecture.md")).unwrap()
    }

    /// Checks, and brings the document up to date if `write`.
    pub(crate) fn check(&self, write: bool) -> Report {
        check(self.folder(), Options { write, detail: Detail::Shortest }).unwrap()
    }
}
