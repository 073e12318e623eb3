//! Cost partitionings for people at a terminal.

use super::super::shares::{CostsOf, Partition, Projection, Row, Rows};
use super::lines::line;
use crate::wording::counted;

/// The number of projections that have a column.
const MAX_COLUMNS: usize = 8;

/// Appends all parts of a partition.
pub(super) fn partition(text: &mut String, partition: &Partition) {
    line(text, "");
    projections(text, partition);
    line(text, "");
    operators(text, partition);
    if let Some(rows) = &partition.transitions {
        line(text, "");
        transitions(text, partition, rows);
    }
    if let Some(lp) = &partition.lp {
        line(text, "");
        let sizes = format!("{} rows, {} columns, {} nonzeros", lp.rows, lp.columns, lp.nonzeros);
        line(text, &format!("LP: {sizes}, solved in {:.3}s", lp.seconds));
    }
}

fn projections(text: &mut String, partition: &Partition) {
    let projections = &partition.projections;
    let count = counted(projections.count, "projection");
    line(
        text,
        &format!("The value of the initial state, from {count} ({} used)", projections.used),
    );
    let all = projections.shown.iter().map(|projection| projection.initial);
    let all = all.chain([projections.rest, partition.initial_exact]);
    let width = all.map(|number| number.abs().to_string().len()).max().unwrap_or(1);
    for (index, Projection { title, initial, .. }) in projections.shown.iter().enumerate() {
        let sign = if initial.is_negative() { '-' } else { '+' };
        let number = format!("P{}", index + 1);
        line(text, &format!("    {sign} {:>width$}  {number:<4} {title}", initial.abs()));
    }
    if projections.rest_count > 0 {
        let rest = projections.rest;
        let sign = if rest.is_negative() { '-' } else { '+' };
        let more = counted(projections.rest_count, "more projection");
        line(text, &format!("    {sign} {:>width$}  {more}", rest.abs()));
    }
    let rounded = match partition.initial {
        Some(bound) => format!("so every plan costs at least {bound}"),
        None => "and no operator lowers it: there is no plan".to_owned(),
    };
    let total = partition.initial_exact;
    let exactly = total.exactly().map_or(String::new(), |all| format!("(exactly {all}) "));
    line(text, &format!("    = {total:>width$}  {exactly}{rounded}"));
}

fn operators(text: &mut String, partition: &Partition) {
    let rows = &partition.operators;
    let what = match partition.costs_of {
        CostsOf::Operators | CostsOf::Transitions => "Operators in TNF",
        CostsOf::GivenOperators => "Operators",
    };
    line(text, &summary(what, rows));
    let hint = match partition.costs_of {
        CostsOf::Operators | CostsOf::GivenOperators => {
            "What each projection gets of an operator's cost"
        }
        CostsOf::Transitions => {
            "What each projection gets of an operator's cost, depending on the state, and what is \
             left at least"
        }
    };
    table(text, partition, rows, hint);
}

fn transitions(text: &mut String, partition: &Partition, rows: &Rows) {
    line(text, &summary("Transitions between reachable states", rows));
    table(text, partition, rows, "What each projection gets of a transition's cost");
}

/// `Operators in TNF: 4; 3 pay shares, 2 have nothing left`.
fn summary(what: &str, rows: &Rows) -> String {
    let Rows { count, shared, used_up, .. } = rows;
    format!("{what}: {count}; {shared} pay shares, {used_up} have nothing left")
}

fn table(text: &mut String, partition: &Partition, rows: &Rows, hint: &str) {
    if rows.shown.is_empty() {
        return;
    }
    let columns = partition.projections.shown.len().min(MAX_COLUMNS);
    let has_rest = rows.shown.iter().any(|row| others(row, columns).is_some());
    let mut lines = vec![header(columns, has_rest)];
    lines.extend(rows.shown.iter().map(|row| cells(row, columns, has_rest)));
    line(text, &format!("  {hint}"));
    let widths: Vec<usize> = (0..lines[0].len() - 1)
        .map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0))
        .collect();
    for cells in &lines {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("  {cell:>width$}"));
        let last = cells.last().expect("a name");
        line(text, &format!("  {}  {last}", padded.collect::<String>()));
    }
    let hidden = rows.shared - rows.shown.len();
    if hidden > 0 {
        line(text, &format!("    and {hidden} more"));
    }
}

fn header(columns: usize, has_rest: bool) -> Vec<String> {
    let mut cells = vec!["cost".to_owned()];
    cells.extend((1..=columns).map(|number| format!("P{number}")));
    cells.extend(has_rest.then(|| "others".to_owned()));
    cells.extend(["left".to_owned(), String::new()]);
    cells
}

fn cells(row: &Row, columns: usize, has_rest: bool) -> Vec<String> {
    let mut cells = vec![row.cost.to_string()];
    let share = |index| row.share(index).map_or("·".to_owned(), ToString::to_string);
    cells.extend((0..columns).map(share));
    cells.extend(has_rest.then(|| others(row, columns).unwrap_or("·".to_owned())));
    cells.push(row.left.map_or("–".to_owned(), |left| left.to_string()));
    cells.push(row.title());
    cells
}

/// The sum of the shares without a column of their own, if there are any; only their number if
/// the sum depends on the state.
fn others(row: &Row, columns: usize) -> Option<String> {
    let hidden = || row.shares.iter().filter(|share| share.projection >= columns);
    let count = hidden().count() + row.rest_count;
    let is_fixed = hidden().all(|share| share.smallest == share.largest);
    let sum = row.rest.filter(|_| is_fixed);
    let sum = sum.map(|rest| hidden().fold(rest, |sum, share| sum.plus(share.largest)));
    (count > 0).then(|| sum.map_or_else(|| format!("({count})"), |sum| sum.to_string()))
}
