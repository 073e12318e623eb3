//! The drawings of the page, as SVG that follows the page's colors.
//!
//! Bars are drawings without a view box whose lengths are percentages, so that
//! they stretch with the page; the map has a fixed size and scrolls.

use std::collections::BTreeMap;

use super::super::{Function, Pair, Ratio};
use super::elements::{escape, push, shorten};

/// An interval of numbers that bars are drawn in.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    from: f64,
    to: f64,
}

impl Scale {
    /// From the smallest to the largest of the numbers and 0.
    pub(super) fn over(numbers: impl IntoIterator<Item = f64>) -> Self {
        let empty = Self { from: 0.0, to: 0.0 };
        numbers.into_iter().fold(empty, |scale, number| Self {
            from: scale.from.min(number),
            to: scale.to.max(number),
        })
    }

    /// Where a number lies, in percent.
    fn place(self, number: f64) -> f64 {
        let length = self.to - self.from;
        if length > 0.0 { 100.0 * (number - self.from) / length } else { 0.0 }
    }

    /// A bar from one number to another, and a line at 0.
    pub(super) fn bar(self, from: f64, to: f64, class: &str) -> String {
        let (left, right) = (self.place(from.min(to)), self.place(from.max(to)));
        let zero = self.place(0.0);
        format!(
            "<svg aria-hidden=\"true\"><line class=\"axis\" x1=\"{zero:.2}%\" x2=\"{zero:.2}%\" \
             y1=\"0\" y2=\"100%\" /><rect class=\"{class}\" x=\"{left:.2}%\" y=\"3\" \
             width=\"{:.2}%\" height=\"12\" rx=\"2\" /></svg>",
            right - left
        )
    }
}

/// The color for a number of this sign.
pub(super) fn class(number: Ratio) -> &'static str {
    if number.is_negative() { "negative" } else { "positive" }
}

/// The side of a cell in a map of this many variables.
fn cell_size(variables: usize) -> usize {
    match variables {
        0..=12 => 40,
        13..=20 => 32,
        _ => 20,
    }
}

/// The largest number of variables in a map.
pub(super) const MAX_VARIABLES: usize = 40;

/// The largest number of characters of a label.
const MAX_LABEL: usize = 34;

/// The lower half of the matrix of variables. A cell's color is as strong as the largest
/// weight of a feature with both variables; on the diagonal, of one with this variable
/// alone. The name right of the diagonal labels both row and column.
pub(super) fn map(function: &Function) -> String {
    let shown = strongest(function);
    let pairs: BTreeMap<(usize, usize), &Pair> =
        function.pairs.iter().map(|pair| ((pair.first, pair.second), pair)).collect();
    let alone = |&variable: &usize| largest_alone(function, variable).0;
    let weights = function.pairs.iter().map(|pair| pair.weight);
    let heaviest = weights.chain(shown.iter().map(alone)).map(|weight| weight.near().abs());
    let heaviest = heaviest.fold(0.0, f64::max);
    let labels: Vec<String> =
        shown.iter().map(|&index| shorten(&function.variables[index].title, MAX_LABEL)).collect();
    let cell = cell_size(shown.len());
    let ends = labels.iter().zip(1..).map(|(label, row)| row * cell + 8 * label.chars().count());
    let (width, height) = (ends.max().unwrap_or(0) + 16, shown.len() * cell);
    let mut svg = format!(
        "<svg class=\"map\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"Largest weights between variables\">"
    );
    for (row, &second) in shown.iter().enumerate() {
        for (column, &first) in shown[..=row].iter().enumerate() {
            let square = if row == column {
                Square::alone(function, first)
            } else {
                Square::of_pair(function, first, second, pairs.get(&(first, second)).copied())
            };
            square.draw(&mut svg, (column * cell, row * cell), cell, heaviest);
        }
        let (x, y) = ((row + 1) * cell + 8, row * cell + cell / 2 + 4);
        let label = escape(&labels[row]);
        push(&mut svg, &format!("<text x=\"{x}\" y=\"{y}\">{label}</text>"));
    }
    svg + "</svg>"
}

