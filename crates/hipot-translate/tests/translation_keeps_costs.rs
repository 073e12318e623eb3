//! A translated task has the same plans: against an exploration of the lifted
//! task that shares nothing with the translator but the reader of PDDL.

use hipot_check::pddl::random::{Feature, RandomPddl};
use hipot_check::pddl::{Semantics, explore, validate};
use hipot_check::StateSpace;
use hipot_pddl::Task as PddlTask;
use hipot_task::{Limits, PlanStep, Task};
use hipot_translate::translate;

const MOST_STATES: usize = 200_000;

fn translated(task: &PddlTask) -> Task {
    translate(task, &Limits::none(), &mut ()).expect("the task has a meaning")
}

/// The costs of optimal plans are the same, and the oracle's plan can be
/// executed in the translation, operator by operator.
fn check(task: &PddlTask, what: &str) {
    let semantics = Semantics::new(task).expect("the derived predicates are stratified");
    let expected = explore(&semantics, MOST_STATES).expect("the task is tiny").plan;
    let translation = translated(task);
    let space = StateSpace::explore(&translation, MOST_STATES).expect("the task is tiny");
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
