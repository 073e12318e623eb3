//! Cactus plots: how many tasks are solved within a time or a number of expansions.
//!
//! Each solved task is one step of its configuration's curve. In the page, a curve carries the
//! tasks of its steps in order, so that a filter can remove steps.

use std::fmt::Write;

use super::axis::Axis;
use super::svg::{Drawing, Medium, list, shorten};
use super::{Plot, PlotKind, Report};

const WIDTH: f64 = 560.0;
/// The height without the legend.
const HEIGHT: f64 = 342.0;
const ORIGIN: (f64, f64) = (52.0, 10.0);
const ACROSS: f64 = 494.0;
const UP: f64 = 286.0;
/// The height of a line of the legend.
const LEGEND_LINE: f64 = 18.0;
/// The number of colors in `plot.css`, and of kinds of lines in each.
const COLORS: usize = 7;
const KINDS: usize = 3;
/// The number of parts of the vertical axis.
const PARTS: usize = 4;

/// Draws the curves of all configurations.
pub(super) fn draw(report: &Report, plot: Plot, medium: Medium) -> String {
    let curves: Vec<Vec<(f64, u32)>> =
        (0..report.columns.len()).map(|column| steps(report, plot.kind, column)).collect();
    let largest = curves.iter().flatten().map(|&(value, _)| value).fold(0.0, f64::max);
    let axis = match plot.kind {
        PlotKind::SolvedByTime => Axis::between(ACROSS, 0.01, limit(report).max(largest)),
        _ => Axis::from_zero(ACROSS, 1.0, largest, false),
    };
    let solved = curves.iter().map(Vec::len).max().unwrap_or(0);
    let lines = curves.len().div_ceil(3) as f64;
    let attributes = format!(
        " data-kind=\"{}\" data-left=\"{}\" data-bottom=\"{}\" data-right=\"{}\" data-up=\"{UP}\"",
        plot.kind.name(),
        ORIGIN.0,
        ORIGIN.1 + UP,
        ORIGIN.0 + ACROSS
    );
    let size = (WIDTH, HEIGHT + lines * LEGEND_LINE + 4.0);
    let mut drawing = Drawing::begin(&report.title(plot), size, medium, &attributes);
    frame(&mut drawing, &axis, plot.kind, top_count(solved));
    for (column, curve) in curves.iter().enumerate() {
        drawing.push(&path(&axis, curve, column, top_count(solved), medium));
        legend(&mut drawing, column, &report.columns[column].name);
    }
    drawing.end()
}

/// The values at which a configuration has solved one more task, with the tasks.
fn steps(report: &Report, kind: PlotKind, column: usize) -> Vec<(f64, u32)> {
    let value = |row: usize| {
        let record = report.record(row, column).filter(|_| report.is_solved(row, column))?;
        match kind {
            PlotKind::SolvedByTime => Some(record.measures.cpu_seconds),
            _ => record.measures.expanded.map(|count| count as f64),
        }
    };
    let rows = 0..report.rows.len();
    let mut steps: Vec<(f64, u32)> =
        rows.filter_map(|row| Some((value(row)?, row as u32))).collect();
    steps.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    steps
}

/// The longest time limit, in seconds.
fn limit(report: &Report) -> f64 {
    report.records().map(|(_, _, record)| record.limits.time.as_secs_f64()).fold(1.0, f64::max)
}

/// The count at the upper end of the axis: the smallest one that is not below the largest
/// count and whose quarters are round.
fn top_count(largest: usize) -> usize {
    let mut unit = 1;
    loop {
        let steps = [1, 2, 3, 4, 5, 6, 8].map(|digit| PARTS * digit * unit);
        if let Some(&top) = steps.iter().find(|&&top| top >= largest) {
            return top;
        }
        unit *= 10;
    }
}

fn frame(drawing: &mut Drawing, axis: &Axis, kind: PlotKind, top_count: usize) {
    let (left, top) = ORIGIN;
    let bottom = top + UP;
    for (place, _) in axis.ticks() {
        drawing.line("grid", (left + place, top), (left + place, bottom));
    }
    for (place, label) in axis.labels("") {
        drawing.words("tick x", (left + place, bottom + 15.0), &label);
    }
    for part in 0..=PARTS {
        let y = bottom - UP * part as f64 / PARTS as f64;
        drawing.line("grid", (left, y), (left + ACROSS, y));
        drawing.words("tick y count", (left - 6.0, y), &(top_count * part / PARTS).to_string());
    }
    drawing.push(&format!(
        "<rect class=\"frame\" x=\"{left}\" y=\"{top}\" width=\"{ACROSS}\" height=\"{UP}\"/>"
    ));
    let name =
        if kind == PlotKind::SolvedByTime { "processor time in seconds" } else { "expansions" };
    drawing.words("name", (left + ACROSS / 2.0, bottom + 34.0), name);
    drawing.upright_words("name", (14.0, top + UP / 2.0), "tasks solved");
}

/// A curve: it rises at each step, then runs level to the next.
fn path(
    axis: &Axis,
    curve: &[(f64, u32)],
    column: usize,
    top_count: usize,
    medium: Medium,
) -> String {
    let (left, bottom) = (ORIGIN.0, ORIGIN.1 + UP);
    let mut d = format!("M{left} {bottom}");
    for (index, &(value, _)) in curve.iter().enumerate() {
        let x = left + axis.place(Some(value));
        let y = bottom - UP * (index + 1) as f64 / top_count as f64;
        write!(d, "H{x:.1}V{}", tenths(y)).expect("memory can be written");
    }
    write!(d, "H{}", left + ACROSS).expect("memory can be written");
    let tasks: Vec<u32> = curve.iter().map(|&(_, row)| row).collect();
    let tasks = match medium {
        Medium::Page => format!(" data-c=\"{column}\" data-t=\"{}\"", list(&tasks)),
        Medium::Paper => String::new(),
    };
    format!("<path class=\"{}\" d=\"{d}\"{tasks}/>", style(column))
}

/// The classes of a curve. The first seven differ by color and dashes, the next ones also by width.
fn style(column: usize) -> String {
    format!("curve s{} k{}", column % COLORS, column / COLORS % KINDS)
}

/// Rounds as the page's script does.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn legend(drawing: &mut Drawing, column: usize, name: &str) {
    let x = ORIGIN.0 + (column % 3) as f64 * ACROSS / 3.0;
    let y = HEIGHT + (column / 3) as f64 * LEGEND_LINE + 4.0;
    drawing.line(&style(column), (x, y), (x + 30.0, y));
    drawing.words("key", (x + 36.0, y), &shorten(name, 18));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_at_the_top_are_round() {
        let tops = [0, 4, 5, 17, 33, 41, 1000, 33_333].map(top_count);
        assert_eq!(tops, [4, 4, 8, 20, 40, 80, 1200, 40_000]);
    }
}
