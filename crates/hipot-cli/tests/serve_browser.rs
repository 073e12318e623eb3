//! The page of `hipot serve` in a real browser. Skipped with a message if Chromium is not installed.
//!
//! Screenshots are left in the build folder.

mod server;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;

use hipot_testing::browser::{Browser, Page};
use serde_json::json;
use server::{Server, parcels};

fn start() -> Option<Browser> {
    let browser = Browser::start();
    if browser.is_none() {
        eprintln!("skipped: Chromium is not installed");
    }
    browser
}

fn screenshot(page: &mut Page<'_>, name: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve-page");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join(name), page.screenshot(true)).expect("a file");
}

/// Types a text into an editor, in place of what is there.
fn write(page: &mut Page<'_>, editor: &str, text: &str) {
    page.value(&format!("(byId('{editor}').focus(), byId('{editor}').select())"));
    page.call("Input.insertText", json!({ "text": text }));
}

/// Chooses how a task is solved.
fn choose(page: &mut Page<'_>, heuristic: &str, seconds: u32) {
    page.wait_for("byId('heuristic').options.length > 0");
    page.value(&format!("byId('heuristic').value = {}", json!(heuristic)));
    page.value(&format!("byId('time').value = {seconds}"));
}

fn status(page: &mut Page<'_>) -> String {
    page.text("byId('status').textContent")
}

fn click(page: &mut Page<'_>, id: &str) {
    page.click(&format!("byId('{id}')"));
}

const ENDED: &str = "byId('stop').disabled && !byId('status').textContent.endsWith('…')";

#[test]
fn a_mistake_is_marked_mended_and_the_task_solved() {
    let Some(mut browser) = start() else { return };
    let server = Server::start(&[]);
    let task = parcels(4);
    let [domain, problem] = ["domain", "problem"].map(|it| task[it].as_str().unwrap());
    let mut page = browser.open(&format!("http://{}/", server.host), (1280, 900));
    write(&mut page, "domain", domain);
    write(&mut page, "problem", &problem.replace("(here a0)", "(her a0)"));
    let marks = "document.querySelectorAll('[data-file=problem] .marks span').length";
    page.wait_for(&format!("{marks} === 1"));
    let message = page.text("document.querySelector('#problem-messages button').textContent");
    assert!(message.starts_with("Line 3: ") && message.contains("'her'"), "{message}");
    screenshot(&mut page, "mistake.png");
    // A click on the message leads to the place.
    page.click("document.querySelector('#problem-messages button')");
    let selected =
        "byId('problem').value.slice(byId('problem').selectionStart, byId('problem').selectionEnd)";
    assert_eq!(page.text(selected), "her");
    page.call("Input.insertText", json!({ "text": "here" }));
    page.wait_for(&format!("{marks} === 0"));

    // A warning looks different, and the task can be solved nevertheless.
    write(&mut page, "domain", &domain.replacen("(free))", "(free) (idle))", 1));
    page.wait_for("document.querySelectorAll('[data-file=domain] .marks .warning').length === 1");
    screenshot(&mut page, "warning.png");
    write(&mut page, "domain", domain);

    page.value("byId('proof').checked = true");
    click(&mut page, "solve");
    page.wait_for("byId('status').textContent.startsWith('Optimal plan of cost')");
    assert_eq!(page.text("byId('gap').textContent"), "0.0%");
    assert_eq!(page.text("byId('lower').textContent"), page.text("byId('upper').textContent"));
    let steps = page.value("byId('plan').children.length");
    assert!(steps.as_u64() > Some(0), "{steps}");
    assert!(page.text("byId('verdict').textContent").contains("it is optimal"));
    screenshot(&mut page, "solved.png");
    click(&mut page, "explain");
    page.wait_for("!byId('explanation-part').hidden");

    page.load(&format!("http://{}/", server.host));
    assert_eq!(page.text("byId('domain').value"), domain, "the task is still there");
    let from_elsewhere = "performance.getEntriesByType('resource')\
                          .filter(it => !it.name.startsWith(location.origin)).length";
    assert_eq!(page.value(from_elsewhere), json!(0));
}

#[test]
fn a_run_shows_its_bounds_and_can_be_stopped() {
    let Some(mut browser) = start() else { return };
    let server = Server::start(&["--runs", "1"]);
    let task = parcels(10);
    let mut page = browser.open(&format!("http://{}/", server.host), (1280, 900));
    for file in ["domain", "problem"] {
        write(&mut page, file, task[file].as_str().unwrap());
    }
    choose(&mut page, "blind", 60);
    click(&mut page, "solve");
    page.wait_for("byId('upper').textContent !== '–' && byId('lower').textContent > '0'");
    page.wait_for("byId('plan').children.length > 0");
    let gap = page.text("byId('gap').textContent");
    assert!(gap.ends_with('%') && gap != "0.0%", "{gap}");
    assert_eq!(server.runs(), 1);
    screenshot(&mut page, "running.png");

    // Somebody else's request waits until this one is stopped.
    let bytes = server.post_bytes("/api/solve", &parcels(3));
    let mut other = BufReader::new(server.send(&bytes)).lines().map(Result::unwrap);
    assert!(other.any(|line| line.contains("\"waiting\"")));
    click(&mut page, "stop");
    page.wait_for(ENDED);
    assert!(other.any(|line| line.contains("\"solved\"")));
    let status = status(&mut page);
    assert!(status.starts_with("Stopped. Best plan: cost "), "{status}");
    server.wait_until("the run has ended", |it| it.runs() == 0);

    choose(&mut page, "blind", 1);
    click(&mut page, "solve");
    page.wait_for("byId('status').textContent.startsWith('The time is up: a plan of cost')");
}

#[test]
fn two_requests_at_once_are_both_solved() {
    let Some(mut browser) = start() else { return };
    let server = Server::start(&["--runs", "2"]);
    let url = format!("http://{}/", server.host);
    let mut page = browser.open(&url, (1280, 900));
    let task = parcels(4);
    let both = format!(
        "Promise.all([1, 2].map(() => post('/api/solve', {task}).then(it => it.text())))\
         .then(all => all.filter(it => it.includes('\"status\":\"solved\"')).length)"
    );
    assert_eq!(page.value(&both), json!(2));
}

#[test]
fn it_is_readable_in_the_dark_and_on_a_phone() {
    let Some(mut browser) = start() else { return };
    let server = Server::start(&[]);
    let mut page = browser.open(&format!("http://{}/", server.host), (1280, 900));
    choose(&mut page, "auto", 10);
    click(&mut page, "solve");
    page.wait_for(ENDED);
    assert!(status(&mut page).starts_with("Optimal plan of cost 5"));
    let color = "getComputedStyle(document.body).backgroundColor";
    let light = page.text(color);
    screenshot(&mut page, "light.png");
    let dark = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
    page.call("Emulation.setEmulatedMedia", dark);
    assert_ne!(page.text(color), light);
    screenshot(&mut page, "dark.png");
    page.resize(360, 740, true);
    page.wait_for("innerWidth === 360");
    assert!(page.value("document.documentElement.scrollWidth <= 360") == json!(true));
    screenshot(&mut page, "phone.png");
}
