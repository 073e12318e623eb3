//! The explanation for people at a terminal.

mod lines;
mod shares;

use hipot_potential::{Optimality, Rung};

use lines::line;

use super::{Bin, Explanation, Function, Layer, Ratio, Search, Step, ValueWeight, Weighted};

/// The explanation as text.
pub(crate) fn text(explanation: &Explanation) -> String {
    let mut text = String::new();
    let bound = match explanation.lower_bound {
        Some(bound) => format!("every plan costs at least {bound}"),
        None => "there is no plan".to_owned(),
    };
    line(&mut text, &format!("{}: {bound}", explanation.heuristic));
    for fallback in &explanation.fallbacks {
        line(&mut text, &fallback.to_string());
    }
    let several = explanation.functions.len() + explanation.partitions.len() > 1;
    for (index, function) in explanation.functions.iter().enumerate() {
        if several {
            line(&mut text, "");
            let number = index + 1;
            line(&mut text, &format!("=== Function {number}: {} ===", function.spec));
        }
        for part in [variables, features, sum, lp, operators] {
            line(&mut text, "");
            part(&mut text, function);
        }
    }
    for (index, partition) in explanation.partitions.iter().enumerate() {
        if several {
            line(&mut text, "");
            let number = index + 1;
            line(&mut text, &format!("=== Cost partitioning {number}: {} ===", partition.spec));
        }
        shares::partition(&mut text, partition);
    }
    if let Some(found) = &explanation.search {
        line(&mut text, "");
        search(&mut text, found);
    }
    text
}

fn variables(text: &mut String, function: &Function) {
    line(text, "Variables, with the weight of each value alone");
    let width = width(
        function.variables.iter().flat_map(|variable| &variable.values).map(|value| value.weight),
    );
    for variable in &function.variables {
        let name = variable.name_beside_title().map_or(String::new(), |name| format!(" ({name})"));
        line(text, &format!("  {}{name}", variable.title));
        for value in &variable.values {
            let weight = value.weight.map_or("–".to_owned(), |weight| weight.to_string());
            line(text, &format!("    {weight:>width$}  {}{}", value.name, remarks(value)));
        }
    }
}

/// Remarks about a value, in parentheses.
fn remarks(value: &ValueWeight) -> String {
    let all = [
        (value.reference, "reference"),
        (value.unknown, "added by TNF"),
        (value.initial, "initial"),
        (value.goal, "goal"),
    ];
    let remarks: Vec<&str> =
        all.iter().filter(|(holds, _)| *holds).map(|&(_, remark)| remark).collect();
    if remarks.is_empty() { String::new() } else { format!("  ({})", remarks.join(", ")) }
}

fn features(text: &mut String, function: &Function) {
    let features = &function.features;
    line(
        text,
        &format!(
            "Features: {} of size at most {}, {} of them with weight 0",
            features.count, features.dimension, features.zero
        ),
    );
    if features.top.is_empty() {
        return;
    }
    line(text, "  The largest weights (I: true in the initial state, G: in the goal)");
    let width = width(features.top.iter().map(|feature| Some(feature.weight)));
    for Weighted { feature, weight, initial, goal } in &features.top {
        let initial = if *initial { 'I' } else { '-' };
        let goal = if *goal { 'G' } else { '-' };
        line(text, &format!("    {weight:>width$}  {initial}{goal}  {feature}"));
    }
}

fn sum(text: &mut String, function: &Function) {
    let sum = &function.sum;
    line(text, "The value of the initial state");
    let all = [sum.constant, sum.rest, sum.total];
    let terms = sum.terms.iter().map(|term| term.weight);
    let width = width(terms.chain(all).map(Some));
    line(text, &format!("      {:>width$}  constant", sum.constant));
    for term in &sum.terms {
        line(
            text,
            &format!("    {} {:>width$}  {}", sign(term.weight), term.weight.abs(), term.feature),
        );
    }
    if sum.rest_count > 0 {
        let what = format!("{} more features that are true", sum.rest_count);
        line(text, &format!("    {} {:>width$}  {what}", sign(sum.rest), sum.rest.abs()));
    }
    let rounded = match function.initial {
        Some(bound) => format!("so every plan costs at least {bound}"),
        None => "and no operator lowers it: there is no plan".to_owned(),
    };
    let exactly = sum.total.exactly().map_or(String::new(), |all| format!("(exactly {all}) "));
    line(text, &format!("    = {:>width$}  {exactly}{rounded}", sum.total));
}

