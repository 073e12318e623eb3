//! The context-dependency graph as a drawing that follows the page's colors.
//!
//! Vertices are on a circle, in the order of elimination, with their place in σ inside. A
//! circle needs no layout algorithm, and no edge runs behind a third vertex.

use std::f64::consts::{PI, TAU};

use super::super::html::elements::{escape, shorten};
use super::{Graph, Order};

/// The largest number of vertices in a drawing.
const MAX_VERTICES: usize = 24;
/// The largest number of characters of a label.
const MAX_LABEL: usize = 14;

/// The radius of a vertex, and the room around the circle for vertices and labels.
const NODE: f64 = 15.0;
const MARGIN: f64 = 44.0;
/// The width of a character, at most.
const CHARACTER: f64 = 8.5;

/// The vertices that are drawn, in the order of elimination and then those in no context;
/// `None` if they are too many.
fn drawn(graph: &Graph, order: &Order) -> Option<Vec<usize>> {
    let place = |name: &String| graph.vertices.iter().position(|vertex| vertex.name == *name);
    let mut vertices: Vec<usize> = order.variables.iter().filter_map(place).collect();
    if graph.vertices.len() <= MAX_VERTICES {
        let others: Vec<usize> =
            (0..graph.vertices.len()).filter(|index| !vertices.contains(index)).collect();
        vertices.extend(others);
    }
    (vertices.len() <= MAX_VERTICES).then_some(vertices)
}

/// A point on the circle.
struct Point {
    x: f64,
    y: f64,
    angle: f64,
}

/// Points on a circle, and the size of the drawing with labels of this width.
fn points(count: usize, label: f64) -> (Vec<Point>, (f64, f64)) {
    let radius = if count <= 1 { 0.0 } else { (count as f64 * 50.0 / TAU).max(62.0) };
    // Two vertices are side by side.
    let (first, height) = if count == 2 { (PI, 0.0) } else { (-PI / 2.0, radius) };
    let center = (radius + NODE + 12.0 + label, height + MARGIN);
    let point = |index: usize| {
        let angle = first + TAU * index as f64 / count as f64;
        Point { x: center.0 + radius * angle.cos(), y: center.1 + radius * angle.sin(), angle }
    };
    ((0..count).map(point).collect(), (2.0 * center.0, 2.0 * center.1))
}

/// The graph as SVG; `None` if it has too many vertices, or none.
pub(super) fn drawing(graph: &Graph, order: &Order) -> Option<String> {
    let vertices = drawn(graph, order)?;
    if vertices.is_empty() {
        return None;
    }
    let length = |&vertex: &usize| shorten(&graph.vertices[vertex].name, MAX_LABEL).chars().count();
    let longest = vertices.iter().map(length).max().unwrap_or(0);
    let (points, (width, height)) = points(vertices.len(), longest as f64 * CHARACTER);
    let mut svg = format!(
        "<svg class=\"graph\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
         aria-label=\"Context-dependency graph\">"
    );
    let kinds =
        [(&graph.paper.additional, "paper"), (&order.added, "added"), (&graph.edges, "edge")];
    for (edges, class) in kinds {
        for edge in edges {
            let ends = edge.map(|end| vertices.iter().position(|&vertex| vertex == end));
            let [Some(a), Some(b)] = ends else { continue };
            let is_added = class == "paper" && order.added.contains(edge);
            if !is_added {
                svg.push_str(&line(class, &points[a], &points[b]));
            }
        }
    }
    for (place, (&vertex, point)) in vertices.iter().zip(&points).enumerate() {
        let number = (place < order.variables.len()).then_some(place + 1);
        svg.push_str(&node(graph, vertex, number, point));
    }
    Some(svg + "</svg>")
}

fn line(class: &str, a: &Point, b: &Point) -> String {
    format!(
        "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" />",
        a.x, a.y, b.x, b.y
    )
}

fn node(graph: &Graph, vertex: usize, number: Option<usize>, point: &Point) -> String {
    let vertex = &graph.vertices[vertex];
    let (x, y) = (point.x, point.y);
    let (cos, sin) = (point.angle.cos(), point.angle.sin());
    let anchor = match cos {
        cos if cos > 0.3 => "start",
        cos if cos < -0.3 => "end",
        _ => "middle",
    };
    let distance = NODE + 8.0;
    let (label_x, label_y) = (x + distance * cos, y + distance * sin + 4.5 + 4.0 * sin);
    let class = if number.is_some() { "node" } else { "node outside" };
    let number = number.map_or(String::new(), |number| {
        format!("<text class=\"place\" x=\"{x:.1}\" y=\"{:.1}\">{number}</text>", y + 4.5)
    });
    let title = escape(&vertex.label());
    format!(
        "<g><title>{title}</title><circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" \
         r=\"{NODE}\" />{number}<text x=\"{label_x:.1}\" y=\"{label_y:.1}\" \
         text-anchor=\"{anchor}\">{}</text></g>",
        escape(&shorten(&vertex.name, MAX_LABEL))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_and_labels_lie_inside_and_apart() {
        for count in 1..=MAX_VERTICES {
            let label = MAX_LABEL as f64 * CHARACTER;
            let (points, (width, height)) = points(count, label);
            for (index, a) in points.iter().enumerate() {
                assert!(a.x >= NODE + label && a.x <= width - NODE - label, "{count}");
                assert!(a.y >= NODE + 20.0 && a.y <= height - NODE - 20.0, "{count}");
                let distance = |b: &Point| (a.x - b.x).hypot(a.y - b.y);
                assert!(points[index + 1..].iter().all(|b| distance(b) > 3.0 * NODE), "{count}");
            }
        }
    }
}
