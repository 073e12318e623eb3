//! `hipot check`, and `hipot generate coloring`, as users and scripts see them.

mod sandbox;

use std::path::Path;

use serde_json::Value;

use sandbox::{Sandbox, code, json, stderr, stdout};

// Theorem 2: consistent iff not 3-colorable.

struct Graph {
    vertices: usize,
    edges: Vec<(usize, usize)>,
}

impl Graph {
    fn complete(vertices: usize) -> Self {
        let edges = (1..=vertices).flat_map(|u| (u + 1..=vertices).map(move |v| (u, v)));
        Self { vertices, edges: edges.collect() }
    }

    fn cycle(vertices: usize) -> Self {
        Self { vertices, edges: (1..=vertices).map(|v| (v, v % vertices + 1)).collect() }
    }

    /// A cycle and a hub that is joined to all of it.
    fn wheel(spokes: usize) -> Self {
        let mut graph = Self::cycle(spokes);
        graph.vertices += 1;
        graph.edges.extend((1..=spokes).map(|v| (spokes + 1, v)));
        graph
    }

    /// A cycle outside, a star inside, and a spoke from each vertex to its twin.
    fn petersen() -> Self {
        let mut graph = Self::cycle(5);
        graph.vertices = 10;
        graph.edges.extend((0..5).map(|i| (6 + i, 6 + (i + 2) % 5)));
        graph.edges.extend((1..=5).map(|v| (v, v + 5)));
        graph
    }

    fn dimacs(&self) -> String {
        let head = format!("c a test\np edge {} {}\n", self.vertices, self.edges.len());
        let edges = self.edges.iter().map(|(u, v)| format!("e {u} {v}\n"));
        head + &edges.collect::<String>()
    }

    /// Generates the task and the function, and checks them.
    fn check(&self) -> (i32, Value) {
        let sandbox = Sandbox::new();
        sandbox.write("graph.col", &self.dimacs());
        let generated = sandbox.run(&[
            "generate",
            "coloring",
            "graph.col",
            "-o",
            "task.sas",
            "--potential",
            "potential.json",
            "--json",
        ]);
        assert_eq!(code(&generated), 0, "{}", stderr(&generated));
        let generated = json(&generated);
        assert_eq!(generated["optimal_cost"], 0);
        assert_eq!(generated["potential"], "potential.json");
        assert_eq!(generated["task"]["variables"], self.vertices + 1);
        sandbox.check()
    }

    fn assert_colorable(&self) {
        let (code, report) = self.check();
        assert_eq!((code, &report["status"]), (1, &"invalid".into()), "{report}");
        assert_eq!(report["goal_aware"], self.edges.is_empty() || self.edges.len() == 1);
        assert_eq!(report["consistent"], false);
        let witness = &report["witness"];
        assert_eq!(witness["operator"], "choose");
        assert_eq!((&witness["before"], &witness["after"]), (&"0".into(), &"-1".into()));
        assert_eq!(witness["excess"], "1");
        let colors = coloring(&witness["state"]);
        assert_eq!(colors.len(), self.vertices);
        for &(u, v) in &self.edges {
            assert_ne!(colors[u - 1], colors[v - 1], "the edge between {u} and {v}");
        }
    }

    fn assert_not_colorable(&self) {
        let (_, report) = self.check();
        assert_eq!(report["schema"], "hipot.check/1");
        assert_eq!(report["consistent"], true, "{report}");
        assert_eq!(report["witness"], Value::Null);
        assert_eq!(report["dimension"], 3);
        assert_eq!(report["features"], 1 + 6 * self.edges.len());
    }
}

/// The color of each vertex in a state.
fn coloring(state: &Value) -> Vec<String> {
    let facts: Vec<&str> = state.as_array().unwrap().iter().map(|f| f.as_str().unwrap()).collect();
    assert_eq!(facts[0], "NegatedAtom chosen()");
    let color = |(vertex, fact): (usize, &&str)| {
        let color = fact.strip_prefix(&format!("Atom color(v{}, ", vertex + 1));
        color.and_then(|rest| rest.strip_suffix(')')).unwrap().to_owned()
    };
    facts[1..].iter().enumerate().map(color).collect()
}

#[test]
fn colorable_graphs_have_a_witness_that_is_a_coloring() {
    Graph::complete(3).assert_colorable();
    Graph::petersen().assert_colorable();
    Graph::wheel(6).assert_colorable();
    Graph::cycle(7).assert_colorable();
    Graph::cycle(200).assert_colorable();
    Graph { vertices: 2, edges: vec![(2, 1)] }.assert_colorable();
    Graph { vertices: 3, edges: Vec::new() }.assert_colorable();
    Graph { vertices: 0, edges: Vec::new() }.assert_colorable();
}

