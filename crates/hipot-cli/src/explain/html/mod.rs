//! The explanation as one page for a browser.
//!
//! The page is self-contained: style and drawings are inside, it has no scripts and loads
//! nothing. It follows the reader's choice of light or dark and fits a phone. Names come
//! from the task and may contain anything, so all of them go through `escape`.

mod charts;
pub(super) mod elements;
mod path;
mod search;
mod shares;

use charts::{MAX_VARIABLES, Scale, class, map};
use elements::{Row, bars, card, chips, escape, number, page, push, section};

use super::{Bin, Explanation, Function, Operator, ValueWeight, Variable, Weighted};

/// The explanation as an HTML page.
pub(crate) fn html(explanation: &Explanation) -> String {
    let (spec, name) = (escape(&explanation.heuristic), escape(&explanation.name));
    let bound = match explanation.lower_bound {
        Some(bound) => {
            format!("It proves that every plan costs at least <strong>{bound}</strong>.")
        }
        None => "It proves that <strong>there is no plan</strong>.".to_owned(),
    };
    let several = explanation.functions.len() + explanation.partitions.len() > 1;
    let mut body = String::new();
    for fallback in &explanation.fallbacks {
        push(&mut body, &format!("<p>{}</p>\n", escape(&fallback.to_string())));
    }
    // Its first reader asks what it is good for: before all weights.
    let mut search = explanation.search.as_ref().map(search::search);
    for (index, function) in explanation.functions.iter().enumerate() {
        if several {
            let spec = escape(&function.spec);
            push(
                &mut body,
                &format!(
                    "<h2 class=\"function\">Function {}: <code>{spec}</code></h2>\n",
                    index + 1
                ),
            );
        }
        push(&mut body, &cards(function));
        push(&mut body, &path::path(explanation, function));
        push(&mut body, &search.take().unwrap_or_default());
        for part in [top_features, sum, together, operators, variables] {
            push(&mut body, &part(function));
        }
    }
    push(&mut body, &search.unwrap_or_default());
    for (index, partition) in explanation.partitions.iter().enumerate() {
        if several {
            let (number, spec) = (index + 1, escape(&partition.spec));
            let title = format!("Cost partitioning {number}: <code>{spec}</code>");
            push(&mut body, &format!("<h2 class=\"function\">{title}</h2>\n"));
        }
        push(&mut body, &shares::partition(partition));
    }
    page(
        &format!("What {spec} sees in {name}"),
        &format!(
            "<h1>What does <code>{spec}</code> see in {name}?</h1>\n<p class=\"lead\">{bound}</p>\n\
             <p class=\"muted\">{}All weights and values here are those of the certified function; \
             ≈ marks the rounded ones, which show all digits under the pointer.</p>\n{body}",
            about(explanation)
        ),
    )
}

/// What the heuristic's parts are.
fn about(explanation: &Explanation) -> String {
    let mut text = String::new();
    if !explanation.functions.is_empty() {
        push(
            &mut text,
            "A potential heuristic looks at <em>features</em>, which are facts or conjunctions of \
             facts. Each has a weight, and the value of a state is a constant plus the weights of \
             the features that are true in it. ",
        );
    }
    if !explanation.partitions.is_empty() {
        push(
            &mut text,
            "A cost partitioning looks at <em>projections</em>, each of which sees a few variables \
             and ignores the others. The cost of every action is divided among them, and the value \
             of a state is the sum of their distances to the goal. ",
        );
    }
    text
}

