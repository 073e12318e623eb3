//! Costs with decimals: exact everywhere, and in the unit of the problem.

mod sandbox;

use std::path::Path;

use sandbox::{Sandbox, code, json, stderr, stdout};

/// The costs of the example's optimal plan: bus 2.75, taxi 3.9, taxi 5.5, bus 2.75.
const COST: f64 = 14.9;

fn errands() -> [String; 2] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/errands");
    ["domain", "problem"].map(|file| folder.join(format!("{file}.pddl")).display().to_string())
}

/// The example with some text replaced.
fn changed(sandbox: &Sandbox, from: &str, to: &str) -> [String; 2] {
    let files = errands();
    let texts = files.clone().map(|file| std::fs::read_to_string(file).unwrap());
    assert!(texts.iter().any(|text| text.contains(from)), "{from}");
    for (text, name) in texts.iter().zip(["domain.pddl", "problem.pddl"]) {
        std::fs::write(sandbox.path(name), text.replace(from, to)).unwrap();
    }
    ["domain.pddl", "problem.pddl"].map(|name| sandbox.path(name).display().to_string())
}

fn run(
    sandbox: &Sandbox,
    command: &str,
    task: &[String; 2],
    rest: &[&str],
) -> std::process::Output {
    let arguments = [&[command, &task[0], &task[1]], rest].concat();
    sandbox.run(&arguments)
}

#[test]
fn all_commands_answer_in_the_unit_of_the_problem() {
    let (sandbox, task) = (Sandbox::new(), errands());
    let solved = json(&run(&sandbox, "solve", &task, &["--json", "--certificate", "proof.cert"]));
    assert_eq!(solved["status"], "solved");
    assert_eq!(solved["cost"].as_f64(), Some(COST), "{solved}");
    assert_eq!(solved["lower_bound"].as_f64(), Some(COST));
    assert_eq!(solved["certificate"]["lower_bound"].as_f64(), Some(COST), "{solved}");
    assert!(sandbox.read("sas_plan").ends_with("; cost = 14.9 (general cost)\n"));

    let valid = run(&sandbox, "validate", &task, &["sas_plan"]);
    assert_eq!(stdout(&valid), "Plan valid\nFinal value: 14.9\n");
    let verified = run(&sandbox, "verify", &task, &["proof.cert", "--plan", "sas_plan"]);
    let text = stdout(&verified);
    assert!(text.contains("at least 14.9, and this plan costs 14.9: it is optimal"), "{text}");
    let verified = run(&sandbox, "verify", &task, &["proof.cert", "--plan", "sas_plan", "--json"]);
    let verified = json(&verified);
    assert_eq!((verified["bound"].as_f64(), verified["cost"].as_f64()), (Some(COST), Some(COST)));

    let options = ["--json", "--heuristic", "pot(dim=2)", "--certificate", "bound.cert"];
    let bound = json(&run(&sandbox, "bound", &task, &options));
    assert_eq!(bound["lower_bound"], bound["heuristic"]["initial"]);
    assert_eq!(bound["lower_bound"].as_f64(), Some(COST), "{bound}");
    let exact = bound["heuristic"]["initial_exact"].as_str().unwrap();
    let (numerator, denominator) = exact.split_once('/').unwrap_or((exact, "1"));
    let value = numerator.parse::<f64>().unwrap() / denominator.parse::<f64>().unwrap();
    assert!(value <= COST && value > COST - 0.001, "{exact}");
    let verified = json(&run(&sandbox, "verify", &task, &["bound.cert", "--json"]));
    assert_eq!(verified["initial_exact"], bound["heuristic"]["initial_exact"]);

    let text = stdout(&run(&sandbox, "explain", &task, &["--heuristic", "pot(dim=2)"]));
    assert!(text.contains("every plan costs at least 14.9"), "{text}");
    let explained = run(&sandbox, "explain", &task, &["--heuristic", "ocp", "--format", "json"]);
    let explained = json(&explained);
    assert!(explained["lower_bound"].as_f64().unwrap() <= COST, "{explained}");
}

/// Costs a thousand times as high are integers, and so are the results.
#[test]
fn a_scaled_task_has_scaled_results() {
    let sandbox = Sandbox::new();
    let mut scaled = errands().map(|file| std::fs::read_to_string(file).unwrap());
    for (from, to) in [
        ("2.75", "2750"),
        ("3.5", "3500"),
        ("1.20", "1200"),
        (") 0.4)", ") 400)"),
        (") 2)", ") 2000)"),
        ("0.005", "5"),
    ] {
        assert!(scaled.iter().any(|text| text.contains(from)), "{from}");
        scaled = scaled.map(|text| text.replace(from, to));
    }
    let files = ["domain.pddl", "problem.pddl"].map(|name| sandbox.path(name));
    for (file, text) in files.iter().zip(&scaled) {
        std::fs::write(file, text).unwrap();
    }
    let files = files.map(|file| file.display().to_string());
    for heuristic in ["blind", "pot(dim=1)", "pot(dim=2)", "seq", "auto"] {
        let options = ["--json", "--heuristic", heuristic];
        let [own, scaled] =
            [errands(), files.clone()].map(|task| json(&run(&sandbox, "solve", &task, &options)));
        assert_eq!(scaled["cost"].as_u64(), Some(14_900), "{heuristic}");
        assert_eq!(own["cost"].as_f64(), Some(COST), "{heuristic}");
        assert_eq!(own["search"]["expanded"], scaled["search"]["expanded"], "{heuristic}");
        let [own, scaled] = [own, scaled].map(|it| it["heuristic"]["initial"].as_f64().unwrap());
        assert!((own * 1000.0 - scaled).abs() < 1e-6, "{heuristic}: {own} {scaled}");
    }
}

/// Without a metric every action costs 1, whatever the numbers are.
#[test]
fn costs_that_do_not_count_change_nothing() {
    let sandbox = Sandbox::new();
    let task = changed(&sandbox, "(:metric minimize (total-cost))", "");
    let solved = json(&run(&sandbox, "solve", &task, &["--json"]));
    assert_eq!((solved["cost"].as_u64(), solved["length"].as_u64()), (Some(7), Some(7)));
    assert!(sandbox.read("sas_plan").ends_with("; cost = 7 (unit cost)\n"));
}

#[test]
fn what_cannot_be_scaled_is_refused_with_its_place() {
    let sandbox = Sandbox::new();
    for (from, to, exit, message) in [
        ("0.005", "0.0000000001", 34, "costs with more than 9 decimals are not supported"),
        ("0.005", "30000000", 31, "this cost is too large; the maximum is 21474836.47"),
        ("0.005", "-0.5", 34, "negative costs are not supported"),
        ("0.005", "1e-3", 31, "expected a number, found '1e-3'"),
        ("2.75", "2147483.649", 31, "this cost is too large; the maximum is 2147483.647"),
    ] {
        let task = changed(&sandbox, from, to);
        let output = run(&sandbox, "solve", &task, &["-q"]);
        assert_eq!(code(&output), exit, "{to}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{to}: {}", stderr(&output));
        assert!(stderr(&output).contains(".pddl:"), "{to}: {}", stderr(&output));
    }
}
