//! Which file holds the domain of a problem.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Whether a file is PDDL, by its name.
pub fn is_pddl(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pddl"))
}

/// The domain of a problem, where it stands beside it under one of the names
/// that Fast Downward knows.
pub fn domain_beside(problem: &Path) -> Option<PathBuf> {
    let candidates = domain_names(problem).map(|name| problem.with_file_name(name));
    // A domain is not its own problem.
    candidates.into_iter().find(|domain| domain != problem && domain.is_file())
}

/// The names that the domain of a problem may have, the likeliest first.
fn domain_names(problem: &Path) -> [String; 6] {
    let text = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (name, stem) = (text(problem.file_name()), text(problem.file_stem()));
    let extension = text(problem.extension());
    let beginning: String = name.chars().take(3).collect();
    [
        "domain.pddl".to_owned(),
        format!("{stem}-domain.{extension}"),
        format!("{beginning}-domain.pddl"),
        format!("domain_{name}"),
        format!("domain-{name}"),
        name.replace("prob", "domain"),
    ]
}
