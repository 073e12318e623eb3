//! Shares of facts, against all states of tiny tasks.

mod common;

use common::{TINY, random_task, states};
use hipot_analysis::{Mutexes, OpenValues};
use hipot_potential::{Marginals, MutexChoice, NormalForm};
use hipot_task::{Fact, Limits, Task, Value};
use hipot_testing::RandomTask;

/// The share of each fact among `states`, in order of facts.
fn shares(task: &Task, states: &[Vec<Value>]) -> Vec<f64> {
    let mut shares = Vec::new();
    for variable in task.variable_ids() {
        for value in 0..task.variable(variable).domain_size() {
            let holding = states.iter().filter(|state| state[variable.index()] == value).count();
            shares.push(holding as f64 / states.len() as f64);
        }
    }
    shares
}

/// The shares that `marginals` gives the facts of `task`, which is in `normal`.
fn given(task: &Task, normal: &NormalForm, marginals: &Marginals) -> Vec<f64> {
    let mut shares = Vec::new();
    for variable in task.variable_ids() {
        for value in 0..task.variable(variable).domain_size() {
            shares.push(marginals.share(normal.facts().id(Fact::new(variable, value))));
        }
    }
    shares
}

/// States without a pair of facts that are mutex.
fn possible_states(task: &Task, mutexes: &Mutexes) -> Vec<Vec<Value>> {
    let is_possible = |state: &Vec<Value>| {
        let facts = || task.variable_ids().zip(state).map(|(id, &value)| Fact::new(id, value));
        facts().all(|one| {
            let fits = |other| one == other || !mutexes.are_mutex(one, other);
            !mutexes.is_dead(one) && facts().all(fits)
        })
    };
    let mut states = states(task);
    states.retain(is_possible);
    states
}

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    let is_close = found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-9);
    assert!(is_close, "{what}: {found:?}, {expected:?}");
}

fn with_h2(task: &Task) -> NormalForm {
    NormalForm::new(task, MutexChoice::H2, OpenValues::Unknown, &Limits::none()).unwrap()
}

#[test]
fn without_mutexes_all_states_count() {
    for seed in 0..50 {
        let task = random_task(TINY, seed);
        let normal = NormalForm::plain(&task).unwrap();
        let found = given(&task, &normal, &Marginals::uniform(&normal));
        assert_close(&found, &shares(&task, &states(&task)), &format!("seed {seed}"));
    }
}

#[test]
fn with_three_variables_possible_states_are_counted_exactly() {
    let shape = RandomTask { variables: 3, domain: 4, operators: 8, ..TINY };
    let mut excluded = 0;
    for seed in 0..300 {
        let task = random_task(shape, seed);
        let normal = with_h2(&task);
        let Some(mutexes) = normal.mutexes() else { continue };
        let possible = possible_states(&task, mutexes);
        if possible.is_empty() {
            continue;
        }
        let marginals = Marginals::without_mutexes(&normal, mutexes, &Limits::none()).unwrap();
        let expected = shares(&task, &possible);
        assert_close(&given(&task, &normal, &marginals), &expected, &format!("seed {seed}"));
        excluded += usize::from(possible.len() < states(&task).len());
    }
    assert!(excluded > 100, "{excluded}");
}

/// The shares of a variable's values add up to 1, and dead facts have none.
#[test]
fn shares_are_shares() {
    let shape = RandomTask { variables: 6, operators: 14, ..TINY };
    let mut dead = 0;
    for seed in 0..200 {
        let task = random_task(shape, seed);
        let normal = with_h2(&task);
        let Some(mutexes) = normal.mutexes() else { continue };
        if possible_states(&task, mutexes).is_empty() {
            continue;
        }
        let marginals = Marginals::without_mutexes(&normal, mutexes, &Limits::none()).unwrap();
        for variable in task.variable_ids() {
            let values = 0..task.variable(variable).domain_size();
            let share = |value| {
                let fact = Fact::new(variable, value);
                let share = marginals.share(normal.facts().id(fact));
                assert!(share >= 0.0 && (share == 0.0 || !mutexes.is_dead(fact)), "seed {seed}");
                dead += usize::from(mutexes.is_dead(fact));
                share
            };
            let sum: f64 = values.map(share).sum();
            assert!((sum - 1.0).abs() < 1e-9, "seed {seed}: {sum}");
        }
    }
    assert!(dead > 20, "{dead}");
}
