//! Costs at the edge of what fits, early ends, and determinism.

use std::time::{Duration, Instant};

use hipot_search::{Blind, Outcome, Progress, SearchParams, SearchResult, StateBudget, astar};
use hipot_task::{Limits, Packing, Stop, Task, TaskBuilder, Variable};
use hipot_testing::counter;

fn search(task: &Task, limits: &Limits) -> SearchResult {
    told_search(task, StateBudget::default(), limits, &mut |_| {})
}

fn told_search(
    task: &Task,
    budget: StateBudget,
    limits: &Limits,
    tell: &mut dyn FnMut(Progress<'_>),
) -> SearchResult {
    let packing = Packing::new(task);
    let params = SearchParams { budget, ..SearchParams::default() };
    astar(task, &packing, &mut Blind::new(task, &packing), params, limits, tell)
}

fn cost(result: &SearchResult) -> u64 {
    match &result.outcome {
        Outcome::Solved(plan) => plan.cost,
        other => panic!("{other:?}"),
    }
}

#[test]
fn dear_operators_add_up_beyond_32_bits() {
    let result = search(&counter(6, i32::MAX as u32), &Limits::none());
    assert_eq!(cost(&result), 63 * 2_147_483_647);
}

#[test]
fn cheap_operators_add_up_beyond_32_bits() {
    // 2^13 − 1 steps of 2^20 pass 2^31: the search starts again, wider.
    let result = search(&counter(13, 1 << 20), &Limits::none());
    assert_eq!(cost(&result), ((1 << 13) - 1) << 20);
    assert_eq!(result.statistics.expanded, 1 << 13);
}

#[test]
fn a_goal_at_the_start_needs_no_step() {
    let mut builder = TaskBuilder::new(true);
    builder.add_variable(Variable::new("v", ["a", "b"])).unwrap();
    builder.set_initial(vec![0]).unwrap();
    let result = search(&builder.build(), &Limits::none());
    assert_eq!((cost(&result), result.statistics.expanded), (0, 1));
    assert_eq!(result.lower_bound, 0);
}

#[test]
fn a_task_without_variables_is_solved() {
    let mut builder = TaskBuilder::new(false);
    builder.set_initial(Vec::new()).unwrap();
    assert_eq!(cost(&search(&builder.build(), &Limits::none())), 0);
}

#[test]
fn a_deadline_ends_the_search_with_a_bound() {
    let deadline = Instant::now() + Duration::from_millis(200);
    let result = search(&counter(30, 1), &Limits::new(Some(deadline), None));
    assert_eq!(result.outcome, Outcome::Stopped(Stop::TimeLimit));
    assert!(deadline.elapsed() < Duration::from_millis(300), "{:?}", deadline.elapsed());
    // One state a layer: the bound is the number of states expanded.
    assert_eq!(result.lower_bound, result.statistics.expanded);
    assert!(result.lower_bound > 1000);
}

#[test]
fn an_interrupt_ends_the_search_and_layers_are_told_in_order() {
    let limits = Limits::none();
    let mut layers = Vec::new();
    let mut tell = |Progress { f, is_new_layer, statistics }: Progress<'_>| {
        if is_new_layer {
            assert_eq!(statistics.expanded, statistics.expanded_until_last_jump);
            layers.push(f);
        }
        if f == 50_000 {
            limits.request(Stop::Interrupted);
        }
    };
    let result = told_search(&counter(30, 1), StateBudget::default(), &limits, &mut tell);
    assert_eq!(result.outcome, Outcome::Stopped(Stop::Interrupted));
    assert!(layers.is_sorted());
    assert_eq!(layers.last(), Some(&result.lower_bound));
    assert!((50_000..60_000).contains(&result.lower_bound), "{}", result.lower_bound);
}

#[test]
fn a_budget_of_states_is_no_limit_that_was_reached() {
    for budget in [
        StateBudget { expanded: 10_000, ..StateBudget::default() },
        StateBudget { evaluated: 10_000, ..StateBudget::default() },
    ] {
        let result = told_search(&counter(30, 1), budget, &Limits::none(), &mut |_| {});
        assert_eq!(result.outcome, Outcome::BudgetSpent);
        let expanded = result.statistics.expanded;
        assert!((9_999..20_000).contains(&expanded), "{expanded}");
    }
}

#[test]
fn the_same_search_gives_the_same_result() {
    let task =
        hipot_testing::RandomTask { variables: 8, operators: 30, ..Default::default() }.generate(7);
    let (first, second) = (search(&task, &Limits::none()), search(&task, &Limits::none()));
    assert_eq!(first.outcome, second.outcome);
    assert_eq!(first.statistics, second.statistics);
}
