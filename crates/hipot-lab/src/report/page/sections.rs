//! The parts of the page, from top to bottom.

use std::collections::BTreeSet;
use std::time::Duration;

use humantime::format_duration;

use super::markup::{grouped, plural, section};
use super::tables;
use crate::report::svg::{Medium, escape};
use crate::report::time::span;
use crate::report::{Attribute, Logs, Metric, Plot, PlotKind, Report};
use crate::{Limits, Status};

/// The most warnings that are shown.
const MAX_WARNINGS: usize = 30;

/// The most marks that the page has for one attribute, so that it stays small with many tasks;
/// `--plots` writes the plots of all pairs.
const MARKS_OF_AN_ATTRIBUTE: usize = 4000;

pub(super) fn body(report: &Report, logs: &Logs<'_>) -> String {
    let parts = [
        heading(report),
        cards(report),
        warnings(report),
        what_was_run(report, logs),
        filter(report),
        first_tables(report),
        scatter_plots(report),
        curves(report),
        tables::pairs(report),
        tables::wide(report),
        tables::runs(),
        DIALOG.to_owned(),
    ];
    parts.concat()
}

fn heading(report: &Report) -> String {
    let (done, expected) = (report.done_count(), report.expected_count());
    let (some, all) = (grouped(done), grouped(expected));
    let done = match (done == expected, expected) {
        (_, 0) => "There are no runs.".to_owned(),
        (true, 1) => "The only run is done.".to_owned(),
        (true, _) => format!("All {all} runs are done."),
        (false, 1) => "<strong>The only run is not done</strong>; numbers will change.".to_owned(),
        (false, _) => {
            format!("<strong>{some} of {all} runs are done</strong>; numbers will change.")
        }
    };
    format!(
        "<h1>{}</h1>\n<p class=\"lead\">{} from {}, {}. {done}</p>\n",
        escape(&report.name),
        plural(report.rows.len(), "task"),
        plural(report.domains.len(), "domain"),
        plural(report.columns.len(), "configuration"),
    )
}

fn cards(report: &Report) -> String {
    let (solved, perfect) =
        (Metric::Coverage.sums(report).total, Metric::Perfect.sums(report).total);
    let card = |(column, name): (usize, &str)| {
        format!(
            "<li data-column=\"{column}\"><span class=\"label\">{}</span>\
             <span class=\"value\">{}</span><span class=\"note\">of <span class=\"of\">{}</span> \
             solved; perfect initial values: <span class=\"perfect-count\">{}</span></span></li>\n",
            escape(name),
            solved[column],
            report.rows.len(),
            perfect[column]
        )
    };
    let names = report.columns.iter().map(|column| column.name.as_str());
    let list: String = names.enumerate().map(card).collect();
    format!("<ul class=\"cards\" aria-label=\"Tasks solved\">\n{list}</ul>\n")
}

/// What makes results doubtful: contradictions, invalid plans, crashes.
fn warnings(report: &Report) -> String {
    let contradictions = report.warnings();
    let claims: Vec<String> =
        contradictions.iter().map(|it| warning(report, it.row, &it.to_string())).collect();
    let alarming = report.records().filter(|(_, _, record)| record.status.is_alarming());
    let failures: Vec<String> = alarming
        .map(|(row, column, record)| {
            let name = &report.columns[column].name;
            let reason = record.reason.as_deref().unwrap_or_default();
            let what = match record.status {
                Status::InvalidPlan => "has a plan that is invalid",
                _ => "crashed",
            };
            let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
            warning(report, row, &format!("{name} {what}{reason}"))
        })
        .collect();
    let count = |count: usize, noun: &str| {
        if count == 1 { format!("One {noun}") } else { format!("{count} {noun}s") }
    };
    let contradictions = alarm(
        &format!("{} cannot be true", count(claims.len(), "claim")),
        "These results contradict each other. Do not rely on them until it is clear which of them \
         are wrong.",
        &claims,
    );
    let failures = alarm(
        &format!("{} crashed or ended with an invalid plan", count(failures.len(), "run")),
        "Something is wrong with the planner, or with how it is called; its logs may say what.",
        &failures,
    );
    contradictions + &failures
}

fn warning(report: &Report, row: usize, words: &str) -> String {
    let (domain, problem) = (escape(report.domain(row)), escape(&report.rows[row].problem));
    format!("<li><strong>{domain} {problem}</strong>: {}.</li>\n", escape(words))
}

/// A red box, if there is anything to say.
fn alarm(title: &str, hint: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let shown: String = items.iter().take(MAX_WARNINGS).map(String::as_str).collect();
    let rest = match items.len().saturating_sub(MAX_WARNINGS) {
        0 => String::new(),
        rest => format!("<p>And {rest} more; the report as JSON has them all.</p>\n"),
    };
    format!(
        "<section class=\"warning\" role=\"alert\">\n<h2>⚠ {title}</h2>\n<p>{hint}</p>\n\
         <ul>\n{shown}</ul>\n{rest}</section>\n"
    )
}