fn cards(function: &Function) -> String {
    let (features, lp, operators) = (&function.features, &function.lp, &function.operators);
    let bound = match function.initial {
        Some(bound) => format!("every plan costs at least {bound}"),
        None => "and no operator lowers it: there is no plan".to_owned(),
    };
    let exact = function.initial_exact;
    let exactly = exact.exactly().map_or(String::new(), |all| format!("exactly {all}; "));
    let distance = match function.initial {
        Some(_) if !lp.optimal => format!("; the function is {}", lp.optimality),
        _ => String::new(),
    };
    let cards = [
        ("Value of the initial state", exact.to_string(), format!("{exactly}{bound}")),
        (
            "Features with a weight",
            (features.count - features.zero).to_string(),
            format!("of {}; {} weigh 0", features.count, features.zero),
        ),
        ("Tight operators", operators.tight.to_string(), tight_note(function)),
        (
            "Linear program",
            format!("{} × {}", lp.rows, lp.columns),
            format!("{} nonzeros; {} in {:.3} s{distance}", lp.nonzeros, lp.method, lp.seconds),
        ),
    ];
    let list = cards.map(|(label, value, note)| card(label, &value, &note)).concat();
    format!("<ul class=\"cards\">\n{list}</ul>\n")
}

fn tight_note(function: &Function) -> String {
    match function.operators.forgetting {
        0 => format!("of {}", function.operators.count),
        forgetting => format!("of {}, {forgetting} of which forget", function.operators.count),
    }
}

fn top_features(function: &Function) -> String {
    let top = &function.features.top;
    let scale = Scale::over(top.iter().map(|feature| feature.weight.near()));
    let row = |feature: &Weighted| {
        let weight = feature.weight;
        let chips = chips(&[(feature.initial, "initial"), (feature.goal, "goal")]);
        let bar = scale.bar(0.0, weight.near(), class(weight));
        Row::of_ratio(format!("{}{chips}", escape(&feature.feature)), bar, "", weight)
    };
    let rows: Vec<Row> = top.iter().map(row).collect();
    let rest = (function.features.count - function.features.zero) - top.len();
    let more = if rest > 0 { format!(" {rest} more have smaller weights.") } else { String::new() };
    section(
        "The strongest features",
        &format!(
            "<span class=\"legend positive\"></span> A positive weight makes states look farther \
             from the goal, <span class=\"legend negative\"></span> a negative one nearer. Marked \
             are features that are true in the initial state or in the goal.{more}"
        ),
        &bars(&rows),
    )
}

/// The terms of φ(s_I), each bar beginning where the one before ended.
fn sum(function: &Function) -> String {
    let sum = &function.sum;
    let mut steps = vec![("what every state has".to_owned(), sum.constant)];
    steps.extend(sum.terms.iter().map(|term| (term.feature.clone(), term.weight)));
    if sum.rest_count > 0 {
        steps.push((format!("{} more features that are true", sum.rest_count), sum.rest));
    }
    let mut value = 0.0;
    let mut places = vec![value];
    for (_, weight) in &steps {
        value += weight.near();
        places.push(value);
    }
    let scale = Scale::over(places.iter().copied());
    let mut rows = Vec::new();
    for ((name, weight), place) in steps.iter().zip(places.windows(2)) {
        let bar = scale.bar(place[0], place[1], class(*weight));
        let sign = if weight.is_negative() { "−" } else { "+" };
        rows.push(Row::of_ratio(escape(name), bar, sign, weight.abs()));
    }
    let bar = scale.bar(0.0, sum.total.near(), "whole");
    rows.push(Row::total(bar, sum.total));
    let zero = match sum.zero {
        0 => String::new(),
        1 => " One more is true there but weighs 0.".to_owned(),
        count => format!(" {count} more are true there but weigh 0."),
    };
    section(
        "How the initial state gets its value",
        &format!(
            "A constant, so that the goal has the value 0, and the features that are true in the initial state.{zero}"
        ),
        &bars(&rows),
    )
}

fn together(function: &Function) -> String {
    let cut = if function.variables.len() > MAX_VARIABLES {
        format!(" Shown are the {MAX_VARIABLES} variables with the largest weights.")
    } else {
        String::new()
    };
    section(
        "What it sees together",
        &format!(
            "Each square is a pair of variables, colored by the largest weight of a feature that \
             mentions both; squares at the right end are variables alone. Read a variable along \
             its row, then down from its name. Fractions are rounded here.{cut}"
        ),
        &format!("<div class=\"scroll\">{}</div>\n", map(function)),
    )
}

