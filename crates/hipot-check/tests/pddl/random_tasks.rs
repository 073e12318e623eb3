//! Random tasks: what they are like, and both readings of their meaning.

use hipot_check::pddl::State;
use hipot_check::pddl::{Semantics, validate};
use hipot_task::read_plan;
use hipot_testing::Rng;
use hipot_testing::pddl::explore;
use hipot_testing::pddl::random::{Feature, RandomPddl};

use crate::brute_force;

/// Each feature alone, all together, and none.
fn kinds() -> Vec<RandomPddl> {
    let alone = Feature::ALL.iter().map(|feature| vec![*feature]);
    let features = alone.chain([Vec::new(), Feature::ALL.to_vec()]);
    features.map(|features| RandomPddl { features, ..RandomPddl::default() }).collect()
}

#[test]
fn the_meaning_is_that_of_full_expansion() {
    for (kind, random) in kinds().iter().enumerate() {
        let seeds = if random.features.len() > 1 { 200 } else { 20 };
        for seed in 0..seeds {
            let text = random.generate(seed);
            let task = text.read().unwrap();
            let semantics = Semantics::new(&task).unwrap();
            let mut state = semantics.initial_state();
            assert_eq!(brute_force::atoms_of(&state), brute_force::initial(&task));
            let mut rng = Rng::new(seed);
            for _ in 0..6 {
                let agrees = brute_force::agrees(&semantics, &state);
                assert!(agrees, "kind {kind}, seed {seed}\n{}{}", text.domain, text.problem);
                random_step(&semantics, &mut state, &mut rng);
            }
        }
    }
}

fn random_step(semantics: &Semantics<'_>, state: &mut State, rng: &mut Rng) {
    let steps = semantics.applicable_steps(state);
    if !steps.is_empty() {
        semantics.apply(&steps[rng.below(steps.len() as u32) as usize], state);
    }
}

#[test]
fn random_plans_are_judged_as_by_full_expansion() {
    let random = RandomPddl::default();
    let (mut valid, mut executable, mut failed) = (0, 0, 0);
    for seed in 0..150 {
        let text = random.generate(seed);
        let task = text.read().unwrap();
        let semantics = Semantics::new(&task).unwrap();
        let mut rng = Rng::new(seed);
        let Some(plan) = explore(&semantics, 4000).unwrap().plan else { continue };
        if plan.steps.is_empty() {
            continue;
        }
        for _ in 0..10 {
            // The optimal plan with two steps swapped, or one of them repeated.
            let mut steps = plan.steps.clone();
            let places = [(); 2].map(|()| rng.below(steps.len() as u32) as usize);
            if rng.chance(50) {
                steps.swap(places[0], places[1]);
            } else {
                steps[places[0]] = steps[places[1]].clone();
            }
            let expected = execute(&semantics, &steps);
            let text: String = steps.iter().flat_map(|step| ["(", step, ")\n"]).collect();
            match validate(&semantics, &read_plan(&text).unwrap()) {
                Ok(cost) => {
                    assert!(cost >= plan.cost);
                    assert_eq!(expected, Ok(true));
                    valid += 1;
                }
                Err(failure) => match failure.step {
                    Some(step) => {
                        assert_eq!(expected, Err(step));
                        failed += 1;
                    }
                    None => {
                        assert_eq!(expected, Ok(false));
                        executable += 1;
                    }
                },
            }
        }
    }
    assert!(valid > 50 && executable > 50 && failed > 50, "{valid} {executable} {failed}");
}

/// Whether the plan reaches the goal, or the step that fails, by full expansion.
fn execute(semantics: &Semantics<'_>, steps: &[String]) -> Result<bool, usize> {
    let mut atoms = brute_force::initial(semantics.task());
    for (index, name) in steps.iter().enumerate() {
        let successors = brute_force::successors(semantics.task(), &atoms);
        let found = successors.into_iter().find(|(step, _)| semantics.name(step) == *name);
        atoms = found.ok_or(index + 1)?.1;
    }
    Ok(brute_force::is_goal(semantics.task(), &atoms))
}

#[test]
fn random_tasks_are_interesting() {
    for random in kinds() {
        let mut lengths = Vec::new();
        let mut unsolvable = 0;
        for seed in 1000..1030 {
            let task = random.generate(seed).read().unwrap();
            let semantics = Semantics::new(&task).unwrap();
            match explore(&semantics, random.states).unwrap().plan {
                Some(plan) => lengths.push(plan.steps.len()),
                None => unsolvable += 1,
            }
        }
        let several = lengths.iter().filter(|length| **length > 1).count();
        assert!(several > 15, "{:?}: {lengths:?}", random.features);
        assert!(unsolvable > 0, "{:?}", random.features);
    }
}

#[test]
fn the_same_seed_gives_the_same_text() {
    let random = RandomPddl::default();
    assert_eq!(random.generate(7), random.generate(7));
    assert_ne!(random.generate(7), random.generate(8));
}

#[test]
fn all_features_occur() {
    let random = RandomPddl::default();
    let texts: Vec<_> = (0..50).map(|seed| random.generate(seed)).collect();
    for word in [
        ":types",
        "(either",
        ":constants",
        "(not",
        "(or",
        "(imply",
        "(exists",
        "(forall",
        "(=",
        "(when",
        ":derived",
        "(increase (total-cost) (fee",
    ] {
        assert!(texts.iter().any(|text| text.domain.contains(word)), "{word}");
    }
    let plain = RandomPddl { features: Vec::new(), ..RandomPddl::default() };
    for seed in 0..20 {
        let text = plain.generate(seed).domain;
        for word in ["(or", "(imply", "(exists", "(forall", "(=", "(when", ":types", "(increase"] {
            assert!(!text.contains(word), "{text}");
        }
    }
}
