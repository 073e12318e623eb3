//! The tables of the page. Rows carry the attributes that the script needs to update them.

use super::markup::section;
use crate::Status;
use crate::report::svg::escape;
use crate::report::{Comparison, Metric, Report};

/// A table that scrolls horizontally if it is too wide. The head, rows and foot are markup.
fn table(attributes: &str, caption: &str, head: &str, rows: &str, foot: &str) -> String {
    let foot = if foot.is_empty() { String::new() } else { format!("<tfoot>{foot}</tfoot>\n") };
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\"><table {attributes}>\n\
         <caption class=\"unseen\">{caption}</caption>\n<thead>\n{head}</thead>\n\
         <tbody>\n{rows}</tbody>\n{foot}</table></div>\n"
    )
}

/// A header whose cells sort the table. Columns from `numbers_from` on contain numbers.
fn header(names: &[&str], numbers_from: usize) -> String {
    let cell = |(index, name): (usize, &&str)| {
        let class = if index >= numbers_from { " class=\"right\"" } else { "" };
        format!(
            "<th scope=\"col\"{class} data-at=\"{index}\" data-key=\"{index}\">\
             <button type=\"button\" class=\"sort\">{}</button></th>",
            escape(name)
        )
    };
    format!("<tr>{}</tr>\n", names.iter().enumerate().map(cell).collect::<String>())
}

/// A row: a name, then numbers.
fn row(attributes: &str, name: &str, cells: impl IntoIterator<Item = String>) -> String {
    let cells: String = cells.into_iter().map(|cell| right(&cell)).collect();
    format!("<tr {attributes}><th scope=\"row\">{name}</th>{cells}</tr>\n")
}

fn right(cell: &str) -> String {
    format!("<td class=\"right number\">{cell}</td>")
}

fn names<'a>(report: &'a Report, before: &[&'a str]) -> Vec<&'a str> {
    before.iter().copied().chain(report.columns.iter().map(|column| column.name.as_str())).collect()
}

/// The table of the sums of a metric by domain.
fn sums(report: &Report, metric: Metric, id: &str, caption: &str) -> String {
    let sums = metric.sums(report);
    let mut tasks = vec![0usize; report.domains.len()];
    for row in &report.rows {
        tasks[row.domain] += 1;
    }
    let show = |count: usize, sums: &[u64]| -> Vec<String> {
        let shown = sums.iter().map(|&sum| metric.show(sum));
        std::iter::once(count.to_string()).chain(shown).collect()
    };
    let domain_row = |(domain, name): (usize, &String)| {
        let name = escape(name);
        let link = format!(
            "<button type=\"button\" class=\"link only\" title=\"Show only this domain\">{name}</button>"
        );
        let cells = show(tasks[domain], &sums.by_domain[domain]);
        row(&format!("data-domain=\"{domain}\""), &link, cells)
    };
    let rows: String = report.domains.iter().enumerate().map(domain_row).collect();
    let head = header(&names(report, &["domain", "tasks"]), 1);
    let foot = row("", "all", show(report.rows.len(), &sums.total));
    let attributes = format!("class=\"sums\" id=\"{id}\" data-metric=\"{}\"", metric.name());
    table(&attributes, caption, &head, &rows, &foot)
}

pub(super) fn coverage(report: &Report) -> String {
    section(
        "Coverage",
        "The number of tasks solved: with a plan, or by saying that there is none. All plans were \
         validated, except those of imported results. Click a domain to see only that one.",
        &sums(report, Metric::Coverage, "coverage", "Tasks solved by domain"),
    )
}

pub(super) fn scores(report: &Report) -> String {
    let total_row = |metric: Metric| {
        let total = metric.sums(report).total;
        let attributes = format!("data-metric=\"{}\"", metric.name());
        row(&attributes, metric.title(), total.iter().map(|&sum| metric.show(sum)))
    };
    let rows: String = Metric::scores().map(total_row).collect();
    let head = header(&names(report, &["score"]), 1);
    let totals = table("id=\"totals\"", "Sums of scores", &head, &rows, "");
    let option =
        |metric: Metric| format!("<option value=\"{}\">{}</option>", metric.name(), metric.title());
    let options: String = Metric::scores().map(option).collect();
    let first = Metric::scores().next().unwrap_or(Metric::Coverage);
    let by_domain = sums(report, first, "score-sums", "Sums of a score by domain");
    section(
        "Scores",
        "A solved task scores 1 with at most 100 states, one second, or 2,000 KB, and 0 with a \
         million states or at the limit; in between, the score falls with the logarithm. Unsolved \
         tasks score 0. Higher is better.",
        &format!(
            "{totals}<details><summary>By domain</summary>\n<label class=\"choice\">Score \
             <select id=\"score\" autocomplete=\"off\">{options}</select></label>\n{by_domain}</details>\n"
        ),
    )
}

pub(super) fn initial(report: &Report) -> String {
    let (known, perfect) = (Metric::Known.sums(report).total, Metric::Perfect.sums(report));
    let column_row = |(column, name): (usize, &str)| {
        let reached = perfect.by_domain.iter().filter(|sums| sums[column] > 0).count();
        let cells = [
            known[column].to_string(),
            perfect.total[column].to_string(),
            percent(perfect.total[column], known[column]),
            reached.to_string(),
        ];
        row(&format!("data-column=\"{column}\""), &escape(name), cells)
    };
    let columns = report.columns.iter().map(|column| column.name.as_str());
    let rows: String = columns.enumerate().map(column_row).collect();
    let names = ["configuration", "h and h* known", "perfect", "share", "domains with one"];
    section(
        "Perfect initial values",
        "The number of tasks whose initial value is the optimal cost. That cost is known if an \
         optimal configuration solved the task and its plan was validated here, or if it was \
         given with --costs.",
        &table("id=\"initial\"", "Perfect initial values", &header(&names, 1), &rows, ""),
    )
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        "–".to_owned()
    } else {
        format!("{:.1}%", 100.0 * part as f64 / whole as f64)
    }
}

