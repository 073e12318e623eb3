//! `hipot explain --operator` as users and scripts see it.

mod sandbox;

use std::path::{Path, PathBuf};
use std::process::Command;

use sandbox::{Sandbox, assert_balanced, code, json, stderr, stdout};
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn example(name: &str) -> String {
    root().join("examples").join(name).to_str().unwrap().to_owned()
}

/// The output of a run that ends well.
fn text(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let output = sandbox.run(&[&["explain", "-q"], arguments].concat());
    assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

fn report(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let output = sandbox.run(&[&["explain", "-q", "--json"], arguments].concat());
    assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
    json(&output)
}

/// An operator: its name, facts that must hold, and changes from one value to another.
type Operator<'a> = (&'a str, &'a [(usize, u32)], &'a [(usize, [u32; 2])]);

const SWITCH: Operator<'_> = ("switch", &[], &[(0, [0, 1])]);

/// A task in the `.sas` format. Variables have the values `0` and `1`, begin with 0 and are
/// 0 in the goal, except for the first, which must become 1.
fn task(variables: &[&str], operators: &[Operator<'_>]) -> String {
    let count = variables.len();
    let variable = |name: &&str| format!("begin_variable\n{name}\n-1\n2\n0\n1\nend_variable\n");
    let goal = |variable: usize| format!("{variable} {}\n", u32::from(variable == 0));
    format!(
        "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n{count}\n{}0\n\
         begin_state\n{}end_state\nbegin_goal\n{count}\n{}end_goal\n{}\n{}0\n",
        variables.iter().map(variable).collect::<String>(),
        "0\n".repeat(count),
        (0..count).map(goal).collect::<String>(),
        operators.len(),
        operators.iter().map(operator).collect::<String>()
    )
}

fn operator((name, held, changed): &Operator<'_>) -> String {
    let held_line = |(variable, value): &(usize, u32)| format!("{variable} {value}\n");
    let change = |(variable, [before, after]): &(usize, [u32; 2])| {
        format!("0 {variable} {before} {after}\n")
    };
    format!(
        "begin_operator\n{name}\n{}\n{}{}\n{}1\nend_operator\n",
        held.len(),
        held.iter().map(held_line).collect::<String>(),
        changed.len(),
        changed.iter().map(change).collect::<String>()
    )
}

/// A features file with these features, each a list of variables that are 0.
fn features(variables: &[&[&str]]) -> String {
    let fact = |name: &&str| format!("[\"{name}\", 0]");
    let feature = |names: &&[&str]| {
        let facts: Vec<String> = names.iter().map(fact).collect();
        format!("{{\"facts\": [{}]}}", facts.join(", "))
    };
    let list: Vec<String> = variables.iter().map(feature).collect();
    format!("{{\"features\": [{}]}}", list.join(", "))
}

/// A switch whose features join A, B, C and D in a cycle. Another feature, of what the
/// operator only requires, joins A and C.
fn cycle() -> Sandbox {
    let sandbox = Sandbox::new();
    let variables = ["S", "A", "B", "C", "D", "P"];
    sandbox.write("cycle.sas", &task(&variables, &[("switch", &[(5, 0)], &[(0, [0, 1])])]));
    let sides: [&[&str]; 5] =
        [&["S", "A", "B"], &["S", "B", "C"], &["S", "C", "D"], &["S", "A", "D"], &["P", "A", "C"]];
    sandbox.write("cycle.json", &features(&sides));
    sandbox
}

const CYCLE: [&str; 5] =
    ["cycle.sas", "--heuristic", "pot(features=cycle.json)", "--operator", "switch"];

/// The blocks of a document with this language.
fn blocks<'a>(document: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("```{language}\n");
    let parts = document.split(&begin).skip(1);
    parts.map(|part| part.split("```").next().unwrap()).collect()
}

