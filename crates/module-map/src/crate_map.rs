//! The modules of one crate, their imports and the cycles among them.

use std::fmt::Write;
use std::path::Path;

use crate::cargo::Target;
use crate::error::Error;
use crate::graph::Graph;
use crate::imports::{self, Imports};
use crate::tree::{self, FileModule};

/// The modules of a library or a binary and who imports whom.
#[derive(Debug)]
pub(crate) struct CrateMap {
    /// The name of the library or binary.
    pub name: String,
    /// Whether it is a library.
    pub is_library: bool,
    /// The modules. The first is the root.
    pub modules: Vec<FileModule>,
    /// Where a module names items of another.
    pub imports: Imports,
}

/// Reads a library or a binary.
pub(crate) fn read(workspace: &Path, target: &Target) -> Result<CrateMap, Error> {
    let mut tree = tree::read(workspace, &target.file)?;
    let imports = imports::find(&mut tree);
    let (name, is_library) = (target.name.clone(), target.is_library());
    Ok(CrateMap { name, is_library, modules: tree.files, imports })
}

/// How much is said about the modules that import each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// One shortest cycle of each component.
    Shortest,
    /// As many cycles as it takes to break all, with every mention.
    All,
}

impl CrateMap {
    /// The modules as a graph.
    pub(crate) fn graph(&self) -> Graph {
        Graph::with_edges(self.modules.len(), self.imports.keys().copied())
    }

    /// Describes the strongly connected components of more than one module.
    pub(crate) fn describe_cycles(&self, detail: Detail) -> Vec<String> {
        let graph = self.graph();
        let describe = |component: Vec<usize>| self.describe_component(&graph, &component, detail);
        graph.cyclic_components().into_iter().map(describe).collect()
    }

    fn describe_component(&self, graph: &Graph, component: &[usize], detail: Detail) -> String {
        let names: Vec<String> = component.iter().map(|&node| self.modules[node].name()).collect();
        let mut text = format!("  cycle among {} modules: {}\n", names.len(), names.join(", "));
        let mut left = graph.clone();
        while let Some(cycle) = left.shortest_cycle(component) {
            let mut edges: Vec<(usize, usize)> =
                cycle.iter().copied().zip(cycle.iter().copied().cycle().skip(1)).collect();
            let shown: Vec<String> =
                cycle.iter().chain(cycle.first()).map(|&node| self.modules[node].name()).collect();
            let _ = writeln!(text, "    {}", shown.join(" → "));
            for edge in &edges {
                self.describe_import(*edge, detail, &mut text);
            }
            if detail == Detail::Shortest {
                break;
            }
            // Most likely the import to get rid of is the smallest one.
            edges.sort_by_key(|edge| self.imports[edge].len());
            left.remove(edges[0].0, edges[0].1);
        }
        text
    }

    fn describe_import(&self, edge: (usize, usize), detail: Detail, text: &mut String) {
        let (from, to) = (&self.modules[edge.0], &self.modules[edge.1]);
        let mentions = &self.imports[&edge];
        let shown = match detail {
            Detail::Shortest => &mentions[..1],
            Detail::All => mentions,
        };
        for mention in shown {
            let _ = write!(text, "      {}:{}: ", from.file.display(), mention.line);
            let _ = writeln!(text, "`{}` names an item of {}", mention.path, to.name());
        }
        let more = mentions.len() - shown.len();
        if more > 0 {
            let _ = writeln!(text, "        and {more} more");
        }
    }
}
