//! `hipot solve --anytime`: plans that are there before a limit, and the gap to the lower bound.

mod sandbox;

use std::time::{Duration, Instant};

use sandbox::{Sandbox, code, json, signal, stderr, stdout};

/// A task that blind search does not solve in minutes.
const SOLVE: [&str; 7] =
    ["solve", "--anytime", "--heuristic", "blind", "--symmetries", "off", "slow.sas"];

fn slow() -> Sandbox {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "shuttle", "16", "4", "-o", "slow.sas"])), 0);
    sandbox
}

/// The numbers of the plan files, in order.
fn numbered(sandbox: &Sandbox) -> Vec<usize> {
    (1..100).filter(|number| sandbox.path(&format!("sas_plan.{number}")).exists()).collect()
}

/// The cost of a plan file, by `hipot validate`.
fn cost(sandbox: &Sandbox, task: &str, plan: &str) -> u64 {
    let output = sandbox.run(&["validate", "--json", task, plan]);
    json(&output)["cost"].as_u64().expect("the plan is valid")
}

#[test]
fn at_a_limit_the_best_plan_is_there_with_the_gap() {
    let sandbox = slow();
    for number in 1..=9 {
        sandbox.write(&format!("sas_plan.{number}"), "(of an earlier run)\n");
    }
    let output = sandbox.run(&[&SOLVE[..], &["--json", "--time-limit", "3s"]].concat());
    let report = json(&output);
    assert_eq!((code(&output), report["status"].as_str()), (23, Some("time-limit")));
    let [lower, upper] =
        ["lower_bound", "upper_bound"].map(|name| report[name].as_u64().expect("a bound"));
    assert!(0 < lower && lower < upper, "{lower} {upper}");
    let gap = report["gap"].as_f64().unwrap();
    assert!((gap - (upper - lower) as f64 / upper as f64).abs() < 1e-9, "{gap}");
    assert!(report["cost"].is_null(), "it is not proved to be optimal");

    let plans = numbered(&sandbox);
    assert_eq!(plans, (1..=plans.len()).collect::<Vec<_>>(), "the old ones are gone");
    let costs: Vec<u64> =
        plans.iter().map(|it| cost(&sandbox, "slow.sas", &format!("sas_plan.{it}"))).collect();
    assert!(costs.is_sorted_by(|one, next| one > next), "{costs:?}");
    assert_eq!(costs.last(), Some(&upper));
    assert_eq!(cost(&sandbox, "slow.sas", "sas_plan"), upper);
}

#[test]
fn text_has_plan_and_gap_as_well() {
    let sandbox = slow();
    let output = sandbox.run(&[&SOLVE[..], &["--time-limit", "2s"]].concat());
    let text = stdout(&output);
    assert_eq!(code(&output), 23);
    assert!(text.contains("; Upper bound: ") && text.contains("; Gap: "), "{text}");
    sandbox.write("printed", &text);
    assert_eq!(cost(&sandbox, "slow.sas", "printed"), cost(&sandbox, "slow.sas", "sas_plan"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_the_best_plan() {
    let sandbox = slow();
    let child = sandbox
        .command(&[&SOLVE[..], &["--json"]].concat())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while !sandbox.path("sas_plan.1").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "there is a plan soon");
        std::thread::sleep(Duration::from_millis(10));
    }
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let report = json(&output);
    assert_eq!((code(&output), report["status"].as_str()), (130, Some("interrupted")));
    let upper = report["upper_bound"].as_u64();
    assert_eq!(upper, Some(cost(&sandbox, "slow.sas", "sas_plan")), "{}", stderr(&output));
}

#[test]
fn with_enough_time_the_plan_is_optimal() {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "shuttle", "5", "2", "-o", "task.sas"])), 0);
    let [optimal, anytime] = [&[][..], &["--anytime"][..]].map(|option| {
        let output = sandbox.run(&[&["solve", "--json", "task.sas"], option].concat());
        let report = json(&output);
        assert_eq!((code(&output), report["status"].as_str()), (0, Some("solved")));
        assert_eq!(report["lower_bound"], report["cost"]);
        assert_eq!(report["cost"].as_u64(), Some(cost(&sandbox, "task.sas", "sas_plan")));
        report["cost"].as_u64()
    });
    assert_eq!(optimal, anytime);
}

#[test]
fn there_is_no_plan_where_there_is_none() {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "parity", "5", "-o", "task.sas"])), 0);
    for heuristic in ["blind", "auto"] {
        let output =
            sandbox.run(&["solve", "--anytime", "--json", "--heuristic", heuristic, "task.sas"]);
        let report = json(&output);
        assert_eq!(report["status"].as_str(), Some("unsolvable"));
        assert!(report.get("upper_bound").is_none_or(serde_json::Value::is_null));
        assert!(!sandbox.path("sas_plan").exists() && numbered(&sandbox).is_empty());
    }
}

/// Programs that watch a run see that plans are looked for, before the search.
#[test]
fn progress_says_that_plans_are_looked_for() {
    let sandbox = slow();
    let options = ["--progress", "json", "-q", "--time-limit", "2s"];
    let output = sandbox.run(&[&SOLVE[..], &options].concat());
    let lines = stderr(&output);
    let lines = lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"));
    let stages = lines.map(|it: serde_json::Value| it["stage"].as_str().unwrap().to_owned());
    let mut stages: Vec<String> = stages.collect();
    stages.dedup();
    assert_eq!(stages, ["plans", "search"]);
}
