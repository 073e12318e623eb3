//! Why there is no plan: tasks that a deleted line makes unsolvable.

mod sandbox;

use sandbox::{Sandbox, code, json, stdout};
use serde_json::Value;

const DOMAIN: &str = "(define (domain parcels)
  (:requirements :strips :typing :action-costs)
  (:types place thing truck - object)
  (:predicates (road ?a ?b - place) (at ?t - truck ?a - place) (lies ?p - thing ?a - place)
    (in ?p - thing ?t - truck) (sealed ?p - thing) (tape) (stamped ?p - thing))
  (:functions (total-cost) (distance ?a ?b - place))
  (:action drive :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) (road ?a ?b))
    :effect (and
      (not (at ?t ?a))
      (at ?t ?b)
      (increase (total-cost) (distance ?a ?b))))
  (:action load :parameters (?p - thing ?t - truck ?a - place)
    :precondition (and (at ?t ?a) (lies ?p ?a))
    :effect (and
      (not (lies ?p ?a))
      (in ?p ?t)
      (increase (total-cost) 1)))
  (:action drop :parameters (?p - thing ?t - truck ?a - place)
    :precondition (and (at ?t ?a) (in ?p ?t))
    :effect (and
      (not (in ?p ?t))
      (lies ?p ?a)
      (increase (total-cost) 1)))
  (:action seal :parameters (?p - thing)
    :precondition (and (tape) (not (sealed ?p)))
    :effect (and
      (sealed ?p)
      (increase (total-cost) 1)))
  (:action stamp :parameters (?p - thing) :precondition (sealed ?p) :effect (and (stamped ?p) (increase (total-cost) 1))))
";

const PROBLEM: &str = "(define (problem two) (:domain parcels)
  (:objects
    a b c - place
    x y - thing
    t - truck)
  (:init
    (at t a)
    (road a b)
    (road b c)
    (road c a)
    (lies x a)
    (lies y b)
    (tape)
    (= (total-cost) 0)
    (= (distance a b) 3)
    (= (distance b c) 4)
    (= (distance c a) 5))
  (:goal (and (lies x c) (lies y a) (stamped x)))
  (:metric minimize (total-cost)))
";

/// What is said about a task; `None` if it cannot be read or has a plan.
fn reasons(sandbox: &Sandbox, domain: &str, problem: &str) -> Option<Vec<Value>> {
    sandbox.write("domain.pddl", domain);
    sandbox.write("problem.pddl", problem);
    let output = sandbox.run(&["solve", "-q", "--json", "domain.pddl", "problem.pddl"]);
    let report = json(&output);
    (code(&output) == 11).then(|| report["reasons"].as_array().expect("reasons").clone())
}

/// A text without each of its lines, and the line.
fn without_a_line(text: &str) -> impl Iterator<Item = (String, &str)> {
    let lines: Vec<&str> = text.lines().collect();
    (0..lines.len()).map(move |deleted| {
        let kept = lines.iter().enumerate().filter(|(index, _)| *index != deleted);
        // Parentheses that the line has closed are needed nevertheless.
        let line = lines[deleted];
        let closed = line.matches(')').count().saturating_sub(line.matches('(').count());
        let mut text = kept.map(|(_, line)| *line).collect::<Vec<_>>().join("\n");
        text.push_str(&")".repeat(closed));
        (text, line)
    })
}

#[test]
fn a_missing_line_is_named() {
    let sandbox = Sandbox::new();
    assert_eq!(reasons(&sandbox, DOMAIN, PROBLEM), None, "there is a plan");
    let domains = without_a_line(DOMAIN).map(|(text, line)| (text, PROBLEM.to_owned(), line));
    let problems = without_a_line(PROBLEM).map(|(text, line)| (DOMAIN.to_owned(), text, line));
    let (mut named, mut unnamed) = (Vec::new(), Vec::new());
    for (domain, problem, line) in domains.chain(problems) {
        let Some(reasons) = reasons(&sandbox, &domain, &problem) else { continue };
        let text = Value::from(reasons).to_string();
        // A fact is named by its predicate, a value by its function, an action by its effect.
        let fact = line.rsplit(":effect (and ").next().unwrap_or(line).replace("(= ", "");
        let mut words = fact.split(|it: char| !(it.is_alphanumeric() || "-?".contains(it)));
        let name = words.find(|word| !["", "and", "not"].contains(word)).unwrap_or_default();
        let is_named = text.contains(&format!("({name})")) || text.contains(&format!("({name} "));
        if is_named { named.push(line) } else { unnamed.push((line, text)) }
    }
    let (good, bad) = (named.len(), unnamed.len());
    assert!(good + bad >= 10, "{named:?}");
    assert!(10 * good >= 8 * (good + bad), "{good} named, not so: {unnamed:#?}");
}

#[test]
fn a_missing_type_is_named() {
    let sandbox = Sandbox::new();
    let problem = PROBLEM.replace("    t - truck)", ")").replace("(at t a)", "");
    let reasons = Value::from(reasons(&sandbox, DOMAIN, &problem).unwrap()).to_string();
    assert!(
        reasons.contains("needs an object for ?t, and there is none of type truck"),
        "{reasons}"
    );
}

#[test]
fn text_says_it_as_well() {
    let sandbox = Sandbox::new();
    sandbox.write("domain.pddl", DOMAIN);
    sandbox.write("problem.pddl", &PROBLEM.replace("(= (distance b c) 4)", ""));
    let text = stdout(&sandbox.run(&["solve", "domain.pddl", "problem.pddl"]));
    let lines = "; There is no plan.\n; The goal (lies x c) is never true:\n\
                 ;   only drop makes (lies x c) true, but it needs (at t c), which is never true\n\
                 ;   only drive makes (at t c) true, but it costs (distance ?a c), which has no value\n";
    assert!(text.contains(lines), "{text}");
}

#[test]
fn goals_that_exclude_each_other_are_named() {
    let sandbox = Sandbox::new();
    let problem = PROBLEM.replace("(lies y a)", "(lies x b)");
    let reasons = Value::from(reasons(&sandbox, DOMAIN, &problem).unwrap()).to_string();
    assert!(reasons.contains("(lies x c) and (lies x b) are never true together"), "{reasons}");
}

#[test]
fn where_goals_only_hinder_each_other_the_proof_is_named() {
    let sandbox = Sandbox::new();
    assert_eq!(code(&sandbox.run(&["generate", "parity", "4", "-o", "task.sas"])), 0);
    let search = sandbox.run(&["solve", "--json", "--heuristic", "blind", "task.sas"]);
    let what = json(&search)["reasons"][0]["what"].as_str().unwrap().to_owned();
    assert!(what.starts_with("None of the ") && what.ends_with(" is a goal."), "{what}");
    let heuristic = sandbox.run(&["solve", "--json", "--heuristic", "pot3", "task.sas"]);
    assert!(json(&heuristic)["reasons"][0]["what"].is_string());
}