fn filter(report: &Report) -> String {
    let domain_box = |(index, name): (usize, &String)| {
        format!(
            "<label><input type=\"checkbox\" name=\"domain\" value=\"{index}\" checked=\"\" \
             autocomplete=\"off\" /> {}</label>\n",
            escape(name)
        )
    };
    let domains: String = report.domains.iter().enumerate().map(domain_box).collect();
    let option = |(index, name): (usize, &str)| {
        format!("<option value=\"{index}\">{}</option>", escape(name))
    };
    let names = report.columns.iter().map(|column| column.name.as_str());
    let columns: String = names.enumerate().map(option).collect();
    let occurs = |status| report.count(Some(status)).iter().any(|&count| count > 0);
    let statuses = Status::ALL.into_iter().enumerate().filter(|&(_, status)| occurs(status));
    let statuses: String = statuses.map(|(index, status)| option((index, status.name()))).collect();
    format!(
        "<form id=\"filter\" class=\"filter\" aria-label=\"Filter\" autocomplete=\"off\">\n\
         <details class=\"menu\"><summary id=\"domains-chosen\">all domains</summary>\n<div>\
         <p><button type=\"button\" id=\"all-domains\">All</button> \
         <button type=\"button\" id=\"no-domains\">None</button></p>\n\
         <fieldset><legend class=\"unseen\">Domains</legend>\n{domains}</fieldset></div></details>\n\
         <label>where <select name=\"column\"><option value=\"\">any configuration</option>{columns}\
         </select></label>\n<label>ended <select name=\"status\"><option value=\"\">in any way</option>\
         {statuses}<option value=\"-1\">not run</option></select></label>\n\
         <label><input type=\"checkbox\" name=\"common\" /> solved by all</label>\n\
         <input type=\"search\" name=\"words\" placeholder=\"task\" aria-label=\"Tasks whose name contains\" />\n\
         <button type=\"reset\">Reset</button>\n<output id=\"count\" role=\"status\">{}</output>\n\
         </form>\n",
        all_tasks(report.rows.len())
    )
}

/// What the filter says while it leaves all tasks; the page's script has the same function.
fn all_tasks(count: usize) -> String {
    match count {
        0 => "no tasks".to_owned(),
        1 => "the only task".to_owned(),
        count => format!("all {count} tasks"),
    }
}

/// The tables with a column for each configuration, side by side if they are narrow.
fn first_tables(report: &Report) -> String {
    let class = if report.columns.len() <= 5 { "beside" } else { "below" };
    format!(
        "<div class=\"{class}\">\n<div>{}</div>\n<div>{}{}{}</div>\n</div>\n",
        tables::coverage(report),
        tables::initial(report),
        tables::scores(report),
        tables::statuses(report)
    )
}

fn scatter_plots(report: &Report) -> String {
    let kinds = [
        PlotKind::OptimalLinear,
        PlotKind::InitialLinear,
        PlotKind::Expansions,
        PlotKind::Optimal,
        PlotKind::Initial,
    ];
    let figures = kinds.map(|kind| figure(report, kind)).concat() + &attributes(report);
    if figures.is_empty() {
        return String::new();
    }
    section(
        "Scatter plots",
        "A mark is a task, or several tasks at the same point. Point at a mark to see its values; \
         click it to see its logs. With the keyboard: arrows move from mark to mark, Enter opens \
         one.",
        &format!("<div class=\"figures\">\n{figures}</div>\n"),
    )
}

/// The first plot of a kind, with the others to choose from.
fn figure(report: &Report, kind: PlotKind) -> String {
    let plots = report.plots_of(kind);
    let label = match kind {
        PlotKind::OptimalLinear => "Initial h against h*, up to 50",
        PlotKind::Optimal => "Initial h against h*",
        PlotKind::InitialLinear => "Initial h, up to 50",
        PlotKind::Initial => "Initial h",
        _ => "Expansions without the last f layer",
    };
    drawings(report, label, kind.name(), &plots)
}

/// The first plot of any attribute, with the others to choose from.
fn attributes(report: &Report) -> String {
    let mut plots = Vec::new();
    for attribute in Attribute::ALL {
        let mut some = report.plots_of(PlotKind::Value(attribute));
        some.truncate((MARKS_OF_AN_ATTRIBUTE / report.rows.len().max(1)).max(1));
        plots.append(&mut some);
    }
    drawings(report, "Any attribute", "attribute", &plots)
}

fn key(plot: &Plot) -> String {
    let (x, y) = plot.columns.unwrap_or_default();
    format!("{} {x} {y}", plot.kind.name())
}

/// The first of some plots, and the others as templates.
fn drawings(report: &Report, label: &str, name: &str, plots: &[Plot]) -> String {
    let Some((&first, others)) = plots.split_first() else { return String::new() };
    let option = |plot: &Plot| {
        let title = escape(&short_title(report, *plot));
        format!("<option value=\"{}\">{title}</option>", key(plot))
    };
    let options: String = plots.iter().map(option).collect();
    let template = |plot: &Plot| {
        let drawing = report.draw(*plot, Medium::Page);
        format!("<template data-plot=\"{}\">{drawing}</template>\n", key(plot))
    };
    let templates: String = others.iter().map(template).collect();
    format!(
        "<figure data-kind=\"{name}\"><figcaption><label>{label} \
         <select autocomplete=\"off\">{options}</select></label></figcaption>\n{}{templates}</figure>\n",
        report.draw(first, Medium::Page)
    )
}

