//! The operator for people at a terminal.

use std::fmt::Write;

use super::OperatorExplanation;
use super::formulas::{In, auxiliary, constraints, maximum, set, sum};
use super::{
    BucketFunction, Change, Effect, Elimination, Equation, Graph, Order, PaperGraph, Step, View,
};
use crate::wording::counted;

/// Equations that are longer than this are written on several lines.
const MAX_LINE: usize = 90;

/// The explanation as text. Tables and steps are cut after `top` rows.
pub(crate) fn text(explanation: &OperatorExplanation, top: usize) -> String {
    let mut text = String::new();
    for (index, view) in explanation.functions.iter().enumerate() {
        if index > 0 {
            line(&mut text, "");
        }
        let several = explanation.functions.len() > 1;
        let number = if several { format!("=== Function {}: ", index + 1) } else { String::new() };
        let end = if several { " ===" } else { "" };
        line(&mut text, &format!("{number}{}{end}", view.spec));
        head(&mut text, &explanation.operator, view);
        features(&mut text, view, top);
        graph(&mut text, &view.graph);
        orders(&mut text, view);
        match &view.elimination {
            Some(elimination) => steps(&mut text, view, elimination, top),
            None => {
                line(&mut text, "");
                line(&mut text, &view.without_steps());
            }
        }
        line(&mut text, &balance_in_words(view));
    }
    text
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{}", line.trim_end()).expect("memory can be written");
}

/// Writes the first `top` lines, and how many there are more.
fn cut(text: &mut String, indent: &str, lines: impl ExactSizeIterator<Item = String>, top: usize) {
    let more = lines.len().saturating_sub(top);
    for part in lines.take(top) {
        line(text, &format!("{indent}{part}"));
    }
    if more > 0 {
        line(text, &format!("{indent}… and {more} more"));
    }
}

fn head(text: &mut String, name: &str, view: &View) {
    line(text, &format!("Operator {name}: cost {}", view.cost));
    for note in view.notes() {
        line(text, &format!("  {note}"));
    }
    for Change { variable, before, after } in &view.changes {
        let stays = if before == after { " (stays)" } else { "" };
        line(text, &format!("  {variable}: {before} → {after}{stays}"));
    }
}

fn features(text: &mut String, view: &View, top: usize) {
    let partition = &view.features;
    line(text, "");
    line(
        text,
        &format!(
            "Features: {} ({} irrelevant, {} context-independent, {} context-dependent)",
            partition.count, partition.irrelevant, partition.independent, partition.dependent
        ),
    );
    let unchanged =
        partition.independent - view.independent.len() + partition.kept + partition.never;
    if unchanged > 0 {
        line(
            text,
            &format!(
                "  not changed, although they mention a variable of the operator: {unchanged}"
            ),
        );
    }
    if partition.excluded > 0 {
        let count = partition.excluded;
        line(text, &format!("  changed only in contexts that mutexes exclude: {count}"));
    }
    table(text, "Context-independent: Δ_o(f), w(f), f", &view.independent, top);
    let title = "Context-dependent: ψ_o^f where its context holds (elsewhere 0), w(f), f, context";
    table(text, title, &view.dependent, top);
}

fn table(text: &mut String, title: &str, effects: &[Effect], top: usize) {
    if effects.is_empty() {
        return;
    }
    line(text, title);
    let shown = &effects[..effects.len().min(top)];
    let width = |cell: &dyn Fn(&Effect) -> String| {
        shown.iter().map(|effect| cell(effect).chars().count()).max().unwrap_or(0)
    };
    let symbol = |effect: &Effect| match (effect.context.is_empty(), effect.delta) {
        (true, delta) => format!("{delta:+}"),
        (false, 1) => format!("w(f{})", effect.number),
        (false, _) => format!("-w(f{})", effect.number),
    };
    let (weight, number) =
        (|it: &Effect| it.weight.to_string(), |it: &Effect| format!("f{}", it.number));
    let name = |effect: &Effect| effect.feature.clone();
    let (a, b, c, d) = (width(&symbol), width(&weight), width(&number), width(&name));
    let row = |effect: &Effect| {
        let context = effect.context.join(", ");
        let (symbol, weight, number) = (symbol(effect), weight(effect), number(effect));
        format!("{symbol:>a$}  {weight:>b$}  {number:<c$} = {:<d$}  {context}", effect.feature)
    };
    cut(text, "  ", effects.iter().map(row), top);
}

fn graph(text: &mut String, graph: &Graph) {
    let vertices: Vec<usize> =
        (0..graph.vertices.len()).filter(|&index| graph.vertices[index].in_contexts).collect();
    line(text, "");
    line(
        text,
        &format!(
            "Context-dependency graph: {}, {}",
            vertices_in_words(vertices.len()),
            counted(graph.edges.len(), "edge")
        ),
    );
    for &vertex in &vertices {
        let neighbor = |&[a, b]: &[usize; 2]| match vertex {
            _ if vertex == a => Some(b),
            _ if vertex == b => Some(a),
            _ => None,
        };
        let name = |index: usize| graph.vertices[index].name.as_str();
        let neighbors: Vec<&str> = graph.edges.iter().filter_map(neighbor).map(name).collect();
        let neighbors = if neighbors.is_empty() { "–".to_owned() } else { neighbors.join(", ") };
        line(text, &format!("  {}: {neighbors}", graph.vertices[vertex].label()));
    }
}

