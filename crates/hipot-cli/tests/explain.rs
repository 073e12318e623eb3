//! `hipot explain` as users and scripts see it.

mod sandbox;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use sandbox::{assert_balanced, code, json, stderr};

/// The examples that have a transition normal form.
const EXAMPLES: [&str; 9] =
    ["blocks", "coffee", "hanoi", "jugs", "nap", "parity", "rings", "river", "toll"];

/// The cat of the tutorial, whose weights can be found by hand: it goes from
/// the garden to the sofa through a door that is closed before and after.
fn cat_and_door(garden: &str, sofa: &str) -> String {
    format!(
        "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n2\n\
         begin_variable\ncat\n-1\n2\n{garden}\n{sofa}\nend_variable\n\
         begin_variable\ndoor\n-1\n2\nAtom closed()\nAtom open()\nend_variable\n0\n\
         begin_state\n0\n0\nend_state\nbegin_goal\n2\n0 1\n1 0\nend_goal\n3\n\
         begin_operator\nopen\n0\n1\n0 1 0 1\n1\nend_operator\n\
         begin_operator\nclose\n0\n1\n0 1 1 0\n1\nend_operator\n\
         begin_operator\nwalk\n1\n1 1\n1\n0 0 0 1\n2\nend_operator\n0\n"
    )
}

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    folder.join(format!("{name}.sas")).to_str().unwrap().to_owned()
}

/// A folder with the cat's task, and `hipot explain` run in it.
struct Sandbox(TempDir);

impl Sandbox {
    fn new() -> Self {
        let sandbox = Self(TempDir::new().unwrap());
        sandbox.write("cat.sas", &cat_and_door("Atom at(cat, garden)", "Atom at(cat, sofa)"));
        sandbox
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.0.path().join(file), text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.path().join(file)).unwrap()
    }

    fn explain(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hipot"));
        command.arg("explain").arg("-q").args(arguments).current_dir(self.0.path());
        command.output().unwrap()
    }

    /// The output of a run that ends well.
    fn text(&self, arguments: &[&str]) -> String {
        let output = self.explain(arguments);
        assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        json(&self.explain(&[arguments, &["--format", "json"]].concat()))
    }
}

#[test]
fn the_text_has_the_numbers_that_are_computed_by_hand() {
    let text = Sandbox::new().text(&["cat.sas"]);
    for line in [
        "pot(dim=2): every plan costs at least 4",
        "  at(cat, …) (cat)",
        "     0  Atom at(cat, garden)  (reference, initial)",
        "    -2  Atom at(cat, sofa)  (goal)",
        "     1  Atom closed()  (initial, goal)",
        "     0  Atom open()  (reference)",
        "Features: 3 of size at most 2, 0 of them with weight 0",
        "    -2  -G  Atom at(cat, sofa)",
        "    -2  -G  Atom at(cat, sofa) & Atom closed()",
        "     1  IG  Atom closed()",
        "      3  constant",
        "    + 1  Atom closed()",
        "    = 4  so every plan costs at least 4",
        "LP: 5 rows, 5 columns, 9 nonzeros",
        "Operators in TNF: 3",
        "  tight (slack 0: all that they cost is used): 3",
        "  largest slack: 0",
        "  width of the context-dependency graph: 0 (3 operators)",
        "    0; 1 + 1; 1; 0  open",
        "    0; 1 + 0; 2; 0  walk",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
    }
}

#[test]
fn json_has_the_same_content() {
    let report = Sandbox::new().json(&["cat.sas"]);
    assert_eq!(report["schema"], "hipot.explain/1");
    assert_eq!((&report["status"], &report["lower_bound"]), (&"solved".into(), &4.into()));
    assert_eq!(report["heuristic"], "pot(dim=2)");
    let function = &report["functions"][0];
    assert_eq!(function["initial_exact"], "4");
    assert_eq!(function["variables"][0]["title"], "at(cat, …)");
    assert_eq!(function["variables"][0]["values"][0]["reference"], true);
    assert_eq!(function["variables"][0]["strongest"], "2");
    assert_eq!(
        (&function["features"]["count"], &function["features"]["zero"]),
        (&3.into(), &0.into())
    );
    assert_eq!(function["pairs"].as_array().unwrap().len(), 1);
    assert_eq!(function["pairs"][0]["weight"], "-2");
    assert_eq!(function["operators"]["tight"], 3);
    assert_eq!(function["operators"]["widest"][0]["name"], "open");
    assert_eq!(function["lp"]["rung"], "small-denominators");
    for field in ["rows", "columns", "nonzeros"] {
        assert!(function["lp"][field].is_u64(), "{field}");
    }
    let global = Sandbox::new().explain(&["cat.sas", "--json"]);
    assert_eq!(json(&global)["functions"][0]["features"], function["features"]);
}

