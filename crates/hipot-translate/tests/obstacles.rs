//! What is said to be out of reach is out of reach, by exploring random lifted tasks.

use hipot_check::pddl::Semantics;
use hipot_task::Limits;
use hipot_testing::pddl::explore;
use hipot_testing::pddl::random::{Feature, RandomPddl};
use hipot_translate::obstacles::obstacles;
use hipot_translate::translate;

const MAX_STATES: usize = 200_000;

/// Checks random tasks; returns how many goals, conflicts and actions were explained.
fn check(features: &[Feature], tasks: u64) -> [usize; 3] {
    let kind = RandomPddl { features: features.to_vec(), ..RandomPddl::default() };
    let mut explained = [0; 3];
    for seed in 0..tasks {
        let text = kind.generate(seed);
        let what = format!("seed {seed}\n{}\n{}", text.domain, text.problem);
        let source = text.read().unwrap_or_else(|errors| panic!("{errors}"));
        let found = obstacles(&source, &Limits::none()).expect("there are no limits");
        let semantics = Semantics::new(&source).expect("the derived predicates are stratified");
        let plan = explore(&semantics, MAX_STATES).expect("the task is tiny").plan;
        if !found.goals.is_empty() || !found.conflicts.is_empty() {
            assert_eq!(plan, None, "{found:?}: {what}");
        }
        let task = translate(&source, &Limits::none(), &mut |_| ()).expect("it has a meaning");
        for action in &found.actions {
            let is_instance = |name: &str| name.split(' ').next() == Some(&action.what);
            assert!(!task.operators().iter().any(|it| is_instance(&it.name)), "{action:?}: {what}");
        }
        for obstacle in found.goals.iter().chain(&found.actions) {
            assert!(!obstacle.reasons.is_empty(), "{obstacle:?}: {what}");
        }
        let counts = [found.goals.len(), found.conflicts.len(), found.actions.len()];
        explained.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    explained
}

#[test]
fn in_strips_tasks() {
    let [goals, _, actions] = check(&[Feature::Types, Feature::Constants, Feature::Costs], 300);
    assert!(goals > 10 && actions > 10, "{goals} {actions}");
}

#[test]
fn with_everything() {
    let features = [
        Feature::Types,
        Feature::Either,
        Feature::Negations,
        Feature::Equality,
        Feature::Disjunctions,
        Feature::Quantifiers,
        Feature::ConditionalEffects,
        Feature::UniversalEffects,
        Feature::DerivedPredicates,
    ];
    let [goals, _, actions] = check(&features, 300);
    assert!(goals > 5 && actions > 5, "{goals} {actions}");
}
