//! Scatter plots: one mark per task.
//!
//! Marks are placed on a fine grid, and tasks at the same grid point share a mark. The eye does
//! not see the difference, and browsers can handle the drawing of a hundred thousand runs.

use std::collections::BTreeMap;

use super::axis::Axis;
use super::plots::LINEAR_MAX;
use super::svg::{Drawing, Medium, list, mark, shorten};
use super::{Plot, PlotKind, Report};

/// The length of both axes.
const SIDE: f64 = 340.0;
/// The left and the upper margin.
const ORIGIN: (f64, f64) = (54.0, 10.0);
const WIDTH: f64 = 406.0;
/// The height without the legend.
const HEIGHT: f64 = 396.0;
/// The height of a line of the legend.
const LEGEND_LINE: f64 = 18.0;

/// The values of a task on both axes; `None` if missing.
struct Point {
    x: Option<f64>,
    y: Option<f64>,
    class: &'static str,
}

/// The classes of marks and their meanings, in the order of the legend.
const CLASSES: [(&str, &str); 8] = [
    ("both", "solved by both"),
    ("first", "solved by first only"),
    ("second", "solved by second only"),
    ("neither", "solved by neither"),
    ("perfect", "perfect"),
    ("below", "below h*"),
    ("above", "above h*: wrong"),
    ("unknown", "h* unknown"),
];

/// Draws a plot of two columns, or of one against h*.
pub(super) fn draw(report: &Report, plot: Plot, columns: (usize, usize), medium: Medium) -> String {
    let is_linear = matches!(plot.kind, PlotKind::OptimalLinear | PlotKind::InitialLinear);
    let is_inside = |value: Option<f64>| value.is_some_and(|value| value <= LINEAR_MAX as f64);
    let is_shown = |point: &Point| !is_linear || is_inside(point.x) && is_inside(point.y);
    let points: Vec<Option<Point>> = (0..report.rows.len())
        .map(|row| point(report, plot.kind, columns, row).filter(is_shown))
        .collect();
    let shown = || points.iter().flatten();
    let values = || shown().flat_map(|point| [point.x, point.y]);
    let largest = values().flatten().fold(0.0, f64::max);
    let axis = if is_linear {
        Axis::linear(SIDE, LINEAR_MAX as f64)
    } else {
        let least =
            if let PlotKind::Value(attribute) = plot.kind { attribute.least() } else { 1.0 };
        Axis::from_zero(SIDE, least, largest, values().any(|value| value.is_none()))
    };
    let keys: Vec<(&str, String)> = CLASSES
        .iter()
        .filter(|(class, _)| shown().any(|point| point.class == *class))
        .map(|&(class, words)| (class, in_words(report, columns, class, words)))
        .collect();
    let lines = keys.len().div_ceil(2) as f64;
    let attribute = match plot.kind {
        PlotKind::Value(attribute) => format!(" data-attribute=\"{}\"", attribute.title()),
        _ => String::new(),
    };
    let attributes = format!(
        " data-kind=\"{}\" data-first=\"{}\" data-second=\"{}\"",
        plot.kind.name(),
        columns.0,
        columns.1
    ) + &attribute;
    let size = (WIDTH, HEIGHT + lines * LEGEND_LINE);
    let mut drawing = Drawing::begin(&report.title(plot), size, medium, &attributes);
    let names = axis_names(report, plot.kind, columns);
    frame(&mut drawing, &axis, plot.kind, &names);
    marks(&mut drawing, &axis, &points, medium);
    for (index, (class, words)) in keys.iter().enumerate() {
        let x = ORIGIN.0 + 4.0 + (index % 2) as f64 * WIDTH / 2.2;
        let y = HEIGHT + (index / 2) as f64 * LEGEND_LINE + 4.0;
        drawing.push(&format!("<g aria-hidden=\"true\">{}</g>", mark(class, (x, y), "")));
        drawing.words("key", (x + 9.0, y), words);
    }
    drawing.end()
}

fn point(
    report: &Report,
    kind: PlotKind,
    (first, second): (usize, usize),
    row: usize,
) -> Option<Point> {
    let count = |value: Option<u64>| value.map(|value| value as f64);
    let initial = |column: usize| report.record(row, column)?.measures.initial_h;
    let expanded = |column: usize| {
        let record = report.record(row, column).filter(|_| report.is_solved(row, column))?;
        record.measures.expanded_until_last_jump
    };
    let optimal = report.rows[row].optimal;
    let solved = match (report.is_solved(row, first), report.is_solved(row, second)) {
        (true, true) => "both",
        (true, false) => "first",
        (false, true) => "second",
        (false, false) => "neither",
    };
    let (x, y, class) = match kind {
        PlotKind::OptimalLinear | PlotKind::Optimal => {
            (count(optimal), count(initial(second)), class_against(optimal, initial(second)?))
        }
        PlotKind::Expansions => (count(expanded(first)), count(expanded(second)), solved),
        PlotKind::Value(attribute) => {
            let value = |column: usize| {
                attribute.value(report.record(row, column)?, report.is_solved(row, column))
            };
            (value(first), value(second), solved)
        }
        _ => (count(initial(first)), count(initial(second)), solved),
    };
    (x.is_some() || y.is_some()).then_some(Point { x, y, class })
}

