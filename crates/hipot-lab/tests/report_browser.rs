//! The report's page in a real browser: filter, hover, click, keyboard, touch, dark mode, a
//! phone, print. Skipped with a message if Chromium is not installed.
//!
//! Screenshots are left in the build folder.

mod records;

use std::fs;
use std::path::{Path, PathBuf};

use hipot_lab::report::{Logs, Params, Report};
use hipot_lab::{Record, Status, Task};
use hipot_testing::browser::{Browser, Page, url_of};
use records::{DOMAINS, experiment, record, solved, task};
use serde_json::json;

fn log_of(record: &Record) -> String {
    format!(
        "log of {} {} with {}\nends {} \u{1F600} </script>\n",
        record.domain, record.problem, record.configuration, record.status
    )
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report-page");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn write_page(
    name: &str,
    (expected, records): (Vec<(Task, String)>, Vec<Record>),
) -> (PathBuf, Report) {
    let report = Report::new(name, &expected, records, &Params::default()).expect("a report");
    let mut logs = Logs::new(&report);
    for (_, _, record) in report.records() {
        let key = [&record.suite, &record.domain, &record.problem, &record.configuration];
        logs.add(key.map(String::as_str), &log_of(record));
    }
    let file = folder().join(format!("{name}.html"));
    fs::write(&file, report.page(&logs)).expect("a file");
    (file, report)
}

fn start() -> Option<Browser> {
    let browser = Browser::start();
    if browser.is_none() {
        eprintln!("skipped: Chromium is not installed");
    }
    browser
}

fn screenshot(page: &mut Page<'_>, name: &str) {
    let picture = page.screenshot(!name.starts_with("window-"));
    fs::write(folder().join(name), picture).expect("a file");
}

/// Everything that tables, cards and plots show.
const EVERYTHING: &str = "[...document.querySelectorAll('table:not(#runs, #wide) tr, .cards li, .plot text')]\
    .map(e => e.textContent.trim()).join('\\n') + [...document.querySelectorAll('.plot path')]\
    .map(e => e.getAttribute('d')).join('\\n')";

const TOTAL: &str = "document.querySelector('#coverage tfoot').textContent";

#[test]
fn the_script_adds_up_as_the_report_does() {
    let Some(mut browser) = start() else { return };
    let (file, _) = write_page("adds-up", experiment(300, &["pot1", "pot2", "ocp2"]));
    let mut page = browser.open(&url_of(&file), (1200, 900));
    let by_script = page.text(EVERYTHING);
    assert!(page.value("document.querySelectorAll('#runs tbody tr').length") == json!(25));
    assert_eq!(page.value("performance.getEntriesByType('resource').length"), json!(0));
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    page.load(&url_of(&file));
    assert_eq!(page.value("document.querySelectorAll('#runs tbody tr').length"), json!(0));
    let by_report = page.text(EVERYTHING);
    assert!(by_report.lines().count() > 300);
    for (script, report) in by_script.lines().zip(by_report.lines()) {
        assert_eq!(script, report);
    }
    assert_eq!(by_script, by_report);
}

#[test]
fn a_filter_changes_tables_and_plots() {
    let Some(mut browser) = start() else { return };
    let (expected, records) = experiment(300, &["pot1", "pot2", "ocp2"]);
    // The report of one domain must show what the filter leaves of all domains.
    let one = |domain: &str| domain == DOMAINS[2];
    let part = Report::new(
        "part",
        &expected.iter().filter(|(task, _)| one(&task.domain)).cloned().collect::<Vec<_>>(),
        records.iter().filter(|record| one(&record.domain)).cloned().collect(),
        &Params::default(),
    )
    .expect("a report");
    let (part_file, _) = write_page_of(part, "part");
    let (file, _) = write_page("filter", (expected, records));
    let mut page = browser.open(&url_of(&part_file), (1200, 900));
    let rows = "[...document.querySelectorAll('#pairs tbody tr, #initial tbody tr, #totals tbody tr, tfoot tr')]\
                .map(e => e.textContent).join('\\n')";
    let alone = page.text(rows);
    drop(page);
    let mut page = browser.open(&url_of(&file), (1200, 900));
    let (all, total) = (page.text(rows), page.text(TOTAL));
    page.click("document.querySelector('#coverage tr[data-domain=\"2\"] button.only')");
    assert_eq!(page.text(rows), alone);
    assert_ne!(page.text(TOTAL), total);
    let shown =
        "[...document.querySelectorAll('#coverage tbody tr')].filter(r => !r.hidden).length";
    assert_eq!(page.value(shown), json!(1));
    let marks = "[...document.querySelectorAll('figure[data-kind] path[data-t]')].filter(e => getComputedStyle(e).display !== 'none')\
                 .every(e => e.dataset.t.split(' ').some(t => tasks.domain[t] === 2))";
    assert_eq!(page.value(marks), json!(true));
    assert_eq!(page.text("document.getElementById('count').textContent"), "38 of 300 tasks");
    screenshot(&mut page, "filtered.png");
    page.click("document.querySelector('#filter [type=reset]')");
    page.wait_for("document.getElementById('count').textContent === 'all 300 tasks'");
    assert_eq!(page.text(rows), all);
    // By status: tasks that pot1 did not solve in time.
    page.value(
        "(() => { const e = filter.elements; e.column.value = '0'; e.status.value = '3'; \
                e.status.dispatchEvent(new Event('input', { bubbles: true })); })()",
    );
    let of =
        page.text("document.querySelector('#statuses tr[data-status=\"3\"]').cells[1].textContent");
    let tasks = page.text("document.querySelector('#coverage tfoot').rows[0].cells[1].textContent");
    assert_eq!(of, tasks);
    assert_eq!(
        page.text("document.querySelector('#coverage tfoot').rows[0].cells[2].textContent"),
        "0"
    );
}

