//! Translated tasks have the same optimal costs as the PDDL tasks, compared with
//! an exploration of the lifted task that shares nothing with the translator
//! except the PDDL reader.

use hipot_check::pddl::{Semantics, validate};
use hipot_pddl::Task as PddlTask;
use hipot_task::{Limits, PlanStep, Task};
use hipot_testing::StateSpace;
use hipot_testing::pddl::explore;
use hipot_testing::pddl::random::{Feature, PddlText, RandomPddl};
use hipot_translate::translate;

const MAX_STATES: usize = 200_000;

fn translated(task: &PddlTask) -> Task {
    translate(task, &Limits::none(), &mut |_| ()).expect("the task has a meaning")
}

/// Checks that the costs of optimal plans are the same, and that the plan found
/// by exploring the lifted task is valid.
fn check(task: &PddlTask, what: &str) {
    let semantics = Semantics::new(task).expect("the derived predicates are stratified");
    let expected = explore(&semantics, MAX_STATES).expect("the task is tiny").plan;
    let translation = translated(task);
    let space = StateSpace::explore(&translation, MAX_STATES).expect("the task is tiny");
    let cost = expected.as_ref().map(|plan| plan.cost);
    assert_eq!(space.optimal_cost(), cost, "{what}");
    if let Some(plan) = expected {
        let steps = plan.steps.into_iter().map(|name| PlanStep { line: 0, name });
        let steps: Vec<PlanStep> = steps.collect();
        assert_eq!(validate(&semantics, &steps), Ok(plan.cost), "{what}");
    }
}

fn check_random(features: &[Feature], tasks: u64) {
    let kind = RandomPddl { features: features.to_vec(), ..RandomPddl::default() };
    for seed in 0..tasks {
        let text = kind.generate(seed);
        let task = text.read().unwrap_or_else(|errors| panic!("{errors}"));
        check(&task, &format!("seed {seed}\n{}\n{}", text.domain, text.problem));
    }
}

#[test]
fn of_strips_tasks() {
    check_random(&[Feature::Types, Feature::Constants], 300);
}

#[test]
fn with_negations_and_equality() {
    check_random(&[Feature::Types, Feature::Negations, Feature::Equality, Feature::Costs], 300);
}

#[test]
fn with_quantifiers_and_disjunctions() {
    let features = [
        Feature::Types,
        Feature::Either,
        Feature::Negations,
        Feature::Disjunctions,
        Feature::Implications,
        Feature::Quantifiers,
    ];
    check_random(&features, 300);
}

#[test]
fn with_conditional_effects() {
    let features = [
        Feature::Types,
        Feature::Negations,
        Feature::ConditionalEffects,
        Feature::UniversalEffects,
    ];
    check_random(&features, 300);
}

#[test]
fn with_derived_predicates() {
    check_random(&[Feature::Negations, Feature::Quantifiers, Feature::DerivedPredicates], 300);
}

#[test]
fn with_everything() {
    check_random(&Feature::ALL, 600);
}

const SWITCHES: &str = "(define (domain switches)
  (:requirements :adl :derived-predicates)
  (:types switch)
  (:predicates (on ?s - switch) (next ?s ?t - switch) (calm) (reached ?s - switch))
  (:derived (reached ?s - switch)
    (or (on ?s) (exists (?t - switch) (and (next ?t ?s) (reached ?t)))))
  (:action turn-on :parameters (?s - switch) :precondition (not (on ?s)) :effect (on ?s))
  (:action turn-off :parameters (?s - switch) :precondition (on ?s) :effect (not (on ?s)))
  (:action relax
    :precondition (forall (?s - switch) (exists (?t - switch) (and (next ?s ?t) (on ?t))))
    :effect (calm)))";

