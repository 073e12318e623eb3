//! Valid files with random changes are read or refused, but never cause a
//! panic, and every message has a place inside its file.

use proptest::prelude::*;

use hipot_pddl::{Errors, Place, Source, read};

const DOMAIN: &str = include_str!("malformed/domain.pddl");
const PROBLEM: &str = include_str!("malformed/problem.pddl");

/// A second task, with the constructs that the first lacks.
const ADL_DOMAIN: &str = "(define (domain switches)
  (:requirements :adl :derived-predicates)
  (:types lamp switch - device box - (either device furniture))
  (:constants main - switch)
  (:predicates (on ?d - device) (wired ?s - switch ?l - (either lamp box)) (lit) (dark))
  (:derived (lit) (exists (?l - lamp) (on ?l)))
  (:derived (dark) (forall (?l - lamp) (not (on ?l))))
  (:action flip :parameters (?s - switch)
    :precondition (imply (= ?s main) (or (dark) (not (on main))))
    :effect (forall (?l - lamp)
      (and (when (and (wired ?s ?l) (not (on ?l))) (on ?l))
           (when (and (wired ?s ?l) (on ?l)) (not (on ?l)))))))";
const ADL_PROBLEM: &str = "(define (problem one) (:domain switches)
  (:objects l1 l2 - lamp b - box)
  (:init (wired main l1) (not (on l1)) (on l2)) ; comment
  (:goal (and (lit) (exists (?x - device) (on ?x)))))";

/// A change to a text.
#[derive(Clone, Debug)]
enum Change {
    Flip(prop::sample::Index, u8),
    Delete(prop::sample::Index, usize),
    /// Copies a word or a parenthesis to another place.
    Copy(prop::sample::Index, prop::sample::Index),
    /// Removes a word or a parenthesis.
    Remove(prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<prop::sample::Index>(), 1..=255_u8).prop_map(|(at, mask)| Change::Flip(at, mask)),
        (any::<prop::sample::Index>(), 1..20_usize).prop_map(|(at, n)| Change::Delete(at, n)),
        any::<[prop::sample::Index; 2]>().prop_map(|[from, to]| Change::Copy(from, to)),
        any::<prop::sample::Index>().prop_map(Change::Remove),
    ]
}

/// Where words and parentheses begin and end.
fn tokens(text: &[u8]) -> Vec<(usize, usize)> {
    let is_alone = |byte: u8| byte.is_ascii_whitespace() || b"()".contains(&byte);
    let mut tokens = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let alone = text[start..].iter().position(|&byte| is_alone(byte));
        let end = start + alone.unwrap_or(text.len() - start).max(1);
        if !text[start].is_ascii_whitespace() {
            tokens.push((start, end));
        }
        start = end;
    }
    tokens
}

fn apply(text: &mut Vec<u8>, change: &Change) {
    let tokens = tokens(text);
    if tokens.is_empty() {
        return;
    }
    match change {
        Change::Flip(at, mask) => {
            let at = at.index(text.len());
            text[at] ^= mask;
        }
        Change::Delete(at, length) => {
            let at = at.index(text.len());
            text.drain(at..(at + length).min(text.len()));
        }
        Change::Copy(from, to) => {
            let (start, end) = tokens[from.index(tokens.len())];
            let mut copy = text[start..end].to_vec();
            copy.push(b' ');
            let at = tokens[to.index(tokens.len())].0;
            text.splice(at..at, copy);
        }
        Change::Remove(at) => {
            let (start, end) = tokens[at.index(tokens.len())];
            text.drain(start..end);
        }
    }
}

fn check_place(place: &Place, domain: &Source, problem: &Source) {
    let source = if place.file == domain.name { domain } else { problem };
    let text = String::from_utf8_lossy(&source.text);
    let line = text.split('\n').nth(place.line - 1);
    let line = line.unwrap_or_else(|| panic!("there is no line {}", place.line));
    assert!(place.column >= 1 && place.column <= line.chars().count() + 1, "{place:?}");
    assert!(place.width >= 1);
}

fn check(errors: &Errors, domain: &Source, problem: &Source) {
    assert!(!errors.diagnostics.is_empty());
    for diagnostic in &errors.diagnostics {
        check_place(&diagnostic.place, domain, problem);
        diagnostic.notes.iter().for_each(|note| check_place(&note.place, domain, problem));
    }
    let shown = errors.to_string();
    assert!(shown.starts_with("error: ") || shown.starts_with("unsupported: "), "{shown}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn changed_files_never_cause_a_panic(
        is_adl in any::<bool>(),
        changes in prop::collection::vec((any::<bool>(), change()), 1..6),
    ) {
        let (domain, problem) =
            if is_adl { (ADL_DOMAIN, ADL_PROBLEM) } else { (DOMAIN, PROBLEM) };
        let mut domain = Source::new("domain.pddl", domain);
        let mut problem = Source::new("problem.pddl", problem);
        for (is_domain, change) in &changes {
            apply(if *is_domain { &mut domain.text } else { &mut problem.text }, change);
        }
        if let Err(errors) = read(&domain, &problem) {
            check(&errors, &domain, &problem);
        }
    }
}

#[test]
fn the_files_are_valid_without_changes() {
    for (domain, problem) in [(DOMAIN, PROBLEM), (ADL_DOMAIN, ADL_PROBLEM)] {
        let read = read(&Source::new("domain.pddl", domain), &Source::new("problem.pddl", problem));
        read.unwrap_or_else(|errors| panic!("{errors}"));
    }
}
