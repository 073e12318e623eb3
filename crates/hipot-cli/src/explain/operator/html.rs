//! The operator as one page for a browser, in the style of the other pages.

use super::super::html::elements::{chips, escape, page, push, section};
use super::drawing::drawing;
use super::formulas::{In, auxiliary, constraints, maximum, set, sum};
use super::text::{
    balance_in_words, bucket, order_in_words, paper_in_words, result_in_words, sizes,
};
use super::{Change, Effect, Elimination, Equation, OperatorExplanation, Step, Vertex, View};

/// The explanation as an HTML page. Tables and steps are cut after `top` rows.
pub(crate) fn html(explanation: &OperatorExplanation, top: usize) -> String {
    let name = escape(&explanation.operator);
    let mut body = format!(
        "<h1>How much can <code>{name}</code> take?</h1>\n\
         <p class=\"muted\">An operator may take from the potential φ at most what it costs, \
         whatever its context. Bucket elimination finds the largest decrease over all contexts: \
         each step eliminates one variable, and each equation becomes constraints of a linear \
         program. Numbers without ≈ are exact.</p>\n"
    );
    for (index, view) in explanation.functions.iter().enumerate() {
        let number = match explanation.functions.len() {
            1 => String::new(),
            _ => format!("Function {}: ", index + 1),
        };
        let spec = escape(&view.spec);
        push(&mut body, &format!("<h2 class=\"function\">{number}<code>{spec}</code></h2>\n"));
        body += &cards(view);
        body += &operator(view);
        body += &features(view, top);
        body += &graph(view);
        body += &elimination(view, top);
    }
    page(&format!("How much can {name} take?"), &body)
}

fn cards(view: &View) -> String {
    let number = |number: Option<super::super::Ratio>| {
        number.map_or("–".to_owned(), |number| number.to_string())
    };
    let balance = &view.balance;
    let parts = format!("Δ_ind {} + Max(Ψ) {}", balance.independent, number(balance.max));
    let paper = match view.chosen.as_ref().zip(view.graph.paper.chosen_width) {
        Some((_, width)) => {
            format!("in the paper's graph {width}; here at best {}", view.best.width)
        }
        None => format!("in the paper's graph {}", view.graph.paper.width),
    };
    let cards = [
        ("Largest decrease of φ", number(balance.decrease), parts),
        ("Cost", view.cost.to_string(), format!("slack {}", number(balance.slack))),
        ("Induced width", view.order().width.to_string(), paper),
        (
            "Features it changes",
            (view.independent.len() + view.dependent.len()).to_string(),
            format!("{} of them in some contexts", view.dependent.len()),
        ),
    ];
    let card = |(label, value, note): (&str, String, String)| {
        let long = if value.chars().count() > 14 { " long" } else { "" };
        format!(
            "<li><span class=\"label\">{label}</span><span class=\"value{long}\">{value}</span>\
             <span class=\"note\">{}</span></li>\n",
            escape(&note)
        )
    };
    format!("<ul class=\"cards\">\n{}</ul>\n", cards.map(card).concat())
}

fn operator(view: &View) -> String {
    let row = |Change { variable, before, after }: &Change| {
        let chips = chips(&[(before == after, "stays")]);
        format!(
            "<tr><td>{}{chips}</td><td>{}</td><td>{}</td></tr>\n",
            escape(variable),
            escape(before),
            escape(after)
        )
    };
    let rows: String = view.changes.iter().map(row).collect();
    section(
        "Precondition and effect",
        &format!(
            "In transition normal form an operator sets the variables of its precondition, and no \
             others. {}",
            view.notes().join(" ")
        ),
        &format!(
            "<div class=\"scroll\"><table>\n<tr><th>variable</th><th>pre(o)</th><th>eff(o)</th></tr>\
             \n{rows}</table></div>\n"
        ),
    )
}