fn write_page_of(report: Report, name: &str) -> (PathBuf, Report) {
    let file = folder().join(format!("{name}.html"));
    fs::write(&file, report.page(&Logs::new(&report))).expect("a file");
    (file, report)
}

/// A few tasks whose marks do not coincide.
fn few() -> (Vec<(Task, String)>, Vec<Record>) {
    let names = ["p01", "p<b>\"02\"</script>", "p03"];
    let tasks = names.map(|problem| task("gripper & co", problem));
    let mut expected = Vec::new();
    for task in &tasks {
        for configuration in ["pot1", "pot2"] {
            expected.push((task.clone(), configuration.to_owned()));
        }
    }
    let records = vec![
        solved(&tasks[0], "pot1", 11, 4, 300),
        solved(&tasks[0], "pot2", 11, 11, 0),
        solved(&tasks[1], "pot1", 47, 20, 90_000),
        solved(&tasks[1], "pot2", 47, 40, 700),
        record(&tasks[2], "pot1", Status::TimeLimit),
    ];
    (expected, records)
}

const EXPANSIONS: &str = "document.querySelector('figure[data-kind=expansions] svg')";

#[test]
fn marks_tell_their_task_and_lead_to_its_log() {
    let Some(mut browser) = start() else { return };
    let (file, report) = write_page("few", few());
    let mut page = browser.open(&url_of(&file), (1200, 900));
    let mark = format!("{EXPANSIONS}.querySelector('[data-t=\"1\"]')");
    page.hover(&mark);
    page.wait_for("!tip.hidden");
    let words = page.text("tip.textContent");
    for word in [
        "gripper & co p<b>\"02\"</script>",
        "pot1: expansions 90000, solved",
        "pot2: expansions 700, solved",
    ] {
        assert!(words.contains(word), "{words}");
    }
    screenshot(&mut page, "window-hover.png");
    page.click(&mark);
    page.wait_for("document.getElementById('run').open && log.textContent !== ''");
    let second = report.record(1, 1).expect("a record");
    assert_eq!(page.text("log.textContent"), log_of(second));
    screenshot(&mut page, "window-log.png");
    page.click("document.getElementById('run-columns').children[0]");
    let first = report.record(1, 0).expect("a record");
    page.wait_for(&format!("log.textContent === {}", json!(log_of(first))));
    page.press("Escape");
    page.wait_for("!document.getElementById('run').open");
    // By keyboard: the second mark from the left.
    page.value(&format!("{EXPANSIONS}.focus()"));
    page.press("ArrowRight");
    page.press("ArrowRight");
    assert!(page.text("tip.textContent").contains("p<b>"));
    page.press("Enter");
    page.wait_for(&format!("log.textContent === {}", json!(log_of(second))));
    page.press("Escape");
    // A run that is not done says so.
    page.click("[...document.querySelectorAll('#runs .link')].pop()");
    page.wait_for("log.textContent === 'This run is not done yet.'");
}

#[test]
fn plots_can_be_chosen_and_tables_sorted() {
    let Some(mut browser) = start() else { return };
    let (file, _) = write_page("choose", experiment(120, &["pot1", "pot2", "ocp2"]));
    let mut page = browser.open(&url_of(&file), (1200, 900));
    let label =
        "document.querySelector('figure[data-kind=initial-h] svg').getAttribute('aria-label')";
    assert_eq!(page.text(label), "Initial values of pot1 and pot2");
    let choose = |value: &str| {
        format!(
            "(() => {{ const s = document.querySelector('figure[data-kind=initial-h] select'); s.value = '{value}'; \
                 s.dispatchEvent(new Event('change')); }})()"
        )
    };
    page.value(&choose("initial-h 1 2"));
    assert_eq!(page.text(label), "Initial values of pot2 and ocp2");
    page.hover("document.querySelector('figure[data-kind=initial-h] svg path[data-t]')");
    page.wait_for("!tip.hidden && tip.textContent.includes('ocp2: h ')");
    page.value(&choose("initial-h 0 1"));
    assert_eq!(page.text(label), "Initial values of pot1 and pot2");
    page.value(
        "(() => { const s = document.querySelector('figure[data-kind=attribute] select'); \
         s.value = 'memory 0 2'; s.dispatchEvent(new Event('change')); })()",
    );
    let attribute = "document.querySelector('figure[data-kind=attribute] svg')";
    assert_eq!(
        page.text(&format!("{attribute}.getAttribute('aria-label')")),
        "memory in MB of pot1 and ocp2"
    );
    page.hover(&format!("{attribute}.querySelector('path[data-t]')"));
    page.wait_for("!tip.hidden && /ocp2: memory in MB \\d/.test(tip.textContent)");
    screenshot(&mut page, "attribute.png");
    let column =
        "[...document.querySelectorAll('#coverage tbody tr')].map(r => +r.cells[2].textContent)";
    let header = "document.querySelector('#coverage th[data-at=\"2\"] button')";
    for sign in ["b - a", "a - b"] {
        page.click(header);
        let sorted =
            format!("JSON.stringify({column}) === JSON.stringify({column}.sort((a, b) => {sign}))");
        assert_eq!(page.value(&sorted), json!(true));
    }
    assert_eq!(
        page.text("document.querySelector('#coverage th[data-at=\"2\"]').ariaSort"),
        "ascending"
    );
}

