//! What `cargo` says about the workspace: its packages, their targets and what
//! they depend on.
//!
//! The packages come from `cargo metadata --no-deps`, so the conventions of
//! `Cargo.toml` (where a library or a binary starts, what is optional) are
//! cargo's and not a copy of them. What a package *reaches* comes from
//! `cargo tree`, because only that resolves the features of one package alone:
//! `cargo metadata` switches on whatever any member of the workspace asks for.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::error::Error;

/// The members of a workspace.
#[derive(Debug, Deserialize)]
pub(crate) struct Workspace {
    /// The folder of the workspace.
    #[serde(rename = "workspace_root")]
    pub folder: PathBuf,
    /// The members, by name.
    pub packages: Vec<Package>,
}

/// A member of the workspace.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    /// Its name, as in `Cargo.toml`.
    pub name: String,
    targets: Vec<Target>,
    dependencies: Vec<Dependency>,
}

/// Something that cargo builds: a library, a binary, a test.
#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    /// Its name.
    pub name: String,
    kind: Vec<String>,
    /// The file that it starts with.
    #[serde(rename = "src_path")]
    pub file: PathBuf,
}

/// What a package names under a heading of dependencies.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    /// The package that it depends on.
    pub name: String,
    kind: Option<String>,
    /// Whether a feature must switch it on.
    pub optional: bool,
}

impl Package {
    /// The library and then the binaries. Build scripts, tests, examples and
    /// benchmarks are left out.
    pub(crate) fn shipped_targets(&self) -> impl Iterator<Item = &Target> {
        let libraries = self.targets.iter().filter(|target| target.is_library());
        let binaries = self.targets.iter().filter(|target| target.is_binary());
        libraries.chain(binaries)
    }

    /// What it depends on when it runs, without build and test dependencies.
    pub(crate) fn normal_dependencies(&self) -> impl Iterator<Item = &Dependency> {
        self.dependencies.iter().filter(|dependency| dependency.kind.is_none())
    }
}

impl Target {
    /// Whether other crates can use it.
    pub(crate) fn is_library(&self) -> bool {
        self.kind.iter().any(|kind| matches!(&**kind, "lib" | "rlib" | "dylib" | "cdylib"))
            || self.kind.iter().any(|kind| matches!(&**kind, "staticlib" | "proc-macro"))
    }

    /// Whether it is a program.
    pub(crate) fn is_binary(&self) -> bool {
        self.kind.iter().any(|kind| kind == "bin")
    }
}

/// Reads the workspace that a folder belongs to.
pub(crate) fn workspace(folder: &Path) -> Result<Workspace, Error> {
    let output = cargo(folder, &["metadata", "--no-deps", "--format-version=1"])?;
    let mut workspace: Workspace = serde_json::from_str(&output).map_err(|cause| Error::Cargo {
        command: "metadata".into(),
        message: format!("unexpected output: {cause}"),
    })?;
    workspace.packages.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(workspace)
}

/// Which features of a package are switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Features {
    /// Those that a plain `cargo build` switches on.
    Default,
    /// All of them.
    All,
}

/// The names of all packages that one package needs when it runs, on any
/// platform, itself included.
pub(crate) fn reachable(
    folder: &Path,
    package: &str,
    features: Features,
) -> Result<BTreeSet<String>, Error> {
    let mut arguments = vec!["tree", "--package", package, "--edges=normal", "--target=all"];
    arguments.extend(["--prefix=none", "--format={p}"]);
    if features == Features::All {
        arguments.push("--all-features");
    }
    let output = cargo(folder, &arguments)?;
    Ok(output.lines().filter_map(|line| line.split_whitespace().next()).map(Into::into).collect())
}

fn cargo(folder: &Path, arguments: &[&str]) -> Result<String, Error> {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let failed = |message| Error::Cargo { command: arguments.join(" "), message };
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .map_err(|cause| failed(cause.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    String::from_utf8(output.stdout).map_err(|cause| failed(cause.to_string()))
}
