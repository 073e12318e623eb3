//! No reachable state has a forward mutex, no state of a plan any, and the
//! checker agrees.

use std::time::Duration;

use hipot_analysis::Mutexes;
use hipot_analysis::h2::{Direction, End, H2Error, Layer, Params, h2};
use hipot_check::mutexes;
use hipot_task::{Fact, FactId, Limits, Stop, Task};
use hipot_testing::{Rng, StateSpace};

use crate::straightforward::reached_pairs;
use crate::{direction, examples, facts, found, layers, random_tasks, states_of_plans};

/// Compares with brute force and has the layers checked.
fn assert_sound(name: &str, task: &Task, space: &StateSpace) {
    let h2 = found(task);
    for state in &space.states {
        assert!(!h2.forward().exclude(&facts(state)), "{name}: {state:?} is reachable");
    }
    for state in states_of_plans(space) {
        assert!(!h2.mutexes().exclude(&facts(state)), "{name}: {state:?} is on a plan");
    }
    for &(source, operator, target) in &space.transitions {
        let on_a_plan = [source, target].iter().all(|&state| space.goal_distances[state].is_some());
        let useless = h2.useless().binary_search(&operator).is_ok();
        assert!(!(on_a_plan && useless), "{name}: operator {operator} is useful");
    }
    assert!(!(h2.is_unsolvable() && space.optimal_cost().is_some()), "{name} is solvable");

    let proved = mutexes::check(task, layers(task, &h2)).unwrap_or_else(|rejection| {
        panic!("{name}: {rejection}");
    });
    for (first, second) in h2.mutexes().pairs() {
        assert!(proved.are_mutex(first, second));
    }
    for &operator in h2.useless() {
        assert!(proved.is_unsolvable() || proved.is_useless(operator), "{name}: {operator}");
    }
    assert_eq!(proved.is_unsolvable(), h2.is_unsolvable(), "{name}");
}

#[test]
fn random_tasks_agree_with_brute_force() {
    let (mut backward, mut deep, mut unsolvable) = (0, 0, 0);
    for (seed, task, space) in random_tasks(6000) {
        assert_sound(&format!("seed {seed}"), &task, &space);
        let h2 = found(&task);
        let last = h2.layers().last().map(|layer| layer.direction);
        backward += usize::from(last == Some(Direction::Backward) && !h2.is_unsolvable());
        deep += usize::from(h2.layers().len() > 2 && !h2.is_unsolvable());
        unsolvable += usize::from(h2.is_unsolvable());
    }
    assert!(backward > 200 && deep > 30 && unsolvable > 500, "{backward} {deep} {unsolvable}");
}

#[test]
fn examples_agree_with_brute_force() {
    let examples = examples();
    assert!(examples.len() >= 5);
    for (name, task) in examples {
        if let Ok(space) = StateSpace::explore(&task, 20_000) {
            assert_sound(&name, &task, &space);
        }
        assert!(mutexes::check(&task, layers(&task, &found(&task))).is_ok(), "{name}");
    }
}

/// Forward h² is the textbook's.
#[test]
fn forward_is_the_straightforward_fixpoint() {
    let random = random_tasks(3000).map(|(seed, task, _)| (format!("seed {seed}"), task));
    for (name, task) in random.chain(examples()) {
        let params = Params { passes: 1, ..Params::default() };
        let h2 = h2(&task, &params, &Limits::none()).unwrap();
        let reached = reached_pairs(&task, None).unwrap();
        let numbering = h2.forward().facts();
        for (p, row) in (0..).zip(&reached) {
            for (q, &reached) in (0..).zip(row) {
                let mutex = h2
                    .forward()
                    .are_mutex(numbering.fact(FactId::new(p)), numbering.fact(FactId::new(q)));
                assert_eq!(mutex, !reached, "{name}: {p}, {q}");
            }
        }
    }
}

/// The pairs of a layer with one more, in the checker's form.
fn with_pair(task: &Task, layer: &Layer, pair: (Fact, Fact)) -> mutexes::Layer {
    let pairs = layer.mutexes.pairs().chain([pair]);
    mutexes::Layer::new(task, direction(layer.direction), pairs).unwrap()
}