#[test]
fn tables_can_be_saved_and_any_attribute_seen_task_by_task() {
    let Some(mut browser) = start() else { return };
    let (file, report) = write_page("wide", experiment(120, &["pot1", "pot2", "a_b & \"c\""]));
    let mut page = browser.open(&url_of(&file), (1200, 900));
    let csv = page.text("asCsv(byId('coverage'))");
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines[0], "domain,tasks,pot1,pot2,\"a_b & \"\"c\"\"\"");
    assert_eq!(lines.len(), report.domains.len() + 2);
    let latex = page.text("asLatex(byId('coverage'))");
    assert!(latex.starts_with("\\begin{tabular}{lrrrr}\n\\hline\ndomain & tasks & pot1 & pot2 & a\\_b \\& \"c\" \\\\\n"), "{latex}");
    assert_eq!(page.value("document.querySelectorAll('.export').length").as_u64(), Some(8));
    // Whole, though only a part is shown.
    assert_eq!(page.value("byId('wide').tBodies[0].rows.length"), json!(25));
    assert_eq!(page.value("asCsv(byId('wide')).split('\\n').length"), json!(122));

    let cells = "[...byId('wide').tBodies[0].rows].map(row => row.cells[2].textContent)";
    let first = page.text(&format!("{cells}[0]"));
    for attribute in ["status", "processor time in seconds", "memory in MB"] {
        page.value(&format!(
            "(byId('attribute').value = {0}, byId('attribute').dispatchEvent(new Event('change')))",
            json!(attribute)
        ));
        assert_ne!(page.text(&format!("{cells}[0]")), first, "{attribute}");
    }
    page.click("byId('wide').querySelector('th button.sort')");
    page.click("byId('wide').tBodies[0].rows[0].querySelector('button.link')");
    page.wait_for("document.getElementById('run').open");
    page.press("Escape");

    let all = page.text(TOTAL);
    page.click("document.querySelector('[name=common]')");
    assert_ne!(page.text(TOTAL), all);
    let solved = "[...byId('coverage').tFoot.rows[0].cells].slice(1).map(cell => cell.textContent)";
    assert_eq!(page.value(&format!("new Set({solved}).size")), json!(1), "all solve all of them");
}

#[test]
fn it_is_readable_in_the_dark_on_a_phone_and_in_print() {
    let Some(mut browser) = start() else { return };
    let (file, report) = write_page("paper", experiment(400, &["pot1", "pot2", "ocp2"]));
    let mut page = browser.open(&url_of(&file), (1280, 900));
    let color = "getComputedStyle(document.body).backgroundColor";
    let light = page.text(color);
    screenshot(&mut page, "light.png");
    let media =
        |scheme: &str| json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
    page.call("Emulation.setEmulatedMedia", media("dark"));
    assert_ne!(page.text(color), light);
    screenshot(&mut page, "dark.png");
    page.call("Emulation.setEmulatedMedia", media("light"));
    page.resize(360, 740, true);
    assert_eq!(page.value("document.documentElement.scrollWidth <= 360"), json!(true));
    screenshot(&mut page, "phone.png");
    let hint = "getComputedStyle(document.querySelector('.wider + .export'), '::before').content";
    assert!(page.text(hint).contains("scroll sideways"));
    page.tap("document.querySelector('figure[data-kind=expansions] svg path[data-t].both')");
    page.wait_for("document.getElementById('run').open && log.textContent.startsWith('log of ')");
    assert_eq!(page.value("document.documentElement.scrollWidth <= 360"), json!(true));
    screenshot(&mut page, "window-phone-log.png");
    page.press("Escape");
    page.resize(1280, 900, false);
    let pdf = page.pdf();
    assert!(pdf.starts_with(b"%PDF"));
    fs::write(folder().join("print.pdf"), pdf).expect("a file");
    assert_eq!(report.rows.len(), 400);
}
