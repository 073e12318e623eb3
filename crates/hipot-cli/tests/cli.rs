//! The command line as users and scripts see it.

mod sandbox;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use sandbox::{Sandbox, code, json, signal, stderr, stdout};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn example(name: &str) -> String {
    examples().join(name).to_str().unwrap().to_owned()
}

/// File and optimal cost (`None`: unsolvable) from the table of `.sas` files in the examples'
/// README.
fn examples_with_costs() -> Vec<(String, Option<u64>)> {
    let readme = std::fs::read_to_string(examples().join("README.md")).unwrap();
    let mut rows = Vec::new();
    for line in readme.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let file = cells[0].trim_matches('`');
        if file.contains('.') {
            rows.push((file.to_owned(), cells[3].parse().ok()));
        }
    }
    rows
}

#[test]
fn every_example_has_the_cost_that_its_table_says() {
    let examples_with_costs = examples_with_costs();
    let files = std::fs::read_dir(examples()).unwrap();
    let sas =
        files.filter(|file| file.as_ref().unwrap().path().extension() == Some("sas".as_ref()));
    assert_eq!(sas.count(), examples_with_costs.len(), "a row for each file");
    for (file, cost) in examples_with_costs {
        let sandbox = Sandbox::new();
        let solved = sandbox.run(&["solve", "--json", &example(&file)]);
        let report = json(&solved);
        assert_eq!(report["cost"].as_u64(), cost, "{file}");
        match cost {
            Some(_) => {
                assert_eq!((code(&solved), report["status"].as_str()), (0, Some("solved")));
                let validated = sandbox.run(&["validate", "--json", &example(&file), "sas_plan"]);
                assert_eq!(code(&validated), 0, "{file}");
                assert_eq!(json(&validated)["cost"].as_u64(), cost, "{file}");
            }
            None => {
                assert_eq!((code(&solved), report["status"].as_str()), (11, Some("unsolvable")));
                assert!(!sandbox.path("sas_plan").exists());
            }
        }
    }
}

#[test]
fn solve_prints_a_plan_file_with_statistics_as_comments() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&["solve", &example("river.sas")]);
    let text = stdout(&output);
    for line in [
        "; Plan length: 7 step(s).",
        "; Plan cost: 7",
        "; Initial heuristic value for pot(dim=2, mutexes=h2, open=cases): 5",
        "; Reopened 0 state(s).",
        "; Reopened until last jump: 0 state(s).",
        "; Metric: 7",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
    }
    assert_eq!(text.lines().last(), Some("; cost = 7 (unit cost)"));
    let plan = sandbox.read("sas_plan");
    // What VS Code shows beside a plan stands before its steps.
    let evaluated = text.lines().nth(1).unwrap();
    assert!(evaluated.starts_with("; States evaluated: "), "{text}");
    let comments: Vec<&str> = plan.lines().skip(7).collect();
    assert_eq!(comments, ["; Metric: 7", evaluated, "; cost = 7 (unit cost)"]);
    let steps: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
    assert_eq!(steps, plan.lines().take(7).collect::<Vec<_>>());
    // What it prints is itself a plan.
    sandbox.write("printed", &text);
    assert_eq!(code(&sandbox.run(&["validate", &example("river.sas"), "printed"])), 0);
}

/// Standard error is empty, and each line that Downward Lab looks for is there once.
/// Its own parsers read such a log in `python/tests/test_lab.py`.
#[test]
fn the_log_for_downward_lab_has_every_line_once() {
    let sandbox = Sandbox::new();
    let limits = ["--time-limit", "60s", "--memory-limit", "1G"];
    let coffee = example("coffee.sas");
    let solve = ["solve", "--downward-log", "--heuristic", "blind", &coffee];
    let output = sandbox.run(&[&solve[..], &limits].concat());
    let text = stdout(&output);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    for line in [
        "planner time limit: 60s",
        "search time limit: 60s",
        "search memory limit: 1024 MB",
        "Translator variables: 5",
        "Plan length: 18 step(s).",
        "Plan cost: 29",
        "Initial heuristic value for blind: 1",
        "Evaluations: ",
        "Evaluated ",
        "Expanded ",
        "Generated ",
        "Reopened ",
        "Dead ends: 0 state(s).",
        "Expanded until last jump: ",
        "Evaluated until last jump: ",
        "Generated until last jump: ",
        "Reopened until last jump: ",
        "Search time: ",
        "Total time: ",
        "Planner time: ",
        "Translator peak memory: ",
        "Peak memory: ",
    ] {
        let is_said = |found: &&str| {
            let rest = found.strip_prefix(line);
            rest.is_some_and(|rest| rest.starts_with(char::is_numeric) == line.ends_with(' '))
        };
        assert_eq!(text.lines().filter(is_said).count(), 1, "{line} in\n{text}");
    }
    assert_eq!(text.lines().last(), Some("search exit code: 0"));
    assert!(!text.contains("(roll"), "{text}");
    assert!(sandbox.read("sas_plan").ends_with("; cost = 29 (general cost)\n"));
}