#[test]
fn a_pair_of_a_state_of_a_plan_is_rejected_in_every_layer() {
    let mut tampered = 0;
    for (seed, task, space) in random_tasks(1500) {
        let (h2, mut rng) = (found(&task), Rng::new(seed));
        let states = states_of_plans(&space);
        if states.is_empty() {
            continue;
        }
        let state = facts(states[rng.below(states.len() as u32) as usize]);
        let [first, second] = [(); 2].map(|()| state[rng.below(state.len() as u32) as usize]);
        for index in 0..h2.layers().len() {
            let mut layers = layers(&task, &h2);
            layers[index] = with_pair(&task, &h2.layers()[index], (first, second));
            assert!(mutexes::check(&task, layers).is_err(), "seed {seed}: {first:?}, {second:?}");
            tampered += 1;
        }
    }
    assert!(tampered > 1000);
}

/// Whatever the checker accepts is true, also of sets that h² never finds:
/// all pairs that hold in no state of a plan, some left out, in any layers.
#[test]
fn what_is_accepted_is_true() {
    let (mut accepted, mut rejected) = (0, 0);
    for (seed, task, space) in random_tasks(6000) {
        let mut rng = Rng::new(seed);
        let mut sets: Vec<Vec<(Fact, Fact)>> = vec![Vec::new(); 1 + rng.below(3) as usize];
        let all: Vec<Fact> = all_facts(&task);
        for (index, &first) in all.iter().enumerate() {
            for &second in &all[..=index] {
                let on_a_plan = |state: &&Vec<u32>| {
                    [first, second].iter().all(|fact| state[fact.variable.index()] == fact.value)
                };
                let holds = states_of_plans(&space).iter().any(on_a_plan);
                if rng.chance(if holds { 2 } else { 90 }) {
                    let layer = rng.below(sets.len() as u32) as usize;
                    sets[layer].push((first, second));
                }
            }
        }
        let layer = |pairs: Vec<(Fact, Fact)>| {
            let forward = rng.chance(50);
            let direction =
                if forward { mutexes::Direction::Forward } else { mutexes::Direction::Backward };
            mutexes::Layer::new(&task, direction, pairs).unwrap()
        };
        let layers: Vec<mutexes::Layer> = sets.into_iter().map(layer).collect();
        let Ok(proved) = mutexes::check(&task, layers) else {
            rejected += 1;
            continue;
        };
        accepted += 1;
        for state in states_of_plans(&space) {
            let facts = facts(state);
            for (index, &first) in facts.iter().enumerate() {
                for &second in &facts[..=index] {
                    assert!(!proved.are_mutex(first, second), "seed {seed}: {first:?}, {second:?}");
                }
            }
        }
    }
    assert!(accepted > 200 && rejected > 200, "{accepted} accepted, {rejected} rejected");
}

fn all_facts(task: &Task) -> Vec<Fact> {
    let values = |id| (0..task.variable(id).domain_size()).map(move |value| Fact::new(id, value));
    task.variable_ids().flat_map(values).collect()
}

/// The groups of the translation are found, and provable.
#[test]
fn groups_are_provable_and_found() {
    for (name, task) in examples() {
        let groups = Mutexes::from_groups(&task, &Limits::none()).unwrap();
        let layer = mutexes::Layer::new(&task, mutexes::Direction::Forward, groups.pairs());
        assert!(mutexes::check(&task, [layer.unwrap()]).is_ok(), "{name}");
        let h2 = found(&task);
        assert!(groups.pairs().all(|(first, second)| h2.forward().are_mutex(first, second)));
    }
}

#[test]
fn limits_end_the_search_with_what_is_finished() {
    let (_, task) = examples().into_iter().next().unwrap();
    let params = Params { time_limit: Duration::ZERO, ..Params::default() };
    let h2 = hipot_analysis::h2::h2(&task, &params, &Limits::none()).unwrap();
    assert_eq!(h2.end(), End::Stopped(Stop::TimeLimit));
    assert_eq!((h2.mutexes().count(), h2.useless().len()), (0, 0));
    let limits = Limits::none();
    limits.request(Stop::Interrupted);
    let h2 = hipot_analysis::h2::h2(&task, &Params::default(), &limits).unwrap();
    assert_eq!(h2.end(), End::Stopped(Stop::Interrupted));
}

#[test]
fn axioms_and_conditional_effects_are_refused() {
    let refused = |shape: hipot_testing::RandomTask| {
        let error = (0..).map(|seed| shape.generate(seed)).find_map(|task| {
            hipot_analysis::h2::h2(&task, &Params::default(), &Limits::none()).err()
        });
        error.unwrap()
    };
    let shape = hipot_testing::RandomTask { derived: 2, ..Default::default() };
    assert!(matches!(refused(shape), H2Error::Unsupported(_)));
    let shape = hipot_testing::RandomTask { percent_conditional: 50, ..Default::default() };
    assert!(refused(shape).to_string().contains("h² does not support conditional effects"));
}
