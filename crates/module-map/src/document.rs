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
/// each other, without those that others imply. Optional ones are dotted, and
/// imply nothing.
pub(crate) fn draw_crates(workspace: &Workspace) -> String {
    let packages = &workspace.packages;
    let dependencies = |is_optional: bool| {
        packages.iter().enumerate().flat_map(move |(from, package)| {
            package
                .normal_dependencies()
                .filter(move |dependency| dependency.optional == is_optional)
                .filter_map(|on| packages.iter().position(|package| package.name == on.name))
                .map(move |to| (from, to))
        })
    };
    let needed = Graph::with_edges(packages.len(), dependencies(false));
    let extra = dependencies(true).filter(|&(from, to)| !needed.reaches(from, to));
    let optional = Graph::with_edges(packages.len(), extra);
    let needed = needed.reduced();
    let mut text = "```mermaid\ngraph TD\n".to_owned();
    let mut is_drawn = vec![false; packages.len()];
    for (from, package) in packages.iter().enumerate() {
        for (graph, arrow) in [(&needed, "-->"), (&optional, "-.->")] {
            for &to in graph.successors(from) {
                let _ = writeln!(text, "    {} {arrow} {}", package.name, packages[to].name);
                is_drawn[from] = true;
                is_drawn[to] = true;
            }
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
    let Groups { modules, graph } = groups(map);
    let heights = graph.heights();
    let reduced = graph.reduced();
    let name = |group: usize| modules[group].name();
    let is_used = |group| (0..modules.len()).any(|from| graph.successors(from).contains(&group));
    // A root that only declares modules says nothing here.
    let mut rows: Vec<usize> = (0..modules.len())
        .filter(|&group| group != 0 || is_used(0) || !graph.successors(0).is_empty())
        .collect();
    rows.sort_by_key(|&group| (Reverse(heights[group]), name(group)));
    let mut text = "| layer | module | what it is | uses |\n|---|---|---|---|\n".to_owned();
    for group in rows {
        let module = modules[group];
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
    modules: Vec<&'a FileModule>,
    graph: Graph,
}

/// Collapses submodules into the modules at the top. If those then use each
/// other in a cycle that the files do not have (`a::x` uses `b`, `b` uses
/// `a::y`), submodules that close one are shown on their own (`a::y`), from
/// the lowest layer up, until there is no such cycle.
fn groups(map: &CrateMap) -> Groups<'_> {
    let heights = map.graph().heights();
    let mut alone = BTreeSet::new();
    loop {
        let (modules, group_of) = collapse(map, &alone);
        let edges = map.imports.keys().map(|&(from, to)| (group_of[from], group_of[to]));
        let graph = Graph::with_edges(modules.len(), edges);
        let mut cycle_of = vec![None; modules.len()];
        for (number, component) in graph.cyclic_components().iter().enumerate() {
            for &group in component {
                cycle_of[group] = Some(number);
            }
        }
        let members = |group: usize| -> Vec<usize> {
            (0..group_of.len()).filter(|&id| group_of[id] == group).collect()
        };
        let closes_cycle = |&&(from, to): &&(usize, usize)| {
            let (from, to) = (group_of[from], group_of[to]);
            from != to
                && cycle_of[from].is_some()
                && cycle_of[from] == cycle_of[to]
                && members(to).len() > 1
        };
        let lowest =
            map.imports.keys().filter(closes_cycle).map(|&(_, to)| (heights[to], to)).min();
        match lowest {
            None => return Groups { modules, graph },
            // Nothing else could stand for the rest of its group.
            Some((_, id)) if map.modules[id].path.len() == 1 => alone.extend(members(group_of[id])),
            Some((_, id)) => alone.extend([id]),
        }
    }
}

/// The modules that stand for groups, and the group of each module: its own
/// if it is shown alone, otherwise that of the module at the top.
fn collapse<'a>(map: &'a CrateMap, alone: &BTreeSet<usize>) -> (Vec<&'a FileModule>, Vec<usize>) {
    let mut modules: Vec<&FileModule> = Vec::new();
    let mut group_of = Vec::new();
    for (id, module) in map.modules.iter().enumerate() {
        // A module comes before its submodules.
        let top = &module.path[..module.path.len().min(1)];
        let known = modules.iter().position(|group| group.path == top && !alone.contains(&id));
        group_of.push(known.unwrap_or(modules.len()));
        if known.is_none() {
            modules.push(module);
        }
    }
    (modules, group_of)
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
