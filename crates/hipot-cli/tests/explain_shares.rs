//! Cost partitionings in `hipot explain`: shares, and the functions that they correspond to.

mod sandbox;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hipot_task::Rational;
use serde_json::Value;

use sandbox::{Sandbox, code, json, stderr, stdout};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn example(name: &str) -> String {
    root().join("examples").join(name).with_extension("sas").to_str().unwrap().to_owned()
}

/// Examples and heuristics whose shares are looked at.
const CASES: [(&str, &str); 12] = [
    ("store", "seq"),
    ("store", "ocp(dim=2)"),
    ("store", "tcp(dim=2)"),
    ("store", "pot(dim=2)"),
    ("jugs", "ocp(dim=1)"),
    ("river", "tcp(dim=2)"),
    ("river", "pot(dim=2, mutexes=h2)"),
    ("coffee", "ocp(dim=2)"),
    ("coffee", "pot(dim=2)"),
    ("blocks", "ocp(dim=2, patterns=interesting)"),
    ("toll", "seq"),
    ("toll", "pot(dim=1)"),
];

/// The explanation as JSON, with everything shown, and its only partition.
fn explain(sandbox: &Sandbox, name: &str, spec: &str) -> (Value, Value) {
    let arguments = ["explain", "-q", &example(name), "--heuristic", spec, "--as-transition-costs"];
    let more = ["--search", "0", "--top", "1000", "--format", "json"];
    let output = sandbox.run(&[&arguments[..], &more].concat());
    assert_eq!(code(&output), 0, "{name}, {spec}: {}", stderr(&output));
    let report = json(&output);
    assert_eq!(report["functions"], Value::Array(Vec::new()), "{name}, {spec}");
    assert_eq!(report["partitions"].as_array().unwrap().len(), 1, "{name}, {spec}");
    let partition = report["partitions"][0].clone();
    (report, partition)
}

fn list<'a>(value: &'a Value, name: &str) -> &'a Vec<Value> {
    value[name].as_array().unwrap()
}

/// A fraction of the report; small enough for exact sums.
fn number(value: &Value) -> Rational {
    let text = value.as_str().unwrap();
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let parse = |text: &str| text.parse().unwrap();
    Rational { numerator: parse(numerator), denominator: parse(denominator) }
}

fn sum(numbers: impl IntoIterator<Item = Rational>) -> Rational {
    numbers.into_iter().fold(Rational::ZERO, |a, b| {
        let numerator = a.numerator * b.denominator + b.numerator * a.denominator;
        Rational { numerator, denominator: a.denominator * b.denominator }.reduced()
    })
}

fn cost(row: &Value) -> Rational {
    Rational { numerator: row["cost"].as_i64().unwrap().into(), denominator: 1 }
}

#[test]
fn the_numbers_add_up() {
    let sandbox = Sandbox::new();
    let mut transitions = 0;
    for (name, spec) in CASES {
        let what = format!("{name}, {spec}");
        let (report, partition) = explain(&sandbox, name, spec);
        assert_eq!(report["lower_bound"], partition["initial"], "{what}");
        let projections = &partition["projections"];
        let distances = list(projections, "shown").iter().map(|it| number(&it["initial"]));
        let total = sum(distances.chain([number(&projections["rest"])]));
        assert_eq!(total, number(&partition["initial_exact"]), "{what}");
        assert_eq!(Some(total.bound()), partition["initial"].as_u64(), "{what}");
        let mut rows: Vec<&Value> = Vec::new();
        if partition["costs_of"] == "operators" {
            rows.extend(list(&partition["operators"], "shown"));
        }
        if let Some(shown) = partition["transitions"]["shown"].as_array() {
            rows.extend(shown);
            transitions += shown.len();
        }
        for row in rows {
            let shares = list(row, "shares").iter().map(|share| {
                assert_eq!(share["smallest"], share["largest"], "{what}: {row}");
                number(&share["largest"])
            });
            let paid = sum(shares.chain([number(&row["rest"])]));
            assert_eq!(paid, number(&row["sum"]), "{what}: {row}");
            assert_eq!(sum([paid, number(&row["left"])]), cost(row), "{what}: {row}");
        }
        for row in list(&partition["operators"], "shown") {
            let left = number(&row["left"]);
            assert!(left >= Rational::ZERO, "{what}: {row}");
            assert_eq!(sum([number(&row["sum"]), left]), cost(row), "{what}: {row}");
        }
    }
    assert!(transitions > 20, "{transitions}");
}