fn vertices_in_words(count: usize) -> String {
    if count == 1 { "1 vertex".to_owned() } else { format!("{count} vertices") }
}

fn orders(text: &mut String, view: &View) {
    if let Some(order) = &view.chosen {
        line(text, &format!("Chosen order: {}", order_in_words(order, &view.graph)));
    }
    line(text, &format!("Best order found: {}", order_in_words(&view.best, &view.graph)));
    let paper = &view.graph.paper;
    line(text, &format!("The paper's graph: {}", paper_in_words(paper)));
    for reason in &paper.reasons {
        line(text, &format!("  left out here: {reason}"));
    }
}

/// `5 edges, width 3 along the chosen order, width 2 at best`.
pub(super) fn paper_in_words(paper: &PaperGraph) -> String {
    let chosen = paper.chosen_width;
    let chosen = chosen.map_or(String::new(), |it| format!("width {it} along the chosen order, "));
    format!("{}, {chosen}width {} at best", counted(paper.edges, "edge"), paper.width)
}

/// `σ = ⟨X, Y⟩, induced width 1, no edges added, 6 alternatives`.
pub(super) fn order_in_words(order: &Order, graph: &Graph) -> String {
    let name = |index: usize| graph.vertices[index].name.as_str();
    let pairs: Vec<String> =
        order.added.iter().map(|&[a, b]| format!("{}–{}", name(a), name(b))).collect();
    let added = match pairs.len() {
        0 => "no edges added".to_owned(),
        1..=8 => format!("the induced graph adds {}", pairs.join(", ")),
        count => format!("the induced graph adds {count} edges"),
    };
    format!(
        "σ = ⟨{}⟩, induced width {}, {added}, {}",
        order.variables.join(", "),
        order.width,
        counted(order.entries, "alternative")
    )
}

fn steps(text: &mut String, view: &View, elimination: &Elimination, top: usize) {
    line(text, "");
    let which = if view.chosen.is_some() { "chosen" } else { "best" };
    line(text, &format!("Bucket elimination along the {which} order"));
    for step in &elimination.steps {
        line(text, &format!("  Eliminate {}", step.variable));
        line(text, &format!("    bucket: {}", bucket(step)));
        let (variable, scope) = (&step.variable, set(&step.scope));
        let sizes = sizes(step);
        line(
            text,
            &format!("    new function ψ_{variable}, scope S_{variable} = {scope}: {sizes}"),
        );
        let lines = step.equations.iter().map(|it| equation(variable, it));
        cut(text, "      ", lines, top);
    }
    let (number, result) = (elimination.number, &elimination.result);
    let symbols = sum(result, In::Symbols);
    line(text, "  Add up what has no scope left");
    line(text, &format!("      Aux_{number} = Aux_Ψ = {}", result_in_words(result)));
    line(text, &format!("        P_LP: Aux_{number} ≥ {symbols}"));
    if !elimination.context.is_empty() {
        line(text, "");
        line(text, &format!("A context that attains it: {}", elimination.context.join(", ")));
    }
}

/// An equation and its constraints, on more lines if they are long.
fn equation(variable: &str, equation: &Equation) -> String {
    let parts = [
        format!("Aux_{} = {}", equation.number, auxiliary(variable, equation)),
        maximum(equation, In::Symbols),
        maximum(equation, In::Numbers),
        equation.value.to_string(),
    ];
    let on_lines = |parts: &[String], short: &str, long: &str| {
        let text = parts.join(short);
        if text.chars().count() <= MAX_LINE { text } else { parts.join(long) }
    };
    let definition = on_lines(&parts, " = ", "\n            = ");
    let constraints = on_lines(&constraints(equation), ", ", "\n              ");
    format!("{definition}\n        P_LP: {constraints}")
}

/// `Aux_3 + Aux_5 = 8 + 3 = 11`.
pub(super) fn result_in_words(result: &super::Sum) -> String {
    let numbers = match result.terms.len() {
        0 => return "0".to_owned(),
        1 => String::new(),
        _ => format!(" = {}", sum(result, In::Numbers)),
    };
    format!("{}{numbers} = {}", sum(result, In::Symbols), result.value)
}

/// The functions in a bucket.
pub(super) fn bucket(step: &Step) -> String {
    let function = |function: &BucketFunction| match &function.eliminated {
        Some(variable) => format!("ψ_{variable} over {}", set(&function.scope)),
        None => {
            format!("{} over {}", counted(function.features, "feature"), set(&function.scope))
        }
    };
    step.bucket.iter().map(function).collect::<Vec<_>>().join("; ")
}

/// `2 equations, 4 constraints`.
pub(super) fn sizes(step: &Step) -> String {
    let equations = counted(step.equations.len(), "equation");
    format!("{equations}, {}", counted(step.constraints, "constraint"))
}

/// `Δ_ind + Max(Ψ_o) = 0 + 24 = 24 ≤ 24 = cost(o): slack 0`.
pub(super) fn balance_in_words(view: &View) -> String {
    let balance = &view.balance;
    match (balance.max, balance.decrease, balance.slack) {
        (Some(max), Some(decrease), Some(slack)) => format!(
            "Δ_ind + Max(Ψ_o) = {} + {} = {decrease} ≤ {} = cost(o): slack {slack}",
            balance.independent,
            if max.is_negative() { format!("({max})") } else { max.to_string() },
            view.cost
        ),
        _ => format!("Δ_ind = {}; the maximum is not known", balance.independent),
    }
}
