//! Every command's help ends in examples, and they do what they promise.

mod sandbox;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use sandbox::{Sandbox, code, stderr, stdout};

const EXPERIMENT: &str = r#"
[limits]
time = "20s"
memory = "1G"
[suites.small]
folder = "tasks"
[configurations.blind]
heuristic = "blind"
"#;

const PROPERTIES: &str = r#"{ "lmcut-frogs-problem": { "algorithm": "lmcut", "domain": "frogs",
    "problem": "problem.pddl", "coverage": 1, "cost": 8, "planner_time": 0.5 } }"#;

/// The commands in the order in which their examples run: the first ones write files that the
/// next ones read.
const ORDER: [&str; 27] = [
    "translate",
    "generate",
    "generate hanoi",
    "generate rings",
    "generate shuttle",
    "generate odometer",
    "generate circuit",
    "generate toll",
    "generate parity",
    "generate coloring",
    "heuristics",
    "bound",
    "solve",
    "verify",
    "export",
    "validate",
    "check",
    "explain",
    "lint",
    "lab",
    "lab run",
    "lab status",
    "lab import",
    "lab report",
    "completions",
    "manual",
    "lsp",
];

/// What ends only when somebody ends it: `--help` is added, so that nothing but the options is
/// checked.
const ENDLESS: [&str; 2] = ["lsp", "serve"];

/// The files that the examples speak of.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/frogs");
    for folder in ["tasks/frogs", "data/lmcut-eval"] {
        std::fs::create_dir_all(sandbox.path(folder)).unwrap();
    }
    for file in ["domain.pddl", "problem.pddl"] {
        let text = std::fs::read_to_string(examples.join(file)).unwrap();
        sandbox.write(file, &text);
        sandbox.write(&format!("tasks/frogs/{file}"), &text);
    }
    sandbox.write("experiment.toml", EXPERIMENT);
    sandbox.write("data/lmcut-eval/properties", PROPERTIES);
    sandbox.write("graph.txt", "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n");
    sandbox
}

fn help(sandbox: &Sandbox, command: &str) -> String {
    let words: Vec<&str> = ["help"].into_iter().chain(command.split_whitespace()).collect();
    let output = sandbox.run(&words);
    assert_eq!(code(&output), 0, "{command}: {}", stderr(&output));
    stdout(&output)
}

/// The lines below a heading, up to an empty one.
fn below<'a>(help: &'a str, heading: &str) -> Vec<&'a str> {
    let lines = help.lines().skip_while(|line| *line != heading).skip(1);
    lines.take_while(|line| !line.is_empty()).map(str::trim).collect()
}

/// All commands below this one.
fn commands(sandbox: &Sandbox, parent: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in below(&help(sandbox, parent), "Commands:") {
        let name = line.split_whitespace().next().unwrap();
        if name != "help" {
            let name = format!("{parent} {name}").trim().to_owned();
            found.extend(commands(sandbox, &name));
            found.insert(name);
        }
    }
    found
}

#[test]
fn every_command_has_examples_that_work() {
    let sandbox = sandbox();
    let binary = Path::new(env!("CARGO_BIN_EXE_hipot")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let known: BTreeSet<String> = ORDER.into_iter().chain(["serve"]).map(str::to_owned).collect();
    assert_eq!(commands(&sandbox, ""), known);
    for command in ORDER.into_iter().chain(["serve"]) {
        let text = help(&sandbox, command);
        let examples = below(&text, "Examples:");
        assert!(!examples.is_empty() && text.ends_with(&format!("{}\n", examples.last().unwrap())));
        for example in examples {
            assert!(example.starts_with("hipot "), "{example}");
            let mut script = example.to_owned();
            if ENDLESS.contains(&command) {
                let end = example.find(" #").unwrap_or(example.len());
                script.insert_str(end, " --help");
            }
            let output = Command::new("sh")
                .args(["-c", &script])
                .current_dir(sandbox.path("."))
                .env("PATH", &path)
                .output()
                .unwrap();
            assert_eq!(code(&output), 0, "{example}: {}", stderr(&output));
        }
    }
}

#[test]
fn help_lists_all_heuristics() {
    let sandbox = Sandbox::new();
    let text = help(&sandbox, "heuristics");
    assert!(text.contains("\npot(dim=K), pot(features=FILE)"), "{text}");
    assert!(text.contains("saturator=all|perim|perimstar"), "{text}");
    let printed = sandbox.run(&["heuristics"]);
    assert!(text.starts_with(stdout(&printed).trim_end()));
    let listed = sandbox::json(&sandbox.run(&["heuristics", "--json"]));
    assert_eq!(listed["schema"], "hipot.heuristics/1");
    let pot = &listed["heuristics"].as_array().unwrap()[1];
    assert_eq!((&pot["name"], &pot["arguments"][3]["default"]), (&"pot".into(), &"groups".into()));
}

#[test]
fn every_command_has_a_manual_page_and_completions() {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["manual", "a/man1"])), 0);
    let mut expected: BTreeSet<String> = commands(&sandbox, "");
    expected.insert(String::new());
    let page = |command: &String| format!("hipot {command}").trim().replace(' ', "-") + ".1";
    let entries = std::fs::read_dir(sandbox.path("a/man1")).unwrap();
    let found = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
    assert_eq!(found.collect::<BTreeSet<_>>(), expected.iter().map(page).collect());
    let bound = sandbox.read("a/man1/hipot-bound.1");
    assert!(bound.contains(".SH EXAMPLES\n.nf\n  hipot bound domain.pddl"), "{bound}");
    assert!(!bound.contains('\u{1b}') && bound.contains("\\-\\-certificate"), "{bound}");

    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&sandbox.run(&["completions", shell]));
        assert!(script.contains("write-lp-plain") && script.contains("heuristics"), "{shell}");
    }
    // What bash proposes after "hipot so".
    let script = "source <(\"$0\" completions bash); COMP_WORDS=(hipot so); COMP_CWORD=1; _hipot hipot so \
                  hipot; echo ${COMPREPLY[@]}";
    let output =
        Command::new("bash").args(["-c", script, env!("CARGO_BIN_EXE_hipot")]).output().unwrap();
    assert_eq!(stdout(&output), "solve\n", "{}", stderr(&output));
    assert_ne!(code(&sandbox.run(&["completions", "cmd"])), 0);
    assert_eq!(code(&sandbox.run(&["manual", "/proc/nothing"])), 2);
}

/// The page that says which heuristic to take names heuristics that there are.
#[test]
fn the_page_of_heuristics_has_true_specs() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/heuristics.md");
    let text = std::fs::read_to_string(file).unwrap();
    let begins = ["pot(", "scp(", "ocp(", "tcp(", "max("];
    let code = text.split('`').skip(1).step_by(2);
    let specs: BTreeSet<&str> =
        code.filter(|it| begins.iter().any(|b| it.starts_with(b))).collect();
    assert!(specs.len() > 8, "{specs:?}");
    for spec in specs {
        let example = spec.replace("dim=K", "dim=2").replace("(N)", "(7)");
        let read = example.parse::<hipot::spec::Spec>();
        assert!(read.is_ok(), "{spec}: {read:?}");
    }
}