/// The variables with the largest weights, in their order.
fn strongest(function: &Function) -> Vec<usize> {
    let mut shown: Vec<usize> = (0..function.variables.len()).collect();
    let strength = |&index: &usize| function.variables[index].strongest.near();
    shown.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    shown.truncate(MAX_VARIABLES);
    shown.sort_unstable();
    shown
}

/// The largest weight of a value of the variable alone, and the value's name.
fn largest_alone(function: &Function, variable: usize) -> (Ratio, &str) {
    let variable = &function.variables[variable];
    let mut largest = (Ratio::new(0, 1), variable.title.as_str());
    for value in &variable.values {
        let weight = value.weight.unwrap_or(largest.0);
        if weight.near().abs() > largest.0.near().abs() {
            largest = (weight, &value.name);
        }
    }
    largest
}

struct Square {
    weight: Ratio,
    tooltip: String,
    is_alone: bool,
}

impl Square {
    fn alone(function: &Function, variable: usize) -> Self {
        let (weight, name) = largest_alone(function, variable);
        Self { weight, tooltip: format!("{name}: {weight}"), is_alone: true }
    }

    fn of_pair(function: &Function, first: usize, second: usize, pair: Option<&Pair>) -> Self {
        let title = |index: usize| &function.variables[index].title;
        let tooltip = match pair {
            None => format!("{} and {}: all weights are 0", title(first), title(second)),
            Some(Pair { feature, weight, features: 1, .. }) => format!("{feature}: {weight}"),
            Some(Pair { feature, weight, features, .. }) => {
                format!("{feature}: {weight}, the largest of {features} weights")
            }
        };
        let weight = pair.map_or(Ratio::new(0, 1), |pair| pair.weight);
        Self { weight, tooltip, is_alone: false }
    }

    /// Draws the square with its number, if there is room for it.
    fn draw(&self, svg: &mut String, (x, y): (usize, usize), cell: usize, heaviest: f64) {
        let share = if heaviest > 0.0 { self.weight.near().abs() / heaviest } else { 0.0 };
        let alone = if self.is_alone { " alone" } else { "" };
        let (color, opacity) = if self.weight.is_zero() {
            ("empty", String::new())
        } else {
            (class(self.weight), format!(" fill-opacity=\"{:.2}\"", 0.05 + 0.9 * share))
        };
        push(svg, &format!("<g><title>{}</title>", escape(&self.tooltip)));
        push(
            svg,
            &format!(
                "<rect class=\"{color}{alone}\" x=\"{}\" y=\"{}\" width=\"{side}\" \
                 height=\"{side}\" rx=\"3\"{opacity} />",
                x + 1,
                y + 1,
                side = cell - 2
            ),
        );
        let number = match self.weight.to_string() {
            fraction if fraction.contains('/') => format!("{:.1}", self.weight.near()),
            integer => integer,
        };
        if !self.weight.is_zero() && number.len() * 7 <= cell {
            let strong = if share > 0.55 { " strong" } else { "" };
            let (x, y) = (x + cell / 2, y + cell / 2 + 4);
            let attributes = format!("class=\"inside{strong}\" x=\"{x}\" y=\"{y}\"");
            push(svg, &format!("<text {attributes}>{number}</text>"));
        }
        push(svg, "</g>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_lie_inside() {
        let scale = Scale::over([-1.0, 3.0]);
        assert!((scale.place(0.0) - 25.0).abs() < 1e-9);
        assert!((scale.place(3.0) - 100.0).abs() < 1e-9);
        assert!(scale.bar(-1.0, 0.0, "negative").contains("x=\"0.00%\""));
        assert!(Scale::over([]).bar(0.0, 0.0, "positive").contains("width=\"0.00%\""));
    }

    #[test]
    fn long_labels_are_cut_between_characters() {
        assert_eq!(shorten("short", MAX_LABEL), "short");
        assert_eq!(shorten(&"é".repeat(100), MAX_LABEL).chars().count(), MAX_LABEL);
    }
}
