//! What is said about numbers is true: exact optima, the LP that was solved, fallbacks and their
//! reasons, functions from certificates.

mod sandbox;

use std::path::Path;

use hipot_lp::{Method, Params, Solver, Status};
use sandbox::{Sandbox, code, json, stderr, stdout};

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn small_lps_end_at_an_exact_vertex() {
    let sandbox = Sandbox::new();
    let coffee = example("coffee.sas");
    let text = stdout(&sandbox.run(&["bound", "-q", "--heuristic", "pot3", &coffee]));
    assert!(text.contains("Exact value: 29\nHeuristic: pot(dim=3)\n"), "{text}");
    let text = stdout(&sandbox.run(&["explain", "-q", "--heuristic", "pot3", &coffee]));
    assert!(text.contains("the weights are the LP's exact optimum"), "{text}");
    // A first-order method proves nothing about its optimum, and that is said.
    let rough = ["--heuristic", "pot(dim=2, lp=pdlp)", &coffee];
    let text = stdout(&sandbox.run(&[&["bound", "-q"][..], &rough].concat()));
    assert!(text.contains("of the LP's optimum, as far as the solver can tell."), "{text}");
    let text = stdout(&sandbox.run(&[&["explain", "-q"][..], &rough].concat()));
    assert!(text.contains("of the LP's optimum, as far as the solver can tell"), "{text}");
    let report = json(&sandbox.run(&[&["bound", "-q", "--json"][..], &rough].concat()));
    let lp = &report["heuristic"]["lp"];
    assert_eq!(lp["optimal"], false, "{report}");
    assert!(lp["gap"].as_f64().unwrap() < 0.1, "{report}");
}

#[test]
fn the_written_lp_is_the_one_that_was_solved() {
    let sandbox = Sandbox::new();
    let specs = [
        ("river.sas", "pot(dim=1)"),
        ("river.sas", "pot(dim=2, paper)"),
        ("hanoi.sas", "pot(dim=2, mutexes=h2)"),
        ("hanoi.sas", "pot(dim=3)"),
        ("coffee.sas", "pot(dim=2, open=cases)"),
        ("coffee.sas", "pot(dim=3)"),
        ("coffee.sas", "pot(dim=2, budget=300)"),
        ("blocks.sas", "pot(dim=2)"),
        ("rings.sas", "pot(dim=2, objective=all)"),
        ("jugs.sas", "max(pot(dim=1), pot(dim=2))"),
    ];
    for (task, spec) in specs {
        let (task, what) = (example(task), format!("{task} {spec}"));
        let output = sandbox.run(&[
            "bound",
            "-q",
            "--json",
            "--heuristic",
            spec,
            "--write-lp",
            "a.lp",
            &task,
        ]);
        assert_eq!(code(&output), 0, "{what}: {}", stderr(&output));
        let report = json(&output);
        let lp = &report["heuristic"]["lp"];
        let text = std::fs::read_to_string(sandbox.path("a.lp")).unwrap();
        assert!(text.starts_with("\\ The LP that was solved for "), "{what}");
        let begins = |kind: &str| text.lines().filter(|line| line.starts_with(kind)).count();
        assert_eq!(lp["rows"], begins(" cost(") + begins(" max("), "{what}");
        let mut solver = Solver::read(&sandbox.path("a.lp")).unwrap();
        assert_eq!(lp["columns"], solver.num_columns(), "{what}");
        let solution = solver.solve(&Params::with(Method::PrimalSimplex));
        assert_eq!(solution.status, Status::Optimal, "{what}");
        let objective = lp["objective"].as_f64().unwrap();
        let error = (solution.objective - objective).abs();
        assert!(error < 1e-3 * (1.0 + objective.abs()), "{what}: {error}");
    }
}

/// Symmetric features share a column, which the plain LP does not do.
#[test]
fn the_plain_lp_is_larger_and_has_the_same_optimum() {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "shuttle", "4", "-q", "-o", "s.sas"])), 0);
    let files = ["--write-lp", "a.lp", "--write-lp-plain", "b.lp"];
    let spec = ["--heuristic", "pot(dim=2, paper)", "s.sas"];
    assert_eq!(code(&sandbox.run(&[&["bound", "-q"][..], &files, &spec].concat())), 0);
    let text = std::fs::read_to_string(sandbox.path("a.lp")).unwrap();
    assert!(text.contains("share") && text.contains("){2}"), "{text}");
    let [small, plain] = ["a.lp", "b.lp"].map(|file| {
        let mut solver = Solver::read(&sandbox.path(file)).unwrap();
        (solver.num_columns(), solver.solve(&Params::with(Method::PrimalSimplex)).objective)
    });
    assert!(small.0 < plain.0, "{small:?} {plain:?}");
    assert!((small.1 - plain.1).abs() < 1e-6, "{small:?} {plain:?}");
}

/// The heuristic line of the text, and what the JSON says about fallbacks.
fn fallbacks(sandbox: &Sandbox, arguments: &[&str]) -> (String, serde_json::Value) {
    let text = stdout(&sandbox.run(&[&["bound", "-q"][..], arguments].concat()));
    let line = text.lines().find(|line| line.starts_with("Heuristic: "));
    let line = line.unwrap_or_else(|| panic!("{text}")).to_owned();
    let report = json(&sandbox.run(&[&["bound", "-q", "--json"][..], arguments].concat()));
    (line, report["heuristic"]["fallbacks"].clone())
}