/// A fraction as numerator and denominator.
fn fraction(value: &Value) -> (i128, i128) {
    let text = value.as_str().unwrap();
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let parsed: (i128, i128) = (numerator.parse().unwrap(), denominator.parse().unwrap());
    let mut divisor = (parsed.0.abs(), parsed.1);
    while divisor.1 != 0 {
        divisor = (divisor.1, divisor.0 % divisor.1);
    }
    assert_eq!(divisor.0, 1, "{text} is in lowest terms");
    parsed
}

fn add(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    (a.0 * b.1 + b.0 * a.1, a.1 * b.1)
}

#[test]
fn weights_sum_to_the_value_of_the_initial_state_exactly() {
    let sandbox = Sandbox::new();
    for name in EXAMPLES {
        let report = sandbox.json(&[&example(name), "--top", "5"]);
        for function in report["functions"].as_array().unwrap() {
            let sum = &function["sum"];
            let terms = sum["terms"].as_array().unwrap();
            let weights = terms.iter().map(|term| fraction(&term["weight"]));
            let parts = weights.chain([fraction(&sum["constant"]), fraction(&sum["rest"])]);
            let found = parts.fold((0, 1), add);
            let total = fraction(&sum["total"]);
            assert_eq!(found.0 * total.1, total.0 * found.1, "{name}");
            assert_eq!(sum["total"], function["initial_exact"], "{name}");
            assert!(terms.iter().all(|term| term["initial"] == true && term["weight"] != "0"));
            assert!(terms.len() <= 5, "{name}");
        }
    }
}

#[test]
fn weights_come_in_order_and_slack_is_never_negative() {
    let sandbox = Sandbox::new();
    for name in EXAMPLES {
        let report = sandbox.json(&[&example(name), "--top", "1000000"]);
        let function = &report["functions"][0];
        let features = &function["features"];
        let top = features["top"].as_array().unwrap();
        assert_eq!(top.len() as u64 + features["zero"].as_u64().unwrap(), features["count"]);
        let sizes: Vec<f64> =
            top.iter().map(|feature| fraction(&feature["weight"])).map(size).collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{name}");
        let operators = &function["operators"];
        for histogram in ["widths", "independent", "dependent"] {
            let bins = operators[histogram].as_array().unwrap().iter();
            let sum: u64 = bins.map(|bin| bin["operators"].as_u64().unwrap()).sum();
            assert_eq!(sum, operators["count"], "{name}");
        }
        for operator in operators["widest"].as_array().unwrap() {
            assert!(fraction(&operator["slack"]).0 >= 0, "{name}: {operator}");
            assert_eq!(operator["width"], 0, "dimension 2");
        }
    }
}

fn size((numerator, denominator): (i128, i128)) -> f64 {
    (numerator as f64 / denominator as f64).abs()
}

#[test]
fn values_and_operators_that_the_normal_form_adds_are_marked() {
    let report = Sandbox::new().json(&[&example("coffee")]);
    let function = &report["functions"][0];
    let robot = &function["variables"][0]["values"];
    assert_eq!((&robot[4]["name"], &robot[4]["unknown"]), (&"unknown".into(), &true.into()));
    assert_eq!((&robot[4]["goal"], &robot[0]["unknown"]), (&true.into(), &false.into()));
    assert_eq!(function["operators"]["forgetting"], 6);
    for variable in function["variables"].as_array().unwrap() {
        let references = variable["values"].as_array().unwrap().iter();
        let references: Vec<_> = references.filter(|value| value["reference"] == true).collect();
        assert_eq!(references.len(), 1, "{variable}");
        assert_eq!(references[0]["weight"], "0");
    }
}