fn sign(weight: Ratio) -> char {
    if weight.is_negative() { '-' } else { '+' }
}

fn lp(text: &mut String, function: &Function) {
    let lp = &function.lp;
    line(text, &format!("LP: {} rows, {} columns, {} nonzeros", lp.rows, lp.columns, lp.nonzeros));
    line(text, &format!("  solved by {} in {:.3}s", lp.method, lp.seconds));
    line(text, &format!("  {}", rung_in_words(function)));
}

/// How weights became exact, and how near they are to the optimum.
pub(super) fn rung_in_words(function: &Function) -> String {
    let how = match function.lp.rung {
        _ if function.initial.is_none() => {
            return "the weights can grow without end, and these prove it".to_owned();
        }
        _ if function.lp.optimality == Optimality::Proved => {
            return "the weights are the LP's exact optimum".to_owned();
        }
        Rung::SmallDenominators => "the weights were rounded to small denominators",
        Rung::Scaling => "the weights were rounded, and scaled until every operator allows them",
        Rung::Margin => "the weights were solved for with a margin, then rounded",
        Rung::Zero => "nothing better than weights of 0 was found",
    };
    format!("{how}; the function is {}", function.lp.optimality)
}

fn operators(text: &mut String, function: &Function) {
    let operators = &function.operators;
    let forgetting = match operators.forgetting {
        0 => String::new(),
        count => format!(", {count} of them to forget a value"),
    };
    line(text, &format!("Operators in TNF: {}{forgetting}", operators.count));
    line(text, &format!("  tight (slack 0: all that they cost is used): {}", operators.tight));
    if operators.nearly_tight > 0 {
        line(text, &format!("  nearly tight (slack below 0.001): {}", operators.nearly_tight));
    }
    if let Some(slack) = operators.largest_slack {
        line(text, &format!("  largest slack: {slack}"));
    }
    for (what, bins) in [
        ("width of the context-dependency graph", &operators.widths),
        ("context-independent features", &operators.independent),
        ("context-dependent features", &operators.dependent),
    ] {
        line(text, &format!("  {what}: {}", histogram(bins)));
    }
    if operators.widest.is_empty() {
        return;
    }
    line(text, "  The widest (width; features independent + dependent; cost; slack)");
    for operator in &operators.widest {
        let slack = operator.slack.map_or("–".to_owned(), |slack| slack.to_string());
        line(
            text,
            &format!(
                "    {}; {} + {}; {}; {slack}  {}",
                operator.width,
                operator.independent,
                operator.dependent,
                operator.cost,
                operator.name
            ),
        );
    }
}

fn search(text: &mut String, search: &Search) {
    line(text, &format!("Search: {}", search.summary()));
    let (_, layers) = search.last_layers();
    if layers.is_empty() {
        return;
    }
    line(text, "  States expanded in each f layer");
    let width = layers.iter().map(|layer| layer.f.to_string().len()).max().unwrap_or(1);
    if let Some(hidden) = search.hidden_layers() {
        line(text, &format!("    {hidden}"));
    }
    for Layer { f, expanded } in layers {
        line(text, &format!("    {f:>width$}  {expanded}"));
    }
    if search.plan.is_empty() {
        return;
    }
    line(text, "  Along the plan: the remaining cost, and its estimate");
    let (steps, cut) = search.first_steps();
    for Step { action, left, estimate } in steps {
        let action = action.as_deref().unwrap_or("the goal");
        line(text, &format!("    {left:>width$} {estimate:>width$}  {action}"));
    }
    if cut > 0 {
        line(text, &format!("    and {cut} more"));
    }
}

/// `0 (14 operators), 1 (3)`.
fn histogram(bins: &[Bin]) -> String {
    let part = |(index, bin): (usize, &Bin)| {
        let what = match (index, bin.operators) {
            (0, 1) => " operator",
            (0, _) => " operators",
            _ => "",
        };
        format!("{bin} ({}{what})", bin.operators)
    };
    bins.iter().enumerate().map(part).collect::<Vec<_>>().join(", ")
}

/// The width of the longest of these numbers.
fn width(numbers: impl Iterator<Item = Option<Ratio>>) -> usize {
    numbers.flatten().map(|number| number.to_string().len()).max().unwrap_or(1)
}
