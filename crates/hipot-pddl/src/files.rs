//! The file with the domain of a problem.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Whether a file is PDDL, judging by its name.
pub fn is_pddl(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pddl"))
}

/// The file with the domain of a problem: the first in the same folder that
/// has one of the names that Fast Downward looks for.
pub fn domain_beside(problem: &Path) -> Option<PathBuf> {
    let names = domain_names(problem).into_iter();
    names.map(|name| problem.with_file_name(name)).find(|domain| domain.is_file())
}

/// The names that the domain of a problem may have, most likely first; not the problem's own.
pub fn domain_names(problem: &Path) -> Vec<String> {
    let text = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (name, stem) = (text(problem.file_name()), text(problem.file_stem()));
    let extension = text(problem.extension());
    let beginning: String = name.chars().take(3).collect();
    let names = [
        "domain.pddl".to_owned(),
        format!("{stem}-domain.{extension}"),
        format!("{beginning}-domain.pddl"),
        format!("domain_{name}"),
        format!("domain-{name}"),
        name.replace("prob", "domain"),
    ];
    names.into_iter().filter(|other| *other != name).collect()
}