pub(super) fn statuses(report: &Report) -> String {
    let status_row = |place: i8, name: &str, counts: Vec<usize>| {
        let total: usize = counts.iter().sum();
        let cells = counts.iter().map(ToString::to_string);
        (total > 0).then(|| row(&format!("data-status=\"{place}\""), name, cells))
    };
    let statuses = Status::ALL.into_iter().zip(0..);
    let mut rows: String = statuses
        .filter_map(|(status, place)| status_row(place, status.name(), report.count(Some(status))))
        .collect();
    rows.push_str(&status_row(-1, "not run yet", report.count(None)).unwrap_or_default());
    section(
        "How runs ended",
        "The number of runs that ended with each status.",
        &table(
            "id=\"statuses\"",
            "How runs ended",
            &header(&names(report, &["status"]), 1),
            &rows,
            "",
        ),
    )
}

const PAIR_HEADER: [&str; 13] = [
    "first",
    "second",
    "only first",
    "both",
    "only second",
    "higher",
    "equal",
    "lower",
    "fewer",
    "equal",
    "more",
    "expansions",
    "time",
];

pub(super) fn pairs(report: &Report) -> String {
    let pair_row = |(first, second): (usize, usize)| {
        let name = |column: usize| escape(&report.columns[column].name);
        let cells: String =
            pair_cells(&report.compare(first, second)).iter().map(|c| right(c)).collect();
        format!(
            "<tr data-first=\"{first}\" data-second=\"{second}\"><th scope=\"row\">{}</th>\
             <th scope=\"row\">{}</th>{cells}</tr>\n",
            name(first),
            name(second)
        )
    };
    let pairs = report.pairs();
    let rows: String = pairs.iter().copied().map(pair_row).collect();
    let groups = "<tr class=\"groups\"><td colspan=\"2\"></td><th colspan=\"3\" scope=\"colgroup\">\
                  solved by</th><th colspan=\"3\" scope=\"colgroup\">second’s initial h</th>\
                  <th colspan=\"3\" scope=\"colgroup\">second’s expansions</th>\
                  <th colspan=\"2\" scope=\"colgroup\">second / first</th></tr>\n";
    let head = format!("{groups}{}", header(&PAIR_HEADER, 2));
    let width = report.columns.len();
    let cut = if report.baseline.is_none() && pairs.len() < width * width.saturating_sub(1) / 2 {
        " There are too many pairs to show all, so each configuration is compared with the first; \
         lab report --baseline chooses another."
    } else {
        ""
    };
    section(
        "Pairs",
        &format!(
            "Tasks on which both were run. Expansions are without the last f layer, on tasks that both solved. The last two \
             columns are geometric means of the ratios on these tasks, second / first: below 1 if \
             the second is better.{cut}"
        ),
        &table("id=\"pairs\"", "Pairs of configurations", &head, &rows, ""),
    )
}

fn pair_cells(pair: &Comparison) -> Vec<String> {
    let counts = [pair.only_first, pair.both, pair.only_second];
    let counts = counts.iter().chain(&pair.initial_h).chain(&pair.expansions);
    let ratios = [ratio(pair.expansions_ratio), ratio(pair.time_ratio)];
    counts.map(ToString::to_string).chain(ratios).collect()
}

fn ratio(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if value < 0.001 => "&lt; 0.001".to_owned(),
        Some(value) if value < 0.1 => format!("{value:.4}"),
        Some(value) if value < 10.0 => format!("{value:.2}"),
        Some(value) if value < 100.0 => format!("{value:.1}"),
        Some(value) => format!("{value:.0}"),
    }
}

/// One attribute of all runs, which the script fills in: a row for each task, a column for each
/// configuration.
pub(super) fn wide(report: &Report) -> String {
    let names = names(report, &["task", "h*"]);
    let content = section(
        "Task by task",
        "One attribute of all runs. Click a value to see its run.",
        &format!(
            "<label class=\"choice\">Attribute <select id=\"attribute\" autocomplete=\"off\"></select>\
             </label>\n{}<p class=\"more\"><span id=\"wide-shown\"></span> \
             <button type=\"button\" id=\"wide-more\" hidden>Show more</button></p>\n",
            table("id=\"wide\"", "One attribute task by task", &header(&names, 1), "", "")
        ),
    );
    format!("<div class=\"runs\">\n{content}</div>\n")
}

/// The table of runs, which the script fills in.
pub(super) fn runs() -> String {
    let names =
        ["task", "configuration", "status", "cost", "initial h", "expansions", "seconds", "MB"];
    let runs = table("id=\"runs\"", "Runs", &header(&names, 3), "", "");
    let content = section(
        "Runs",
        "Click a task to see the numbers and the log of a run.",
        &format!(
            "{runs}<p class=\"more\"><span id=\"runs-shown\"></span> \
             <button type=\"button\" id=\"more\" hidden>Show more</button></p>\n"
        ),
    );
    format!("<div class=\"runs\">\n{content}</div>\n")
}
