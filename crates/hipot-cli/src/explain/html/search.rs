//! The search: a drawing of the plan with what the heuristic says along it, and
//! the states of each f layer.

use super::super::{Cost, Layer, Search, Step};
use super::charts::Scale;
use super::elements::{Row, bars, escape, push, section};

/// The section about `search`.
pub(super) fn search(search: &Search) -> String {
    let mut content = String::new();
    if !search.plan.is_empty() {
        content += &along_the_plan(search);
    }
    if !search.layers.is_empty() {
        content += &layers(search);
    }
    let summary = format!("A* with this heuristic: {}.", search.summary());
    section("The search", &summary, &content)
}

fn layers(search: &Search) -> String {
    let (_, shown) = search.last_layers();
    let scale = Scale::over(shown.iter().map(|layer| layer.expanded as f64));
    let row = |layer: &Layer| {
        let bar = scale.bar(0.0, layer.expanded as f64, "whole");
        Row::new(format!("f = {}", layer.f), bar, layer.expanded.to_string())
    };
    let rows: Vec<Row> = shown.iter().map(row).collect();
    let hidden = search.hidden_layers();
    let hidden = hidden.map_or(String::new(), |note| format!("<p class=\"hint\">{note}.</p>\n"));
    format!("<h3>States expanded in each f layer</h3>\n{hidden}{}", bars(&rows))
}

/// Two lines over the states of the plan: h* above, h below it.
fn along_the_plan(search: &Search) -> String {
    let (steps, cut) = search.first_steps();
    let mut rows: String = steps.iter().map(table_row).collect();
    if cut > 0 {
        push(&mut rows, &format!("<tr><td>and {cut} more</td></tr>\n"));
    }
    format!(
        "<h3>Along the plan</h3>\n<p class=\"hint\"><span class=\"legend whole\"></span> The \
         remaining cost, and <span class=\"legend positive\"></span> its estimate, which \
         is never higher.</p>\n{}<details><summary>The steps</summary><div class=\"scroll\"><table>\n\
         <tr><th class=\"wide\">action</th><th class=\"right\">left</th>\
         <th class=\"right\">estimate</th></tr>\n{rows}</table></div></details>\n",
        Chart::new(&search.plan).draw(&search.plan)
    )
}

fn table_row(Step { action, left, estimate }: &Step) -> String {
    let action = action.as_deref().map_or("the goal".to_owned(), escape);
    format!(
        "<tr><td>{action}</td><td class=\"right number\">{left}</td>\
         <td class=\"right number\">{estimate}</td></tr>\n"
    )
}

/// The coordinates of the drawing.
struct Chart {
    states: usize,
    highest: Cost,
    /// The x coordinate where the lines begin, right of the numbers.
    left: f64,
}

impl Chart {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 220.0;
    const BOTTOM: f64 = 26.0;
    const MARGIN: f64 = 12.0;
    const MAX_DOTS: usize = 100;

    fn new(plan: &[Step]) -> Self {
        let values = plan.iter().flat_map(|step| [step.left, step.estimate]);
        let highest = values.max_by_key(|value| value.units()).expect("a plan has states");
        let highest = highest.with_units(highest.units().max(1));
        let digits = highest.to_string().len();
        Self { states: plan.len(), highest, left: 20.0 + 8.0 * digits as f64 }
    }

    fn x(&self, index: usize) -> f64 {
        let room = Self::WIDTH - self.left - Self::MARGIN;
        self.left + room * index as f64 / (self.states - 1).max(1) as f64
    }

    fn y(&self, value: Cost) -> f64 {
        let room = Self::HEIGHT - Self::BOTTOM - Self::MARGIN;
        Self::HEIGHT - Self::BOTTOM - room * value.units() as f64 / self.highest.units() as f64
    }

    fn draw(&self, plan: &[Step]) -> String {
        let mut svg = self.axes();
        push(&mut svg, &self.line(plan.iter().map(|step| step.left), "whole"));
        push(&mut svg, &self.line(plan.iter().map(|step| step.estimate), "positive"));
        if plan.len() <= Self::MAX_DOTS {
            let dots = plan.iter().enumerate().map(|(index, step)| self.dot(index, step));
            push(&mut svg, &dots.collect::<String>());
        }
        let (width, height) = (Self::WIDTH, Self::HEIGHT);
        format!(
            "<div class=\"scroll\"><svg class=\"chart\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-label=\"Remaining cost and estimate along the plan\">{svg}</svg></div>\n"
        )
    }

    fn axes(&self) -> String {
        let bottom = self.y(self.highest.with_units(0));
        let (left, right) = (self.left, Self::WIDTH - Self::MARGIN);
        let mut svg = String::new();
        let highest = self.highest.units();
        let mut ticks = vec![0, highest / 2, highest];
        ticks.dedup();
        for value in ticks.into_iter().map(|units| self.highest.with_units(units)) {
            let y = self.y(value);
            push(
                &mut svg,
                &format!(
                    "<line class=\"axis\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\" />"
                ),
            );
            push(
                &mut svg,
                &format!(
                    "<text class=\"end\" x=\"{:.1}\" y=\"{:.1}\">{value}</text>",
                    left - 8.0,
                    y + 4.0
                ),
            );
        }
        let below = bottom + 18.0;
        push(&mut svg, &format!("<text x=\"{left}\" y=\"{below:.1}\">initial state</text>"));
        push(&mut svg, &format!("<text class=\"end\" x=\"{right}\" y=\"{below:.1}\">goal</text>"));
        svg
    }

    fn line(&self, values: impl Iterator<Item = Cost>, class: &str) -> String {
        let point = |(index, value)| format!("{:.1},{:.1}", self.x(index), self.y(value));
        let points: Vec<String> = values.enumerate().map(point).collect();
        format!("<polyline class=\"{class}\" points=\"{}\" />", points.join(" "))
    }

    /// The estimate of a state, with the state's numbers as a tooltip.
    fn dot(&self, index: usize, step: &Step) -> String {
        let Step { action, left, estimate } = step;
        let next =
            action.as_deref().map_or("the goal".to_owned(), |action| format!("then {action}"));
        format!(
            "<g><title>{} left, estimate {}; {}</title><circle class=\"positive\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" /></g>",
            left,
            estimate,
            escape(&next),
            self.x(index),
            self.y(*estimate)
        )
    }
}
