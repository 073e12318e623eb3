//! Tells the program its version with the revision that it is built from, where this is
//! a checkout: `0.1.0 (abc1234)`. Results of experiments are traced by it. Without git,
//! or in a package inside somebody else's repository, the version stands alone; a build
//! never fails here.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version = match revision() {
        Some(revision) => format!("{version} ({revision})"),
        None => version,
    };
    println!("cargo::rustc-env=HIPOT_VERSION={version}");
    println!("cargo::rerun-if-changed=build.rs");
    for file in places_of_head() {
        println!("cargo::rerun-if-changed={}", file.display());
    }
}

fn revision() -> Option<String> {
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
    let root = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    if root.join("crates/hipot-cli").canonicalize().ok()? != package.canonicalize().ok()? {
        return None;
    }
    git(&["rev-parse", "--short=7", "HEAD"])
}

/// The files that change when `HEAD` moves: itself with a switch of branches, the branch's
/// own file or the packed ones with a commit, and the log with both. Those that are not
/// there are left out: cargo would build anew each time.
fn places_of_head() -> Vec<PathBuf> {
    let branch = git(&["rev-parse", "--symbolic-full-name", "HEAD"]);
    let names = ["HEAD", "logs/HEAD", "packed-refs"].into_iter().chain(branch.as_deref());
    let paths = names.filter_map(|name| git(&["rev-parse", "--git-path", name]));
    paths.map(PathBuf::from).filter(|path| Path::exists(path)).collect()
}

/// What a git command prints; cargo runs this in the package's folder, where relative
/// paths mean the same to git.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