#[test]
fn graphs_that_need_four_colors_have_none() {
    Graph::complete(4).assert_not_colorable();
    Graph::wheel(5).assert_not_colorable();
    Graph::complete(6).assert_not_colorable();
}

/// All graphs with four vertices: K₄ is the only one that is not 3-colorable.
#[test]
fn all_small_graphs() {
    let complete = Graph::complete(4);
    for subset in 0..1_u32 << complete.edges.len() {
        let chosen = complete.edges.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
        let graph = Graph { vertices: 4, edges: chosen.map(|(_, &edge)| edge).collect() };
        if graph.edges.len() == 6 { graph.assert_not_colorable() } else { graph.assert_colorable() }
    }
}

#[test]
fn the_widths_are_those_of_the_graphs() {
    for (graph, width) in [(Graph::complete(4), 3), (Graph::wheel(5), 3), (Graph::cycle(7), 2)] {
        assert_eq!(graph.check().1["width"], width);
    }
}

/// K₂₀ takes 3²⁰ entries.
#[test]
fn what_is_too_wide_is_unsupported() {
    let (code, report) = Graph::complete(20).check();
    assert_eq!((code, &report["schema"]), (34, &"hipot.error/1".into()));
    assert_eq!(report["status"], "unsupported");
    let message = report["message"].as_str().unwrap();
    assert!(message.contains("for operator 'choose', eliminating the contexts takes"), "{message}");
}

#[test]
fn a_coloring_task_goes_to_standard_output_or_files() {
    let sandbox = Sandbox::new();
    sandbox.write("graph.col", &Graph::complete(3).dimacs());
    let output = sandbox.run(&["generate", "coloring", "graph.col"]);
    assert_eq!(code(&output), 0);
    sandbox.write("task.sas", &stdout(&output));
    let solved = json(&sandbox.run(&["solve", "--json", "--heuristic", "blind", "task.sas"]));
    assert_eq!((&solved["cost"], &solved["length"]), (&0.into(), &1.into()));
    assert!(stdout(&output).contains("\nbegin_metric\n1\nend_metric\n"));
    assert!(stdout(&output).contains("\nAtom color(v3, red)\n"));

    let unwritable =
        sandbox.run(&["generate", "coloring", "graph.col", "--potential", "no/such/folder"]);
    assert_eq!(code(&unwritable), 2);
    assert!(stderr(&unwritable).contains("cannot write 'no/such/folder'"));
}

// A potential function written by hand.

/// A robot shall be inside. It opens the door for 2 and enters for 3.
const DOOR: &str = "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n2
begin_variable\ndoor\n-1\n2\nclosed\nopen\nend_variable
begin_variable\nrobot\n-1\n2\noutside\ninside\nend_variable
0\nbegin_state\n0\n0\nend_state\nbegin_goal\n1\n1 1\nend_goal
2\nbegin_operator\npush\n0\n1\n0 0 0 1\n2\nend_operator
begin_operator\nenter\n1\n0 1\n1\n0 1 0 1\n3\nend_operator\n0\n";

/// Three while the robot is outside, two more while the door is not open: by
/// names, by indices, as numbers and as fractions.
const POTENTIAL: &str = r#"{"constant": 0,
 "features": [{"facts": [["robot", "outside"]], "weight": 3},
              {"facts": [["door", "closed"], ["robot", "outside"]], "weight": 2.0},
              {"facts": [["door", "unknown"], [1, 0]], "weight": "4/2"}]}
"#;

/// The door's task, and the potential function with `from` replaced by `to`.
fn door(from: &str, to: &str) -> Sandbox {
    assert!(POTENTIAL.contains(from), "{from}");
    let sandbox = Sandbox::new();
    sandbox.write("task.sas", DOOR);
    sandbox.write("potential.json", &POTENTIAL.replacen(from, to, 1));
    sandbox
}

#[test]
fn a_function_that_is_right() {
    let sandbox = door("", "");
    let output = sandbox.run(&["check", "task.sas", "potential.json"]);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    let expected = "goal-aware: yes (the potential of the goal state is 0)
consistent: yes
admissible: yes (goal-aware and consistent)
Potential of the initial state: 5
Dimension: 2
Features: 3
Largest context width: 0
";
    assert_eq!(stdout(&output), expected);
    let (code, report) = sandbox.check();
    assert_eq!((code, &report["status"]), (0, &"valid".into()));
    for field in ["goal_aware", "consistent", "admissible"] {
        assert_eq!(report[field], true, "{field}");
    }
    assert_eq!((&report["initial_exact"], &report["width"]), (&"5".into(), &0.into()));
}

