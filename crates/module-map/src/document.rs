//! The generated parts of `docs/architecture.md`.
//!
//! A crate's part is a table of its top-level modules, with submodules
//! collapsed into them. A drawing of all imports is unreadable beyond a dozen
//! modules, and what matters are the layers: the rows are sorted so that a
//! module uses only rows below its own, and the last column leaves out what
//! the modules in it use themselves (the transitive reduction). The crates are
//! few enough to be drawn.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::cargo::Workspace;
use crate::crate_map::CrateMap;
use crate::graph::Graph;
use crate::tree::FileModule;

/// The name of the part with the drawing of all crates.
pub(crate) const CRATES: &str = "crates";

/// A drawing of the members of a workspace and their normal dependencies on
/// each other, without those that others imply. Optional ones are dotted.
pub(crate) fn draw_crates(workspace: &Workspace) -> String {
    let packages = &workspace.packages;
    let number = |name: &str| packages.iter().position(|package| package.name == name);
    let mut dependencies = BTreeMap::new();
    for (from, package) in packages.iter().enumerate() {
        for dependency in package.normal_dependencies() {
            if let Some(to) = number(&dependency.name) {
                dependencies.insert((from, to), dependency.optional);
            }
        }
    }
    let reduced = Graph::with_edges(packages.len(), dependencies.keys().copied()).reduced();
    let mut text = "```mermaid\ngraph TD\n".to_owned();
    let mut is_drawn = vec![false; packages.len()];
    for (from, package) in packages.iter().enumerate() {
        for &to in reduced.successors(from) {
            let arrow = if dependencies[&(from, to)] { "-.->" } else { "-->" };
            let _ = writeln!(text, "    {} {arrow} {}", package.name, packages[to].name);
            is_drawn[from] = true;
            is_drawn[to] = true;
        }
    }
    for (package, _) in packages.iter().zip(is_drawn).filter(|(_, is_drawn)| !is_drawn) {
        let _ = writeln!(text, "    {}", package.name);
    }
    text.push_str("```\n");
    text
}

/// The table of the modules of a library or a binary; none if it is a single
/// file.
pub(crate) fn draw_modules(map: &CrateMap) -> Option<String> {
    if map.modules.len() < 2 {
        return None;
    }
    let Groups { paths, graph } = groups(map);
    let heights = graph.heights();
    let reduced = graph.reduced();
    let name = |group: usize| paths[group].name();
    let is_used = |group| (0..paths.len()).any(|from| graph.successors(from).contains(&group));
    // A root that only declares modules says nothing here.
    let mut rows: Vec<usize> = (0..paths.len())
        .filter(|&group| group != 0 || is_used(0) || !graph.successors(0).is_empty())
        .collect();
    rows.sort_by_key(|&group| (Reverse(heights[group]), name(group)));
    let mut text = "| layer | module | what it is | uses |\n|---|---|---|---|\n".to_owned();
    for group in rows {
        let module = paths[group];
        let mut uses: Vec<String> =
            reduced.successors(group).iter().map(|&to| format!("`{}`", name(to))).collect();
        uses.sort();
        let file = module.file.display().to_string().replace('\\', "/");
        let (layer, name, uses) = (heights[group], name(group), uses.join(", "));
        let summary = summary(&module.documentation);
        let _ = writeln!(text, "| {layer} | [`{name}`](../{file}) | {summary} | {uses} |");
    }
    Some(text)
}

/// Modules, each with the submodules that are not shown on their own. The
/// first is the root.
struct Groups<'a> {
    paths: Vec<&'a FileModule>,
    graph: Graph,
}

