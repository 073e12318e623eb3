//! Large and hostile files are read or refused quickly and without overflowing
//! the stack.

use std::fmt::Write;
use std::time::{Duration, Instant};

use hipot_pddl::{Source, Task, read};

const MAX_TIME: Duration = Duration::from_secs(60);

fn read_soon(domain: String, problem: String) -> Result<Task, String> {
    let begin = Instant::now();
    let sources = (Source::new("domain.pddl", domain), Source::new("problem.pddl", problem));
    let result = read(&sources.0, &sources.1).map_err(|errors| errors.to_string());
    assert!(begin.elapsed() < MAX_TIME, "it took {:?}", begin.elapsed());
    result
}

fn domain(sections: &str) -> String {
    format!("(define (domain d) {sections})")
}

fn problem(sections: &str) -> String {
    format!("(define (problem p) (:domain d) {sections})")
}

/// Many pieces of text, each written from its number.
fn many(count: usize, write: impl Fn(&mut String, usize) -> std::fmt::Result) -> String {
    let mut text = String::new();
    for index in 0..count {
        write(&mut text, index).expect("a string can be written to");
    }
    text
}

#[test]
fn deep_nesting_is_refused() {
    let deep = "(not ".repeat(1_000_000) + &")".repeat(1_000_000);
    let message =
        read_soon(domain("(:predicates (p))"), problem(&format!("(:init) (:goal {deep})")));
    assert!(message.expect_err("it is too deep").contains("more than 200 nested parentheses"));
}

#[test]
fn nesting_up_to_the_limit_is_read() {
    let deep = "(not ".repeat(196) + "(p)" + &")".repeat(196);
    let task = read_soon(domain("(:predicates (p))"), problem(&format!("(:init) (:goal {deep})")));
    assert!(task.is_ok(), "{task:?}");
}

#[test]
fn many_atoms_are_read() {
    let objects = many(1000, |text, index| write!(text, "o{index} "));
    let atoms =
        many(500_000, |text, index| write!(text, "(p o{} o{}) ", index % 1000, index / 1000));
    let sections = format!("(:objects {objects}) (:init {atoms}) (:goal ())");
    let task = read_soon(domain("(:predicates (p ?x ?y))"), problem(&sections));
    assert_eq!(task.map(|task| task.initial.len()), Ok(500_000));
}

#[test]
fn a_long_chain_of_types_is_read() {
    let types = many(200_000, |text, index| write!(text, "t{index} - t{} ", index + 1));
    let objects = many(200_000, |text, index| write!(text, "o{index} - t{index} "));
    let atoms = many(200_000, |text, index| write!(text, "(p o{index}) "));
    let sections = format!("(:types {types}) (:predicates (p ?x - t200000))");
    let problem = problem(&format!("(:objects {objects}) (:init {atoms}) (:goal ())"));
    let task = read_soon(domain(&sections), problem);
    assert_eq!(task.map(|task| task.initial.len()), Ok(200_000));
}

#[test]
fn a_long_cycle_of_types_is_refused() {
    let types = many(200_000, |text, index| write!(text, "t{index} - t{} ", (index + 1) % 200_000));
    let message = read_soon(domain(&format!("(:types {types})")), problem("(:init) (:goal ())"));
    assert!(message.expect_err("it is cyclic").starts_with("error: cyclic types: 't0' is below"));
}

#[test]
fn many_errors_are_counted() {
    let atoms = many(300_000, |text, index| write!(text, "(q{index} o{index}) "));
    let sections = format!("(:init {atoms}) (:goal ())");
    let message = read_soon(domain("(:predicates (p))"), problem(&sections));
    let message = message.expect_err("nothing is declared");
    assert!(message.ends_with("\n299980 more errors are not shown\n"), "{message}");
}

#[test]
fn many_sections_variables_and_names_are_read() {
    let rules = many(100_000, |text, _| write!(text, "(:derived (p) (q)) "));
    let actions = many(100_000, |text, index| write!(text, "(:action a{index} :effect (q)) "));
    let variables = many(100_000, |text, index| write!(text, "?x{index} "));
    let used = many(100_000, |text, index| write!(text, "(r ?x{index}) "));
    let wide = format!("(:action wide :parameters ({variables}) :precondition (and {used}))");
    let sections = format!("{rules} {actions} {wide} (:predicates (p) (q) (r ?x))");
    let task = read_soon(domain(&sections), problem("(:init) (:goal (p))"));
    assert_eq!(task.map(|task| task.actions.len()), Ok(100_001));
}

#[test]
fn binary_files_are_refused() {
    let sources = (Source::new("domain.pddl", vec![0xff; 3_000_000]), Source::new("p", vec![0; 9]));
    let begin = Instant::now();
    let errors = read(&sources.0, &sources.1).expect_err("this is not PDDL");
    assert!(begin.elapsed() < MAX_TIME, "it took {:?}", begin.elapsed());
    assert_eq!(errors.diagnostics.len(), 20);
    assert!(!errors.is_unsupported());
}