/// The tutorial follows the paper's worked example. Its command prints what it says.
#[test]
fn the_tutorial_shows_what_is_printed() {
    let tutorial = std::fs::read_to_string(root().join("docs/tutorial.md")).unwrap();
    let (_, part) = tutorial.split_once("## The paper's example of elimination").unwrap();
    let part = part.split("\n## ").next().unwrap();
    let command = blocks(part, "sh")[0].replace("\\\n", " ").replace("hipot ", "\"$HIPOT\" ");
    let output = Command::new("sh")
        .args(["-c", &command])
        .env("HIPOT", env!("CARGO_BIN_EXE_hipot"))
        .current_dir(root())
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{command}: {}", stderr(&output));
    let printed = stdout(&output);
    let shown = blocks(part, "text").concat().replace("…\n", "");
    for line in shown.lines().filter(|line| !line.is_empty()) {
        assert!(printed.lines().any(|found| found == line), "{line} in\n{printed}");
    }
    let equations = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| line.starts_with("Aux_"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(equations(&shown), equations(&printed));
    assert_eq!(
        equations(&printed),
        [
            "Aux_1 = Aux_{Y,{X↦0}} = max{w(f3), w(f4)} = max{16, -7} = 16",
            "Aux_2 = Aux_{Y,{X↦1}} = max{w(f5), 0} = max{3, 0} = 3",
            "Aux_3 = Aux_{X,∅} = max{w(f1) + Aux_1, w(f2) + Aux_2} = max{8 + 16, 6 + 3} = 24",
            "Aux_4 = Aux_Ψ = Aux_3 = 24",
        ]
    );
}

#[test]
fn json_has_every_equation() {
    let heuristic = format!("pot(features={}, objective=all)", example("elimination.json"));
    let arguments = ["--heuristic", &heuristic, "--operator", "o", "--order", "X,Y", "--top", "0"];
    let task = example("elimination.sas");
    let report = report(&Sandbox::new(), &[&[task.as_str()], &arguments[..]].concat());
    assert_eq!(
        (&report["schema"], &report["status"]),
        (&"hipot.operator/1".into(), &"solved".into())
    );
    let view = &report["functions"][0];
    assert_eq!((&view["cost"], &view["balance"]["slack"]), (&24.into(), &"0".into()));
    assert_eq!(view["dependent"].as_array().unwrap().len(), 5);
    let weights: Vec<(&Value, &Value)> = view["dependent"]
        .as_array()
        .unwrap()
        .iter()
        .map(|effect| (&effect["number"], &effect["weight"]))
        .collect();
    assert_eq!(weights[0], (&3.into(), &"16".into()));
    let steps = view["elimination"]["steps"].as_array().unwrap();
    assert_eq!((&steps[0]["variable"], &steps[1]["variable"]), (&"Y".into(), &"X".into()));
    let last = &steps[1]["equations"][0];
    assert_eq!(
        (&last["number"], &last["value"], &last["best"]),
        (&3.into(), &"24".into(), &0.into())
    );
    assert_eq!(last["alternatives"][1]["terms"][1]["symbol"], "Aux_2");
    assert_eq!(last["alternatives"][1]["value"], "9");
    assert_eq!(view["elimination"]["context"], serde_json::json!(["X=0", "Y=0"]));
}

#[test]
fn orders_have_widths_and_add_edges() {
    let sandbox = cycle();
    let along = |order: &str| {
        let view = report(&sandbox, &[&CYCLE[..], &["--order", order]].concat());
        view["functions"][0].clone()
    };
    // Eliminating D joins A and C; eliminating B adds nothing more.
    let view = along("A,C,B,D");
    assert_eq!(view["chosen"]["variables"], serde_json::json!(["A", "C", "B", "D"]));
    assert_eq!((&view["chosen"]["width"], &view["best"]["width"]), (&2.into(), &2.into()));
    assert_eq!(view["chosen"]["added"], serde_json::json!([[0, 2]]));
    assert_eq!(view["chosen"]["entries"], 8 + 8 + 4 + 2);
    let names: Vec<&Value> =
        view["graph"]["vertices"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["A", "B", "C", "D"], "P belongs to the operator");
    // Variables that are not named come after those that are.
    assert_eq!(along("D")["chosen"]["variables"][0], "D");
    assert_eq!(along("S,P,D")["chosen"]["variables"].as_array().unwrap().len(), 4);
    // The paper counts the feature that the operator keeps.
    let paper = &view["graph"]["paper"];
    assert_eq!((&paper["edges"], &paper["width"]), (&5.into(), &2.into()));
    assert_eq!(paper["additional"], serde_json::json!([[0, 2]]));
    assert_eq!(
        paper["reasons"],
        serde_json::json!([
            "1 feature with prevailed variables of the operator only, which keeps them"
        ])
    );
    let text = text(&sandbox, &[&CYCLE[..], &["--order", "A,C,B,D"]].concat());
    for line in [
        "  P: 0 → 0 (stays)",
        "Features: 5 (0 irrelevant, 0 context-independent, 5 context-dependent)",
        "  not changed, although they mention a variable of the operator: 1",
        "  A: B, D",
        "Chosen order: σ = ⟨A, C, B, D⟩, induced width 2, the induced graph adds A–C, 22 alternatives",
        "The paper's graph: 5 edges, width 2 along the chosen order, width 2 at best",
        "  left out here: 1 feature with prevailed variables of the operator only, which keeps them",
        "    bucket: 1 feature over {A, D}; 1 feature over {C, D}",
        "    new function ψ_D, scope S_D = {A, C}: 4 equations, 8 constraints",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
    }
}

/// Pairs are enough for these blocks. The paper's graph has the features of size 3, too.
#[test]
fn both_widths_are_shown_with_the_reason() {
    let arguments = ["--heuristic", "pot(dim=3)", "--operator", "pick-up a"];
    let blocks = example("blocks.sas");
    let view =
        &report(&Sandbox::new(), &[&[blocks.as_str()], &arguments[..]].concat())["functions"][0];
    let paper = &view["graph"]["paper"];
    let others = view["graph"]["vertices"].as_array().unwrap().len() as u64;
    assert_eq!((&view["best"]["width"], &paper["width"]), (&0.into(), &(others - 1).into()));
    assert_eq!(paper["edges"], others * (others - 1) / 2);
    assert_eq!(paper["additional"].as_array().unwrap().len() as u64, paper["edges"]);
    let reasons = paper["reasons"].as_array().unwrap();
    let is_there = |part: &str| reasons.iter().any(|it| it.as_str().unwrap().contains(part));
    assert!(is_there("in conflict with both"), "{reasons:?}");
    assert!(is_there("features with a reference value"), "{reasons:?}");
    assert!(is_there("others, which the function does without"), "{reasons:?}");
    // Mutexes exclude some contexts.
    let excluded = &view["features"]["excluded"];
    assert!(excluded.as_u64() > Some(0), "{excluded}");
    let html =
        text(&Sandbox::new(), &[&[blocks.as_str(), "--format", "html"], &arguments[..]].concat());
    assert!(html.contains(&format!("Contexts that mutexes exclude: {excluded}.")), "{html}");
}

#[test]
fn an_unsolvable_task_has_no_costs() {
    let sandbox = Sandbox::new();
    // The only operator that changes S needs B, which never becomes 1.
    sandbox.write("stuck.sas", &task(&["S", "B"], &[("switch", &[(1, 1)], &[(0, [0, 1])])]));
    let output = sandbox.run(&["explain", "-q", "stuck.sas", "--operator", "switch"]);
    assert_eq!(code(&output), 11, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("Operator switch: cost 0\n  The function proves that there is no plan"),
        "{text}"
    );
}

#[test]
fn dot_and_html_draw_the_graph() {
    let sandbox = cycle();
    let order = ["--order", "A,C,B,D"];
    let dot = text(&sandbox, &[&CYCLE[..], &order, &["--format", "dot"]].concat());
    assert!(dot.contains("f0v0 -- f0v1;\n"), "{dot}");
    assert!(dot.contains("f0v0 -- f0v2 [style=dashed"), "{dot}");
    let html = text(&sandbox, &[&CYCLE[..], &order, &["--format", "html"]].concat());
    assert_balanced(html.strip_prefix("<!DOCTYPE html>").unwrap());
    assert_eq!(html.matches("<circle class=\"node\"").count(), 4);
    assert_eq!(html.matches("<line class=\"added\"").count(), 2, "one edge and its key");
    assert!(html.contains("<code>Aux_{D,{A↦0, C↦0}}</code>"), "{html}");
    for foreign in ["<script", "http:", "https:", "src=", "href=", "url(", "@import"] {
        assert!(!html.contains(foreign), "{foreign}");
    }
    let best = text(&sandbox, &[&CYCLE[..], &["--format", "dot", "--order", "B,D,A,C"]].concat());
    assert!(best.contains("f0v0 -- f0v2 [style=dotted"), "only in the paper's graph: {best}");
}

#[test]
fn names_cannot_break_out() {
    let sandbox = Sandbox::new();
    let evil = "</code><script>\"x\" & 'y' \\";
    sandbox.write("evil.sas", &task(&["S", evil, "<b>"], &[(evil, SWITCH.1, SWITCH.2)]));
    let arguments = ["evil.sas", "--heuristic", "pot(dim=3)", "--operator", evil];
    let html = text(&sandbox, &[&arguments[..], &["--format", "html"]].concat());
    assert_balanced(html.strip_prefix("<!DOCTYPE html>").unwrap());
    assert!(!html.contains("<script") && !html.contains("<b>"));
    let dot = text(&sandbox, &[&arguments[..], &["--format", "dot"]].concat());
    assert!(dot.contains(r#"<script>\"x\" &amp; 'y' \\"#), "{dot}");
}

#[test]
fn forgetting_operators_and_namesakes_have_names() {
    let sandbox = Sandbox::new();
    let coffee = example("coffee.sas");
    let forget = "forget NegatedAtom empty(hand)";
    let view = &report(&sandbox, &[&coffee, "--operator", forget])["functions"][0];
    assert_eq!((&view["forgets"], &view["cost"]), (&true.into(), &0.into()));
    assert_eq!(view["changes"][0]["after"], "unknown");
    let rolled = report(&sandbox, &[&coffee, "--operator", "(Roll LAB hall)"]);
    assert_eq!(rolled["operator"], "roll lab hall");
    let rolled = text(&sandbox, &[&coffee, "--operator", "roll lab hall"]);
    assert!(rolled.contains("\n  var2 (mug): –\n"), "{rolled}");
    sandbox.write(
        "twice.sas",
        &task(&["A", "B"], &[("go", &[], &[(0, [0, 1])]), ("go", &[], &[(0, [1, 0])])]),
    );
    let first = report(&sandbox, &["twice.sas", "--operator", "go"]);
    let second = report(&sandbox, &["twice.sas", "--operator", "go#2"]);
    let before = |report: &Value| report["functions"][0]["changes"][0]["before"].clone();
    assert_eq!((before(&first), before(&second)), ("0".into(), "1".into()));
    assert_eq!(second["functions"][0]["number"], 2);
    assert!(
        text(&sandbox, &["twice.sas", "--operator", "go"])
            .contains("  This is number 1 of 2 operators with this name.")
    );
}

#[test]
fn wrong_command_lines_say_so() {
    let sandbox = cycle();
    for (arguments, message) in [
        (&["--operator", "swich"][..], "there is no operator 'swich'; similar names: switch"),
        (&["--operator", "nothing like it"], "some names: switch, forget 0, forget 1\n"),
        (&["--operator", "switch#2"], "there is no operator 'switch#2'"),
        (&["--operator", "forget 0"], "there is no operator in the normal form 'forget 0'"),
        (&["--operator", "switch", "--order", "A,E"], "there is no variable 'E'"),
        (&["--operator", "switch", "--order", "A,B,A"], "names the variable 'A' twice"),
        (&["--order", "A"], "--operator"),
        (&["--operator", "switch", "--search", "5"], "--search"),
    ] {
        let command = [&["explain", "-q", "cycle.sas"], arguments].concat();
        let output = sandbox.run(&command);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}

/// Eliminating the center of a star first joins all the others.
#[test]
fn orders_that_are_too_wide_are_refused_with_their_size() {
    let sandbox = Sandbox::new();
    let tips: Vec<String> = (1..=17).map(|number| format!("T{number}")).collect();
    let mut variables = vec!["S", "C"];
    variables.extend(tips.iter().map(String::as_str));
    sandbox.write("star.sas", &task(&variables, &[SWITCH]));
    let sets: Vec<[&str; 3]> = tips.iter().map(|tip| ["S", "C", tip.as_str()]).collect();
    let sets: Vec<&[&str]> = sets.iter().map(|set| &set[..]).collect();
    sandbox.write("star.json", &features(&sets));
    let arguments = ["star.sas", "--heuristic", "pot(features=star.json)", "--operator", "switch"];
    let order = format!("{},C", tips.join(","));
    let wide = [&arguments[..], &["--order", &order]].concat();
    let entries: u64 = (1 << 18) + (1..=17).map(|scope| 1 << scope).sum::<u64>();
    let view = &report(&sandbox, &wide)["functions"][0];
    assert_eq!((&view["elimination"], &view["chosen"]["entries"]), (&Value::Null, &entries.into()));
    let printed = text(&sandbox, &wide);
    let message = format!("Too wide to be shown: along this order the equations have {entries}");
    assert!(printed.contains(&message), "{printed}");
    let narrow = &report(&sandbox, &arguments)["functions"][0];
    assert_eq!(narrow["best"]["width"], 1);
    assert_eq!(narrow["balance"], view["balance"], "the maximum is known all the same");
    let html = text(&sandbox, &[&wide[..], &["--format", "html"]].concat());
    assert!(html.contains(&message), "{html}");
}

/// Nothing gives the cat wings, so it never flies.
#[test]
fn operators_that_mutexes_exclude_have_no_constraint() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "wings.sas",
        &task(&["cat", "wings"], &[SWITCH, ("fly", &[(1, 1)], &[(0, [0, 1])])]),
    );
    let arguments = ["wings.sas", "--heuristic", "pot(dim=2, mutexes=h2)", "--operator", "fly"];
    let view = &report(&sandbox, &arguments)["functions"][0];
    assert_eq!((&view["applicable"], &view["balance"]["slack"]), (&false.into(), &Value::Null));
    assert!(text(&sandbox, &arguments).contains("so it has no constraint"));
}

/// Every function is shown, and the slack is the one that the whole explanation has.
#[test]
fn every_function_is_shown_with_its_slack() {
    let sandbox = Sandbox::new();
    let river = example("river.sas");
    let heuristic = "max(pot(dim=1), pot(dim=3))";
    let whole = report(&sandbox, &[&river, "--heuristic", heuristic, "--search", "0"]);
    let mut compared = 0;
    for (index, function) in whole["functions"].as_array().unwrap().iter().enumerate() {
        for operator in function["operators"]["widest"].as_array().unwrap() {
            let name = operator["name"].as_str().unwrap();
            let explained =
                report(&sandbox, &[&river, "--heuristic", heuristic, "--operator", name]);
            let view = &explained["functions"][index];
            assert_eq!(view["balance"]["slack"], operator["slack"], "{name}");
            assert_eq!(view["best"]["width"], operator["width"], "{name}");
            assert_eq!(view["dependent"].as_array().unwrap().len() as u64, operator["dependent"]);
            compared += 1;
        }
    }
    assert!(compared >= 8, "{compared}");
    let printed =
        text(&sandbox, &["--heuristic", heuristic, &river, "--operator", "ferry goat left right"]);
    assert!(printed.contains("=== Function 2: pot(dim=3) ==="), "{printed}");
}
