//! A* with several threads: limits, requests to stop, large costs, panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use hipot_search::{
    Blind, Outcome, ParallelParams, Progress, SearchParams, SearchResult, StateBudget, Statistics,
    parallel_astar,
};
use hipot_task::{
    Estimate, Heuristic, Limits, Packing, StateView, Stop, Task, TaskBuilder, Variable,
    processor_time,
};
use hipot_testing::{counter, switches};

fn told_search(
    task: &Task,
    threads: usize,
    params: SearchParams,
    limits: &Limits,
    tell: &mut dyn FnMut(Progress<'_>),
) -> SearchResult {
    let packing = Packing::new(task);
    let heuristics = &mut vec![Blind::new(task, &packing); threads];
    parallel_astar(task, &packing, heuristics, params.into(), limits, tell)
}

fn search(task: &Task, threads: usize, limits: &Limits) -> SearchResult {
    told_search(task, threads, SearchParams::default(), limits, &mut |_| {})
}

fn cost(result: &SearchResult) -> u64 {
    match &result.outcome {
        Outcome::Solved(plan) => plan.cost,
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_numbers_of_threads_give_the_same_cost() {
    let task = switches(12, 3, true);
    for threads in [1, 2, 3, 7, 80] {
        let result = search(&task, threads, &Limits::none());
        assert_eq!((cost(&result), result.lower_bound), (36, 36));
        assert!(result.statistics.evaluated <= 1 << 12);
        let whole = search(&switches(12, 3, false), threads, &Limits::none());
        assert_eq!(whole.outcome, Outcome::Unsolvable);
        assert_eq!(whole.statistics.evaluated, 1 << 12);
        assert_eq!(whole.statistics.expanded, (1 << 12) + whole.statistics.reopened);
    }
}

#[test]
fn expensive_operators_add_up_beyond_32_bits() {
    let result = search(&counter(6, i32::MAX as u32), 2, &Limits::none());
    assert_eq!(cost(&result), 63 * 2_147_483_647);
}

#[test]
fn cheap_operators_add_up_beyond_32_bits() {
    // 2^13 − 1 steps of 2^20 pass 2^31: the search starts again, wider.
    let result = search(&counter(13, 1 << 20), 3, &Limits::none());
    assert_eq!(cost(&result), ((1 << 13) - 1) << 20);
    assert_eq!(result.statistics.expanded, 1 << 13);
}

#[test]
fn a_goal_at_the_start_needs_no_step() {
    let mut builder = TaskBuilder::new(true);
    builder.add_variable(Variable::new("v", ["a", "b"])).unwrap();
    builder.set_initial(vec![0]).unwrap();
    let result = search(&builder.build(), 3, &Limits::none());
    assert_eq!((cost(&result), result.statistics.expanded), (0, 1));
}

#[test]
fn a_task_without_variables_is_solved() {
    let mut builder = TaskBuilder::new(false);
    builder.set_initial(Vec::new()).unwrap();
    assert_eq!(cost(&search(&builder.build(), 2, &Limits::none())), 0);
}

#[test]
fn a_deadline_ends_all_threads_with_a_bound() {
    for (task, least_bound) in [(counter(30, 1), 10), (switches(40, 1, false), 3)] {
        let deadline = Instant::now() + Duration::from_millis(300);
        let limits = Limits::new(Some(deadline), None);
        let packing = Packing::new(&task);
        let heuristics = &mut vec![Blind::new(&task, &packing); 3];
        let params = ParallelParams { round: 4, ..SearchParams::default().into() };
        let result = parallel_astar(&task, &packing, heuristics, params, &limits, &mut |_| {});
        assert_eq!(result.outcome, Outcome::Stopped(Stop::TimeLimit));
        assert!(deadline.elapsed() < Duration::from_secs(1), "{:?}", deadline.elapsed());
        let Statistics { expanded, .. } = result.statistics;
        assert!(result.lower_bound >= least_bound, "{}", result.lower_bound);
        // A counter is at most as far as it has counted.
        assert!(result.lower_bound <= expanded + 1, "{} {expanded}", result.lower_bound);
    }
}

#[test]
fn a_limit_on_processor_time_counts_all_threads() {
    let limit = processor_time() + Duration::from_millis(300);
    let limits = Limits::none().with_processor_limit(Some(limit));
    let result = search(&switches(40, 1, false), 2, &limits);
    assert_eq!(result.outcome, Outcome::Stopped(Stop::ProcessorLimit));
}

#[test]
fn an_interrupt_ends_the_search_and_bounds_are_told_in_order() {
    let limits = Limits::none();
    let mut bounds = Vec::new();
    let mut tell = |Progress { f, is_new_layer, statistics }: Progress<'_>| {
        if is_new_layer {
            assert_eq!(statistics.expanded, statistics.expanded_until_last_jump);
            bounds.push(f);
        }
        if f >= 2000 {
            limits.request(Stop::Interrupted);
        }
    };
    let result = told_search(&counter(30, 1), 2, SearchParams::default(), &limits, &mut tell);
    assert_eq!(result.outcome, Outcome::Stopped(Stop::Interrupted));
    assert!(bounds.is_sorted_by(|a, b| a < b));
    assert_eq!(bounds.last(), Some(&result.lower_bound));
    assert!((2000..20_000).contains(&result.lower_bound), "{}", result.lower_bound);
}

#[test]
fn a_request_before_the_search_is_noticed() {
    let limits = Limits::none();
    limits.request(Stop::Interrupted);
    let result = search(&counter(30, 1), 2, &limits);
    assert_eq!(result.outcome, Outcome::Stopped(Stop::Interrupted));
}

#[test]
fn a_budget_of_states_is_no_limit_that_was_reached() {
    for budget in [
        StateBudget { expanded: 50_000, ..StateBudget::default() },
        StateBudget { evaluated: 50_000, ..StateBudget::default() },
    ] {
        let params = SearchParams { budget, ..SearchParams::default() };
        let task = switches(30, 1, false);
        let result = told_search(&task, 3, params, &Limits::none(), &mut |_| {});
        assert_eq!(result.outcome, Outcome::BudgetSpent);
        let Statistics { expanded, evaluated, .. } = result.statistics;
        assert!(expanded >= 50_000 || evaluated >= 50_000);
        assert!(expanded < 100_000 && evaluated < 800_000, "{expanded} {evaluated}");
    }
}

/// Blind until some state has so many bits set.
#[derive(Clone)]
struct Panicking {
    blind: Blind,
    bits: u32,
}

impl Heuristic for Panicking {
    fn estimate(&mut self, state: StateView<'_>) -> Estimate {
        let bits: u32 = state.words().iter().map(|word| word.count_ones()).sum();
        assert!(bits < self.bits, "as it should be");
        self.blind.estimate(state)
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

#[test]
fn a_panic_in_a_thread_reaches_the_caller() {
    let task = switches(16, 1, true);
    let packing = Packing::new(&task);
    let blind = Blind::new(&task, &packing);
    for bits in 1..10 {
        let mut heuristics = vec![Panicking { blind: blind.clone(), bits }; 3];
        let params = ParallelParams::from(SearchParams::default());
        let search = || {
            let limits = Limits::none();
            parallel_astar(&task, &packing, &mut heuristics, params, &limits, &mut |_| {})
        };
        let panic = catch_unwind(AssertUnwindSafe(search)).expect_err("a panic");
        let message = panic.downcast_ref::<&str>().copied().map(str::to_owned);
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap();
        assert!(message.contains("as it should be"), "{message}");
    }
}