fn features(view: &View, top: usize) -> String {
    let partition = &view.features;
    let mut content = String::new();
    for (title, note, effects) in [
        (
            "Context-independent",
            "They change by Δ whenever the operator is applied.",
            &view.independent,
        ),
        (
            "Context-dependent",
            "ψ is w(f) or −w(f) in the context, and 0 in all others.",
            &view.dependent,
        ),
    ] {
        if !effects.is_empty() {
            push(&mut content, &format!("<h3>{title}</h3>\n<p class=\"hint\">{note}</p>\n"));
            content += &effect_table(effects, top);
        }
    }
    let excluded = match partition.excluded {
        0 => String::new(),
        count => format!(" Contexts that mutexes exclude: {count}."),
    };
    section(
        "Features",
        &format!(
            "Of {} features, {} mention none of the operator's variables (irrelevant), {} mention \
             no others (context-independent), and {} mention both (context-dependent). The tables \
             show those that the operator changes.{excluded}",
            partition.count, partition.irrelevant, partition.independent, partition.dependent
        ),
        &content,
    )
}

fn effect_table(effects: &[Effect], top: usize) -> String {
    let is_dependent = effects.iter().any(|effect| !effect.context.is_empty());
    let row = |effect: &Effect| {
        let number = effect.number;
        let change = match (is_dependent, effect.delta) {
            (false, delta) => format!("{delta:+}"),
            (true, 1) => format!("w(f{number})"),
            (true, _) => format!("−w(f{number})"),
        };
        let context = if is_dependent {
            format!("<td class=\"context\">{}</td>", escape(&effect.context.join(", ")))
        } else {
            String::new()
        };
        format!(
            "<tr><td class=\"number\">f{number}</td><td>{}</td>{context}\
             <td class=\"right number\">{change}</td><td class=\"right number\">{}</td></tr>\n",
            escape(&effect.feature),
            effect.weight
        )
    };
    let rows: String = effects.iter().take(top).map(row).collect();
    let context = if is_dependent { "<th class=\"wide\">context</th>" } else { "" };
    let change = if is_dependent { "ψ" } else { "Δ" };
    format!(
        "<div class=\"scroll\"><table class=\"effects\">\n<tr><th></th><th class=\"wide\">feature</th>{context}\
         <th class=\"right\">{change}</th><th class=\"right\">w(f)</th></tr>\n{rows}</table></div>\n{}",
        more(effects.len(), top)
    )
}

/// A line about rows that are not shown.
fn more(count: usize, top: usize) -> String {
    match count.saturating_sub(top) {
        0 => String::new(),
        more => format!("<p class=\"hint\">… and {more} more</p>\n"),
    }
}

fn graph(view: &View) -> String {
    let svg = drawing(&view.graph, view.order());
    let svg = svg.map_or_else(
        || "<p class=\"hint\">There is nothing to draw, or too much of it.</p>\n".to_owned(),
        |svg| format!("<div class=\"scroll\">{svg}</div>\n<p class=\"hint\">{}</p>\n", keys(view)),
    );
    let fact = |(title, text): (&str, String)| {
        format!("<li><strong>{title}</strong><span>{}</span></li>\n", escape(&text))
    };
    let facts: String = facts(view).into_iter().map(fact).collect();
    section(
        "The context-dependency graph",
        "Two variables are joined if one context mentions both. The number is the place in the \
         order σ; elimination begins with the last one, and joins the neighbors that are left.",
        &format!("{svg}<ul class=\"facts\">\n{facts}</ul>\n"),
    )
}

/// What the lines in the drawing mean.
fn keys(view: &View) -> String {
    let graph = &view.graph;
    let kinds = [
        (!graph.edges.is_empty(), "edge", "together in a context"),
        (!view.order().added.is_empty(), "added", "added by elimination"),
        (!graph.paper.additional.is_empty(), "paper", "only in the paper's graph"),
    ];
    let key = |&(_, class, what): &(bool, &str, &str)| {
        format!(
            "<span class=\"key\"><svg class=\"graph\" width=\"26\" height=\"10\" \
             aria-hidden=\"true\"><line class=\"{class}\" x1=\"1\" y1=\"5\" x2=\"25\" y2=\"5\" />\
             </svg> {what}</span> "
        )
    };
    kinds.iter().filter(|(is_there, ..)| *is_there).map(key).collect()
}

