//! Cost partitionings on the page: what each projection contributes, and a table of shares,
//! colored by their size.

use super::super::shares::{CostsOf, Partition, Row as ShareRow, Rows, Share};
use super::charts::{Scale, class};
use super::elements::{Row, bars, card, escape, section};
use crate::wording::counted;

/// All sections about a partition.
pub(super) fn partition(partition: &Partition) -> String {
    let mut page = cards(partition) + &contributions(partition);
    page += &operators(partition);
    if let Some(rows) = &partition.transitions {
        page += &transitions(partition, rows);
    }
    page
}

fn cards(partition: &Partition) -> String {
    let (projections, rows) = (&partition.projections, &partition.operators);
    let bound = match partition.initial {
        Some(bound) => format!("every plan costs at least {bound}"),
        None => "and no operator lowers it: there is no plan".to_owned(),
    };
    let exact = partition.initial_exact;
    let exactly = exact.exactly().map_or(String::new(), |all| format!("exactly {all}; "));
    let mut list = vec![
        card("Value of the initial state", &exact.to_string(), &format!("{exactly}{bound}")),
        card(
            "Projections that are used",
            &projections.used.to_string(),
            &format!("of {}", projections.count),
        ),
        card(
            "Operators with nothing left",
            &rows.used_up.to_string(),
            &format!("of {}; {} pay shares", rows.count, rows.shared),
        ),
    ];
    if let Some(lp) = &partition.lp {
        let size = format!("{} × {}", lp.rows, lp.columns);
        let more = format!("{} nonzeros; {:.3} s", lp.nonzeros, lp.seconds);
        list.push(card("Linear program", &size, &more));
    }
    format!("<ul class=\"cards\">\n{}</ul>\n", list.concat())
}

/// The terms of the sum, each bar beginning where the one before ended.
fn contributions(partition: &Partition) -> String {
    let projections = &partition.projections;
    let shown = projections.shown.iter().enumerate();
    let mut steps: Vec<_> = shown
        .map(|(index, it)| (format!("{} {}", badge(index), escape(&it.title)), it.initial))
        .collect();
    if projections.rest_count > 0 {
        steps.push((counted(projections.rest_count, "more projection"), projections.rest));
    }
    let mut places = vec![0.0];
    for (_, distance) in &steps {
        places.push(places[places.len() - 1] + distance.near());
    }
    let scale = Scale::over(places.iter().copied());
    let mut rows = Vec::new();
    for ((name, distance), place) in steps.into_iter().zip(places.windows(2)) {
        let bar = scale.bar(place[0], place[1], class(distance));
        let sign = if distance.is_negative() { "−" } else { "+" };
        rows.push(Row::of_ratio(name, bar, sign, distance.abs()));
    }
    let total = partition.initial_exact;
    let bar = scale.bar(0.0, total.near(), "whole");
    rows.push(Row::total(bar, total));
    section(
        "What each projection contributes",
        "Its distance from the initial state to the goal, measured with its shares of the costs. \
         Shares may be negative, and so may distances.",
        &bars(&rows),
    )
}

/// The short name of a projection, which heads its column.
fn badge(index: usize) -> String {
    format!("<span class=\"badge\">P{}</span>", index + 1)
}

fn operators(partition: &Partition) -> String {
    let hint = match partition.costs_of {
        CostsOf::Operators | CostsOf::GivenOperators => {
            "Each row divides the cost of an operator: the shares and what is left add up to it. A \
             negative share is paid by a projection, and the others can use it."
        }
        CostsOf::Transitions => {
            "Each row is an operator. A projection's share depends on the state in which the \
             operator is applied, so there is a range from the smallest to the largest; what is \
             left is the least that is left in any state."
        }
    };
    section("Who gets what of each operator", hint, &table(partition, &partition.operators))
}

fn transitions(partition: &Partition, rows: &Rows) -> String {
    let hint = format!(
        "All {} between reachable states; {} have nothing left. Here, the shares and what is \
         left add up to the cost.",
        counted(rows.count, "transition"),
        rows.used_up
    );
    section("Who gets what of each transition", &hint, &table(partition, rows))
}

fn table(partition: &Partition, rows: &Rows) -> String {
    let projections = &partition.projections.shown;
    let has_rest = rows.shown.iter().any(|row| row.rest_count > 0);
    let title = |(index, it): (usize, &super::super::shares::Projection)| {
        format!("<th title=\"{}\">{}</th>", escape(&it.title), badge(index))
    };
    let titles: String = projections.iter().enumerate().map(title).collect();
    let rest = if has_rest { "<th>others</th>" } else { "" };
    let strongest = rows.shown.iter().flat_map(|row| &row.shares).map(strength);
    let strongest = strongest.fold(0.0, f64::max);
    let row = |row: &ShareRow| table_row(row, projections.len(), has_rest, strongest);
    let body: String = rows.shown.iter().map(row).collect();
    let hidden = rows.shared - rows.shown.len();
    let more = if hidden > 0 {
        format!("<p class=\"hint\">and {hidden} more</p>\n")
    } else {
        String::new()
    };
    format!(
        "<div class=\"scroll\"><table class=\"heat\">\n<tr><th class=\"wide\"></th><th>cost</th>\
         {titles}{rest}<th>left</th></tr>\n{body}</table></div>\n{more}"
    )
}

fn table_row(row: &ShareRow, columns: usize, has_rest: bool, strongest: f64) -> String {
    let cells: String = (0..columns).map(|index| cell(row.share(index), strongest)).collect();
    let rest = match (has_rest, row.rest) {
        (false, _) => String::new(),
        (true, _) if row.rest_count == 0 => "<td></td>".to_owned(),
        (true, Some(rest)) => format!("<td>{rest}</td>"),
        (true, None) => format!("<td>({})</td>", row.rest_count),
    };
    let left = row.left.map_or("–".to_owned(), |left| left.to_string());
    let state = row.state.as_ref().map_or(String::new(), |facts| {
        format!(" <span class=\"muted\">from {}</span>", escape(&facts.join(", ")))
    });
    format!(
        "<tr><td class=\"wide\">{}{state}</td><td>{}</td>{cells}{rest}<td>{left}</td></tr>\n",
        escape(&row.operator),
        row.cost
    )
}

/// The larger of a share's ends, without its sign.
fn strength(share: &Share) -> f64 {
    share.smallest.near().abs().max(share.largest.near().abs())
}

fn cell(share: Option<&Share>, strongest: f64) -> String {
    let Some(share) = share else { return "<td></td>".to_owned() };
    let percent = 8.0 + 62.0 * strength(share) / strongest;
    let color = match (share.smallest.is_negative(), share.largest.is_negative()) {
        (true, true) => "minus",
        (false, _) => "plus",
        (true, false) if share.largest.is_zero() => "minus",
        (true, false) => "mixed",
    };
    format!("<td class=\"{color}\" style=\"--strength: {percent:.0}%\">{share}</td>")
}
