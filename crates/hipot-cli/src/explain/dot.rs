//! The explanation for Graphviz: which variables a function sees together, and which projection
//! gets which shares.
//!
//! Of a function, variables are nodes, pairs of variables with a nonzero weight are edges, as
//! thick as their largest weight. A variable that no feature with nonzero
//! weight mentions is dashed. The graph asks for the layout of `neato`, or of `fdp` if
//! several functions are drawn in clusters.

mod shares;
pub(super) mod style;

use std::fmt::Write;

use style::{NEGATIVE, POSITIVE, escape};

use super::{Explanation, Function, Pair, Variable};

/// With more edges than this, their weights are only in the tooltips.
const MAX_LABELS: usize = 60;

/// The explanation as a graph in the DOT language.
pub(crate) fn dot(explanation: &Explanation) -> String {
    let several = explanation.functions.len() + explanation.partitions.len() > 1;
    let mut text = String::new();
    let mut line = |line: &str| writeln!(text, "{line}").expect("memory can be written");
    line("graph potential {");
    line(&format!("  label=\"{}\";", escape(&explanation.heuristic)));
    line(&format!("  layout={};", if several { "fdp" } else { "neato" }));
    line(
        "  overlap=false; splines=true; sep=\"+12\"; bgcolor=\"#ffffff\"; fontname=\"Helvetica\";",
    );
    line(
        "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#f4f6f8\", color=\"#5b6670\", \
          fontname=\"Helvetica\", fontsize=11];",
    );
    line("  edge [fontname=\"Helvetica\", fontsize=9, fontcolor=\"#30363c\", len=2];");
    for (index, function) in explanation.functions.iter().enumerate() {
        if several {
            line(&format!("  subgraph cluster_{index} {{ label=\"{}\";", escape(&function.spec)));
        }
        draw(index, function, &mut line);
        if several {
            line("  }");
        }
    }
    for (index, partition) in explanation.partitions.iter().enumerate() {
        if several {
            let spec = escape(&partition.spec);
            line(&format!("  subgraph cluster_partition_{index} {{ label=\"{spec}\";"));
        }
        shares::draw(index, partition, &mut line);
        if several {
            line("  }");
        }
    }
    line("}");
    text
}

fn draw(number: usize, function: &Function, line: &mut impl FnMut(&str)) {
    for (index, variable) in function.variables.iter().enumerate() {
        line(&node(&format!("f{number}v{index}"), variable));
    }
    let heaviest = function.pairs.iter().map(|pair| pair.weight.near().abs()).fold(0.0, f64::max);
    for pair in &function.pairs {
        line(&edge(number, pair, heaviest, function.pairs.len() <= MAX_LABELS));
    }
}

fn node(id: &str, variable: &Variable) -> String {
    let name = variable.name_beside_title().map(escape);
    let name = name.map_or(String::new(), |name| format!("\\n{name}"));
    let label = escape(&variable.title) + &name;
    let style = if variable.strongest.is_zero() { ", style=\"rounded,dashed\"" } else { "" };
    let values: Vec<String> = variable.values.iter().map(|value| escape(&value.name)).collect();
    format!("  {id} [label=\"{label}\", tooltip=\"{}\"{style}];", values.join("\\n"))
}

fn edge(number: usize, pair: &Pair, heaviest: f64, has_label: bool) -> String {
    let Pair { first, second, weight, .. } = pair;
    let label = if has_label { format!("label=\"{weight}\", ") } else { String::new() };
    let share = weight.near().abs() / heaviest;
    let width = 0.3 + 5.7 * share;
    // Weak edges are pale: they may be what rounding left.
    let alpha = if share < 0.1 { "50" } else { "" };
    let color = if weight.is_negative() { NEGATIVE } else { POSITIVE };
    let tooltip = format!("{}: {weight}", escape(&pair.feature));
    format!(
        "  f{number}v{first} -- f{number}v{second} [{label}penwidth={width:.2}, \
         color=\"{color}{alpha}\", tooltip=\"{tooltip}\"];"
    )
}
