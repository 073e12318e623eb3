//! The context-dependency graph for Graphviz.
//!
//! Edges that the induced graph adds along the order are dashed, and those that only the
//! paper's graph has are dotted. A vertex in no context is dashed.

use std::fmt::Write;

use super::super::dot::style::escape;
use super::{OperatorExplanation, View};

/// The explanation as a graph in the DOT language.
pub(crate) fn dot(explanation: &OperatorExplanation) -> String {
    let several = explanation.functions.len() > 1;
    let mut text = String::new();
    let mut line = |line: &str| writeln!(text, "{line}").expect("memory can be written");
    line("graph contexts {");
    line(&format!(
        "  label=\"contexts of {}, {}\";",
        escape(&explanation.operator),
        escape(&explanation.heuristic)
    ));
    line(&format!("  layout={};", if several { "fdp" } else { "neato" }));
    line("  overlap=false; bgcolor=\"#ffffff\"; fontname=\"Helvetica\";");
    line(
        "  node [shape=ellipse, style=filled, fillcolor=\"#f4f6f8\", color=\"#5b6670\", \
         fontname=\"Helvetica\", fontsize=11];",
    );
    line("  edge [len=1.6];");
    for (index, view) in explanation.functions.iter().enumerate() {
        if several {
            line(&format!("  subgraph cluster_{index} {{ label=\"{}\";", escape(&view.spec)));
        }
        draw(index, view, &mut line);
        if several {
            line("  }");
        }
    }
    line("}");
    text
}

fn draw(number: usize, view: &View, line: &mut impl FnMut(&str)) {
    let order = view.order();
    for (index, vertex) in view.graph.vertices.iter().enumerate() {
        let place = order.variables.iter().position(|name| *name == vertex.name);
        let place = place.map_or(String::new(), |place| format!("\\n{}", place + 1));
        let style = if vertex.in_contexts { "" } else { ", style=dashed" };
        let (name, title) = (escape(&vertex.name), escape(&vertex.title));
        line(&format!(
            "  f{number}v{index} [label=\"{name}{place}\", tooltip=\"{title}\"{style}];"
        ));
    }
    let is_added = |edge: &[usize; 2]| order.added.contains(edge);
    let paper = view.graph.paper.additional.iter().filter(|edge| !is_added(edge));
    let solid = view.graph.edges.iter().map(|edge| (edge, ""));
    let dashed = order.added.iter().map(|edge| (edge, " [style=dashed, color=\"#c2571a\"]"));
    let dotted = paper.map(|edge| (edge, " [style=dotted, color=\"#9ba7b3\"]"));
    for ([a, b], style) in solid.chain(dashed).chain(dotted) {
        line(&format!("  f{number}v{a} -- f{number}v{b}{style};"));
    }
}