#[test]
fn the_shares_of_transitions_are_in_the_ranges_of_their_operators() {
    let sandbox = Sandbox::new();
    let mut proper = 0;
    for (name, spec) in [("store", "tcp(dim=2)"), ("river", "tcp(dim=2)"), ("store", "pot(dim=2)")]
    {
        let (_, partition) = explain(&sandbox, name, spec);
        let mut ranges: BTreeMap<(&str, u64), (Rational, Rational)> = BTreeMap::new();
        for row in list(&partition["operators"], "shown") {
            for share in list(row, "shares") {
                let range = (number(&share["smallest"]), number(&share["largest"]));
                proper += usize::from(range.0 < range.1);
                let projection = share["projection"].as_u64().unwrap();
                ranges.insert((row["operator"].as_str().unwrap(), projection), range);
            }
        }
        let rows = list(&partition["transitions"], "shown");
        assert!(rows.len() >= 6, "{name}, {spec}");
        for row in rows {
            for share in list(row, "shares") {
                let projection = share["projection"].as_u64().unwrap();
                let range = &ranges[&(row["operator"].as_str().unwrap(), projection)];
                let own = number(&share["largest"]);
                assert!(range.0 <= own && own <= range.1, "{name}, {spec}: {row}");
            }
        }
    }
    assert!(proper >= 5, "{proper}");
}

/// Theorem 7: what a cost partitioning proves is a potential function.
#[test]
fn cost_partitionings_can_be_written_as_potential_functions() {
    let sandbox = Sandbox::new();
    let cases = CASES.iter().filter(|(_, spec)| !spec.starts_with("pot"));
    for &(name, spec) in cases {
        let task = example(name);
        let options = ["--heuristic", spec, "--potential", "function.json"];
        let bound = json(&sandbox.run(&[&["bound", "--json", &task], &options[..]].concat()));
        let written = sandbox.read("function.json");
        let checked = sandbox.run(&["check", "--json", &task, "function.json"]);
        let report = json(&checked);
        assert_eq!((code(&checked), &report["status"]), (0, &"valid".into()), "{name}: {report}");
        assert_eq!(report["goal_exact"], "0", "{name}, {spec}");
        assert_eq!(report["initial_exact"], bound["heuristic"]["initial_exact"], "{name}, {spec}");
        let explained = sandbox.run(&[&["explain", &task], &options[..]].concat());
        assert_eq!(code(&explained), 0, "{name}, {spec}: {}", stderr(&explained));
        assert_eq!(sandbox.read("function.json"), written, "{name}, {spec}");
    }
}

#[test]
fn unsolvable_tasks_have_shares_of_nothing() {
    let sandbox = Sandbox::new();
    // The lamp can only go out.
    let store = std::fs::read_to_string(example("store")).unwrap();
    sandbox.write("dark.sas", &store.replace("0 1 0 1\n0 2 1 0", "0 1 1 0\n0 2 1 0"));
    for spec in ["ocp(dim=2)", "tcp(dim=2)", "seq"] {
        let output = sandbox.run(&["explain", "-q", "dark.sas", "--heuristic", spec]);
        assert_eq!(code(&output), 11, "{spec}: {}", stderr(&output));
        let text = stdout(&output);
        assert!(text.starts_with(&format!("{spec}: there is no plan\n")), "{text}");
        assert!(text.contains("and no operator lowers it: there is no plan"), "{text}");
        assert!(text.contains(", 0 have nothing left"), "{text}");
    }
}