#[test]
fn the_log_for_downward_lab_ends_with_the_exit_code() {
    let sandbox = Sandbox::new();
    endless(&sandbox);
    let parity = example("parity.sas");
    for (arguments, expected, is_wrong) in [
        (vec![parity.as_str()], 11, false),
        (
            vec![
                "--time-limit",
                "0.2s",
                "--symmetries",
                "off",
                "--heuristic",
                "blind",
                "endless.sas",
            ],
            23,
            false,
        ),
        (vec!["--memory-limit", "1M", "endless.sas"], 22, false),
        (vec!["missing.sas"], 31, true),
    ] {
        let output = sandbox.run(&[&["solve", "--downward-log"], &arguments[..]].concat());
        assert_eq!(code(&output), expected, "{arguments:?}");
        let last = format!("search exit code: {expected}");
        assert_eq!(stdout(&output).lines().last(), Some(last.as_str()), "{arguments:?}");
        assert_eq!(stderr(&output).is_empty(), !is_wrong, "{}", stderr(&output));
    }
    assert_eq!(code(&sandbox.run(&["solve", "--downward-log", "--json", &parity])), 2);
}

#[test]
fn json_has_the_fields_of_the_interface() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&["solve", "--json", "--heuristic", "blind", &example("coffee.sas")]);
    let report = json(&output);
    assert_eq!(report["schema"], "hipot.solve/1");
    assert_eq!((&report["cost"], &report["length"]), (&29.into(), &18.into()));
    assert_eq!(report["lower_bound"], 29);
    assert_eq!(report["plan"].as_array().unwrap().len(), 18);
    assert_eq!(report["task"]["variables"], 5);
    for field in ["facts", "operators", "goals", "mutex_groups"] {
        assert!(report["task"][field].is_u64(), "{field}");
    }
    assert_eq!(report["heuristic"]["spec"], "blind");
    assert_eq!(report["heuristic"]["initial"], 1);
    assert_eq!(report["heuristic"]["initial_exact"], "1");
    for field in ["expanded", "expanded_until_last_jump", "evaluated", "generated", "reopened"] {
        assert!(report["search"][field].is_u64(), "{field}");
    }
    for field in ["translate", "heuristic", "search", "total"] {
        assert!(report["seconds"][field].is_f64(), "{field}");
    }
    assert!(report["peak_memory_bytes"].as_u64().unwrap() > 1 << 20);
}

#[test]
fn the_same_run_twice_gives_the_same_bytes_times_aside() {
    let sandbox = Sandbox::new();
    let mut reports: Vec<Value> = Vec::new();
    for _ in 0..2 {
        let mut report = json(&sandbox.run(&["solve", "--json", &example("train.sas")]));
        report["seconds"].take();
        report["search"]["seconds"].take();
        report["heuristic"]["lp"]["seconds"].take();
        report["peak_memory_bytes"].take();
        reports.push(report);
    }
    assert_eq!(reports[0].to_string(), reports[1].to_string());
}