#[test]
fn an_operator_that_takes_too_much() {
    let sandbox = door("\"weight\": 3", "\"weight\": \"10/3\"");
    let output = sandbox.run(&["check", "task.sas", "potential.json"]);
    assert_eq!((code(&output), stderr(&output).as_str()), (1, ""));
    let expected = "goal-aware: yes (the potential of the goal state is 0)
consistent: no
admissible: not implied
Operator (enter) costs 3 but takes the potential from 10/3 to 0, 1/3 too much, in the state
  door: open
  robot: outside
Potential of the initial state: 16/3
Dimension: 2
Features: 3
Largest context width: 0
";
    assert_eq!(stdout(&output), expected);
    let (code, report) = sandbox.check();
    assert_eq!((code, &report["status"]), (1, &"invalid".into()));
    assert_eq!((&report["consistent"], &report["admissible"]), (&false.into(), &Value::Null));
    let witness = serde_json::json!({"operator": "enter", "cost": 3, "state": ["open", "outside"],
                                     "before": "10/3", "after": "0", "excess": "1/3"});
    assert_eq!(report["witness"], witness);
}

#[test]
fn forgetting_must_not_lower_the_potential_either() {
    let (code, report) = door("\"4/2\"", "\"3/2\"").check();
    assert_eq!((code, &report["consistent"]), (1, &false.into()));
    assert_eq!(report["witness"]["operator"], "forget closed");
    assert_eq!(report["witness"]["excess"], "1/2");
}

#[test]
fn a_goal_state_must_not_have_a_positive_potential() {
    let sandbox = door("\"constant\": 0", "\"constant\": \"1/7\"");
    let (code, report) = sandbox.check();
    assert_eq!((code, &report["status"]), (1, &"invalid".into()));
    assert_eq!((&report["goal_aware"], &report["consistent"]), (&false.into(), &true.into()));
    assert_eq!(report["admissible"], false);
    assert_eq!((&report["goal_exact"], &report["witness"]), (&"1/7".into(), &Value::Null));
    let text = stdout(&sandbox.run(&["check", "task.sas", "potential.json"]));
    assert!(text.starts_with("goal-aware: no (the potential of the goal state is 1/7)\n"));
    assert!(text.contains("\nadmissible: no (a goal state costs nothing)\n"), "{text}");
    // Less than 0 is allowed.
    assert_eq!(door("\"constant\": 0", "\"constant\": -1").check().0, 0);
}

#[test]
fn weights_beyond_exact_arithmetic_are_unsupported() {
    let large = format!("\"weight\": 1{}", "0".repeat(38));
    let (code, report) = door("\"weight\": 3", &large).check();
    assert_eq!((code, &report["status"]), (34, &"unsupported".into()));
    assert!(report["message"].as_str().unwrap().contains("too large for exact arithmetic"));
}

// Functions that hipot has written itself.

/// `check` finds what `bound --potential` and `explain --potential` write consistent and gives it
/// the same value; over its features the bound is the same.
#[test]
fn a_written_potential_is_read_again() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (name, spec) in [
        ("blocks.sas", "pot(dim=2, paper)"),
        ("cat.sas", "pot(dim=1, paper)"),
        ("coffee.sas", "pot(dim=3, paper)"),
        ("rings.sas", "pot(dim=2, paper)"),
        ("toll.sas", "pot(dim=2, paper)"),
    ] {
        let sandbox = Sandbox::new();
        let task = examples.join(name).to_str().unwrap().to_owned();
        let arguments = ["--heuristic", spec, "--potential", "potential.json", "--json"];
        let bound = json(&sandbox.run(&[&["bound", &task], &arguments[..]].concat()));
        let written = sandbox.read("potential.json");
        let checked = sandbox.run(&["check", &task, "potential.json", "--json"]);
        let report = json(&checked);
        assert_eq!((code(&checked), &report["status"]), (0, &"valid".into()), "{name}: {report}");
        assert_eq!(report["initial_exact"], bound["heuristic"]["initial_exact"], "{name}");
        assert_eq!(report["features"], bound["heuristic"]["features"], "{name}");
        let over = "pot(features=potential.json)";
        let again = json(&sandbox.run(&["bound", &task, "--heuristic", over, "--json"]));
        assert_eq!(again["heuristic"]["initial"], bound["heuristic"]["initial"], "{name}");
        assert_eq!(again["heuristic"]["features"], bound["heuristic"]["features"], "{name}");
        let explained = [&["explain", &task], &arguments[..], &["--search", "0"]].concat();
        assert_eq!(code(&sandbox.run(&explained)), 0, "{name}");
        assert_eq!(sandbox.read("potential.json"), written, "{name}");
    }
}