#[test]
fn a_fallback_says_what_was_used_and_why() {
    let sandbox = Sandbox::new();
    let coffee = example("coffee.sas");
    let (line, json) = fallbacks(&sandbox, &["--heuristic", "pot(dim=2)", &coffee]);
    assert_eq!((line.as_str(), json), ("Heuristic: pot(dim=2)", serde_json::json!([])));

    let spec = "pot(dim=2, budget=300)";
    let (line, json) = fallbacks(&sandbox, &["--heuristic", spec, &coffee]);
    let reason = "the LP over all features has more nonzeros than the budget allows";
    assert!(line.starts_with(&format!("Heuristic: {spec}: ")), "{line}");
    assert!(line.ends_with(&format!(" features chosen ({reason})")), "{line}");
    assert_eq!((&json[0]["asked"], &json[0]["reason"]), (&spec.into(), &reason.into()));

    assert_eq!(code(&sandbox.run(&["generate", "toll", "60", "-q", "-o", "toll.sas"])), 0);
    let (line, _) = fallbacks(&sandbox, &["--lp-time-limit", "300ms", "toll.sas"]);
    let time = "was not solved in time; the LP's time limit is 300";
    assert!(line.contains(" features chosen (") && line.contains(time), "{line}");

    let (line, json) = fallbacks(&sandbox, &["--lp-time-limit", "1ms", "toll.sas"]);
    assert_eq!(json[0]["asked"], "pot(dim=2)", "{line}");
    let text = stdout(&sandbox.run(&["solve", "-q", "--heuristic", spec, &coffee]));
    assert!(text.contains(&format!("; Heuristic: {spec}: ")), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_named_if_it_is_memory() {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "toll", "100", "-q", "-o", "toll.sas"])), 0);
    let arguments = ["--memory-limit", "60M", "toll.sas"];
    let (line, json) = fallbacks(&sandbox, &arguments);
    assert!(
        line.contains(" features chosen (the LP over all features does not fit into"),
        "{line}"
    );
    assert_eq!(json[0]["reason"], "the LP over all features does not fit into memory");
    let output = sandbox.run(&[&["bound", "-q", "--strict"][..], &arguments].concat());
    assert_eq!(code(&output), 22);
    assert!(stderr(&output).contains("does not fit into memory"), "{}", stderr(&output));
}

#[test]
fn strict_names_the_limit() {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "shuttle", "30", "-q", "-o", "s.sas"])), 0);
    assert_eq!(code(&sandbox.run(&["generate", "toll", "60", "-q", "-o", "toll.sas"])), 0);
    let strict = |arguments: &[&str]| {
        let output = sandbox.run(&[&["bound", "-q", "--strict"][..], arguments].concat());
        (code(&output), stderr(&output))
    };
    let (status, message) = strict(&["--heuristic", "pot(dim=3)", "s.sas"]);
    let size = "pot(dim=3) cannot be computed: the LP over all features has more than 2000000";
    assert!(status == 22 && message.contains(size), "{status} {message}");
    let (status, message) = strict(&["--lp-time-limit", "300ms", "toll.sas"]);
    let time = "was not solved in time; the LP's time limit is 300";
    assert!(status == 23 && message.contains(time), "{status} {message}");
}

#[test]
fn certificates_are_read_as_functions_and_features() {
    let sandbox = Sandbox::new();
    for (task, options) in [("river.sas", ""), ("hanoi.sas", ""), ("coffee.sas", ", open=cases")] {
        let task = example(task);
        let spec = format!("pot(dim=2, mutexes=none{options})");
        let made = ["bound", "-q", "--json", "--heuristic", &spec, "--certificate", "c", &task];
        let made = json(&sandbox.run(&made));
        let exact = &made["heuristic"]["initial_exact"];
        let output = sandbox.run(&["check", "-q", "--json", &task, "c"]);
        assert_eq!(code(&output), 0, "{task}: {}", stderr(&output));
        assert_eq!(json(&output)["initial_exact"], *exact, "{task}");
        let spec = format!("pot(features=c, mutexes=none{options})");
        let again = json(&sandbox.run(&["bound", "-q", "--json", "--heuristic", &spec, &task]));
        assert_eq!(again["heuristic"]["initial_exact"], *exact, "{task}");
    }
}

#[test]
fn certificates_that_do_not_fit_are_refused() {
    let sandbox = Sandbox::new();
    let [river, hanoi] = ["river.sas", "hanoi.sas"].map(example);
    let made = sandbox.run(&["bound", "-q", "--certificate", "c", &river]);
    assert_eq!(code(&made), 0);
    let made = sandbox.run(&["bound", "-q", "--heuristic", "blind", "--certificate", "e", &river]);
    assert_eq!(code(&made), 0);
    std::fs::write(sandbox.path("half"), "hipot certificate 1\ntask sha256:").unwrap();
    for (task, file, message) in [
        (&hanoi, "c", "for another task"),
        (&river, "e", "has no function"),
        (&river, "half", "half:2:"),
    ] {
        let output = sandbox.run(&["check", "-q", task, file]);
        assert_eq!(code(&output), 31, "{file}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
        let spec = format!("pot(features={file})");
        let output = sandbox.run(&["bound", "-q", "--heuristic", &spec, task]);
        assert_eq!(code(&output), 31, "{file}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}