#[test]
fn symmetries_save_states_and_keep_the_cost() {
    for (file, generators) in [("hanoi.sas", 1), ("river.sas", 1), ("parity.sas", 4)] {
        let sandbox = Sandbox::new();
        let solve = |when| {
            let arguments =
                ["solve", "--json", "--heuristic", "blind", "--symmetries", when, &example(file)];
            json(&sandbox.run(&arguments))
        };
        let [off, on, auto] = ["off", "on", "auto"].map(solve);
        let expanded = |report: &Value| report["search"]["expanded"].as_u64().unwrap();
        assert_eq!((&off["cost"], &off["status"]), (&on["cost"], &on["status"]), "{file}");
        assert!(expanded(&on) < expanded(&off), "{file}");
        assert_eq!(on["search"]["symmetries"].as_u64(), Some(generators), "{file}");
        // The field is absent without symmetries. Short searches do not need them.
        for report in [off, auto] {
            assert_eq!(report["search"].get("symmetries"), None, "{file}");
        }
    }
    let sandbox = Sandbox::new();
    let output = sandbox.run(&["solve", "--symmetries", "maybe", &example("hanoi.sas")]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("auto, on, off"), "{}", stderr(&output));
}

#[test]
fn a_task_comes_from_standard_input() {
    let sandbox = Sandbox::new();
    let mut child = sandbox
        .command(&["solve", "-q", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = std::fs::read(example("jugs.sas")).unwrap();
    child.stdin.take().unwrap().write_all(&text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("; Plan cost: 6"));
}

#[test]
fn bad_input_is_shown_with_its_place() {
    let sandbox = Sandbox::new();
    let broken =
        std::fs::read_to_string(example("river.sas")).unwrap().replacen("-1\n", "-1 7\n", 1);
    sandbox.write("broken.sas", &broken);
    let output = sandbox.run(&["solve", "broken.sas"]);
    assert_eq!(code(&output), 31);
    let message = stderr(&output);
    assert!(
        message.contains("broken.sas:10:4: expected the end of the line, found '7'"),
        "{message}"
    );
    assert!(message.contains("10 | -1 7\n   |    ^"), "{message}");

    let report = json(&sandbox.run(&["solve", "--json", "broken.sas"]));
    assert_eq!(report["schema"], "hipot.error/1");
    assert_eq!(report["status"], "input-error");
    assert_eq!(report["file"], "broken.sas");
    assert_eq!((&report["line"], &report["column"]), (&10.into(), &4.into()));
}

#[test]
fn wrong_files_and_options_have_their_exit_codes() {
    let sandbox = Sandbox::new();
    let river = example("river.sas");
    sandbox.write("domain.pddl", "(define (domain d))");
    for (arguments, expected, part) in [
        (vec!["solve", "missing.sas"], 31, "cannot read 'missing.sas'"),
        (vec!["solve", "."], 31, "cannot read '.'"),
        (vec!["solve", "domain.pddl", "domain.pddl"], 31, "this file defines a domain"),
        (vec!["solve", "--frobnicate", &river], 2, "--frobnicate"),
        (vec!["solve", "--heuristic", "magic", &river], 2, "unknown heuristic 'magic'"),
        (vec!["solve", "--time-limit", "soon", &river], 2, "30m"),
        (vec!["solve", "--memory-limit", "much", &river], 2, "4G"),
        (vec!["solve", "--plan-file", "no/such/folder", &river], 2, "there is no folder"),
        (vec!["generate", "hanoi", "0"], 2, "disks is 0, but must be from 1 to 63"),
        (vec!["generate", "hanoi", "3", "--json"], 2, "-o FILE"),
        (vec!["solve"], 2, "TASK"),
        (vec![], 2, "Usage"),
    ] {
        let output = sandbox.run(&arguments);
        assert_eq!(code(&output), expected, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn validate_says_why_a_plan_fails() {
    let sandbox = Sandbox::new();
    let river = example("river.sas");
    sandbox.write("plan", "; first the wolf\n(ferry wolf left right goat-across)\n");
    let output = sandbox.run(&["validate", &river, "plan"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(text.starts_with("Plan failed to execute\nplan: line 2: step 1, "), "{text}");
    assert!(text.contains("it needs '"), "{text}");

    let report = json(&sandbox.run(&["validate", "--json", &river, "plan"]));
    assert_eq!((&report["status"], &report["line"]), (&"invalid".into(), &2.into()));

    sandbox.write("plan", "(ferry goat left right)\n");
    let output = sandbox.run(&["validate", &river, "plan"]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).starts_with("Goal not satisfied\n"));

    sandbox.write("plan", "ferry goat\n");
    assert_eq!(code(&sandbox.run(&["validate", &river, "plan"])), 31);
}

#[test]
fn an_old_plan_does_not_survive() {
    let sandbox = Sandbox::new();
    sandbox.write("sas_plan", "(old)\n");
    assert_eq!(code(&sandbox.run(&["solve", &example("parity.sas")])), 11);
    assert!(!sandbox.path("sas_plan").exists());
}

/// A task that no blind search without symmetries solves in a test's time.
fn endless(sandbox: &Sandbox) {
    let output = sandbox.run(&["generate", "shuttle", "30", "4", "-o", "endless.sas"]);
    assert_eq!(code(&output), 0);
}

#[test]
fn the_time_limit_holds_and_leaves_a_bound() {
    let sandbox = Sandbox::new();
    endless(&sandbox);
    let begin = Instant::now();
    let output = sandbox.run(&[
        "solve",
        "--json",
        "--heuristic",
        "blind",
        "--symmetries",
        "off",
        "--time-limit",
        "1s",
        "endless.sas",
    ]);
    assert!(begin.elapsed() < Duration::from_millis(1500), "{:?}", begin.elapsed());
    let report = json(&output);
    assert_eq!((code(&output), report["status"].as_str()), (23, Some("time-limit")));
    assert!((2..74).contains(&report["lower_bound"].as_u64().unwrap()), "{report}");
    assert!(report["cost"].is_null());
}

#[cfg(unix)]
#[test]
fn the_limit_on_processor_time_holds_and_is_named() {
    let sandbox = Sandbox::new();
    endless(&sandbox);
    let solve = [
        "solve",
        "--heuristic",
        "blind",
        "--symmetries",
        "off",
        "--cpu-limit",
        "0.7s",
        "endless.sas",
    ];
    let output = sandbox.run(&solve);
    assert_eq!(code(&output), 23);
    let text = stdout(&output) + &stderr(&output);
    assert!(text.contains("limit on processor time"), "{text}");
    let output = sandbox.run(&[&solve[..], &["--json"]].concat());
    let report = json(&output);
    assert_eq!((code(&output), report["status"].as_str()), (23, Some("time-limit")));
    // One thread uses no more of it than time passes.
    assert!(report["seconds"]["total"].as_f64().unwrap() > 0.65, "{report}");

    // This LP takes minutes. HiGHS knows elapsed time only: on a busy machine it ends before the
    // limit, and `bound` prints what it has.
    let bound = ["bound", "--heuristic", "ocp(dim=2)", "--cpu-limit", "0.7", "endless.sas"];
    let output = sandbox.run(&[&bound[..], &["--json"]].concat());
    let report = json(&output);
    let ended = (code(&output), report["status"].as_str());
    assert!([(23, Some("time-limit")), (0, Some("solved"))].contains(&ended), "{report}");
    let seconds = report["seconds"]["total"].as_f64().unwrap();
    assert!(seconds > 0.6 && seconds < 30.0, "{report}");
}

/// Waiting takes no processor time.
#[cfg(unix)]
#[test]
fn a_limit_on_processor_time_does_not_count_waiting() {
    let sandbox = Sandbox::new();
    let mut child = sandbox
        .command(&["solve", "--cpu-limit", "0.3", "--time-limit", "0.8", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (stdin, begin) = (child.stdin.take(), Instant::now());
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert!(begin.elapsed() > Duration::from_millis(700), "{:?}", begin.elapsed());
    assert_eq!(code(&output), 23);
    assert!(stderr(&output).contains("the time limit is reached"), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_limit_holds_and_leaves_a_bound() {
    let sandbox = Sandbox::new();
    endless(&sandbox);
    let output = sandbox.run(&[
        "solve",
        "--json",
        "--heuristic",
        "blind",
        "--symmetries",
        "off",
        "--memory-limit",
        "120M",
        "endless.sas",
    ]);
    let report = json(&output);
    assert_eq!((code(&output), report["status"].as_str()), (22, Some("memory-limit")));
    assert!(report["lower_bound"].as_u64().unwrap() >= 2);
    let peak = report["peak_memory_bytes"].as_u64().unwrap();
    assert!((70 << 20..170 << 20).contains(&peak), "{peak}");
}

/// Limits hold while reading, too: a file that never ends.
#[cfg(target_os = "linux")]
#[test]
fn limits_hold_while_the_task_is_read() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&["solve", "--json", "--memory-limit", "100M", "/dev/zero"]);
    let report = json(&output);
    assert_eq!((code(&output), report["status"].as_str()), (22, Some("memory-limit")));
    assert_eq!(report["schema"], "hipot.solve/1");
    assert!(report["peak_memory_bytes"].as_u64().unwrap() < 150 << 20);

    let begin = Instant::now();
    let mut child = sandbox
        .command(&["solve", "--time-limit", "0.5", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert!(begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
    assert_eq!(code(&output), 23);
    assert!(stdout(&output).contains("; Lower bound: 0"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_bound() {
    let sandbox = Sandbox::new();
    endless(&sandbox);
    let child = sandbox
        .command(&["solve", "--json", "--symmetries", "off", "--heuristic", "blind", "endless.sas"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let report = json(&output);
    assert_eq!((code(&output), report["status"].as_str()), (130, Some("interrupted")));
    assert!(report["lower_bound"].as_u64().unwrap() >= 2);
}

/// `ulimit -v` is below what the search wants: exit code 22, no abort.
#[cfg(target_os = "linux")]
#[test]
fn a_system_that_refuses_memory_ends_the_search_cleanly() {
    let sandbox = Sandbox::new();
    endless(&sandbox);
    let hipot = env!("CARGO_BIN_EXE_hipot");
    let script = format!(
        "ulimit -v 400000; exec {hipot} solve --json --symmetries off --heuristic blind endless.sas"
    );
    let output = Command::new("sh").args(["-c", &script]).current_dir(sandbox.path("")).output();
    let output = output.unwrap();
    assert_eq!(code(&output), 22, "{}", stderr(&output));
    assert_eq!(json(&output)["status"], "memory-limit");
}

/// A reader that goes away early is no error.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let sandbox = Sandbox::new();
    for option in ["-q", "--downward-log"] {
        let mut child = sandbox
            .command(&["solve", option, &example("hanoi.sas")])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((code(&output), stderr(&output)), (0, String::new()));
        let plan = sandbox.read("sas_plan");
        assert_eq!(plan.lines().filter(|line| line.starts_with('(')).count(), 15);
    }
}

#[test]
fn generated_tasks_have_the_costs_they_promise() {
    for arguments in [
        ["hanoi", "7", ""],
        ["rings", "10", ""],
        ["shuttle", "5", "3"],
        ["odometer", "3", "7"],
        ["circuit", "8", ""],
        ["toll", "6", ""],
        ["parity", "9", ""],
    ] {
        let sandbox = Sandbox::new();
        let mut command = vec!["generate", "--json", "-o", "task.sas"];
        command.extend(arguments.iter().filter(|argument| !argument.is_empty()));
        let generated = json(&sandbox.run(&command));
        let solved = json(&sandbox.run(&["solve", "--json", "task.sas"]));
        assert_eq!(generated["optimal_cost"], solved["cost"], "{arguments:?}");
    }
}

#[test]
fn help_and_version_are_there() {
    let sandbox = Sandbox::new();
    for arguments in [vec!["--help"], vec!["solve", "--help"], vec!["generate", "toll", "--help"]] {
        let output = sandbox.run(&arguments);
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("Usage:"));
        let widest = stdout(&output).lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{arguments:?}");
    }
    assert!(stdout(&sandbox.run(&["--version"])).starts_with("hipot "));
}

#[cfg(target_os = "linux")]
#[test]
fn an_lp_that_does_not_fit_is_replaced_by_a_smaller_one() {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "toll", "100", "-o", "toll.sas"])), 0);
    let output = sandbox.run(&["bound", "--json", "--memory-limit", "60M", "toll.sas"]);
    let report = json(&output);
    assert_eq!((code(&output), report["status"].as_str()), (0, Some("solved")));
    let heuristic = &report["heuristic"];
    assert_eq!(heuristic["spec"], "pot(dim=2)");
    assert_eq!(heuristic["complete"], false);
    assert_eq!(heuristic["certified"], true);
    let reason = &heuristic["fallbacks"][0]["reason"];
    assert_eq!(reason, "the LP over all features does not fit into memory");
}
