//! Each warning, where it belongs, and none where nothing is odd.

use hipot_pddl::lint::Linter;
use hipot_pddl::{Severity, Source, read, read_domain};

const DOMAIN: &str = "(define (domain doors)
  (:requirements :strips :typing :negative-preconditions :universal-preconditions :action-costs)
  (:types room door)
  (:constants hall - room)
  (:predicates (in ?r - room) (leads ?d - door ?a ?b - room) (open ?d - door))
  (:functions (total-cost) (effort ?d - door))
  (:action push :parameters (?d - door ?a ?b - room)
    :precondition (and (in ?a) (leads ?d ?a ?b) (not (open ?d)))
    :effect (and (open ?d) (increase (total-cost) (effort ?d))))
  (:action walk :parameters (?d - door ?a ?b - room)
    :precondition (and (in ?a) (leads ?d ?a ?b) (open ?d))
    :effect (and (in ?b) (not (in ?a))))
  (:action rest :parameters ()
    :precondition (forall (?d - door) (open ?d))
    :effect (in hall)))";

const PROBLEM: &str = "(define (problem two) (:domain doors)
  (:objects attic - room front - door)
  (:init (in hall) (leads front hall attic) (= (total-cost) 0) (= (effort front) 3))
  (:goal (in attic))
  (:metric minimize (total-cost)))";

/// The codes of the warnings, with the text at their places.
fn warnings(domain: &str, problem: Option<&str>) -> Vec<(&'static str, String)> {
    let sources = [Source::new("d", domain), Source::new("p", problem.unwrap_or_default())];
    let [domain, given] = &sources;
    match problem {
        Some(_) => drop(read(domain, given).unwrap_or_else(|errors| panic!("{errors}"))),
        None => read_domain(domain).unwrap_or_else(|errors| panic!("{errors}")),
    }
    let found = Linter::new(domain, problem.map(|_| given)).diagnostics();
    let show = |it: &hipot_pddl::Diagnostic| {
        assert_eq!(it.severity, Severity::Warning);
        let text = if it.place.file == "d" { domain } else { given };
        let text = String::from_utf8_lossy(&text.text).into_owned();
        let line = text.lines().nth(it.place.line - 1).unwrap();
        let word: String = line.chars().skip(it.place.column - 1).take(it.place.width).collect();
        (it.code.unwrap(), word)
    };
    found.iter().map(show).collect()
}

/// The warnings after a text of the domain was replaced.
fn after(old: &str, new: &str) -> Vec<(&'static str, String)> {
    assert!(DOMAIN.contains(old), "{old}");
    warnings(&DOMAIN.replacen(old, new, 1), Some(PROBLEM))
}

fn one(code: &'static str, word: &str) -> Vec<(&'static str, String)> {
    vec![(code, word.to_owned())]
}

#[test]
fn where_nothing_is_odd_there_is_no_warning() {
    assert_eq!(warnings(DOMAIN, Some(PROBLEM)), []);
    assert_eq!(warnings(DOMAIN, None), []);
}

#[test]
fn what_is_not_used_is_named() {
    let parameters = ":parameters ()";
    assert_eq!(after(parameters, ":parameters (?x - room)"), one("unused-parameter", "?x"));
    assert_eq!(
        after("(?d - door) (open ?d)", "(?d ?e - door) (open ?d)"),
        one("unused-variable", "?e")
    );
    assert_eq!(after("(:types room", "(:types window room"), one("unused-type", "window"));
    assert_eq!(
        after("(open ?d - door)", "(open ?d - door) (shut)"),
        one("unused-predicate", "shut")
    );
    assert_eq!(
        after("(effort ?d - door)", "(effort ?d - door) (toll)"),
        one("unused-function", "toll")
    );
    assert_eq!(after("hall - room", "hall cellar - room"), one("unused-constant", "cellar"));
}

#[test]
fn a_domain_alone_may_leave_things_to_its_problem() {
    let domain = DOMAIN
        .replace("(:types room", "(:types window room")
        .replace("hall - room", "hall cellar - room");
    assert_eq!(warnings(&domain, None), []);
    let domain = DOMAIN.replace("(:predicates", "(:predicates (shut)");
    assert_eq!(warnings(&domain, None), one("unused-predicate", "shut"));
}

#[test]
fn a_hidden_variable_is_named() {
    let rest = ":parameters ()\n    :precondition (forall";
    let hidden = ":parameters (?d - door)\n    :precondition (and (open ?d) (forall";
    let domain = DOMAIN.replace(rest, hidden).replace(
        "(?d - door) (open ?d))\n    :effect (in hall)",
        "(?d - door) (open ?d)))\n    :effect (in hall)",
    );
    assert_eq!(warnings(&domain, Some(PROBLEM)), one("hidden-variable", "?d"));
}

#[test]
fn one_sided_predicates_are_named() {
    let open = "(and (open ?d) (increase";
    let found = after(open, "(and (leads ?d ?b ?a) (increase");
    // The negated precondition comes first.
    assert_eq!(found, one("never-true", "open"));
}

#[test]
fn what_is_never_asked_is_named() {
    let domain = DOMAIN
        .replace("(open ?d - door)", "(open ?d - door) (seen ?d - door)")
        .replace("(and (open ?d) (increase", "(and (open ?d) (seen ?d) (increase");
    assert_eq!(warnings(&domain, Some(PROBLEM)), one("never-asked", "seen"));
}

#[test]
fn requirements_are_compared_with_what_is_used() {
    let found = after(" :negative-preconditions :universal-preconditions", "");
    let expected = [("missing-requirement", "not"), ("missing-requirement", "forall")];
    assert_eq!(found, expected.map(|(code, word)| (code, word.to_owned())));
    assert_eq!(
        after(":strips :typing :negative-preconditions :universal-preconditions", ":adl"),
        []
    );
    assert_eq!(after(":universal-preconditions", ":quantified-preconditions"), []);
}

#[test]
fn costs_without_a_metric_are_ignored() {
    let problem = PROBLEM.replace("(:metric minimize (total-cost))", "");
    assert_eq!(warnings(DOMAIN, Some(&problem)), one("ignored-costs", "increase"));
}

#[test]
fn warnings_from_elsewhere_are_added_in_order() {
    let (domain, problem) = (Source::new("d", DOMAIN), Source::new("p", PROBLEM));
    let mut linter = Linter::new(&domain, Some(&problem));
    let action = linter.symbols().declared(hipot_pddl::symbols::SymbolKind::Action, "walk");
    let place = action.unwrap().declared[0];
    linter.warn("never-applied", place, "the action 'walk' is never applied", &["why".to_owned()]);
    let found = linter.diagnostics();
    assert_eq!((found.len(), found[0].place.line), (1, 10));
    assert_eq!(found[0].help.as_deref(), Some("why"));
    assert!(
        hipot_pddl::shown(&found)
            .starts_with("warning: the action 'walk' is never applied [never-applied]")
    );
}
