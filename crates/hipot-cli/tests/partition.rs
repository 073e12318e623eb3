//! `seq`, `ocp(dim=K)` and `tcp(dim=K)` on the command line.

mod sandbox;

use std::path::Path;

use serde_json::Value;

use sandbox::{Sandbox, code, json, stderr, stdout};

/// Examples and their optimal costs (`None`: unsolvable). Lights has conditional effects, circuit
/// axioms, and train both.
const EXAMPLES: [(&str, Option<u64>); 12] = [
    ("nap", Some(0)),
    ("river", Some(7)),
    ("jugs", Some(6)),
    ("hanoi", Some(15)),
    ("rings", Some(21)),
    ("blocks", Some(10)),
    ("coffee", Some(29)),
    ("toll", Some(6_442_450_938)),
    ("parity", None),
    ("lights", Some(5)),
    ("circuit", Some(5)),
    ("train", Some(28)),
];

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    folder.join(name).with_extension("sas").to_str().unwrap().to_owned()
}

fn bound(sandbox: &Sandbox, name: &str, spec: &str) -> Value {
    let output = sandbox.run(&["bound", "--json", "--heuristic", spec, &example(name)]);
    assert!([0, 11].contains(&code(&output)), "{name}, {spec}: {}", stderr(&output));
    json(&output)
}

/// The examples' costs, some of which are large, are bounded from below by abstractions with and
/// without a potential function, and `explain` names what each component gets.
#[test]
fn abstractions_and_functions_share_costs() {
    let sandbox = Sandbox::new();
    for (name, cost) in EXAMPLES {
        for spec in [
            "scp(projections, cartesian, time=1)",
            "scp(pot(dim=1), projections, cartesian, time=1)",
        ] {
            let bound = value(&bound(&sandbox, name, spec));
            assert!(bound <= cost.unwrap_or(u64::MAX), "{name}, {spec}: {bound}");
            assert!(bound > 0 || cost == Some(0), "{name}, {spec}");
        }
    }
    let spec = "scp(pot(dim=1), projections, cartesian, time=1)";
    let arguments = ["explain", "-q", "--heuristic", spec, &example("store")];
    let text = stdout(&sandbox.run(&arguments));
    assert!(text.contains("projection to ") && text.contains("Operators: "), "{text}");
    assert!(!text.contains("TNF"), "{text}");
    let report = json(&sandbox.run(&[&arguments[..], &["--format", "json"]].concat()));
    let partition = &report["partitions"][0];
    assert_eq!(partition["costs_of"], "given-operators");
    assert!(partition["operators"]["shared"].as_u64() > Some(0));
}

/// The bound, which is infinite where there is no plan.
fn value(report: &Value) -> u64 {
    report["lower_bound"].as_u64().unwrap_or(u64::MAX)
}

#[test]
fn the_state_equation_is_the_one_dimensional_potential() {
    let sandbox = Sandbox::new();
    for (name, _) in EXAMPLES {
        let potential = bound(&sandbox, name, "pot(dim=1, mutexes=none)");
        for spec in ["seq", "ocp(dim=1)"] {
            let report = bound(&sandbox, name, spec);
            assert_eq!(report["status"], potential["status"], "{name}, {spec}");
            assert_eq!(report["lower_bound"], potential["lower_bound"], "{name}, {spec}");
        }
    }
}

#[test]
fn finer_partitionings_give_higher_bounds() {
    let sandbox = Sandbox::new();
    let (mut strict, mut too_large) = (0, 0);
    for (name, cost) in EXAMPLES {
        let cost = cost.unwrap_or(u64::MAX);
        let [equation, operators] = ["seq", "ocp"].map(|spec| value(&bound(&sandbox, name, spec)));
        assert!(equation <= operators && operators <= cost, "{name}");
        strict += usize::from(equation < operators);
        let arguments = ["bound", "--json", "--heuristic", "tcp(dim=2)", &example(name)];
        let output = sandbox.run(&arguments);
        if code(&output) == 34 {
            assert!(stderr(&output).contains("tcp(dim=2) is for small tasks: "), "{name}");
            too_large += 1;
            continue;
        }
        let transitions = value(&json(&output));
        assert!(operators <= transitions && transitions <= cost, "{name}");
        // Theorem 7.
        let potential = bound(&sandbox, name, "pot(dim=2, mutexes=none)");
        assert_eq!(transitions, value(&potential), "{name}");
    }
    println!("seq < ocp in {strict}, tcp too large in {too_large}");
    assert!(strict >= 2 && (1..=5).contains(&too_large), "{strict}, {too_large}");
}