/// The variables, and what orders make of the graph.
fn facts(view: &View) -> Vec<(&'static str, String)> {
    let (graph, paper) = (&view.graph, &view.graph.paper);
    let mut facts = Vec::new();
    if graph.vertices.iter().any(|vertex| vertex.label() != vertex.name) {
        let vertices = graph.vertices.iter().filter(|vertex| vertex.in_contexts);
        facts.push(("Variables", vertices.map(Vertex::label).collect::<Vec<_>>().join(", ")));
    }
    if let Some(chosen) = &view.chosen {
        facts.push(("Chosen order", order_in_words(chosen, graph)));
    }
    facts.push(("Best order found", order_in_words(&view.best, graph)));
    let mut text = paper_in_words(paper);
    if !paper.reasons.is_empty() {
        push(&mut text, &format!(". Left out here: {}", paper.reasons.join("; ")));
    }
    facts.push(("The paper's graph", text));
    facts
}

fn elimination(view: &View, top: usize) -> String {
    let content = match &view.elimination {
        Some(elimination) => steps(elimination, top),
        None => format!("<p>{}</p>\n", escape(&view.without_steps())),
    };
    let which = if view.chosen.is_some() { "chosen" } else { "best" };
    section(
        "Bucket elimination, step by step",
        &format!(
            "Along the {which} order, from its last variable to its first. Each step replaces the \
             functions in the variable's bucket by one without that variable, with one auxiliary \
             variable for each value of the new function."
        ),
        &format!(
            "{content}<p class=\"lead\"><code>{}</code></p>\n",
            escape(&balance_in_words(view))
        ),
    )
}

fn steps(elimination: &Elimination, top: usize) -> String {
    let steps: String = elimination.steps.iter().map(|it| step(it, top)).collect();
    let (number, result) = (elimination.number, &elimination.result);
    let context = match elimination.context.len() {
        0 => String::new(),
        _ => format!(
            "<p>A context that attains it: <strong>{}</strong></p>\n",
            escape(&elimination.context.join(", "))
        ),
    };
    format!(
        "{steps}<h3>What has no scope left</h3>\n<p><code>Aux_{number} = Aux_Ψ = {}</code><br />\
         <span class=\"muted\">P_LP: <code>Aux_{number} ≥ {}</code></span></p>\n{context}",
        escape(&result_in_words(result)),
        escape(&sum(result, In::Symbols))
    )
}

fn step(step: &Step, top: usize) -> String {
    let variable = escape(&step.variable);
    let row = |equation: &Equation| {
        format!(
            "<tr><td><code>Aux_{}</code><br /><span class=\"muted\"><code>{}</code></span></td>\
             <td><code>{}</code><br /><span class=\"muted\"><code>{}</code></span></td>\
             <td><code>{}</code></td><td class=\"right number\">{}</td></tr>\n",
            equation.number,
            escape(&auxiliary(&step.variable, equation)),
            escape(&maximum(equation, In::Symbols)),
            escape(&maximum(equation, In::Numbers)),
            constraints(equation).iter().map(|it| escape(it)).collect::<Vec<_>>().join("<br />"),
            equation.value
        )
    };
    let rows: String = step.equations.iter().take(top).map(row).collect();
    format!(
        "<h3>Eliminate {variable}</h3>\n<p class=\"hint\">Bucket: {}. New function ψ_{variable}, \
         scope {}: {}.</p>\n<div class=\"scroll\"><table class=\"steps\">\n\
         <tr><th class=\"wide\">variable</th><th class=\"wide\">equation</th>\
         <th class=\"wide\">P_LP</th><th class=\"right\">value</th></tr>\n{rows}</table></div>\n{}",
        escape(&bucket(step)),
        escape(&set(&step.scope)),
        sizes(step),
        more(step.equations.len(), top)
    )
}