#[test]
fn a_search_is_made_if_it_is_asked_for() {
    let sandbox = Sandbox::new();
    let arguments = ["explain", "-q", &example("store"), "--heuristic", "max(pot1, ocp(dim=2))"];
    let report = json(&sandbox.run(&[&arguments[..], &["--json"]].concat()));
    assert!(report["search"].is_null());
    assert_eq!(report["functions"].as_array().unwrap().len(), 1);
    assert_eq!(report["partitions"].as_array().unwrap().len(), 1);
    let searched = [&arguments[..], &["--json", "--search", "100"]].concat();
    let search = &json(&sandbox.run(&searched))["search"];
    assert_eq!((&search["cost"], &search["plan"][0]["estimate"]), (&4.into(), &2.into()));
    // The LP is solved in every state: after the first step it is perfect.
    assert_eq!(search["plan"][1]["estimate"], 3);
    let text = stdout(&sandbox.run(&arguments));
    for part in ["=== Function 1: pot(dim=1) ===", "=== Cost partitioning 1: ocp(dim=2) ==="] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn pages_and_graphs_are_well_formed() {
    let sandbox = Sandbox::new();
    let tags = std::fs::read_to_string(example("store")).unwrap().replace("open", "<open> & \"x\"");
    sandbox.write("tags.sas", &tags);
    for spec in ["ocp(dim=2)", "tcp(dim=2)"] {
        let arguments = ["explain", "-q", "tags.sas", "--heuristic", spec, "--top", "1"];
        let output = sandbox.run(&[&arguments[..], &["--format", "html"]].concat());
        let page = stdout(&output);
        assert!(page.contains("<table class=\"heat\">") && page.contains("more projection"));
        assert!(!page.contains("<open>") && !page.contains("NaN"), "{page}");
        for tag in ["section", "table", "tr", "td", "th", "ul", "li", "span", "svg"] {
            let opened = page.matches(&format!("<{tag} ")).count()
                + page.matches(&format!("<{tag}>")).count();
            assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{spec}: {tag}");
        }
        let output =
            sandbox.run(&["explain", "-q", "tags.sas", "--heuristic", spec, "-o", "g.dot"]);
        assert_eq!(code(&output), 0);
        let graph = sandbox.read("g.dot");
        assert!(graph.contains("p0a0 -- p0o0 [label=\""), "{graph}");
        assert!(graph.contains("\\\"x\\\""), "{graph}");
        assert_eq!(graph.matches('{').count(), graph.matches('}').count());
    }
}

/// Every line of the tutorial's outputs about shares is printed, in this order.
#[test]
fn the_tutorial_shows_what_is_printed() {
    let tutorial = std::fs::read_to_string(root().join("docs/tutorial.md")).unwrap();
    let section = tutorial.split("## Shares of costs").nth(1).expect("a section on shares");
    let section = section.split("\n## ").next().unwrap();
    let sandbox = Sandbox::new();
    let mut blocks = section.split("```").skip(1).step_by(2);
    let mut compared = 0;
    while let Some(commands) = blocks.next() {
        let output = blocks.next().expect("an output for each command");
        let command = commands.trim().strip_prefix("sh\nhipot ").expect("a command of hipot");
        let command = command.replace("examples/store.sas", &example("store"));
        // The shell needs quotes, which it removes.
        let command = command.replace('\'', "");
        let arguments: Vec<&str> = command.split(' ').collect();
        let printed = stdout(&sandbox.run(&arguments));
        let mut lines = printed.lines();
        for line in output.strip_prefix("text\n").unwrap().lines().filter(|line| *line != "…") {
            assert!(lines.any(|own| own == line), "{command} does not print: {line}\n{printed}");
            compared += 1;
        }
    }
    assert!(compared >= 30, "{compared}");
}