/// Goals of all shapes, each with the cost of an optimal plan. Three switches
/// form a ring, and all are off.
#[test]
fn of_goals_of_all_shapes() {
    let goals = [
        ("(on a)", Some(1)),
        ("(not (on a))", Some(0)),
        ("()", Some(0)),
        ("(or (and (on a) (on b)) (on c))", Some(1)),
        ("(or (and (on a) (on b)) (and (on b) (on c)))", Some(2)),
        ("(exists (?s - switch) (and (on ?s) (not (on a))))", Some(1)),
        ("(forall (?s - switch) (on ?s))", Some(3)),
        ("(forall (?s - switch) (or (on ?s) (= ?s b)))", Some(2)),
        ("(forall (?s ?t - switch) (imply (next ?s ?t) (or (on ?s) (on ?t))))", Some(2)),
        ("(not (exists (?s - switch) (on ?s)))", Some(0)),
        ("(and (calm) (not (forall (?s - switch) (on ?s))))", Some(5)),
        ("(forall (?s - switch) (reached ?s))", Some(1)),
        ("(and (reached a) (not (reached b)))", None),
        ("(imply (on a) (calm))", Some(0)),
        ("(exists (?s - switch) (and (on ?s) (not (on ?s))))", None),
        ("(or)", None),
    ];
    for (goal, cost) in goals {
        let problem = format!(
            "(define (problem p) (:domain switches) (:objects a b c - switch)
               (:init (next a b) (next b c) (next c a)) (:goal {goal}))"
        );
        let task = PddlText { domain: SWITCHES.to_owned(), problem }.read();
        let task = task.unwrap_or_else(|errors| panic!("{errors}"));
        check(&task, goal);
        let space = StateSpace::explore(&translated(&task), MAX_STATES).expect("eight states");
        assert_eq!(space.optimal_cost(), cost, "{goal}");
    }
}

/// Effects that repeat, overlap and contradict each other, each with the cost of an optimal plan.
/// `p` and `r` are always true, which is known only when everything is grounded.
#[test]
fn of_effects_at_once() {
    let effects = [
        ("(and (when (p) (q)) (when (r) (q)))", Some(1)),
        ("(and (when (p) (q)) (when (r) (not (q))))", Some(1)),
        ("(and (when (p) (not (q))) (when (q) (not (q))) (when (r) (q)))", Some(1)),
        ("(and (when (and (p) (s)) (q)) (when (and (r) (s)) (q)))", Some(2)),
        ("(and (when (and (p) (s)) (q)) (when (r) (not (q))) (when (s) (not (s))))", Some(2)),
        ("(and (when (not (q)) (q)) (when (q) (not (q))))", Some(1)),
        ("(and (not (q)) (q) (q))", Some(1)),
        ("(when (q) (not (q)))", None),
        (
            "(and (when (p) (at b)) (when (r) (at c)) (not (at a)) (when (and (at b) (at c)) (q)))",
            Some(2),
        ),
        (
            "(and (when (at a) (and (not (at a)) (at b))) (when (at b) (and (not (at b)) (at c) (q))))",
            Some(2),
        ),
        (
            "(forall (?x) (and (when (p) (not (at ?x))) (when (r) (at b)) (when (at b) (q))))",
            Some(2),
        ),
    ];
    for (effect, cost) in effects {
        let domain = format!(
            "(define (domain once) (:requirements :adl)
               (:predicates (p) (q) (r) (s) (at ?x))
               (:constants a b c)
               (:action keep :effect (and (p) (r)))
               (:action switch :effect (s))
               (:action act :effect {effect}))"
        );
        let problem = "(define (problem one) (:domain once) (:init (p) (r) (at a)) (:goal (q)))";
        let task = PddlText { domain, problem: problem.to_owned() }.read();
        let task = task.unwrap_or_else(|errors| panic!("{errors}"));
        check(&task, effect);
        let space = StateSpace::explore(&translated(&task), MAX_STATES).expect("few states");
        assert_eq!(space.optimal_cost(), cost, "{effect}");
    }
}