#[test]
fn a_heuristic_without_a_function_has_no_potential_to_write() {
    let sandbox = door("", "");
    let output =
        sandbox.run(&["bound", "task.sas", "--heuristic", "blind", "--potential", "potential.out"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("--potential needs a potential heuristic"));
    assert!(!sandbox.path("potential.out").exists());
}

/// The exit code is about the property that is asked for.
#[test]
fn a_function_may_be_consistent_and_not_goal_aware() {
    let sandbox = door("\"constant\": 0", "\"constant\": 7");
    let property =
        |name| code(&sandbox.run(&["check", "task.sas", "potential.json", "--property", name]));
    let (_, report) = sandbox.check();
    assert_eq!((&report["goal_aware"], &report["consistent"]), (&false.into(), &true.into()));
    assert_eq!((property("consistent"), property("admissible")), (0, 1));
}

// Bad input.

/// The command fails with exit code 31 and names the place and the reason.
fn assert_bad(sandbox: &Sandbox, arguments: &[&str], place: (u64, u64), reason: &str) {
    let output = sandbox.run(arguments);
    assert_eq!(code(&output), 31, "{reason}: {}", stdout(&output));
    let (line, column) = place;
    let shown = stderr(&output);
    assert!(shown.contains(&format!(":{line}:{column}: {reason}")), "{reason}:\n{shown}");
    let report = json(&sandbox.run(&[arguments, &["--json"]].concat()));
    assert_eq!(report["status"], "input-error");
    assert_eq!((&report["line"], &report["column"]), (&line.into(), &column.into()));
}

#[test]
fn bad_potentials_are_refused_with_their_place() {
    let truncated = &POTENTIAL[POTENTIAL.len() - 20..];
    for (from, to, place, reason) in [
        (r#"["robot", "#, r#"["cat", "#, (2, 27), "there is no variable \"cat\""),
        ("[1, 0]", "[2, 0]", (4, 48), "there is no variable 2"),
        ("\"closed\"", "\"ajar\"", (3, 35), "there is no value of variable 'door' \"ajar\""),
        ("[1, 0]", "[1, 2]", (4, 51), "there is no value of variable 'robot' 2"),
        ("[1, 0]", "[0, 0]", (4, 15), "the feature mentions variable"),
        ("\"unknown\"", "\"closed\"", (4, 15), "the feature is listed twice"),
        ("\"weight\": 3", "\"weight\": \"much\"", (2, 59), "expected a number or a fraction"),
        ("\"weight\": 3", "\"weight\": true", (2, 59), "expected a number or a fraction"),
        (POTENTIAL, "w(f) = 3\n", (1, 1), "expected value"),
        (truncated, "", (4, 54), "EOF while parsing"),
        (POTENTIAL, "", (1, 1), "EOF while parsing a value"),
        (POTENTIAL, "{}", (1, 2), "missing field `features`"),
    ] {
        assert_bad(&door(from, to), &["check", "task.sas", "potential.json"], place, reason);
    }
}

#[test]
fn bad_graphs_are_refused_with_their_place() {
    for (text, place, reason) in [
        ("p edge 3 2\ne 1 2\ne 3 3\n", (3, 5), "vertex 3 is joined to itself"),
        (
            "p edge 3 2\ne 1 2\ne 2 4\n",
            (3, 5),
            "there is no vertex 4; vertices are numbered from 1 to 3",
        ),
        ("c no size\ne 1 2\n", (2, 1), "expected a line 'p edge VERTICES EDGES' before edges"),
        ("p edge 3 2\ne 1 2\ne 2 1\n", (3, 1), "the edge between 2 and 1 is there twice"),
        ("p edge 3 2\ne 1 2\n", (2, 6), "the line 'p' says 2 edges, but there are 1"),
        ("p edge 4000000000 1\n", (1, 8), "4000000000 vertices are more than 100000"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write("graph.col", text);
        let arguments = ["generate", "coloring", "graph.col", "-o", "task.sas"];
        assert_bad(&sandbox, &arguments, place, reason);
        assert!(!sandbox.path("task.sas").exists());
    }
}

#[test]
fn other_mistakes_have_their_exit_codes() {
    let sandbox = door("", "");
    for (arguments, expected, part) in [
        (vec!["check", "task.sas"], 2, "POTENTIAL"),
        (vec!["check", "task.sas", "missing.json"], 31, "cannot read 'missing.json'"),
        (vec!["check", "missing.sas", "potential.json"], 31, "cannot read 'missing.sas'"),
        (vec!["generate", "coloring"], 2, "GRAPH"),
        (vec!["generate", "coloring", "missing.col"], 31, "cannot read 'missing.col'"),
        (vec!["generate", "coloring", "missing.col", "--json"], 2, "-o FILE"),
    ] {
        let output = sandbox.run(&arguments);
        assert_eq!(code(&output), expected, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{arguments:?}: {}", stderr(&output));
    }
}