#[test]
fn patterns_choose_the_projections() {
    let sandbox = Sandbox::new();
    let task = "shuttle.sas";
    assert_eq!(code(&sandbox.run(&["generate", "shuttle", "3", "1", "-o", task])), 0);
    let bound = |spec: &str| {
        let output = sandbox.run(&["bound", "--json", "--heuristic", spec, task]);
        assert_eq!(code(&output), 0, "{spec}: {}", stderr(&output));
        value(&json(&output))
    };
    assert_eq!(bound("ocp(dim=2)"), 11);
    assert_eq!(bound("ocp(dim=2, paper)"), 11);
    assert_eq!(bound("ocp(dim=2, patterns=interesting-general)"), 11);
    // Projections to the shuttle and its place alone have no goal, but negative costs.
    assert_eq!(bound("ocp(dim=2, patterns=interesting)"), 7);
    let names = names(&sandbox.read(task));
    sandbox.write("one.json", r#"{"patterns": [[0]]}"#);
    sandbox.write("all.json", &format!(r#"{{"patterns": [{names:?}, [0, 1]]}}"#));
    assert!(bound("ocp(patterns=one.json)") < 7);
    // A projection to all variables is the task itself.
    assert_eq!(bound("ocp(patterns=all.json)"), 11);
    for (text, line, part) in [
        ("{\"patterns\": [\n[\"door to nowhere\"]]}", 2, "there is no variable"),
        ("{\"patterns\": [[99]]}", 1, "there is no variable 99"),
        ("{\"patterns\": [[0, 1], [0, 0]]}", 1, "twice"),
        ("{\"patterns\": [[]]}", 1, "the pattern is empty"),
        ("{\"patterns\": []}", 1, "there are no patterns"),
        ("{\"patterns\": [[0]], \"size\": 1}", 1, "unknown field"),
        ("{\"patterns\": [[0]", 1, "EOF"),
    ] {
        sandbox.write("wrong.json", text);
        let spec = "tcp(patterns=wrong.json)";
        let output = sandbox.run(&["bound", "--json", "--heuristic", spec, task]);
        assert_eq!(code(&output), 31, "{text}");
        assert_eq!(json(&output)["line"], line, "{text}: {}", stdout(&output));
        assert!(stderr(&output).contains(part), "{text}: {}", stderr(&output));
    }
    let nowhere = ["bound", "--heuristic", "ocp(patterns=nowhere.json)", task];
    assert_eq!(code(&sandbox.run(&nowhere)), 31);
}

/// The names of the variables of a `.sas` file.
fn names(text: &str) -> Vec<String> {
    let heads = text.split("begin_variable\n").skip(1);
    heads.map(|head| head.lines().next().unwrap().to_owned()).collect()
}

/// A limit after the initial state's LP leaves its value, in the report and as a lower bound.
#[test]
fn a_stopped_search_reports_the_initial_value() {
    let sandbox = Sandbox::new();
    let hanoi = sandbox.run(&["generate", "hanoi", "14", "-o", "hanoi.sas"]);
    assert_eq!(code(&hanoi), 0, "{}", stderr(&hanoi));
    for spec in ["seq", "ocp(dim=2)", "ocp(dim=2, paper)"] {
        let found = sandbox.run(&["bound", "--json", "--heuristic", spec, "hanoi.sas"]);
        let initial = json(&found)["heuristic"]["initial"].clone();
        let arguments = ["solve", "--json", "--time-limit", "1s", "--heuristic", spec, "hanoi.sas"];
        let output = sandbox.run(&arguments);
        assert_eq!(code(&output), 23, "{spec}: {}", stderr(&output));
        let report = json(&output);
        assert_eq!(report["heuristic"]["initial"], initial, "{spec}");
        assert!(report["lower_bound"].as_u64() >= initial.as_u64(), "{spec}");
    }
}

#[test]
fn searches_find_optimal_plans() {
    let sandbox = Sandbox::new();
    for (name, cost) in EXAMPLES {
        for spec in ["seq", "ocp(dim=1)", "ocp(dim=2)", "max(seq, pot(dim=1))"] {
            let output = sandbox.run(&["solve", "--json", "--heuristic", spec, &example(name)]);
            let report = json(&output);
            assert_eq!(code(&output), if cost.is_some() { 0 } else { 11 }, "{name}, {spec}");
            assert_eq!(report["cost"].as_u64(), cost, "{name}, {spec}");
            assert_eq!(report["heuristic"]["spec"], spec, "{name}");
        }
    }
    let output = sandbox.run(&["solve", "--json", "--heuristic", "tcp(dim=1)", &example("river")]);
    assert_eq!(json(&output)["cost"], 7);
}

#[test]
fn certificates_are_accepted_and_higher_claims_are_not() {
    let sandbox = Sandbox::new();
    for (name, _) in EXAMPLES {
        let task = example(name);
        for spec in ["seq", "ocp(dim=1)", "ocp(dim=2)", "max(seq, ocp(dim=2))"] {
            let arguments = ["bound", "--heuristic", spec, "--certificate", "proof", &task];
            let report = json(&sandbox.run(&[&arguments[..], &["--json"]].concat()));
            let verified = sandbox.run(&["verify", "--json", &task, "proof"]);
            assert_eq!(code(&verified), 0, "{name}, {spec}: {}", stdout(&verified));
            let text = sandbox.read("proof");
            let Some(bound) = report["lower_bound"].as_u64() else {
                assert!(text.contains("\nclaim unsolvable\n"), "{name}, {spec}");
                continue;
            };
            let claim = format!("\nclaim bound {bound}\n");
            assert!(text.contains(&claim), "{name}, {spec}");
            sandbox
                .write("proof", &text.replace(&claim, &format!("\nclaim bound {}\n", bound + 1)));
            assert_eq!(code(&sandbox.run(&["verify", &task, "proof"])), 1, "{name}, {spec}");
        }
    }
}

#[test]
fn transition_costs_and_searches_have_certificates_too() {
    let sandbox = Sandbox::new();
    let task = example("river");
    for (command, spec) in [("bound", "tcp(dim=2)"), ("solve", "tcp(dim=1)"), ("solve", "ocp")] {
        let arguments = [command, "--json", "--heuristic", spec, "--certificate", "proof", &task];
        let report = json(&sandbox.run(&arguments));
        // A search proves the cost, a heuristic its estimate.
        let proved = if command == "solve" { &report["cost"] } else { &report["lower_bound"] };
        let claim = format!("claim bound {proved}\n");
        let proof = std::fs::read(sandbox.path("proof")).unwrap();
        assert!(String::from_utf8_lossy(&proof).contains(&claim), "{command}, {spec}");
        assert_eq!(code(&sandbox.run(&["verify", &task, "proof"])), 0, "{command}, {spec}");
    }
}

#[test]
fn reports_say_where_a_bound_comes_from() {
    let sandbox = Sandbox::new();
    for (command, spec) in [("bound", "seq"), ("solve", "seq"), ("bound", "max(blind, ocp(dim=1))")]
    {
        let output = sandbox.run(&[command, "--json", "--heuristic", spec, &example("coffee")]);
        let heuristic = &json(&output)["heuristic"];
        assert_eq!(heuristic["spec"], spec);
        assert_eq!(heuristic["certified"], true);
        let exact = heuristic["initial_exact"].as_str().unwrap();
        let exact: Vec<f64> = exact.split('/').map(|part| part.parse().unwrap()).collect();
        let exact = exact[0] / exact.get(1).unwrap_or(&1.0);
        assert_eq!(heuristic["initial"].as_f64(), Some(exact.ceil()), "{command}, {spec}");
        let lp = &heuristic["lp"];
        for field in ["rows", "columns", "nonzeros"] {
            assert!(lp[field].as_u64().unwrap() > 5, "{command}, {spec}: {field}");
        }
        assert_eq!(lp["method"], "dual-simplex");
        assert!((lp["objective"].as_f64().unwrap() - exact).abs() < 1e-6);
        assert!(lp["seconds"].is_f64());
        assert!(heuristic["features"].is_null());
    }
    let text = stdout(&sandbox.run(&["bound", "--heuristic", "ocp", &example("coffee")]));
    assert!(text.contains("Heuristic: ocp(dim=2)\nLP: "), "{text}");
}

#[test]
fn what_is_not_supported_is_explained() {
    let sandbox = Sandbox::new();
    let river = example("river");
    for (arguments, expected, part) in [
        (&["bound", "--heuristic", "ocp(dim=0)", &river][..], 2, "from 1 to 20"),
        (&["bound", "--heuristic", "seq(1)", &river], 2, "seq takes no arguments"),
        (&["solve", "--heuristic", "cost-partitioning", &river], 2, "seq, ocp(dim=K), tcp(dim=K)"),
        (&["bound", "--heuristic", "tcp(states=all)", &river], 2, "all abstract states"),
        (&["bound", "--heuristic", "seq", "--write-lp", "lp", &river], 2, "pot(…)"),
        (&["explain", "--heuristic", "ocp(states=reachable)", &river], 34, "in all states"),
        (&["explain", "--heuristic", "max(blind, blind)", &river], 2, "no potential functions"),
        (&["bound", "--heuristic", "tcp", &example("hanoi"), "--memory-limit", "1K"], 22, ""),
        (&["solve", "--heuristic", "ocp", &river, "--time-limit", "0"], 23, ""),
    ] {
        let output = sandbox.run(arguments);
        assert_eq!(code(&output), expected, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{arguments:?}: {}", stderr(&output));
    }
}