fn short_title(report: &Report, plot: Plot) -> String {
    let name = |column: usize| &report.columns[column].name;
    match plot.columns {
        Some((first, second)) if first != second => {
            let pair = format!("{}, {}", name(first), name(second));
            match plot.kind {
                PlotKind::Value(attribute) => format!("{}: {pair}", attribute.title()),
                _ => pair,
            }
        }
        Some((_, column)) => name(column).clone(),
        None => String::new(),
    }
}

fn curves(report: &Report) -> String {
    let kinds = [PlotKind::SolvedByTime, PlotKind::SolvedByExpansions];
    let plots = kinds.iter().flat_map(|&kind| report.plots_of(kind));
    let figure = |plot: Plot| {
        let (title, drawing) = (escape(&report.title(plot)), report.draw(plot, Medium::Page));
        format!("<figure><figcaption>{title}</figcaption>\n{drawing}</figure>\n")
    };
    let figures: String = plots.map(figure).collect();
    section(
        "How many tasks are solved, and how fast",
        "The number of tasks solved within a time, and within a number of expansions.",
        &format!("<div class=\"figures wide\">\n{figures}</div>\n"),
    )
}

fn what_was_run(report: &Report, logs: &Logs<'_>) -> String {
    let row = |column: usize| {
        let provenance = report.provenance(column);
        let planner = report.columns[column].planner.as_deref();
        let cells = [
            planner.map_or("–".to_owned(), |words| format!("<code>{}</code>", escape(words))),
            set(&provenance.revisions, "mixed revisions"),
            provenance.limits.iter().map(limits_in_words).collect::<Vec<_>>().join("; "),
            set(&provenance.machines, ""),
            match (provenance.first, provenance.last) {
                (Some(first), Some(last)) => span(first, last),
                _ => "–".to_owned(),
            },
            format!("{} of {}", grouped(provenance.done), grouped(provenance.expected)),
        ];
        let imported = match provenance.imported {
            0 => "",
            _ => " <span class=\"chip\">imported: plans not validated here</span>",
        };
        let is_optimal = report.columns[column].is_optimal;
        let optimal = if is_optimal { "" } else { " <span class=\"chip\">not optimal</span>" };
        let cells = cells.map(|cell| format!("<td>{cell}</td>")).concat();
        let name = escape(&report.columns[column].name);
        format!("<tr><th scope=\"row\">{name}{imported}{optimal}</th>{cells}</tr>\n")
    };
    let rows: String = (0..report.columns.len()).map(row).collect();
    let left_out = match logs.left_out {
        0 => String::new(),
        count => format!(
            "<p class=\"hint\">{} {} not in this page, to keep it small; the results file has all \
             logs.</p>\n",
            plural(count, "log"),
            if count == 1 { "is" } else { "are" }
        ),
    };
    section(
        "What was run",
        "Where the results come from.",
        &format!(
            "<div class=\"scroll\"><table class=\"words\">\n<tr><th>configuration</th><th>heuristic or command</th><th>revision</th>\
             <th>limits</th><th>machines</th><th>started</th><th>done</th></tr>\n{rows}</table></div>\n{left_out}"
        ),
    )
}

/// The words of a set, with a note if there are several.
fn set(words: &BTreeSet<String>, note: &str) -> String {
    let shown: Vec<String> = words.iter().take(5).map(|word| escape(word)).collect();
    let more =
        if words.len() > 5 { format!(" and {} more", words.len() - 5) } else { String::new() };
    let is_mixed = words.len() > 1 && !note.is_empty();
    let chip =
        if is_mixed { format!(" <span class=\"chip bad\">{note}</span>") } else { String::new() };
    format!("{}{more}{chip}", shown.join(", "))
}

fn limits_in_words(limits: &Limits) -> String {
    let time = match limits.time {
        Duration::ZERO => "unknown time".to_owned(),
        time => format_duration(time).to_string(),
    };
    match limits.memory {
        0 => format!("{time}, unknown memory"),
        memory if memory % (1 << 30) == 0 => format!("{time}, {} GiB", memory >> 30),
        memory => format!("{time}, {} MiB", memory >> 20),
    }
}

/// The dialog that shows a run, and the tooltip.
const DIALOG: &str = "<dialog id=\"run\" aria-labelledby=\"run-title\">\n<header><h2 id=\"run-title\">\
    </h2><button type=\"button\" id=\"run-close\" aria-label=\"Close\">✕</button></header>\n\
    <label class=\"choice\">Task <select id=\"run-task\"></select></label>\n\
    <div id=\"run-columns\" class=\"choices\" role=\"group\" aria-label=\"Configuration\"></div>\n\
    <dl id=\"run-facts\"></dl>\n<pre id=\"log\" tabindex=\"0\"></pre>\n</dialog>\n\
    <div id=\"tip\" role=\"status\" hidden=\"\"></div>\n";