#[test]
fn features_from_a_file_have_no_reference_values() {
    let sandbox = Sandbox::new();
    sandbox.write("features.json", r#"{"features": [{"facts": [["cat", 0]]}]}"#);
    let report = sandbox.json(&["cat.sas", "--heuristic", "pot(features=features.json)"]);
    let values = &report["functions"][0]["variables"][0]["values"];
    assert_eq!((&values[0]["weight"], &values[1]["weight"]), (&"2".into(), &Value::Null));
    assert_eq!(values[1]["reference"], false);
    assert_eq!(report["lower_bound"], 2);
}

#[test]
fn every_function_of_a_maximum_is_explained() {
    let sandbox = Sandbox::new();
    let spec = "max(blind, pot(dim=1), pot(dim=3))";
    let report = sandbox.json(&[&example("river"), "--heuristic", spec]);
    let functions = report["functions"].as_array().unwrap();
    let specs: Vec<_> = functions.iter().map(|function| &function["spec"]).collect();
    assert_eq!(specs, ["pot(dim=1)", "pot(dim=3)"]);
    assert_eq!(
        functions[1]["operators"]["widths"][1]["from"], 1,
        "dimension 3 has contexts of two"
    );
    let text = sandbox.text(&["cat.sas", "--heuristic", "max(pot1, pot2)"]);
    assert!(text.contains("=== Function 2: pot(dim=2) ==="), "{text}");
    let dot = sandbox.text(&["cat.sas", "--heuristic", "max(pot1, pot2)", "--format", "dot"]);
    assert!(dot.contains("subgraph cluster_1"), "{dot}");
}

#[test]
fn unsolvable_tasks_are_explained_too() {
    let sandbox = Sandbox::new();
    let walk_nowhere = sandbox.read("cat.sas").replace("0 0 0 1", "0 0 0 0");
    sandbox.write("stuck.sas", &walk_nowhere);
    let output = sandbox.explain(&["stuck.sas", "--format", "json"]);
    assert_eq!(code(&output), 11);
    let report = json(&output);
    assert_eq!((&report["status"], &report["lower_bound"]), (&"unsolvable".into(), &Value::Null));
    let function = &report["functions"][0];
    assert!(fraction(&function["initial_exact"]).0 > 0);
    for operator in function["operators"]["widest"].as_array().unwrap() {
        assert_eq!(operator["cost"], 0, "costs do not count here");
        assert!(fraction(&operator["slack"]).0 >= 0, "no operator lowers the function");
    }
    // Here it is the search that proves it.
    let output = sandbox.explain(&[&example("parity"), "--json"]);
    assert_eq!((code(&output), &json(&output)["status"]), (11, &"unsolvable".into()));
    assert_eq!(json(&output)["search"]["lower_bound"], Value::Null);
    let text = String::from_utf8(sandbox.explain(&["stuck.sas"]).stdout).unwrap();
    assert!(text.starts_with("pot(dim=2): there is no plan\n"), "{text}");
    assert!(text.contains("and no operator lowers it: there is no plan"), "{text}");
}

#[test]
fn wrong_command_lines_say_so() {
    let sandbox = Sandbox::new();
    for (arguments, part) in [
        (&["cat.sas", "--format", "pdf"][..], "pdf"),
        (&["cat.sas", "--heuristic", "blind"], "nothing to explain about blind"),
        (&["cat.sas", "--json", "--format", "html"], "-o FILE"),
        (&["cat.sas", "--top", "many"], "many"),
        (&["cat.sas", "-o", "no/such/folder"], "there is no folder"),
    ] {
        let output = sandbox.explain(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(output.stdout.is_empty() || arguments.contains(&"--json"), "{arguments:?}");
        assert!(stderr(&output).contains(part), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn a_file_name_says_the_format() {
    let sandbox = Sandbox::new();
    for (file, begin) in [
        ("a.html", "<!DOCTYPE html>"),
        ("a.dot", "graph potential {"),
        ("a.json", "{\"schema\":\"hipot.explain/1\""),
        ("a.txt", "pot(dim=2): "),
    ] {
        assert_eq!(sandbox.text(&["cat.sas", "-o", file]), "");
        assert!(sandbox.read(file).starts_with(begin), "{file}");
    }
    let both = sandbox.explain(&["cat.sas", "--json", "-o", "b.html"]);
    assert_eq!(json(&both)["schema"], "hipot.explain/1");
    assert!(sandbox.read("b.html").starts_with("<!DOCTYPE html>"));
}

#[test]
fn the_same_run_twice_gives_the_same_bytes_but_for_times() {
    let sandbox = Sandbox::new();
    let run = || {
        let mut report = sandbox.json(&[&example("blocks")]);
        report["functions"][0]["lp"]["seconds"].take();
        report.to_string()
    };
    assert_eq!(run(), run());
    let dot = || sandbox.text(&[&example("blocks"), "--format", "dot"]);
    assert_eq!(dot(), dot());
}

const EVIL: &str = "Atom at(<script>\"cat\" & 'dog' \\, sofa)";

/// A task with names that try to break out.
fn with_evil_names() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("evil.sas", &cat_and_door("</style></title>-->", EVIL));
    sandbox
}

#[test]
fn dot_is_well_formed() {
    let sandbox = with_evil_names();
    for task in ["evil.sas".to_owned(), example("coffee"), example("hanoi")] {
        let dot = sandbox.text(&[&task, "--format", "dot"]);
        let (mut in_quotes, mut depth) = (false, 0_i32);
        let mut characters = dot.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' if in_quotes => assert!(characters.next().is_some()),
                '"' => in_quotes = !in_quotes,
                '{' | '[' if !in_quotes => depth += 1,
                '}' | ']' if !in_quotes => depth -= 1,
                '\n' => assert!(!in_quotes, "a name goes over the end of a line:\n{dot}"),
                _ => {}
            }
        }
        assert!(!in_quotes && depth == 0, "{dot}");
    }
    let dot = sandbox.text(&["evil.sas", "--format", "dot"]);
    assert!(dot.contains(r#"at(<script>\"cat\" &amp; 'dog' \\, sofa)"#), "{dot}");
    assert!(dot.contains("f0v0 -- f0v1 [label=\"-2\", penwidth=6.00"), "{dot}");
}

#[test]
fn html_is_well_formed_and_needs_nothing_else() {
    let sandbox = with_evil_names();
    for task in ["evil.sas".to_owned(), example("coffee"), example("nap")] {
        let html = sandbox.text(&[&task, "--format", "html"]);
        let body = html.strip_prefix("<!DOCTYPE html>").unwrap();
        assert_balanced(body);
        for foreign in ["<script", "http:", "https:", "src=", "href=", "url(", "@import"] {
            assert!(!html.contains(foreign), "{task}: {foreign}");
        }
    }
    let html = sandbox.text(&["evil.sas", "--format", "html"]);
    assert!(
        html.contains("at(&lt;script&gt;&quot;cat&quot; &amp; &#39;dog&#39; \\, sofa)"),
        "{html}"
    );
    assert!(html.contains("prefers-color-scheme: dark"));
}

#[test]
fn html_names_its_task_and_shows_the_search_before_the_weights() {
    let sandbox = Sandbox::new();
    let html = sandbox.text(&[&example("coffee"), "--format", "html"]);
    assert!(html.contains("<title>What pot(dim=2) sees in coffee.sas</title>"));
    let frogs =
        ["domain", "problem"].map(|it| example("frogs").replace(".sas", &format!("/{it}.pddl")));
    let html = sandbox.text(&[&frogs[0], &frogs[1], "--format", "html"]);
    assert!(html.contains("</code> see in two-and-two of frogs?</h1>"), "{html}");
    let place = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text} in {html}"));
    assert!(place("<h2>The search") < place("<h2>The strongest features"));
}

#[test]
fn rounded_numbers_show_all_digits_under_the_pointer() {
    let sandbox = Sandbox::new();
    let arguments = ["--heuristic", "pot(dim=2, lp=ipm)", &example("coffee"), "--format", "html"];
    let html = sandbox.text(&arguments);
    let rounded = html.matches('≈').count();
    assert!(rounded > 1, "an interior point has long fractions");
    assert!(html.contains("<span title=\""), "{html}");
}

#[test]
fn html_follows_the_task_to_its_plan() {
    let sandbox = Sandbox::new();
    let html = sandbox.text(&[&example("coffee"), "--format", "html"]);
    let bound = sandbox.json(&[&example("coffee")])["lower_bound"].as_u64().unwrap();
    let steps = [
        "5 variables, 19 facts, 33 operators, 3 goals".to_owned(),
        "5 variables, 39 operators, 6 of which forget a value".to_owned(),
        "rows, 214 columns".to_owned(),
        "the weights are the LP's exact optimum".to_owned(),
        format!("proof enough that every plan costs at least {bound}"),
        "a plan of cost 29, which is optimal".to_owned(),
        "<h3>Along the plan</h3>".to_owned(),
    ];
    let places = steps.map(|step| html.find(&step).unwrap_or_else(|| panic!("{step} in {html}")));
    assert!(places.is_sorted(), "{places:?}");
}

/// The examples' estimates along an optimal plan are never above what is left to
/// pay, and begin with the bound.
#[test]
fn a_search_shows_estimates_along_the_plan() {
    let sandbox = Sandbox::new();
    let number = |value: &Value| value.as_u64().unwrap();
    let mut plans = 0;
    for name in EXAMPLES {
        let explanation = sandbox.json(&[&example(name)]);
        let search = &explanation["search"];
        let layers = search["layers"].as_array().unwrap();
        let expanded: u64 = layers.iter().map(|layer| number(&layer["expanded"])).sum();
        assert_eq!(number(&search["expanded"]), expanded, "{name}");
        assert!(layers.iter().map(|layer| number(&layer["f"])).is_sorted(), "{name}");
        assert_eq!(search["complete"], true, "{name}");
        let plan = search["plan"].as_array().unwrap();
        assert_eq!(plan.is_empty(), search["cost"].is_null(), "{name}");
        let (Some(first), Some(last)) = (plan.first(), plan.last()) else { continue };
        assert_eq!(
            (&first["left"], &first["estimate"]),
            (&search["cost"], &explanation["lower_bound"])
        );
        assert_eq!((number(&last["left"]), &last["action"]), (0, &Value::Null), "{name}");
        for step in plan {
            assert!(number(&step["estimate"]) <= number(&step["left"]), "{name}: {step}");
        }
        plans += 1;
    }
    assert!(plans > 6, "{plans}");
}

#[test]
fn a_search_ends_where_it_is_told_to() {
    let sandbox = Sandbox::new();
    let none = sandbox.json(&[&example("coffee"), "--search", "0"]);
    assert_eq!(none["search"], Value::Null);
    let hipot = Command::new(env!("CARGO_BIN_EXE_hipot"))
        .args(["generate", "rings", "12", "-o", "rings.sas"])
        .current_dir(sandbox.0.path())
        .status();
    assert!(hipot.unwrap().success());
    let short = sandbox.json(&["rings.sas", "--heuristic", "pot1", "--search", "1"]);
    let search = &short["search"];
    assert_eq!(
        (&search["complete"], &search["cost"]),
        (&Value::Bool(false), &Value::Null),
        "{search}"
    );
    assert!(search["lower_bound"].as_u64() >= short["lower_bound"].as_u64(), "{search}");
}

/// Tasks with conditional effects, with axioms, and with both: every form of explanation, for the
/// operators of the plain task as well.
#[test]
fn conditional_effects_and_axioms_are_explained() {
    let sandbox = Sandbox::new();
    for name in ["lights", "circuit", "train"] {
        for format in ["text", "html", "dot", "json"] {
            let explained = sandbox.explain(&[&example(name), "--format", format]);
            assert_eq!(code(&explained), 0, "{name}, {format}: {}", stderr(&explained));
        }
    }
    let text = sandbox.text(&[&example("circuit"), "--operator", "derive Atom live(hall)"]);
    assert!(text.contains("derive Atom live(hall)"), "{text}");
}

/// Estimates along a plan of a task whose plain task has an additional variable.
#[test]
fn estimates_along_a_plan_are_those_of_the_given_task() {
    let sandbox = Sandbox::new();
    let task = example("greenhouse").replace(".sas", "/problem.pddl");
    for heuristic in ["pot(dim=2)", "ocp(dim=1)", "scp(pot(dim=1), projections)"] {
        let arguments = [&task, "--heuristic", heuristic, "--search", "1000", "--format", "json"];
        let plan = &json(&sandbox.explain(&arguments))["search"]["plan"];
        let steps = plan.as_array().expect("a plan");
        let number = |step: &Value, field: &str| step[field].as_u64().expect("a number");
        assert!(steps.len() > 5 && number(&steps[0], "estimate") > 4, "{heuristic}: {plan}");
        for step in steps {
            assert!(number(step, "estimate") <= number(step, "left"), "{heuristic}: {plan}");
        }
    }
}
