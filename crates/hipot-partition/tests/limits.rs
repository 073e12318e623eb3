//! What is too large is refused before it is built, with its size; what takes
//! too long ends with a value that is safe.

mod common;

use std::time::Instant;

use hipot_partition::projection::Patterns;
use hipot_partition::{Error, Source, ocp, operator_cost, seq, tcp, transition_cost};
use hipot_task::{Limits, Stop, Task, TaskBuilder, Variable};
use hipot_testing::RandomTask;

use common::random_task;

/// A task with many variables and no operators.
fn wide_task(variables: u32) -> Task {
    let mut builder = TaskBuilder::new(false);
    for number in 0..variables {
        let values = (0..10).map(|value| format!("v{number}={value}"));
        builder.add_variable(Variable::new(format!("v{number}"), values)).expect("a variable");
    }
    builder.set_initial(vec![0; variables as usize]).expect("a state");
    builder.build()
}

#[test]
fn large_lps_are_refused() {
    let task = wide_task(200);
    let error = ocp(
        &task,
        &operator_cost::Params { patterns: Patterns::All(4), ..Default::default() },
        &Limits::none(),
    );
    let message = error.expect_err("64 million projections").to_string();
    assert!(message.contains("abstract states, more than 5000000"), "{message}");
    let error = tcp(&task, &transition_cost::Params::default(), &Limits::none());
    let message = error.expect_err("11^199 transitions each").to_string();
    assert!(message.contains("transitions of the task, more than 20000"), "{message}");
}

#[test]
fn the_predicted_size_is_an_upper_bound() {
    for seed in 0..100 {
        let task = random_task(seed);
        let params = |max_nonzeros| operator_cost::Params { max_nonzeros, ..Default::default() };
        // Found by bisection: the least limit that lets the task pass.
        let (mut refused, mut allowed) = (0, 1 << 20);
        while allowed - refused > 1 {
            let middle = u64::midpoint(refused, allowed);
            match ocp(&task, &params(middle), &Limits::none()) {
                Ok(_) => allowed = middle,
                Err(Error::TooLarge { predicted, limit, .. }) => {
                    assert!(predicted > limit && limit == middle, "seed {seed}");
                    refused = middle;
                }
                Err(error) => panic!("seed {seed}: {error}"),
            }
        }
        let heuristic = ocp(&task, &params(allowed), &Limits::none()).expect("allowed");
        let nonzeros = heuristic.size().nonzeros as u64;
        assert!(nonzeros <= allowed, "seed {seed}: {nonzeros} nonzeros, predicted {allowed}");
    }
}

#[test]
fn a_deadline_that_has_passed_ends_construction() {
    let limits = Limits::new(Some(Instant::now()), None);
    let found = ocp(&random_task(1), &operator_cost::Params::default(), &limits);
    assert!(matches!(found, Err(Error::Stopped(Stop::TimeLimit))));
    assert!(matches!(seq(&random_task(1), &limits), Err(Error::Stopped(Stop::TimeLimit))));
}

#[test]
fn a_deadline_during_the_search_leaves_safe_values() {
    let end = Instant::now() + std::time::Duration::from_millis(300);
    let limits = Limits::new(Some(end), None);
    let task = random_task(1);
    let mut heuristic =
        ocp(&task, &operator_cost::Params::default(), &limits).expect("a tiny task");
    let before = heuristic.bound(task.initial());
    assert_eq!(before.source, Source::Optimized);
    while limits.check().is_ok() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let after = heuristic.bound(task.initial());
    assert_eq!((after.source, after.value), (Source::Earlier, before.value));
}

#[test]
fn axioms_and_conditional_effects_are_refused() {
    let shape = RandomTask { derived: 2, percent_conditional: 50, ..RandomTask::default() };
    let mut refused = 0;
    for seed in 0..50 {
        let task = shape.generate(seed);
        let is_plain =
            task.require_no_axioms("").is_ok() && task.require_no_conditional_effects("").is_ok();
        let found = seq(&task, &Limits::none());
        assert_eq!(matches!(found, Err(Error::Unsupported(_))), !is_plain, "seed {seed}");
        refused += usize::from(!is_plain);
    }
    assert!(refused > 25, "only {refused} tasks were refused");
}