/// Collapses submodules into the modules at the top. If those then use each
/// other in a cycle that the files do not have (`a::x` uses `b`, `b` uses
/// `a::y`), they are shown with their submodules, as deep as it takes.
fn groups(map: &CrateMap) -> Groups<'_> {
    let mut expanded: BTreeSet<&[String]> = BTreeSet::new();
    loop {
        let mut paths: Vec<&FileModule> = Vec::new();
        let mut members = Vec::new();
        for module in &map.modules {
            let mut depth = module.path.len().min(1);
            while depth < module.path.len() && expanded.contains(&module.path[..depth]) {
                depth += 1;
            }
            // A module comes before its submodules.
            let known = paths.iter().position(|group| group.path == module.path[..depth]);
            members.push(known.unwrap_or(paths.len()));
            if known.is_none() {
                paths.push(module);
            }
        }
        let edges = map.imports.keys().map(|&(from, to)| (members[from], members[to]));
        let graph = Graph::with_edges(paths.len(), edges);
        let before = expanded.len();
        for group in graph.cyclic_components().into_iter().flatten() {
            if members.iter().filter(|&&member| member == group).count() > 1 {
                expanded.insert(&paths[group].path);
            }
        }
        if expanded.len() == before {
            return Groups { paths, graph };
        }
    }
}

/// The first sentence of a module's documentation, without the full stop,
/// as it can stand in a cell of a table.
pub(crate) fn summary(documentation: &str) -> String {
    let lines = documentation.trim().lines().map(str::trim);
    let paragraph = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let sentence = first_sentence(&paragraph);
    without_links(sentence.trim_end_matches(['.', ':'])).replace('|', "\\|")
}

/// Text up to the first full stop that ends a sentence.
fn first_sentence(text: &str) -> &str {
    let is_end = |at: &usize| {
        let (before, after) = text.split_at(*at);
        let starts_sentence = after[1..].trim_start().starts_with(|c: char| !c.is_lowercase());
        let is_inside = before.matches('`').count() % 2 == 1
            || before.matches('(').count() > before.matches(')').count();
        after[1..].starts_with(' ') && starts_sentence && !is_inside
    };
    let end = text.match_indices('.').map(|(at, _)| at).find(is_end);
    &text[..end.unwrap_or(text.len())]
}

/// Markdown with the texts of its links only.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let Some(close) = rest[open..].find(']').map(|close| open + close) else { break };
        plain.push_str(&rest[..open]);
        plain.push_str(&rest[open + 1..close]);
        rest = &rest[close + 1..];
        for (left, right) in [('(', ')'), ('[', ']')] {
            if rest.starts_with(left)
                && let Some(end) = rest.find(right)
            {
                rest = &rest[end + 1..];
                break;
            }
        }
    }
    plain + rest
}

/// A document with parts that are replaced, and what is wrong with its parts.
#[derive(Debug)]
pub(crate) struct Updated {
    /// The document as it should be.
    pub text: String,
    /// The parts whose crates are gone.
    pub unknown: Vec<String>,
}

/// Replaces the parts of a document, which lie between
/// `<!-- module-map:NAME -->` and `<!-- /module-map:NAME -->`. A part that it
/// lacks is added at the end under a heading.
pub(crate) fn update(document: &str, parts: &BTreeMap<String, String>) -> Updated {
    let mut text = document.to_owned();
    for (name, part) in parts {
        let (open, close) = markers(name);
        let place = text.find(&open).and_then(|start| {
            let start = start + open.len();
            text[start..].find(&close).map(|end| start..start + end)
        });
        let part = format!("\n{}\n", part.trim_end());
        match place {
            Some(place) => text.replace_range(place, &part),
            None => {
                let _ = write!(text, "\n## `{name}`\n\n{open}{part}{close}\n");
            }
        }
    }
    let named = text.split("<!-- module-map:").skip(1);
    let unknown = named
        .filter_map(|tail| tail.split_once(" -->").map(|(name, _)| name.to_owned()))
        .filter(|name| !parts.contains_key(name))
        .collect();
    Updated { text, unknown }
}

fn markers(name: &str) -> (String, String) {
    (format!("<!-- module-map:{name} -->"), format!("<!-- /module-map:{name} -->"))
}
