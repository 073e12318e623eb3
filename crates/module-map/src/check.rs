//! The whole check, as `./test` runs it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::cargo::{self, Workspace};
use crate::crate_map::{self, CrateMap, Detail};
use crate::document;
use crate::error::Error;
use crate::rules;

/// The document that the maps are drawn in, relative to the workspace.
const DOCUMENT: &str = "docs/architecture.md";

/// What to do besides checking.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether to bring the document up to date.
    pub write: bool,
    /// How much to say about cycles.
    pub detail: Detail,
}

/// What was found.
#[derive(Debug)]
pub struct Report {
    /// Whether there are no cycles, all rules hold and the document is up to
    /// date.
    pub holds: bool,
    /// What there is to say, line by line.
    pub text: String,
}

/// Checks the workspace that a folder belongs to.
pub fn check(folder: &Path, options: Options) -> Result<Report, Error> {
    let workspace = cargo::workspace(folder)?;
    let mut report = Report { holds: true, text: String::new() };
    let mut parts = BTreeMap::new();
    parts.insert(document::CRATES.to_owned(), document::draw_crates(&workspace));
    let mut cycles = 0;
    for package in &workspace.packages {
        let maps: Vec<CrateMap> = package
            .shipped_targets()
            .map(|target| crate_map::read(&workspace.folder, target))
            .collect::<Result<_, _>>()?;
        cycles += describe(&package.name, &maps, options.detail, &mut report);
        parts.insert(package.name.clone(), draw(&maps));
    }
    for finding in rules::check(&workspace)? {
        report.holds &= finding.holds;
        let _ = writeln!(report.text, "rule: {}", finding.text);
    }
    update_document(&workspace, &parts, options.write, &mut report)?;
    let crates = count(workspace.packages.len(), "crate");
    let _ = writeln!(report.text, "module-map: {} in {crates}", count(cycles, "cycle"));
    Ok(report)
}

/// Says how many modules, imports and cycles a package has, and names the
/// cycles. Returns their number.
fn describe(package: &str, maps: &[CrateMap], detail: Detail, report: &mut Report) -> usize {
    let modules = maps.iter().map(|map| map.modules.len()).sum();
    let imports = maps.iter().map(|map| map.imports.len()).sum();
    let cycles: Vec<String> = maps.iter().flat_map(|map| map.describe_cycles(detail)).collect();
    let (modules, imports) = (count(modules, "module"), count(imports, "import"));
    let found = count(cycles.len(), "cycle");
    let _ = writeln!(report.text, "{package}: {modules}, {imports}, {found}");
    for cycle in &cycles {
        report.holds = false;
        report.text.push_str(cycle);
    }
    cycles.len()
}

/// The part of a package in the document: what it is, and its tables.
fn draw(maps: &[CrateMap]) -> String {
    let mut text = String::new();
    if let Some(first) = maps.first() {
        let _ = writeln!(text, "{}.", document::summary(&first.modules[0].documentation));
    }
    let tables = maps.iter().filter_map(|map| Some((map, document::draw_modules(map)?)));
    for (map, table) in tables {
        if maps.len() > 1 {
            let kind = if map.is_library { "library" } else { "binary" };
            let _ = write!(text, "\nThe {kind} `{}`:\n", map.name);
        }
        let _ = write!(text, "\n{table}");
    }
    text
}

fn update_document(
    workspace: &Workspace,
    parts: &BTreeMap<String, String>,
    write: bool,
    report: &mut Report,
) -> Result<(), Error> {
    let file = workspace.folder.join(DOCUMENT);
    let failed = |cause| Error::File { file: file.clone(), cause };
    let current = match fs::read_to_string(&file) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => String::new(),
        read => read.map_err(failed)?,
    };
    let updated = document::update(&current, parts);
    for name in &updated.unknown {
        report.holds = false;
        let _ = writeln!(report.text, "{DOCUMENT} has a part for `{name}`, which is not a crate");
    }
    if updated.text == current {
        return Ok(());
    }
    if write {
        fs::write(&file, &updated.text).map_err(failed)?;
        let _ = writeln!(report.text, "{DOCUMENT} is written");
    } else {
        report.holds = false;
        let _ = writeln!(
            report.text,
            "{DOCUMENT} is out of date; run `cargo run -p module-map -- --write`"
        );
    }
    Ok(())
}

/// A number with its noun: `1 crate`, `2 crates`.
fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