fn operators(function: &Function) -> String {
    let operators = &function.operators;
    let slack = operators.largest_slack.map_or(String::new(), |slack| {
        format!(" The largest slack is <span class=\"number\">{}</span>.", number(slack))
    });
    let nearly = match operators.nearly_tight {
        0 => String::new(),
        count => format!(" {count} more have a slack below 0.001."),
    };
    let histograms = [
        ("Width of the context-dependency graph", &operators.widths),
        ("Features changed in every context", &operators.independent),
        ("Features changed in some contexts", &operators.dependent),
    ];
    let histograms: String = histograms.map(|(title, bins)| histogram(title, bins)).concat();
    let rows: String = operators.widest.iter().map(operator_row).collect();
    section(
        "Operators",
        &format!(
            "The slack of an operator is its cost minus the most by which it can lower the value \
             of a state. {} of {} operators are tight: their slack is 0.{nearly}{slack}",
            operators.tight, operators.count
        ),
        &format!(
            "<div class=\"histograms\">\n{histograms}</div>\n<h3>The widest</h3>\n\
             <div class=\"scroll\"><table>\n<tr><th class=\"wide\">operator</th><th class=\"right\">width</th>\
             <th class=\"right\">independent</th><th class=\"right\">dependent</th>\
             <th class=\"right\">cost</th><th class=\"right\">slack</th></tr>\n{rows}</table></div>\n"
        ),
    )
}

fn histogram(title: &str, bins: &[Bin]) -> String {
    let scale = Scale::over(bins.iter().map(|bin| bin.operators as f64));
    let row = |bin: &Bin| {
        let bar = scale.bar(0.0, bin.operators as f64, "whole");
        Row::new(bin.to_string(), bar, bin.operators.to_string())
    };
    let rows: Vec<Row> = bins.iter().map(row).collect();
    format!("<div><h3>{title}</h3>{}</div>\n", bars(&rows))
}

fn operator_row(operator: &Operator) -> String {
    let slack = operator.slack.map_or("–".to_owned(), number);
    let numbers = [
        operator.width.to_string(),
        operator.independent.to_string(),
        operator.dependent.to_string(),
        operator.cost.to_string(),
        slack,
    ];
    let cells = numbers.map(|number| format!("<td class=\"right number\">{number}</td>")).concat();
    format!("<tr><td>{}</td>{cells}</tr>\n", escape(&operator.name))
}

fn variables(function: &Function) -> String {
    let articles: String = function.variables.iter().map(variable).collect();
    section(
        "Variables",
        "The weight of each value alone. Features with a <em>reference</em> value are left out, \
         since the others can say the same; its weight is 0. The value <em>unknown</em> is added \
         where the goal or an operator does not ask for a value: it can be forgotten at no cost.",
        &format!("<div class=\"variables\">\n{articles}</div>\n"),
    )
}

fn variable(variable: &Variable) -> String {
    let name = variable.name_beside_title().map(escape);
    let name = name.map_or(String::new(), |name| format!(" <span class=\"muted\">{name}</span>"));
    let rows: String = variable.values.iter().map(value_row).collect();
    format!(
        "<article><h3>{}{name}</h3><table>\n{rows}</table></article>\n",
        escape(&variable.title)
    )
}

fn value_row(value: &ValueWeight) -> String {
    let weight = value.weight.map_or("–".to_owned(), number);
    let chips = chips(&[
        (value.reference, "reference"),
        (value.unknown, "added"),
        (value.initial, "initial"),
        (value.goal, "goal"),
    ]);
    let name = escape(&value.name);
    format!("<tr><td>{name}{chips}</td><td class=\"right number\">{weight}</td></tr>\n")
}
