//! Cost partitionings for Graphviz: projections on one side, operators on the other, and an edge
//! for each share.

use super::super::shares::{Partition, Row, Share};
use super::style::{NEGATIVE, POSITIVE, escape};

/// Draws the projections and operators that are shown, as a part of a graph.
pub(super) fn draw(number: usize, partition: &Partition, line: &mut impl FnMut(&str)) {
    for (index, projection) in partition.projections.shown.iter().enumerate() {
        let label = format!("{}\\nh = {}", escape(&projection.title), projection.initial);
        line(&format!("  p{number}a{index} [label=\"{label}\", fillcolor=\"#e8f0f8\"];"));
    }
    let rows = &partition.operators.shown;
    let all = rows.iter().flat_map(|row| &row.shares);
    let heaviest = all.map(strength).fold(0.0, f64::max);
    for (index, row) in rows.iter().enumerate() {
        line(&node(&format!("p{number}o{index}"), row));
        for share in &row.shares {
            line(&edge(number, index, share, heaviest));
        }
    }
}

fn node(id: &str, row: &Row) -> String {
    let left = row.left.map_or(String::new(), |left| format!(", {left} left"));
    let label = format!("{}\\ncost {}{left}", escape(&row.operator), row.cost);
    format!("  {id} [label=\"{label}\", shape=ellipse, style=filled];")
}

/// The larger of a share's ends, without its sign.
fn strength(share: &Share) -> f64 {
    share.smallest.near().abs().max(share.largest.near().abs())
}

fn edge(number: usize, operator: usize, share: &Share, heaviest: f64) -> String {
    let is_positive = !share.largest.is_negative() && !share.largest.is_zero();
    let color = if is_positive { POSITIVE } else { NEGATIVE };
    let width = 0.3 + 3.7 * strength(share) / heaviest;
    format!(
        "  p{number}a{} -- p{number}o{operator} [label=\"{share}\", penwidth={width:.2}, \
         color=\"{color}\"];",
        share.projection
    )
}