/// The class of an initial value against the optimal cost.
fn class_against(optimal: Option<u64>, initial: u64) -> &'static str {
    match optimal {
        None => "unknown",
        Some(optimal) if initial == optimal => "perfect",
        Some(optimal) if initial < optimal => "below",
        Some(_) => "above",
    }
}

fn in_words(report: &Report, columns: (usize, usize), class: &str, words: &str) -> String {
    match class {
        "first" => format!("only {}", shorten(&report.columns[columns.0].name, 18)),
        "second" => format!("only {}", shorten(&report.columns[columns.1].name, 18)),
        _ => words.to_owned(),
    }
}

fn axis_names(report: &Report, kind: PlotKind, columns: (usize, usize)) -> (String, String) {
    let name = |column: usize| shorten(&report.columns[column].name, 28);
    match kind {
        PlotKind::OptimalLinear | PlotKind::Optimal => {
            ("h*".to_owned(), format!("initial h, {}", name(columns.1)))
        }
        PlotKind::Expansions => {
            (format!("expansions, {}", name(columns.0)), format!("expansions, {}", name(columns.1)))
        }
        PlotKind::Value(attribute) => {
            let title = attribute.title();
            (format!("{title}, {}", name(columns.0)), format!("{title}, {}", name(columns.1)))
        }
        _ => (format!("initial h, {}", name(columns.0)), format!("initial h, {}", name(columns.1))),
    }
}

/// Draws the axes, with their room for 0 and for missing values, and the diagonal.
fn frame(drawing: &mut Drawing, axis: &Axis, kind: PlotKind, names: &(String, String)) {
    let (left, top) = ORIGIN;
    let bottom = top + SIDE;
    let slot = |x: f64, y: f64, width: f64, height: f64| {
        format!("<rect class=\"slot\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")
    };
    if let Some(from) = axis.missing_from() {
        drawing.push(&slot(left + from, top, SIDE - from, SIDE));
        drawing.push(&slot(left, top, SIDE, SIDE - from));
    }
    if let Some(until) = axis.zero_until() {
        drawing.push(&slot(left, top, until, SIDE));
        drawing.push(&slot(left, bottom - until, SIDE, until));
    }
    let missing = match kind {
        PlotKind::Value(attribute) if !attribute.is_of_solved() => "none",
        PlotKind::Initial | PlotKind::Optimal => "none",
        _ => "unsolved",
    };
    for (place, _) in axis.ticks() {
        drawing.line("grid", (left + place, top), (left + place, bottom));
        drawing.line("grid", (left, bottom - place), (left + SIDE, bottom - place));
    }
    for (place, label) in axis.labels(missing) {
        drawing.words("tick x", (left + place, bottom + 15.0), &label);
        if label == missing {
            drawing.upright_words("tick x", (left - 6.0, bottom - place), &label);
        } else {
            drawing.words("tick y", (left - 6.0, bottom - place), &label);
        }
    }
    drawing.line("diagonal", (left, bottom), (left + SIDE, top));
    drawing.push(&slot(left, top, SIDE, SIDE).replace("\"slot\"", "\"frame\""));
    drawing.words("name", (left + SIDE / 2.0, bottom + 34.0), &names.0);
    drawing.upright_words("name", (12.0, top + SIDE / 2.0), &names.1);
}

/// Draws the marks, class by class, so that later classes lie on top.
fn marks(drawing: &mut Drawing, axis: &Axis, points: &[Option<Point>], medium: Medium) {
    let step = if points.len() > 5000 { 1.5 } else { 0.5 };
    let on_grid = |value: Option<f64>| (axis.place(value) / step).round();
    for (class, _) in CLASSES {
        let mut shared: BTreeMap<(i64, i64), Vec<u32>> = BTreeMap::new();
        for (row, point) in points.iter().enumerate() {
            if let Some(point) = point.as_ref().filter(|point| point.class == class) {
                let place = (on_grid(point.x) as i64, on_grid(point.y) as i64);
                shared.entry(place).or_default().push(row as u32);
            }
        }
        for ((x, y), rows) in shared {
            let place = (ORIGIN.0 + x as f64 * step, ORIGIN.1 + SIDE - y as f64 * step);
            let tasks = match medium {
                Medium::Page => format!(" data-t=\"{}\"", list(&rows)),
                Medium::Paper => String::new(),
            };
            drawing.push(&mark(class, place, &tasks));
        }
    }
}
